import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { paymentEventOutbox } from '#shared/billing/payment-events';
import { reconcileActive, reconcilePending } from '#shared/billing/reconcile.server';
import { retryEvent } from '#shared/billing/retry-event';
import { DAY, MINUTE, SECOND, toIso } from '#shared/clock';
import { inTransaction } from '#shared/database/transaction';
import { newId } from '#shared/ids';
import {
  LEASE_LIFETIME_MS,
  requireLease,
  withCustomerLease,
  type CustomerLease,
} from '#shared/payments/customer-lease.server';
import type { Payer } from '#shared/payments/payments-context';
import { readMembership } from '#shared/subscriptions/membership';
import { startSubscription } from '#shared/subscriptions/start-subscription.server';
import { startTokenPurchase } from '#shared/tokens/buy-tokens.server';
import { readBalance } from '#shared/tokens/token-ledger';
import { take } from './payment-history';
import { createStripeInProcess, type StripeInProcess } from './stripe-in-process';

let world: StripeInProcess;
beforeAll(async () => {
  world = await createStripeInProcess();
});
afterAll(() => world.cleanup());
beforeEach(() => world.restartStripe());

const WAIT_FOR_DAYS = (days: number): number => Math.round((days * DAY) / SECOND);
const balanceOf = ({ id }: Payer): Promise<number> => readBalance(world.db, { accountId: id });

async function deliverAll(): Promise<void> {
  for (const event of world.takeEvents()) await world.deliver(event);
}

/** The event of a payment for tokens that was made and not delivered yet. */
async function payForTokens(account: Payer) {
  const { clientSecret } = await startTokenPurchase(world.context, { account, packageId: 'tokens-50' });
  await world.pay(clientSecret);
  const event = world.takeEvents().find(({ type }) => type === 'payment_intent.succeeded');
  if (event === undefined) throw new Error('Stripe emitted no success');
  return event;
}

async function subscribe(account: Payer, renewalCard?: string): Promise<void> {
  const { clientSecret } = await startSubscription(world.context, { account, packageId: 'pro-monthly' });
  await world.pay(clientSecret ?? '');
  if (renewalCard !== undefined) await take(world, account, { do: 'changeCard', card: renewalCard });
  await deliverAll();
}

async function eventRow(stripeEventId: string) {
  return world.db
    .selectFrom('payment_events')
    .selectAll()
    .where('stripe_event_id', '=', stripeEventId)
    .executeTakeFirstOrThrow();
}

/** Moves Stripe's clock and ours until events that wait are due. */
async function untilDue(): Promise<void> {
  world.stripe.advance(15 * 60);
  await world.applyDue();
}

describe('an event', () => {
  it('waits while Stripe does not answer, and is applied when it does', async () => {
    const account = await world.payer();
    const event = await payForTokens(account);
    world.stripe.setFaults([{ kind: 'status', status: 503, persistent: true }]);
    await world.deliver(event);
    await untilDue();
    expect(await eventRow(event.id)).toMatchObject({ status: 'pending', attempts: 2 });
    world.stripe.setFaults([]);
    await untilDue();
    expect(await eventRow(event.id)).toMatchObject({ status: 'sent', attempts: 3, last_error: null });
    expect(await balanceOf(account)).toBe(50);
  });

  it('that cannot be applied is given up, reported to the admins once, and can be tried again', async () => {
    const account = await world.payer();
    const event = await payForTokens(account);
    const purchases = world.db.updateTable('token_purchases').where('user_id', '=', account.id);
    // Stripe's payment is over another amount than ours: nothing may be credited.
    await purchases.set({ amount_pence: 498 }).execute();
    await world.deliver(event);
    for (let attempt = 0; attempt < 12; attempt += 1) await untilDue();
    const failed = await eventRow(event.id);
    expect(failed).toMatchObject({ status: 'dead', attempts: 8 });
    expect(failed.last_error).toContain('499 gbp');
    expect(await balanceOf(account)).toBe(0);
    const notices = await world.db
      .selectFrom('admin_notices')
      .innerJoin('alert_deliveries', 'alert_deliveries.notice_id', 'admin_notices.id')
      .select(['kind', 'body', 'destination'])
      .execute();
    expect(notices).toMatchObject([{ kind: 'payment_event_failed', destination: 'ops@example.org' }]);
    expect(notices[0]?.body).toContain(`npm run payments -- retry ${event.id}`);

    await purchases.set({ amount_pence: 499 }).execute();
    await retryEvent(world.db, { id: event.id, actor: { userId: null }, clock: world.clock });
    await world.applyDue();
    expect(await eventRow(event.id)).toMatchObject({ status: 'sent' });
    expect(await balanceOf(account)).toBe(50);
  });

  it('that a daemon claimed before it died is applied by the next one', async () => {
    const account = await world.payer();
    const event = await payForTokens(account);
    world.stripe.setFaults([{ kind: 'status', status: 503 }]);
    await world.deliver(event);
    const { id } = await eventRow(event.id);
    world.stripe.advance(60);
    const now = world.clock.now();
    await paymentEventOutbox.claim(world.db, { ids: [id], owner: 'a dead daemon', now });
    await world.applyDue();
    expect(await balanceOf(account)).toBe(0);
    await paymentEventOutbox.release(world.db, { owners: ['a dead daemon'], now });
    await world.applyDue();
    expect(await balanceOf(account)).toBe(50);
  });
});

