import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../start-sandbox';
import { API_KEYS } from './keys';

let sandbox: Sandbox;
let stripe: Stripe;

function clientWith(key: string): Stripe {
  const { hostname, port } = new URL(sandbox.origin);
  return new Stripe(key, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false });
}

beforeAll(async () => {
  sandbox = await startSandbox();
  stripe = clientWith(API_KEYS.secret);
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
