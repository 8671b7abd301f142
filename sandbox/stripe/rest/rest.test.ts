import type Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../start-sandbox';
import { browserPost, stripeClient } from '../testing/clients';

let sandbox: Sandbox;
let stripe: Stripe;

beforeAll(async () => {
  sandbox = await startSandbox();
  stripe = stripeClient(sandbox.origin);
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

test('a customer is created, updated, listed and deleted', async () => {
  const customer = await stripe.customers.create({
    email: 'ash@example.test',
    metadata: { app: 'packwatch', user: '1' },
  });
  expect(customer).toMatchObject({ object: 'customer', email: 'ash@example.test', livemode: false });
  const updated = await stripe.customers.update(customer.id, {
    name: 'Ash',
    metadata: { user: '', row: '7' },
  });
  expect(updated).toMatchObject({ name: 'Ash', metadata: { app: 'packwatch', row: '7' } });
  await stripe.customers.create({ email: 'misty@example.test' });
  const page = await stripe.customers.list({ limit: 1 });
  expect([page.data[0]?.email, page.has_more]).toEqual(['misty@example.test', true]);
  const everyone = await stripe.customers.list({ limit: 1 }).autoPagingToArray({ limit: 10 });
  expect(everyone).toHaveLength(2);
  expect(await stripe.customers.del(customer.id)).toEqual(
    expect.objectContaining({ id: customer.id, deleted: true }),
  );
  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ deleted: true });
  await expect(stripe.customers.update(customer.id, { name: 'Ash' })).rejects.toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
  });
});

test.each<[string, string | undefined, number, Record<string, string>]>([
  [
    'a metadata value that is too long',
    undefined,
    400,
    { amount: '499', currency: 'gbp', 'metadata[note]': 'x'.repeat(501) },
  ],
  [
    'a parameter that Stripe does not know',
    'parameter_unknown',
    400,
    { amount: '499', currency: 'gbp', colour: 'red' },
  ],
  ['a missing parameter', 'parameter_missing', 400, { currency: 'gbp' }],
  ['an amount that is a float', 'parameter_invalid_integer', 400, { amount: '4.99', currency: 'gbp' }],
  ['an amount below the minimum', 'amount_too_small', 400, { amount: '29', currency: 'gbp' }],
  ['an empty text', 'parameter_invalid_empty', 400, { amount: '499', currency: 'gbp', description: '' }],
  ['a text for a boolean', undefined, 400, { amount: '499', currency: 'gbp', confirm: 'yes' }],
  [
    'payment_method_types',
    'payment_method_types_no_longer_supported',
    400,
    { amount: '499', currency: 'gbp', 'payment_method_types[]': 'card' },
  ],
  [
    'a parameter that the sandbox lacks',
    'sandbox_not_implemented',
    400,
    { amount: '499', currency: 'gbp', transfer_group: 'a' },
  ],
  [
    'a name in two shapes',
    undefined,
    400,
    { amount: '499', currency: 'gbp', metadata: 'a', 'metadata[b]': 'c' },
  ],
])('%s is refused', async (_what, code, status, fields) => {
  const response = await fetch(`${sandbox.origin}/v1/payment_intents`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk_test_sandbox', 'idempotency-key': 'one' },
    body: new URLSearchParams(fields),
  });
  const { error } = (await response.json()) as { error: Record<string, unknown> };
  expect([response.status, error.type, error.code]).toEqual([status, 'invalid_request_error', code]);
  // A malformed request does not use up its idempotency key.
  const intent = await stripe.paymentIntents.create(
    { amount: 499, currency: 'gbp' },
    { idempotencyKey: 'one' },
  );
  expect(intent.amount).toBe(499);
});

test('a repeated key gets the first answer, and an error when the request differs', async () => {
  const order = { amount: 499, currency: 'gbp' };
  const first = await stripe.paymentIntents.create(order, { idempotencyKey: 'purchase-1' });
  const again = await stripe.paymentIntents.create(order, { idempotencyKey: 'purchase-1' });
  expect(again.id).toBe(first.id);
  expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
  await expect(
    stripe.paymentIntents.create({ ...order, amount: 500 }, { idempotencyKey: 'purchase-1' }),
  ).rejects.toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 });
  const refused = {
    ...order,
    payment_method: 'pm_card_chargeDeclined',
    confirm: true,
    return_url: 'https://a.test',
  };
  for (const _attempt of [1, 2])
    await expect(stripe.paymentIntents.create(refused, { idempotencyKey: 'refused' })).rejects.toMatchObject({
      code: 'card_declined',
    });
  expect((await stripe.charges.list()).data).toHaveLength(1);
  // Stripe executed it, so the refusal is saved, too.
  const unknown = { ...order, customer: 'cus_none' };
  for (const _attempt of [1, 2])
    await expect(stripe.paymentIntents.create(unknown, { idempotencyKey: 'unknown' })).rejects.toMatchObject({
      code: 'resource_missing',
    });
  expect(sandbox.stripe.requests().at(-1)).toMatchObject({ status: 400, replayed: true });
});

