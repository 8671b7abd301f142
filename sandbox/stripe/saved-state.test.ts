import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startSandbox } from '../start-sandbox';
import { stripeClient } from './testing/clients';

const folder = mkdtempSync(join(tmpdir(), 'packwatch-stripe-'));
const stripeFile = join(folder, 'run', 'stripe.json');
const DAY = 86_400;

afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('customers, subscriptions and the clock survive a restart, and the subscription still renews', async () => {
  const first = await startSandbox({ stripeFile });
  const before = stripeClient(first.origin);
  const { id: customer } = await before.customers.create({ email: 'ann@example.test' });
  const method = await before.paymentMethods.attach('pm_card_visa', { customer });
  await before.customers.update(customer, { invoice_settings: { default_payment_method: method.id } });
  const product = await before.products.create({ name: 'Pro Monthly' });
  const price = await before.prices.create({
    product: product.id,
    currency: 'gbp',
    unit_amount: 999,
    recurring: { interval: 'day', interval_count: 30 },
  });
  const { id } = await before.subscriptions.create({ customer, items: [{ price: price.id }] });
  first.stripe.advance(20 * DAY);
  const now = first.stripe.now();
  await first.close();

  const second = await startSandbox({ stripeFile });
  const after = stripeClient(second.origin);
  expect(second.stripe.now()).toBeGreaterThanOrEqual(now);
  expect(await after.subscriptions.retrieve(id)).toMatchObject({ status: 'active', customer });
  second.stripe.advance(11 * DAY);
  expect((await after.invoices.list({ customer, status: 'paid' })).data).toHaveLength(2);
  second.reset();
  await second.close();

  const third = await startSandbox({ stripeFile });
  expect((await stripeClient(third.origin).customers.list()).data).toEqual([]);
  await third.close();

  writeFileSync(stripeFile, '{');
  await expect(startSandbox({ stripeFile })).rejects.toThrow(/cannot be read .* delete it/);
});

test('idempotency keys, events and the behaviour of cards survive a restart', async () => {
  const first = await startSandbox({ stripeFile });
  const before = stripeClient(first.origin);
  const customer = await before.customers.create({ name: 'Ash' }, { idempotencyKey: 'customer-1' });
  const strict = await before.paymentMethods.attach('pm_card_authenticationRequired', {
    customer: customer.id,
  });
  await first.close();

  const second = await startSandbox({ stripeFile });
  const after = stripeClient(second.origin);
  const again = await after.customers.create({ name: 'Ash' }, { idempotencyKey: 'customer-1' });
  expect(again.id).toBe(customer.id);
  expect((await after.events.list({ type: 'customer.created' })).data).toHaveLength(1);
  const intent = await after.paymentIntents.create({
    amount: 499,
    currency: 'gbp',
    customer: customer.id,
    payment_method: strict.id,
    return_url: 'https://packwatch.test/',
    confirm: true,
  });
  expect(intent.status).toBe('requires_action');
  await second.close();
});
