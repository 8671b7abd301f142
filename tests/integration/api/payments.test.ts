import { afterAll, beforeAll, expect, test } from 'vitest';
import { syncPurchase } from '#shared/tokens/sync-purchase.server';
import { serverContext } from '~/http/server/context.server';
import { startSandbox, type Sandbox } from '../../../sandbox/start-sandbox';
import { callApi, createApiFixture, type ApiFixture } from './api-fixture';
import { CARDS, confirmCard, stripeVariables } from '../payments/payments-fixture';

let sandbox: Sandbox;
let fixture: ApiFixture;
beforeAll(async () => {
  sandbox = await startSandbox();
  fixture = await createApiFixture(stripeVariables(sandbox));
});
afterAll(async () => {
  await fixture.cleanup();
  await sandbox.close();
});

async function buy(token: string, packageId: string): Promise<string> {
  const answer = await callApi('POST', '/api/payments/create-payment-intent', { token, body: { packageId } });
  expect(answer).toMatchObject({ status: 200, body: { success: true, clientSecret: expect.any(String) } });
  // No id, no amount: the browser needs the secret alone.
  expect(Object.keys(answer.body).sort()).toEqual(['clientSecret', 'success']);
  return String(answer.body.clientSecret);
}

/** Pays, and applies what Stripe then reports. */
async function pay(clientSecret: string, card: string): Promise<void> {
  await confirmCard(sandbox, clientSecret, card);
  await report(clientSecret);
}

async function report(clientSecret: string): Promise<void> {
  await syncPurchase(serverContext().payments, clientSecret.split('_secret_')[0] ?? '');
}

async function readTransactions(token: string): Promise<unknown[]> {
  const { body } = await callApi('GET', '/api/payments/transactions', { token });
  return body.transactions as unknown[];
}

async function readBalance(token: string): Promise<unknown> {
  return (await callApi('GET', '/api/payments/balance', { token })).body.balance;
}

test('tokens are bought: pending, paid, credited once, and spent', async () => {
  const token = await fixture.tokenOf('pro');
  const secret = await buy(token, 'tokens-50');
  const purchase = {
    id: expect.any(String),
    packageName: '50 Tokens',
    tokenCount: 50,
    amount: 4.99,
    status: 'pending',
    createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
  };
  expect(await readTransactions(token)).toEqual([purchase]);
  expect(await readBalance(token)).toBe(0);

  await pay(secret, CARDS.succeeds);
  await report(secret);
  expect(await readTransactions(token)).toEqual([{ ...purchase, status: 'completed' }]);
  expect(await readBalance(token)).toBe(50);
  const answer = await callApi('POST', '/api/tokens/consume', { token, body: { taskId: 'a' } });
  expect(answer).toMatchObject({ status: 200, body: { consumed: 1, balance: 49 } });

  // The next purchase is another payment, and comes first in the list.
  const next = await buy(token, 'tokens-200');
  expect(next).not.toBe(secret);
  expect(await readTransactions(token)).toMatchObject([
    { tokenCount: 200, amount: 14.99, status: 'pending' },
    { tokenCount: 50, amount: 4.99, status: 'completed' },
  ]);
});

test('the same purchase in five tabs has one secret, and a declined card leaves it open', async () => {
  const token = await fixture.tokenOf('beta');
  const secrets = await Promise.all([1, 2, 3, 4, 5].map(() => buy(token, 'tokens-50')));
  expect(new Set(secrets).size).toBe(1);
  const [secret = ''] = secrets;
  await pay(secret, CARDS.declines);
  expect(await readTransactions(token)).toMatchObject([{ status: 'pending' }]);
  expect(await readBalance(token)).toBe(0);
  expect(await buy(token, 'tokens-50')).toBe(secret);
  await pay(secret, CARDS.succeeds);
  expect(await readBalance(token)).toBe(50);
});

test('a member sees nothing of the purchases of another', async () => {
  const [ash, misty] = [await fixture.tokenOf('beta'), await fixture.tokenOf('beta')];
  const secret = await buy(ash, 'tokens-50');
  expect(await readTransactions(misty)).toEqual([]);
  expect(await buy(misty, 'tokens-50')).not.toBe(secret);
  await pay(secret, CARDS.succeeds);
  expect(await readBalance(misty)).toBe(0);
  expect(await readTransactions(misty)).toMatchObject([{ status: 'pending' }]);
});

test('an unknown or retired package cannot be bought', async () => {
  const token = await fixture.tokenOf('beta');
  await fixture.db
    .updateTable('token_packages')
    .set({ retired_at: new Date().toISOString() })
    .where('id', '=', 'tokens-1000')
    .execute();
  for (const packageId of ['none', 'pro-monthly', 'tokens-1000'])
    expect(
      await callApi('POST', '/api/payments/create-payment-intent', { token, body: { packageId } }),
    ).toMatchObject({ status: 404, body: { code: 'unknown_package' } });
  expect(await readTransactions(token)).toEqual([]);
  const { body } = await callApi('GET', '/api/payments/packages', { token });
  expect((body.packages as { id: string }[]).map(({ id }) => id)).toEqual(['tokens-50', 'tokens-200']);
});

test('a payment that Stripe reports during fifty consumptions is credited and spent exactly', async () => {
  const token = await fixture.tokenOf('pro');
  await pay(await buy(token, 'tokens-50'), CARDS.succeeds);
  const consume = async (taskId: string): Promise<number> =>
    (await callApi('POST', '/api/tokens/consume', { token, body: { taskId } })).status;
  const consumeAll = (from: number, count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => consume(`task-${from + index}`)));
  expect(new Set(await consumeAll(0, 30))).toEqual(new Set([200]));

  const secret = await buy(token, 'tokens-50');
  const [statuses] = await Promise.all([consumeAll(30, 50), pay(secret, CARDS.succeeds), report(secret)]);
  const refused = statuses.flatMap((status, index) => (status === 402 ? [`task-${30 + index}`] : []));
  expect(statuses.filter((status) => status === 200)).toHaveLength(50 - refused.length);
  expect(await readBalance(token)).toBe(20 + refused.length);
  expect(new Set(await Promise.all(refused.map(consume)))).toEqual(new Set(refused.length > 0 ? [200] : []));
  expect(await readBalance(token)).toBe(20);
});
