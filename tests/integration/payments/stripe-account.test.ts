import type Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acceptAccount } from '#shared/billing/accept-account.server';
import { announceFaults } from '#shared/billing/announce-faults';
import { reconcileActive, reconcilePending } from '#shared/billing/reconcile.server';
import { syncCustomer } from '#shared/billing/sync-customer.server';
import { DAY, toIso } from '#shared/clock';
import { listFaults } from '#shared/payments/payment-faults';
import { findPaymentHold, findStoredAccount } from '#shared/payments/stripe-account.server';
import type { Payer, PaymentsContext } from '#shared/payments/payments-context';
import { changePlan, previewPlanChange } from '#shared/subscriptions/change-plan.server';
import {
  cancelSubscription,
  findConfirmation,
  openPortal,
  reactivateSubscription,
} from '#shared/subscriptions/manage-subscription.server';
import { readMembership } from '#shared/subscriptions/membership';
import { syncPackages } from '#shared/subscriptions/packages/sync-packages.server';
import {
  startSubscription,
  startSubscriptionCheckout,
} from '#shared/subscriptions/start-subscription.server';
import { startTokenCheckout, startTokenPurchase } from '#shared/tokens/buy-tokens.server';
import { readBalance } from '#shared/tokens/token-ledger';
import { ACCOUNTS } from '../../../sandbox/stripe/keys';
import { refusalOf } from '../accounts/accounts-fixture';
import { createStripeInProcess, type StripeInProcess } from './stripe-in-process';

let world: StripeInProcess;
beforeEach(async () => {
  world = await createStripeInProcess();
  await syncPackages(world.context);
});
afterEach(() => world.cleanup());

/** The product's context with another key. */
function withKey(secretKey: string, client: Stripe = world.connect(secretKey)): PaymentsContext {
  const { stripe } = world.context;
  if (stripe === null) throw new Error('payment is not set up');
  return { ...world.context, stripe: { client, config: { ...stripe.config, secretKey } } };
}

/** A member with Pro by a paid subscription. */
async function member(): Promise<Payer> {
  const account = await world.payer();
  const { clientSecret } = await startSubscription(world.context, { account, packageId: 'pro-monthly' });
  await world.pay(clientSecret ?? '');
  for (const event of world.takeEvents()) await world.deliver(event);
  return account;
}

const tierOf = async ({ id }: Payer) =>
  (await readMembership(world.db, { accountId: id, now: world.clock.now() })).tier;

/** Everything that payments store, without leases. */
const stored = async () => ({
  subscriptions: await world.db.selectFrom('subscriptions').selectAll().orderBy('id').execute(),
  purchases: await world.db.selectFrom('token_purchases').selectAll().orderBy('id').execute(),
  packages: await world.db.selectFrom('subscription_packages').selectAll().orderBy('id').execute(),
  customers: await world.db
    .selectFrom('payment_customers')
    .select(['stripe_customer_id', 'deleted_at'])
    .orderBy('id')
    .execute(),
});

const faults = async () => (await listFaults(world.db)).map(({ fault }) => fault);

const notices = () =>
  world.db.selectFrom('admin_notices').select(['kind', 'title', 'body']).orderBy('created_at').execute();

async function announce() {
  await announceFaults(world.db, { adminContacts: { emails: ['ops@example.org'] }, now: world.clock.now() });
  return notices();
}

