import type Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../start-sandbox';
import { browserPost, stripeClient, typeCard } from '../testing/clients';

let sandbox: Sandbox;
let stripe: Stripe;
beforeAll(async () => {
  sandbox = await startSandbox();
  stripe = stripeClient(sandbox.origin);
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

const eventTypes = () => sandbox.stripe.events().map(({ type }) => type);
const purchase = (extra: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
  stripe.paymentIntents.create({
    amount: 499,
    currency: 'gbp',
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    metadata: { app: 'packwatch', row: 'purchase-1' },
    ...extra,
  });
const confirmInBrowser = (intent: Stripe.PaymentIntent, fields: Record<string, string>) =>
  browserPost(sandbox.origin, `/v1/payment_intents/${intent.id}/confirm`, {
    client_secret: intent.client_secret ?? '',
    use_stripe_sdk: 'true',
    ...fields,
  });

test('a card that the browser typed pays, and the intent shows its charge', async () => {
  const intent = await purchase();
  expect(intent).toMatchObject({ status: 'requires_payment_method', amount: 499, latest_charge: null });
  const paid = await confirmInBrowser(intent, {
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': '4242 4242 4242 4242',
    'payment_method_data[card][exp_month]': '1',
    'payment_method_data[card][exp_year]': '40',
    'payment_method_data[card][cvc]': '123',
    'payment_method_data[billing_details][address][postal_code]': '',
  });
  expect(paid).toMatchObject({ status: 200, body: { status: 'succeeded' } });
  // The publishable key sees a part of the intent only.
  expect(paid.body).not.toHaveProperty('metadata');

  const read = await stripe.paymentIntents.retrieve(intent.id, {
    expand: ['latest_charge.refunds', 'payment_method'],
  });
  const charge = read.latest_charge as Stripe.Charge;
  expect(charge).toMatchObject({ amount: 499, paid: true, metadata: { row: 'purchase-1' } });
  expect(charge.refunds?.data).toEqual([]);
  expect((read.payment_method as Stripe.PaymentMethod).card).toMatchObject({ brand: 'visa', last4: '4242' });
  expect(eventTypes()).toEqual(['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded']);
  await expect(stripe.paymentIntents.cancel(intent.id)).rejects.toMatchObject({
    code: 'payment_intent_unexpected_state',
  });
  await expect(
    stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' }),
  ).rejects.toMatchObject({ code: 'payment_intent_unexpected_state' });
});

test('a refused card leaves the intent open for another one', async () => {
  const intent = await purchase();
  const refused = await confirmInBrowser(intent, {
    payment_method: await typeCard(sandbox.origin, '4000000000000002'),
  });
  expect(refused).toMatchObject({
    status: 402,
    body: {
      error: {
        type: 'card_error',
        code: 'card_declined',
        decline_code: 'generic_decline',
        message: 'Your card was declined.',
        payment_intent: { id: intent.id, status: 'requires_payment_method' },
      },
    },
  });
  const read = await stripe.paymentIntents.retrieve(intent.id);
  expect(read).toMatchObject({
    status: 'requires_payment_method',
    payment_method: null,
    last_payment_error: { code: 'card_declined', decline_code: 'generic_decline' },
  });
  const charges = await stripe.charges.list({ payment_intent: intent.id });
  expect(charges.data).toMatchObject([{ status: 'failed', paid: false, failure_code: 'card_declined' }]);
  const paid = await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' });
  expect(paid).toMatchObject({ status: 'succeeded', last_payment_error: null });
  expect(eventTypes()).toEqual([
    'payment_intent.created',
    'charge.failed',
    'payment_intent.payment_failed',
    'charge.succeeded',
    'payment_intent.succeeded',
  ]);
});

test('a card that asks for authentication waits for the challenge, which the buyer passes or fails', async () => {
  const intent = await purchase();
  const method = await typeCard(sandbox.origin, '4000002760003184');
  const waiting = await confirmInBrowser(intent, { payment_method: method });
  expect(waiting.body).toMatchObject({
    status: 'requires_action',
    next_action: {
      type: 'use_stripe_sdk',
      use_stripe_sdk: { stripe_js: expect.stringContaining(`${sandbox.origin}/3ds/${intent.id}`) },
    },
  });
  expect(sandbox.stripe.finishChallenge(intent.id, false)).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: { code: 'payment_intent_authentication_failure' },
  });
  const again = await stripe.paymentIntents.confirm(intent.id, {
    payment_method: method,
    return_url: 'https://packwatch.test/back',
  });
  expect(again.next_action).toMatchObject({
    type: 'redirect_to_url',
    redirect_to_url: { return_url: 'https://packwatch.test/back' },
  });
  expect(sandbox.stripe.finishChallenge(intent.id, true).status).toBe('succeeded');
  expect(sandbox.stripe.finishChallenge(intent.id, false).status).toBe('succeeded');
});

test('a card is set up with the first payment, then pays while the buyer is away', async () => {
  const customer = await stripe.customers.create();
  const first = await purchase({ customer: customer.id, setup_future_usage: 'off_session' });
  await stripe.paymentIntents.confirm(first.id, { payment_method: 'pm_card_authenticationRequiredOnSetup' });
  sandbox.stripe.finishChallenge(first.id, true);
  const paid = await stripe.paymentIntents.retrieve(first.id, { expand: ['payment_method'] });
  const method = paid.payment_method as Stripe.PaymentMethod;
  expect(method).toMatchObject({ customer: customer.id, card: { last4: '3155' } });
  const away = await purchase({
    customer: customer.id,
    payment_method: method.id,
    off_session: true,
    confirm: true,
  });
  expect(away.status).toBe('succeeded');

  const strict = await stripe.paymentMethods.attach('pm_card_authenticationRequired', {
    customer: customer.id,
  });
  await expect(
    purchase({ customer: customer.id, payment_method: strict.id, off_session: true, confirm: true }),
  ).rejects.toMatchObject({ code: 'authentication_required', statusCode: 402 });
});

test('payment methods are attached to one customer, not used again after a payment without one, and refused by the bank', async () => {
  const customer = await stripe.customers.create();
  const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
  await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: method.id } });
  const other = await stripe.customers.create();
  await expect(stripe.paymentMethods.attach(method.id, { customer: other.id })).rejects.toThrow(/already/);
  await expect(purchase({ customer: other.id, payment_method: method.id })).rejects.toThrow(
    /does not belong/,
  );
  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({
    invoice_settings: { default_payment_method: method.id },
  });
  const { payment_method: spent } = await purchase({ payment_method: 'pm_card_visa', confirm: true });
  await expect(stripe.paymentMethods.attach(String(spent), { customer: customer.id })).rejects.toThrow(
    /may not be used again/,
  );
  await expect(
    stripe.paymentMethods.attach('pm_card_chargeDeclined', { customer: customer.id }),
  ).rejects.toMatchObject({ code: 'card_declined' });
  const failing = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: customer.id });
  await expect(
    purchase({ customer: customer.id, payment_method: failing.id, confirm: true }),
  ).rejects.toMatchObject({ code: 'card_declined' });
});