test('keys, versions and unknown addresses are checked', async () => {
  await expect(stripeClient(sandbox.origin, 'sk_test_wrong_key_1234').customers.list()).rejects.toMatchObject(
    {
      statusCode: 401,
      message: 'Invalid API Key provided: sk_test_**********1234',
    },
  );
  expect((await fetch(`${sandbox.origin}/v1/customers`)).status).toBe(401);
  await expect(stripe.customers.list({}, { apiVersion: '2025-03-31.basil' })).rejects.toThrow(
    /only Stripe version/,
  );
  await expect(stripe.coupons.list()).rejects.toMatchObject({ statusCode: 404 });
  const listed = await browserPost(sandbox.origin, '/v1/customers', { email: 'a@b.test' });
  expect(listed).toMatchObject({ status: 403, body: { error: { code: 'secret_key_required' } } });

  const intent = await stripe.paymentIntents.create({ amount: 499, currency: 'gbp' });
  const stolen = await browserPost(sandbox.origin, `/v1/payment_intents/${intent.id}/confirm`, {
    client_secret: `${intent.id}_secret_guess`,
    payment_method: 'pm_card_visa',
  });
  expect(stolen).toMatchObject({ status: 400, body: { error: { param: 'client_secret' } } });
  const without = await browserPost(sandbox.origin, `/v1/payment_intents/${intent.id}/confirm`, {});
  expect(without).toMatchObject({ status: 400, body: { error: { code: 'parameter_missing' } } });
});

test('fields are expanded on request, and refused when they cannot be', async () => {
  await stripe.paymentIntents.create({
    amount: 499,
    currency: 'gbp',
    customer: (await stripe.customers.create({ name: 'Ash' })).id,
  });
  const list = await stripe.paymentIntents.list({ expand: ['data.customer'] });
  expect(list.data[0]?.customer).toMatchObject({ name: 'Ash' });
  await expect(stripe.paymentIntents.list({ expand: ['data.amount'] })).rejects.toThrow(/cannot be expanded/);
  await expect(stripe.customers.list({ limit: 101 })).rejects.toThrow(/less than or equal to 100/);
});

test('the API fails as ordered: with a status, late, without an answer', async () => {
  sandbox.stripe.setFaults([{ kind: 'status', status: 503, path: '/v1/payment_intents' }]);
  await stripe.customers.list();
  await expect(stripe.paymentIntents.list()).rejects.toMatchObject({
    statusCode: 503,
    type: 'StripeAPIError',
  });
  sandbox.stripe.setFaults([{ kind: 'status', status: 429 }]);
  await expect(stripe.customers.list()).rejects.toMatchObject({ type: 'StripeRateLimitError' });
  sandbox.stripe.setFaults([{ kind: 'hang' }]);
  await expect(stripe.customers.list({}, { timeout: 50 })).rejects.toMatchObject({
    type: 'StripeConnectionError',
  });

  // The request was carried out and its answer was lost: the SDK repeats it with the same key and gets that answer.
  sandbox.stripe.setFaults([{ kind: 'drop', executed: true, method: 'POST' }]);
  const customer = await stripe.customers.create({ name: 'Ash' }, { idempotencyKey: 'customer-1' });
  expect((await stripe.customers.list()).data.map(({ id }) => id)).toEqual([customer.id]);
  expect(sandbox.stripe.requests().at(-2)).toMatchObject({
    method: 'POST',
    route: '/v1/customers',
    params: { name: 'Ash' },
    idempotencyKey: 'customer-1',
    status: 200,
    replayed: true,
  });
});

test('an error of Stripe that struck after the request was carried out is saved under its key', async () => {
  sandbox.stripe.setFaults([{ kind: 'status', status: 500, executed: true, method: 'POST' }]);
  const order = () => stripe.customers.create({ name: 'Ash' }, { idempotencyKey: 'customer-1' });
  await expect(order()).rejects.toMatchObject({ statusCode: 500 });
  await expect(order()).rejects.toMatchObject({
    statusCode: 500,
    headers: { 'idempotent-replayed': 'true' },
  });
  expect((await stripe.customers.list()).data).toHaveLength(1);
});

test('a key that another request is using is refused, and freed with its answer', async () => {
  sandbox.stripe.setFaults([{ kind: 'delay', ms: 60_000, executed: true, method: 'POST' }]);
  const slow = new AbortController();
  const first = fetch(`${sandbox.origin}/v1/customers`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk_test_sandbox', 'idempotency-key': 'customer-1' },
    body: 'name=Ash',
    signal: slow.signal,
  });
  await expect.poll(() => sandbox.stripe.requests()).toHaveLength(1);
  const repeat = () => stripe.customers.create({ name: 'Ash' }, { idempotencyKey: 'customer-1' });
  await expect(repeat()).rejects.toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' });
  slow.abort();
  await expect(first).rejects.toThrow();
  await expect.poll(() => repeat().then(() => 'created', String)).toBe('created');
  expect((await stripe.customers.list()).data).toHaveLength(1);
});

test('requests that Stripe’s description does not allow are listed, also those that a fault stopped', async () => {
  await stripe.customers.create({ name: 'Ash' });
  await stripe.coupons.list().catch(() => {});
  await stripe.invoices.list({ colour: 'red' } as object).catch(() => {});
  sandbox.stripe.setFaults([{ kind: 'status', status: 503 }]);
  const order = { amount: 4.99, currency: 'gbp' };
  await stripe.paymentIntents.create(order).catch(() => {});
  await fetch(`${sandbox.origin}/v1/customers`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk_test_sandbox', 'stripe-version': '2026-10-28.endive' },
  });
  expect(sandbox.stripe.violations().map(({ violation }) => violation)).toEqual([
    'the sandbox has no route GET /v1/coupons',
    'Received unknown parameter: colour',
    'Invalid integer: 4.99',
    'the Idempotency-Key is missing',
  ]);
});