describe('a key of another account or mode', () => {
  it.each([
    ['another account', ACCOUNTS.other],
    ['the other mode', ACCOUNTS.live],
  ] as const)(
    'of %s reads nothing and changes nothing, is reported once, and the right one goes on',
    async (_name, keys) => {
      const account = await member();
      const pending = await world.payer();
      await startTokenPurchase(world.context, { account: pending, packageId: 'tokens-50' });
      await world.db.updateTable('subscriptions').set({ grace_until: null }).execute();
      const before = await stored();
      const wrong = withKey(keys.secret);
      const other = world.stripe.other(keys === ACCOUNTS.other ? 'other' : 'live');
      world.stripe.advance(DAY / 1_000);
      const [row] = before.subscriptions;
      const steps: (() => Promise<unknown>)[] = [
        () => startTokenPurchase(wrong, { account, packageId: 'tokens-50' }),
        () => startTokenCheckout(wrong, { account, packageId: 'tokens-50', returnTo: '/' }),
        () => startSubscription(wrong, { account: pending, packageId: 'pro-monthly' }),
        () => startSubscriptionCheckout(wrong, { account: pending, packageId: 'pro-monthly' }),
        () => previewPlanChange(wrong, { account, newPackageId: 'pro-yearly' }),
        () => changePlan(wrong, { account, newPackageId: 'pro-yearly' }),
        () => cancelSubscription(wrong, { account, reason: null }),
        () => reactivateSubscription(wrong, { account }),
        () => openPortal(wrong, { account, returnTo: '/' }),
        () => findConfirmation(wrong, { account }),
        () => syncPackages(wrong, { recreate: true }),
        () => syncCustomer(wrong, before.customers[0]?.stripe_customer_id ?? ''),
      ];
      for (const step of steps)
        expect(await refusalOf(step())).toMatchObject({ kind: 'Unavailable', code: 'payment_unavailable' });
      for (const reconcile of [reconcileActive, reconcilePending, reconcileActive])
        expect(await reconcile(wrong)).toMatchObject({ read: 0, changed: 0, failed: 1 });
      expect(await stored()).toEqual(before);
      expect(row?.status).toBe('active');
      expect(other.requests().map(({ path }) => path)).toEqual(['/v1/account']);

      expect(await findPaymentHold(wrong)).toBe('unavailable');
      await announce();
      expect(await announce()).toMatchObject([
        { kind: 'payments_fault', body: expect.stringContaining('npm run payments -- account accept') },
      ]);

      expect(await findPaymentHold(world.context)).toBeNull();
      expect(await reconcileActive(world.context)).toEqual({ read: 1, changed: 0, failed: 0 });
      expect(await faults()).toEqual([]);
      expect(await tierOf(account)).toBe('pro');
    },
  );

  it('is refused at the first start of a database that refers to objects, and accepted on the operator’s word', async () => {
    const account = await member();
    await world.db.deleteFrom('payment_account').execute();
    const wrong = withKey(ACCOUNTS.other.secret);
    expect((await refusalOf(syncPackages(wrong))).code).toBe('payment_unavailable');
    expect(await findStoredAccount(world.db)).toBeNull();

    await acceptAccount(wrong, { actor: { userId: null } });
    expect(await findStoredAccount(world.db)).toMatchObject({ stripe_account_id: ACCOUNTS.other.id });
    await syncPackages(wrong, { recreate: true });
    // What the former account has sold lasts until its paid period ends, and stops nothing.
    expect(await reconcileActive(wrong)).toMatchObject({ failed: 0, missing: 1 });
    expect(await faults()).toEqual([]);
    expect(await tierOf(account)).toBe('pro');
    world.stripe.advance((34 * DAY) / 1_000);
    expect(await tierOf(account)).toBe('free');
    const { clientSecret } = await startSubscription(wrong, { account, packageId: 'pro-monthly' });
    expect(clientSecret).toMatch(/^pi_/);
  });

  it('a restricted key of our account is known by Stripe’s refusal to name it, and is not asked again', async () => {
    await member();
    const rights = ['customer_write', 'subscription_read', 'invoice_read', 'charge_read', 'dispute_read'];
    const key = world.stripe.restrict([...rights, 'event_read', 'payment_intent_read']);
    const restricted = withKey(key);
    world.stripe.clearRequests();
    for (let run = 0; run < 2; run += 1)
      expect(await reconcileActive(restricted)).toEqual({ read: 1, changed: 0, failed: 0 });
    const paths = world.stripe.requests().map(({ path }) => path);
    expect(paths.filter((path) => path === '/v1/account')).toHaveLength(1);
  });
});