describe('a renewal', () => {
  it('that fails is mailed once, and the end of Pro once the grace period is over', async () => {
    const account = await world.payer();
    await subscribe(account, 'pm_card_chargeCustomerFail');
    world.stripe.advance(WAIT_FOR_DAYS(30) + 7200);
    await deliverAll();
    const graceUntil = (await world.mails(account)).at(-1)?.graceUntil;
    expect(await world.mails(account)).toMatchObject([
      { template: 'subscription_paid', reason: 'first', amountPence: 999 },
      { template: 'renewal_failed', amountPence: 999 },
    ]);
    const { tier, expiresAt } = await readMembership(world.db, {
      accountId: account.id,
      now: world.clock.now(),
    });
    expect({ tier, expiresAt }).toEqual({ tier: 'pro', expiresAt: graceUntil });

    world.stripe.advance(WAIT_FOR_DAYS(3));
    world.takeEvents();
    expect(await reconcilePending(world.context)).toMatchObject({ changed: 1, failed: 0 });
    expect((await world.mails(account)).slice(2)).toMatchObject([
      { template: 'subscription_ended', reason: 'unpaid' },
    ]);
    const [invoice] = world.stripe.store.list('invoice');
    expect(invoice?.status).toBe('void');
    await deliverAll();
    expect(await world.mails(account)).toHaveLength(3);
  });

  it('that needs the bank’s confirmation is mailed once, and its payment gets a receipt', async () => {
    const account = await world.payer();
    await subscribe(account, 'pm_card_authenticationRequired');
    world.stripe.advance(WAIT_FOR_DAYS(30) + 7200);
    await deliverAll();
    const { needs_confirmation: needs } = await world.db
      .selectFrom('subscriptions')
      .select('needs_confirmation')
      .where('user_id', '=', account.id)
      .executeTakeFirstOrThrow();
    expect(needs).toBe(1);
    const [intent] = world.stripe.store.list('payment_intent', ({ status }) => status === 'requires_action');
    world.stripe.finishChallenge(intent?.id ?? '', true);
    await deliverAll();
    expect((await world.mails(account)).slice(1)).toMatchObject([
      { template: 'renewal_confirmation' },
      { template: 'subscription_paid', reason: 'renewal' },
    ]);
  });
});

it('a subscription of another system, or for a price that is not ours, is ignored', async () => {
  const account = await world.payer();
  await subscribe(account);
  const customer = world.stripe.store.list('customer')[0]?.id ?? '';
  const price = await world.client.prices.create({
    currency: 'gbp',
    unit_amount: 1,
    recurring: { interval: 'day', interval_count: 30 },
    product_data: { name: 'Another shop' },
  });
  const attempt = newId();
  const stamp = toIso(world.clock.now());
  await world.db
    .insertInto('subscriptions')
    .values({
      id: attempt,
      user_id: account.id,
      package_id: 'pro-yearly',
      status: 'creating',
      created_at: stamp,
      updated_at: stamp,
    })
    .execute();
  const metadata = { app: 'packwatch', kind: 'subscription', row: attempt, user: account.id };
  const items = [{ price: price.id }];
  await world.client.subscriptions.create({ customer, items, metadata, trial_period_days: 3 }).catch(() =>
    world.client.subscriptions.create({
      customer,
      items,
      metadata,
      payment_behavior: 'default_incomplete',
    }),
  );
  const created = world.takeEvents().find(({ type }) => type === 'customer.subscription.created');
  if (created === undefined) throw new Error('Stripe emitted no subscription');
  await world.deliver(created);
  expect(await eventRow(created.id)).toMatchObject({ status: 'cancelled' });
  const row = world.db.selectFrom('subscriptions').select('status').where('id', '=', attempt);
  expect(await row.executeTakeFirst()).toEqual({ status: 'creating' });
});

