import type Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../start-sandbox';
import { ACCOUNTS } from './keys';
import { stripeClient } from './testing/clients';

let sandbox: Sandbox;
let stripe: Stripe;
beforeAll(async () => {
  sandbox = await startSandbox();
  stripe = stripeClient(sandbox.origin);
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

const control = (method: string, path: string, body?: object) =>
  fetch(sandbox.origin + path, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });

test('the keys of another account and of the live mode reach other objects, and say so', async () => {
  const { id } = await stripe.customers.create({ email: 'ash@example.test' });
  for (const account of [ACCOUNTS.live, ACCOUNTS.other]) {
    const client = stripeClient(sandbox.origin, account.secret);
    expect((await client.accounts.retrieveCurrent()).id).toBe(account.id);
    await expect(client.customers.retrieve(id)).rejects.toMatchObject({
      code: 'resource_missing',
      statusCode: 404,
    });
    expect((await client.customers.create({})).livemode).toBe(account.livemode);
  }
  expect((await stripe.accounts.retrieveCurrent()).id).toBe(ACCOUNTS.own.id);
  expect((await stripe.customers.list()).data).toHaveLength(1);
});

test('a restricted key is refused with the account and the permission that it lacks', async () => {
  const response = await control('POST', '/control/stripe/keys', { permissions: ['customer_write'] });
  const { key } = (await response.json()) as { key: string };
  const client = stripeClient(sandbox.origin, key);
  const { id } = await client.customers.create({});
  expect((await client.customers.retrieve(id)).id).toBe(id);
  const masked = `${key.slice(0, 8)}${'*'.repeat(key.length - 12)}${key.slice(-4)}`;
  await expect(client.events.list()).rejects.toMatchObject({
    type: 'StripePermissionError',
    statusCode: 403,
    message: `The provided key '${masked}' does not have the required permissions for this endpoint on account '${ACCOUNTS.own.id}'. Having the 'rak_event_read' permission would allow this request to continue.`,
  });
  await expect(client.accounts.retrieveCurrent()).rejects.toThrow(/rak_accounts_kyc_basic_read/);
  const reader = stripeClient(sandbox.origin, sandbox.stripe.restrict(['payment_intent_read']));
  await expect(reader.paymentIntents.list({ expand: ['data.latest_charge'] })).rejects.toThrow(
    /rak_charge_read/,
  );
  expect((await control('POST', '/control/stripe/keys', { permissions: ['*'] })).status).toBe(400);
});

test('an object can be forgotten, and the search finds a customer a minute after it was made', async () => {
  const metadata = { app: 'shop', user: 'u1' };
  const { id } = await stripe.customers.create({ metadata });
  const query = "metadata['app']:'shop' AND metadata['user']:'u1'";
  expect((await stripe.customers.search({ query })).data).toEqual([]);
  sandbox.stripe.advance(60);
  expect((await stripe.customers.search({ query })).data.map((one) => one.id)).toEqual([id]);
  expect((await control('DELETE', `/control/stripe/objects/${id}`)).status).toBe(200);
  await expect(stripe.customers.retrieve(id)).rejects.toMatchObject({ code: 'resource_missing' });
  expect((await control('DELETE', `/control/stripe/objects/${id}`)).status).toBe(404);
});