describe('an object that Stripe does not know', () => {
  it('leaves its account as it is, is noted, and is read again when Stripe knows it', async () => {
    const account = await member();
    const other = await member();
    const saved = world.stripe.snapshot();
    const [first] = await world.db
      .selectFrom('subscriptions')
      .select('stripe_subscription_id as id')
      .where('user_id', '=', account.id)
      .execute();
    world.stripe.forget(first?.id ?? '');
    const seen: string[] = [];
    const options = { onFault: (_error: unknown, subject: string) => void seen.push(subject) };
    expect(await reconcileActive(world.context, options)).toMatchObject({ read: 2, changed: 0, missing: 1 });
    expect(await reconcileActive(world.context, options)).toMatchObject({ read: 2, changed: 0, missing: 1 });
    expect(seen).toEqual([first?.id]);
    expect(await faults()).toEqual([]);
    const before = (await stored()).subscriptions.find(({ user_id }) => user_id === account.id);
    expect(before).toMatchObject({ status: 'active', ended_at: null });
    expect(before?.missing_since).not.toBeNull();
    expect([await tierOf(account), await tierOf(other)]).toEqual(['pro', 'pro']);

    world.stripe.restore(saved);
    expect(await reconcileActive(world.context)).toEqual({ read: 2, changed: 1, failed: 0 });
    expect((await stored()).subscriptions.every(({ missing_since }) => missing_since === null)).toBe(true);
  });

  it('a step of its member is refused with a sentence, and nothing is charged or ended', async () => {
    const account = await member();
    const [subscription] = world.stripe.store.list('subscription');
    const [customer] = world.stripe.store.list('customer');
    world.stripe.forget(subscription?.id ?? '');
    const steps = [
      () => previewPlanChange(world.context, { account, newPackageId: 'pro-yearly' }),
      () => cancelSubscription(world.context, { account, reason: null }),
      async () => {
        world.stripe.forget(customer?.id ?? '');
        await openPortal(world.context, { account, returnTo: '/' });
      },
    ];
    for (const step of steps)
      expect(await refusalOf(step())).toMatchObject({ kind: 'Unavailable', code: 'payment_unknown' });
    const unpaid = { status: 'past_due', grace_until: toIso(world.clock.now() + DAY) } as const;
    await world.db.updateTable('subscriptions').set(unpaid).execute();
    expect((await refusalOf(cancelSubscription(world.context, { account, reason: null }))).code).toBe(
      'payment_unknown',
    );
    world.stripe.advance((2 * DAY) / 1_000);
    expect(await reconcilePending(world.context)).toMatchObject({ changed: 0 });
    expect((await stored()).subscriptions).toMatchObject([{ ...unpaid, ended_at: null }]);
  });

  it('several at once stop the run and are reported to the admins once', async () => {
    const accounts = [];
    for (let count = 0; count < 8; count += 1) accounts.push(await member());
    const saved = world.stripe.snapshot();
    world.stripe.service.reset();
    const report = await reconcileActive(world.context);
    expect(report).toMatchObject({ changed: 0, stopped: true });
    expect(report.read).toBeLessThan(8);
    await announce();
    world.stripe.clearRequests();
    await reconcileActive(world.context);
    expect(await announce()).toMatchObject([
      { kind: 'payments_fault', body: expect.stringContaining('sub_') },
    ]);
    for (const account of accounts) expect(await tierOf(account)).toBe('pro');
    expect(await world.mails(accounts[0] as Payer)).toHaveLength(1);

    world.stripe.restore(saved);
    expect(await reconcileActive(world.context)).toMatchObject({ read: 8, failed: 0 });
    expect(await faults()).toEqual([]);
  });

  it('a payment, a session or an invoice: nothing is given up by a job, and the member can buy again', async () => {
    const account = await world.payer();
    await startTokenPurchase(world.context, { account, packageId: 'tokens-50' });
    const [{ stripe_payment_intent_id: intent } = { stripe_payment_intent_id: null }] = (await stored())
      .purchases;
    const saved = world.stripe.snapshot();
    world.stripe.forget(intent ?? '');
    world.stripe.advance(60);
    expect(await reconcilePending(world.context)).toMatchObject({ changed: 0, missing: 1 });
    expect((await stored()).purchases).toMatchObject([{ status: 'pending' }]);
    const { url } = await startTokenCheckout(world.context, {
      account,
      packageId: 'tokens-50',
      returnTo: '/',
    });
    expect(url).toContain('http');
    const [session] = world.stripe.store.list('checkout.session');
    world.stripe.forget(session?.id ?? '');
    world.stripe.advance(60);
    expect(await reconcilePending(world.context)).toMatchObject({ changed: 0, missing: 1 });
    const { clientSecret } = await startTokenPurchase(world.context, { account, packageId: 'tokens-50' });

    // The first payment was paid after all: what Stripe knows again is credited, once.
    world.stripe.restore(saved);
    await world.pay(world.stripe.store.require('payment_intent', intent ?? '').client_secret ?? '');
    for (const event of world.takeEvents()) await world.deliver(event);
    expect(await readBalance(world.db, { accountId: account.id })).toBe(50);
    expect(clientSecret).not.toContain(intent);
  });

  it('a customer: one that Stripe has deleted is replaced, one that it does not know is not taken for deleted', async () => {
    const [gone, deleted] = [await member(), await member()];
    const idOf = async ({ id }: Payer) =>
      (
        await world.db
          .selectFrom('payment_customers')
          .select('stripe_customer_id as customer')
          .where('user_id', '=', id)
          .executeTakeFirstOrThrow()
      ).customer ?? '';
    world.stripe.forget(await idOf(gone));
    expect(await syncCustomer(world.context, await idOf(gone))).toBe('missing');
    expect(await tierOf(gone)).toBe('pro');
    await world.client.customers.del(await idOf(deleted));
    expect(await syncCustomer(world.context, await idOf(deleted))).toBe('changed');
    expect(await tierOf(deleted)).toBe('free');
    // A new purchase gets a new customer in either case.
    for (const account of [gone, deleted]) {
      await startTokenPurchase(world.context, { account, packageId: 'tokens-50' });
      const current = await world.db
        .selectFrom('payment_customers')
        .select('stripe_customer_id as customer')
        .where('user_id', '=', account.id)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow();
      expect(world.stripe.store.find('customer', current.customer ?? '')).toBeDefined();
    }
  });
});