describe('the reconcile job', () => {
  it('reads what has been pending for over 30 seconds, less and less often, and ends it after a day', async () => {
    const account = await world.payer();
    const { clientSecret } = await startTokenPurchase(world.context, { account, packageId: 'tokens-50' });
    expect((await reconcilePending(world.context)).read).toBe(0);
    world.stripe.advance(31);
    expect(await reconcilePending(world.context)).toEqual({ read: 1, changed: 0, failed: 0 });
    expect((await reconcilePending(world.context)).read).toBe(0);
    let reads = 0;
    for (let minute = 0; minute < 24 * 60; minute += 10) {
      world.stripe.advance(600);
      reads += (await reconcilePending(world.context)).read;
    }
    expect(reads).toBeLessThan(40);
    for (let hour = 0; hour < 8; hour += 1) {
      world.stripe.advance(3600);
      await reconcilePending(world.context);
    }
    const [id = ''] = clientSecret.split('_secret_');
    expect((await world.client.paymentIntents.retrieve(id)).status).toBe('canceled');
    const { status } = await world.db
      .selectFrom('token_purchases')
      .select('status')
      .where('user_id', '=', account.id)
      .executeTakeFirstOrThrow();
    expect(status).toBe('abandoned');
  });

  it('credits a payment and takes a refund and a dispute whose events were lost', async () => {
    const account = await world.payer();
    const event = await payForTokens(account);
    const [intent] = world.stripe.store.list('payment_intent');
    world.stripe.advance(60);
    expect(await reconcilePending(world.context)).toEqual({ read: 1, changed: 1, failed: 0 });
    expect(await balanceOf(account)).toBe(50);
    world.stripe.refund(intent?.id ?? '', 100);
    await reconcileActive(world.context);
    expect(await balanceOf(account)).toBe(39);
    world.stripe.openDispute(intent?.id ?? '');
    await reconcileActive(world.context);
    expect(await balanceOf(account)).toBe(0);
    await world.deliver(event);
    expect(await balanceOf(account)).toBe(0);
  });

  it('gives up attempts that were interrupted before Stripe knew them', async () => {
    const account = await world.payer();
    const stamp = toIso(world.clock.now());
    const times = { created_at: stamp, updated_at: stamp };
    await world.db
      .insertInto('subscriptions')
      .values({ id: newId(), user_id: account.id, package_id: 'pro-monthly', status: 'creating', ...times })
      .execute();
    await world.db
      .insertInto('token_purchases')
      .values({
        id: newId(),
        user_id: account.id,
        package_id: 'tokens-50',
        package_name: '50 Tokens',
        token_count: 50,
        amount_pence: 499,
        status: 'pending',
        ...times,
      })
      .execute();
    world.stripe.advance((9 * MINUTE) / SECOND);
    expect((await reconcilePending(world.context, { accountId: account.id })).changed).toBe(0);
    world.stripe.advance((2 * MINUTE) / SECOND);
    expect((await reconcilePending(world.context, { accountId: account.id })).changed).toBe(2);
  });

  it('stops at the first row while Stripe does not answer, and does nothing without Stripe', async () => {
    for (let index = 0; index < 20; index += 1)
      await startTokenPurchase(world.context, { account: await world.payer(), packageId: 'tokens-50' });
    world.stripe.advance(60);
    world.stripe.setFaults([{ kind: 'status', status: 500, persistent: true }]);
    const faults: unknown[] = [];
    const report = await reconcilePending(world.context, { onFault: (fault) => faults.push(fault) });
    expect(report.failed).toBeLessThan(8);
    expect(report.failed).toBe(faults.length);
    world.stripe.setFaults([]);
    const none = { read: 0, changed: 0, failed: 0 };
    expect(await reconcilePending({ ...world.context, stripe: null })).toEqual(none);
    expect(await reconcileActive({ ...world.context, stripe: null })).toEqual(none);
  });
});

describe('the lease of a customer', () => {
  it('lets one step run at a time, and a step that lost it writes nothing', async () => {
    const account = await world.payer();
    await startTokenPurchase(world.context, { account, packageId: 'tokens-50' });
    let running = 0;
    const steps = Array.from({ length: 6 }, () =>
      withCustomerLease(world.context, account.id, async (lease) => {
        expect((running += 1)).toBe(1);
        await inTransaction(world.db, (trx) => requireLease(trx, lease));
        running -= 1;
        return true;
      }),
    );
    expect(await Promise.all(steps)).toEqual(Array(6).fill(true));

    await withCustomerLease(world.context, account.id, async (lost: CustomerLease) => {
      // The process is suspended for longer than a lease lasts, and another one takes over.
      world.stripe.advance(LEASE_LIFETIME_MS / SECOND + 1);
      await withCustomerLease(world.context, account.id, async (lease) => {
        await inTransaction(world.db, (trx) => requireLease(trx, lease));
        await expect(inTransaction(world.db, (trx) => requireLease(trx, lost))).rejects.toMatchObject({
          kind: 'Unavailable',
        });
      });
    });
  });
});
