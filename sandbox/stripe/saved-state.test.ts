import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startSandbox } from '../start-sandbox';
import { stripeClient } from './testing/clients';

const folder = mkdtempSync(join(tmpdir(), 'sandbox-stripe-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('objects, cards, the clock, events and idempotency keys survive a restart', async () => {
  const stripeFile = join(folder, 'state', 'stripe.json');
  const first = await startSandbox({ stripeFile });
  const before = stripeClient(first.origin);
  const customer = await before.customers.create({ name: 'Ash' }, { idempotencyKey: 'customer-1' });
  const strict = await before.paymentMethods.attach('pm_card_authenticationRequired', {
    customer: customer.id,
  });
  first.stripe.advance(40 * 24 * 3600);
  const then = first.stripe.now();
  await first.close();

  const second = await startSandbox({ stripeFile });
  const after = stripeClient(second.origin);
  const again = await after.customers.create({ name: 'Ash' }, { idempotencyKey: 'customer-1' });
  expect(again.id).toBe(customer.id);
  expect(second.stripe.now()).toBeGreaterThanOrEqual(then);
  const intent = await after.paymentIntents.create({
    amount: 499,
    currency: 'gbp',
    customer: customer.id,
    payment_method: strict.id,
    return_url: 'https://packwatch.test/',
    confirm: true,
  });
  expect(intent.status).toBe('requires_action');
  expect((await after.events.list({ type: 'customer.created' })).data).toHaveLength(1);
  await second.close();
});

test('a file that cannot be read is named with what to do', async () => {
  const stripeFile = join(folder, 'broken.json');
  writeFileSync(stripeFile, '{"store"');
  await expect(startSandbox({ stripeFile })).rejects.toThrow(`${stripeFile} cannot be read`);
});