describe('the daily comparison', () => {
  it('runs its parts apart: a list that the key may not read is counted, reported once with the permission, and the rest is read', async () => {
    const account = await member();
    const { clientSecret } = await startTokenPurchase(world.context, { account, packageId: 'tokens-50' });
    await world.pay(clientSecret);
    for (const event of world.takeEvents()) await world.deliver(event);
    const [intent] = world.stripe.store.list('payment_intent', ({ metadata }) => metadata.kind === 'tokens');
    world.stripe.refund(intent?.id ?? '');
    const [subscription] = world.stripe.store.list('subscription');
    await world.client.subscriptions.cancel(subscription?.id ?? '');
    world.takeEvents();
    const rights = ['customer_read', 'subscription_read', 'invoice_read', 'charge_read', 'dispute_read'];
    const restricted = withKey(world.stripe.restrict([...rights, 'payment_intent_read']));
    expect(await reconcileActive(restricted)).toEqual({ read: 2, changed: 2, failed: 1 });
    expect(await tierOf(account)).toBe('free');
    expect(await readBalance(world.db, { accountId: account.id })).toBe(0);
    expect(await faults()).toEqual(['deleted customers']);
    expect(await findPaymentHold(restricted)).toBeNull();
    await announce();
    await reconcileActive(restricted);
    expect(await announce()).toMatchObject([
      { title: "Stripe's deleted customers could not be read", body: expect.stringContaining('event_read') },
    ]);
    expect(await reconcileActive(world.context)).toMatchObject({ failed: 0 });
    expect(await faults()).toEqual([]);
  });

  it.each(['refunds', 'disputes', 'events'])('a failed list of %s hides nothing else', async (list) => {
    const account = await member();
    const [subscription] = world.stripe.store.list('subscription');
    await world.client.subscriptions.cancel(subscription?.id ?? '');
    world.takeEvents();
    world.stripe.setFaults([{ kind: 'status', status: 503, persistent: true, path: `/v1/${list}` }]);
    expect(await reconcileActive(world.context)).toMatchObject({ changed: 1, failed: 1 });
    expect(await tierOf(account)).toBe('free');
    expect(await faults()).toHaveLength(1);
  });

  it('a key that Stripe does not accept any more is reported, and buying is refused with a sentence', async () => {
    const account = await member();
    const revoked = withKey('sk_test_revoked_long_key');
    expect(await reconcileActive(revoked)).toMatchObject({ read: 0, failed: 1 });
    expect(await faults()).toEqual(['key']);
    expect((await refusalOf(openPortal(revoked, { account, returnTo: '/' }))).message).toMatch(
      /^Payment is not available at the moment/,
    );
    expect(await findPaymentHold(revoked)).toBe('unavailable');
    expect(await reconcileActive(world.context)).toMatchObject({ read: 1, failed: 0 });
    expect(await faults()).toEqual([]);
  });
});
