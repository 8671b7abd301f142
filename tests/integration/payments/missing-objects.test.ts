import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reconcileActive, reconcilePending } from '#shared/billing/reconcile.server';
import { syncCustomer } from '#shared/billing/sync-customer.server';
import { DAY, toIso } from '#shared/clock';
import { findPaymentHold } from '#shared/payments/stripe-account.server';
import type { Payer } from '#shared/payments/payments-context';
import { previewPlanChange } from '#shared/subscriptions/change-plan.server';
import { cancelSubscription, openPortal } from '#shared/subscriptions/manage-subscription.server';
import { startTokenCheckout, startTokenPurchase } from '#shared/tokens/buy-tokens.server';
import { readBalance } from '#shared/tokens/token-ledger';
import { refusalOf } from '../accounts/accounts-fixture';
import { createMembersWorld, type MembersWorld } from './members-world';

let world: MembersWorld;
beforeEach(async () => {
  world = await createMembersWorld();
});
afterEach(() => world.cleanup());

describe('an object that Stripe does not know', () => {
  it('leaves its account as it is, is noted, and is read again when Stripe knows it', async () => {
    const account = await world.member();
    const other = await world.member();
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
    expect(await world.faults()).toEqual([]);
    const before = (await world.stored()).subscriptions.find(({ user_id }) => user_id === account.id);
    expect(before).toMatchObject({ status: 'active', ended_at: null });
    expect(before?.missing_since).not.toBeNull();
    expect([await world.tierOf(account), await world.tierOf(other)]).toEqual(['pro', 'pro']);

    world.stripe.restore(saved);
    expect(await reconcileActive(world.context)).toEqual({ read: 2, changed: 1, failed: 0 });
    expect((await world.stored()).subscriptions.every(({ missing_since }) => missing_since === null)).toBe(
      true,
    );
  });

  it('a step of its member is refused with a sentence, and nothing is charged or ended', async () => {
    const account = await world.member();
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
    expect((await world.stored()).subscriptions).toMatchObject([{ ...unpaid, ended_at: null }]);
  });

  it('several at once stop the run and are reported to the admins once', async () => {
    const accounts = [];
    for (let count = 0; count < 8; count += 1) accounts.push(await world.member());
    const saved = world.stripe.snapshot();
    world.stripe.service.reset();
    const report = await reconcileActive(world.context);
    expect(report).toMatchObject({ changed: 0, stopped: true });
    expect(report.read).toBeLessThan(8);
    await world.announce();
    world.stripe.clearRequests();
    await reconcileActive(world.context);
    expect(await world.announce()).toMatchObject([
      { kind: 'payments_fault', body: expect.stringContaining('sub_') },
    ]);
    for (const account of accounts) expect(await world.tierOf(account)).toBe('pro');
    expect(await world.mails(accounts[0] as Payer)).toHaveLength(1);

    world.stripe.restore(saved);
    expect(await reconcileActive(world.context)).toMatchObject({ read: 8, failed: 0 });
    expect(await world.faults()).toEqual([]);
  });

  it('a payment, a session or an invoice: nothing is given up by a job, and the member can buy again', async () => {
    const account = await world.payer();
    await startTokenPurchase(world.context, { account, packageId: 'tokens-50' });
    const [{ stripe_payment_intent_id: intent } = { stripe_payment_intent_id: null }] = (await world.stored())
      .purchases;
    const saved = world.stripe.snapshot();
    world.stripe.forget(intent ?? '');
    world.stripe.advance(60);
    expect(await reconcilePending(world.context)).toMatchObject({ changed: 0, missing: 1 });
    expect((await world.stored()).purchases).toMatchObject([{ status: 'pending' }]);
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
    const [gone, deleted] = [await world.member(), await world.member()];
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
    expect(await world.tierOf(gone)).toBe('pro');
    await world.client.customers.del(await idOf(deleted));
    expect(await syncCustomer(world.context, await idOf(deleted))).toBe('changed');
    expect(await world.tierOf(deleted)).toBe('free');
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
    const account = await world.member();
    const { clientSecret } = await startTokenPurchase(world.context, { account, packageId: 'tokens-50' });
    await world.pay(clientSecret);
    for (const event of world.takeEvents()) await world.deliver(event);
    const [intent] = world.stripe.store.list('payment_intent', ({ metadata }) => metadata.kind === 'tokens');
    world.stripe.refund(intent?.id ?? '');
    const [subscription] = world.stripe.store.list('subscription');
    await world.client.subscriptions.cancel(subscription?.id ?? '');
    world.takeEvents();
    const rights = ['customer_read', 'subscription_read', 'invoice_read', 'charge_read', 'dispute_read'];
    const restricted = world.withKey(world.stripe.restrict([...rights, 'payment_intent_read']));
    expect(await reconcileActive(restricted)).toEqual({ read: 2, changed: 2, failed: 1 });
    expect(await world.tierOf(account)).toBe('free');
    expect(await readBalance(world.db, { accountId: account.id })).toBe(0);
    expect(await world.faults()).toEqual(['deleted customers']);
    expect(await findPaymentHold(restricted)).toBeNull();
    await world.announce();
    await reconcileActive(restricted);
    expect(await world.announce()).toMatchObject([
      { title: "Stripe's deleted customers could not be read", body: expect.stringContaining('event_read') },
    ]);
    expect(await reconcileActive(world.context)).toMatchObject({ failed: 0 });
    expect(await world.faults()).toEqual([]);
  });

  it.each(['refunds', 'disputes', 'events'])('a failed list of %s hides nothing else', async (list) => {
    const account = await world.member();
    const [subscription] = world.stripe.store.list('subscription');
    await world.client.subscriptions.cancel(subscription?.id ?? '');
    world.takeEvents();
    world.stripe.setFaults([{ kind: 'status', status: 503, persistent: true, path: `/v1/${list}` }]);
    expect(await reconcileActive(world.context)).toMatchObject({ changed: 1, failed: 1 });
    expect(await world.tierOf(account)).toBe('free');
    expect(await world.faults()).toHaveLength(1);
  });

  it('a key that Stripe does not accept any more is reported, and buying is refused with a sentence', async () => {
    const account = await world.member();
    const revoked = world.withKey('sk_test_revoked_long_key');
    expect(await reconcileActive(revoked)).toMatchObject({ read: 0, failed: 1 });
    expect(await world.faults()).toEqual(['key']);
    expect((await refusalOf(openPortal(revoked, { account, returnTo: '/' }))).message).toMatch(
      /^Payment is not available at the moment/,
    );
    expect(await findPaymentHold(revoked)).toBe('unavailable');
    await world.db.updateTable('subscriptions').set({ status: 'canceled' }).execute();
    expect(await reconcileActive(world.context)).toMatchObject({ read: 0, failed: 0 });
    expect(await world.faults()).toEqual([]);
  });

  it('a permission that only a member’s step needs is reported as well', async () => {
    const account = await world.member();
    const restricted = world.withKey(world.stripe.restrict(['customer_write', 'subscription_read']));
    expect((await refusalOf(openPortal(restricted, { account, returnTo: '/' }))).code).toBe(
      'payment_unavailable',
    );
    expect(await world.announce()).toMatchObject([
      { body: expect.stringContaining('without the permission customer_portal_write') },
    ]);
  });
});
