import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { listAdoptable } from '#shared/billing/adopt.server';
import { toIso } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import type { Payer, PaymentsContext } from '#shared/payments/payments-context';
import { readMembership } from '#shared/subscriptions/membership';
import { syncPackages } from '#shared/subscriptions/packages/sync-packages.server';
import {
  startSubscription,
  startSubscriptionCheckout,
} from '#shared/subscriptions/start-subscription.server';
import { startTokenCheckout, startTokenPurchase } from '#shared/tokens/buy-tokens.server';
import { readBalance } from '#shared/tokens/token-ledger';
import { refusalOf } from '../accounts/accounts-fixture';
import { createTestDatabase } from '../database';
import { createStripeInProcess, type StripeInProcess } from './stripe-in-process';

let world: StripeInProcess;
const backups: (() => Promise<void>)[] = [];
beforeAll(async () => {
  world = await createStripeInProcess();
});
afterAll(async () => {
  for (const cleanup of backups) await cleanup();
  await world.cleanup();
});
beforeEach(() => world.restartStripe());

/** A member with Pro and fifty tokens, bought after the backup. */
async function buyAll(): Promise<Payer> {
  const account = await world.payer();
  const { clientSecret } = await startSubscription(world.context, { account, packageId: 'pro-monthly' });
  await world.pay(clientSecret ?? '');
  await world.pay(
    (await startTokenPurchase(world.context, { account, packageId: 'tokens-50' })).clientSecret,
  );
  for (const event of world.takeEvents()) await world.deliver(event);
  return account;
}

/** The database of a backup from before the first purchase: it has the accounts and nothing else. */
async function restore(accounts: readonly Payer[]): Promise<PaymentsContext & { db: Database }> {
  const { db, cleanup } = await createTestDatabase();
  backups.push(cleanup);
  const stamp = toIso(world.clock.now());
  for (const account of accounts)
    await db
      .insertInto('users')
      .values({ ...account, username: 'Ann', created_at: stamp, updated_at: stamp })
      .execute();
  const context = { ...world.context, db };
  await syncPackages(context);
  return context;
}

const tierOf = async ({ db }: PaymentsContext, { id }: Payer) =>
  (await readMembership(db, { accountId: id, now: world.clock.now() })).tier;
const balanceOf = ({ db }: PaymentsContext, { id }: Payer) => readBalance(db, { accountId: id });
const customers = () => world.stripe.store.list('customer').length;

it('what was bought since is found, shown, and made again once, without mails', async () => {
  const account = await buyAll();
  world.stripe.advance(60);
  const lost = await buyAll();
  const context = await restore([account]);
  const found = await listAdoptable(context);
  expect(found).toMatchObject([
    { kind: 'subscription', accountId: account.id, amountPence: 999, obstacle: null },
    { kind: 'tokens', accountId: account.id, amountPence: 499, obstacle: null },
    { kind: 'subscription', accountId: null, obstacle: expect.stringContaining(lost.id) },
    { kind: 'tokens', accountId: null },
  ]);
  expect([await tierOf(context, account), await balanceOf(context, account)]).toEqual(['free', 0]);
  for (const { adopt } of found) await adopt();
  for (const { adopt } of found) await adopt();
  expect([await tierOf(context, account), await balanceOf(context, account)]).toEqual(['pro', 50]);
  expect(await context.db.selectFrom('mails').selectAll().execute()).toEqual([]);
  expect((await listAdoptable(context)).map(({ accountId }) => accountId)).toEqual([null, null]);
  // The ids of the rows are those of the metadata, so that later events of Stripe find them.
  const [row] = await context.db.selectFrom('subscriptions').select(['id', 'status']).execute();
  expect(world.stripe.store.list('subscription').map(({ metadata }) => metadata.row)).toContain(row?.id);
  expect(row?.status).toBe('active');
});

/** Adds the only customer at Stripe, for a backup from after the account's first purchase. */
async function addCustomer({ db }: PaymentsContext, { id }: Payer): Promise<void> {
  const stripe_customer_id = world.stripe.store.list('customer')[0]?.id ?? '';
  await db
    .insertInto('payment_customers')
    .values({ id, user_id: id, stripe_customer_id, created_at: toIso(world.clock.now()) })
    .execute();
}

it('an account that presses Subscribe before that has its subscription again, and nothing is charged', async () => {
  for (const start of [startSubscription, startSubscriptionCheckout])
    for (const knowsCustomer of [false, true]) {
      await world.restartStripe();
      const account = await buyAll();
      const context = await restore([account]);
      if (knowsCustomer) await addCustomer(context, account);
      const refused = await refusalOf(start(context, { account, packageId: 'pro-yearly' }));
      expect(refused).toMatchObject({ kind: 'Conflict', code: 'already_subscribed' });
      expect(await tierOf(context, account)).toBe('pro');
      expect(customers()).toBe(1);
      expect(world.stripe.store.list('subscription')).toHaveLength(1);
    }
});

it('an account that buys tokens before that has its tokens again, also when its address at Stripe is another', async () => {
  const account = await buyAll();
  const context = await restore([account]);
  const [customer] = world.stripe.store.list('customer');
  await world.client.customers.update(customer?.id ?? '', { email: 'other@example.org' });
  world.stripe.advance(60);
  const order = { account, packageId: 'tokens-50' };
  expect(await refusalOf(startTokenPurchase(context, order))).toMatchObject({ code: 'payment_received' });
  expect(await balanceOf(context, account)).toBe(50);
  expect((await startTokenPurchase(context, order)).clientSecret).toMatch(/^pi_/);
  expect(customers()).toBe(1);
});

it('an account whose customer the backup knows does not pay for its tokens again either, by form or by page', async () => {
  for (const start of [startTokenPurchase, startTokenCheckout]) {
    await world.restartStripe();
    const account = await buyAll();
    const context = await restore([account]);
    await addCustomer(context, account);
    const order = { account, packageId: 'tokens-50', returnTo: '/dashboard/tokens' };
    expect(await refusalOf(start(context, order))).toMatchObject({ code: 'payment_received' });
    expect(await balanceOf(context, account)).toBe(50);
    await start(context, order);
    expect(await balanceOf(context, account)).toBe(50);
  }
});

it('where Stripe offers no search, the list by address finds the customer, and never another account’s', async () => {
  const account = await buyAll();
  const stranger = await world.payer();
  const context = await restore([account, stranger]);
  world.stripe.setFaults([{ kind: 'status', status: 400, persistent: true, path: '/v1/customers/search' }]);
  await world.client.customers.create({
    email: stranger.email,
    metadata: { app: 'other', user: stranger.id },
  });
  expect((await refusalOf(startTokenPurchase(context, { account, packageId: 'tokens-50' }))).code).toBe(
    'payment_received',
  );
  const before = customers();
  await startTokenPurchase(context, { account: stranger, packageId: 'tokens-50' });
  expect(customers()).toBe(before + 1);
  world.stripe.setFaults([]);
});