test.each([
  [{ 'card[number]': '4242424242424241' }, 'incorrect_number'],
  [{ 'card[exp_month]': '13' }, 'invalid_expiry_month'],
  [{ 'card[exp_year]': '2020' }, 'invalid_expiry_year'],
  [{ 'card[cvc]': '1' }, 'invalid_cvc'],
])('a card with %j is refused with %s', async (wrong, code) => {
  const { status, body } = await browserPost(sandbox.origin, '/v1/payment_methods', {
    type: 'card',
    'card[number]': '4242424242424242',
    'card[exp_month]': '12',
    'card[exp_year]': '2040',
    'card[cvc]': '123',
    ...wrong,
  });
  expect([status, body.error]).toEqual([402, expect.objectContaining({ code, type: 'card_error' })]);
});

test('an intent is canceled once, and listed per customer', async () => {
  const customer = await stripe.customers.create();
  const intent = await purchase({ customer: customer.id });
  const canceled = await stripe.paymentIntents.cancel(intent.id, { cancellation_reason: 'abandoned' });
  expect(canceled).toMatchObject({ status: 'canceled', amount: 499, cancellation_reason: 'abandoned' });
  await expect(stripe.paymentIntents.cancel(intent.id)).rejects.toMatchObject({
    code: 'payment_intent_unexpected_state',
  });
  await purchase();
  const list = await stripe.paymentIntents.list({ customer: customer.id });
  expect(list.data.map(({ id }) => id)).toEqual([intent.id]);
});

test('a charge is refunded in parts, never beyond what was paid', async () => {
  const intent = await purchase({ payment_method: 'pm_card_visa', confirm: true });
  const part = sandbox.stripe.refund(intent.id, 200);
  expect(part).toMatchObject({ amount: 200, status: 'succeeded' });
  expect(() => sandbox.stripe.refund(intent.id, 300)).toThrow(
    'Refund amount (£3.00) is greater than unrefunded amount on charge (£2.99)',
  );
  sandbox.stripe.refund(intent.id);
  expect(() => sandbox.stripe.refund(intent.id)).toThrow('has already been refunded');
  const read = await stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] });
  expect(read.latest_charge).toMatchObject({ amount_refunded: 499, refunded: true });
  expect((await stripe.refunds.list({ payment_intent: intent.id })).data).toHaveLength(2);
  const refunded = sandbox.stripe.events().filter(({ type }) => type === 'charge.refunded');
  expect(refunded.map(({ data }) => data)).toMatchObject([
    { object: { amount_refunded: 200, refunded: false }, previous_attributes: { amount_refunded: 0 } },
    { object: { amount_refunded: 499, refunded: true }, previous_attributes: { amount_refunded: 200 } },
  ]);
});

test('a dispute is opened, lost or won', async () => {
  const intent = await purchase({ payment_method: 'pm_card_visa', confirm: true });
  const dispute = sandbox.stripe.openDispute(intent.id);
  expect(dispute).toMatchObject({ amount: 499, status: 'needs_response', payment_intent: intent.id });
  expect(() => sandbox.stripe.refund(intent.id)).toThrow('has been charged back');
  sandbox.stripe.closeDispute(dispute.id, 'won');
  expect((await stripe.disputes.list({ payment_intent: intent.id })).data).toMatchObject([
    { id: dispute.id, status: 'won' },
  ]);
  expect(eventTypes().slice(3)).toEqual([
    'charge.dispute.created',
    'charge.dispute.funds_withdrawn',
    'charge.dispute.updated',
    'charge.dispute.funds_reinstated',
    'charge.dispute.closed',
  ]);
  expect(() => sandbox.stripe.closeDispute(dispute.id, 'lost')).toThrow('already won');
  await purchase({ payment_method: 'pm_card_createDispute', confirm: true });
  expect((await stripe.disputes.list()).data).toHaveLength(2);
});
