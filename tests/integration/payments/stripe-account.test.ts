import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acceptAccount } from '#shared/billing/accept-account.server';
import { reconcileActive, reconcilePending } from '#shared/billing/reconcile.server';
import { syncCustomer } from '#shared/billing/sync-customer.server';
import { DAY } from '#shared/clock';
import { findPaymentHold, findStoredAccount } from '#shared/payments/stripe-account.server';
import { changePlan, previewPlanChange } from '#shared/subscriptions/change-plan.server';
import {
  cancelSubscription,
  findConfirmation,
  openPortal,
  reactivateSubscription,
} from '#shared/subscriptions/manage-subscription.server';
import { syncPackages } from '#shared/subscriptions/packages/sync-packages.server';
import {
  startSubscription,
  startSubscriptionCheckout,
} from '#shared/subscriptions/start-subscription.server';
import { startTokenCheckout, startTokenPurchase } from '#shared/tokens/buy-tokens.server';
import { ACCOUNTS } from '../../../sandbox/stripe/keys';
import { refusalOf } from '../accounts/accounts-fixture';
import { createMembersWorld, type MembersWorld } from './members-world';

let world: MembersWorld;
beforeEach(async () => {
  world = await createMembersWorld();
});
afterEach(() => world.cleanup());

describe('a key of another account or mode', () => {
  it.each([
    ['another account', ACCOUNTS.other],
    ['the other mode', ACCOUNTS.live],
  ] as const)(
    'of %s reads nothing and changes nothing, is reported once, and the right one continues',
    async (_name, keys) => {
      const account = await world.member();
      const pending = await world.payer();
      await startTokenPurchase(world.context, { account: pending, packageId: 'tokens-50' });
      await world.db.updateTable('subscriptions').set({ grace_until: null }).execute();
      const before = await world.stored();
      const wrong = world.withKey(keys.secret);
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
      expect(await world.stored()).toEqual(before);
      expect(row?.status).toBe('active');
      expect(other.requests().map(({ path }) => path)).toEqual(['/v1/account']);

      expect(await findPaymentHold(wrong)).toBe('unavailable');
      await world.announce();
      expect(await world.announce()).toMatchObject([
        { kind: 'payments_fault', body: expect.stringContaining('npm run payments -- account accept') },
      ]);

      expect(await findPaymentHold(world.context)).toBeNull();
      expect(await reconcileActive(world.context)).toEqual({ read: 1, changed: 0, failed: 0 });
      expect(await world.faults()).toEqual([]);
      expect(await world.tierOf(account)).toBe('pro');
    },
  );

  it('is refused at the first start of a database that refers to objects, and accepted on the operator’s word', async () => {
    const account = await world.member();
    await world.db.deleteFrom('payment_account').execute();
    const wrong = world.withKey(ACCOUNTS.other.secret);
    expect((await refusalOf(syncPackages(wrong))).code).toBe('payment_unavailable');
    expect(await findStoredAccount(world.db)).toBeNull();

    await acceptAccount(wrong, { actor: { userId: null } });
    expect(await findStoredAccount(world.db)).toMatchObject({ stripe_account_id: ACCOUNTS.other.id });
    await syncPackages(wrong, { recreate: true });
    // What the former account has sold lasts until its paid period ends, and stops nothing.
    expect(await reconcileActive(wrong)).toMatchObject({ failed: 0, missing: 1 });
    expect(await world.faults()).toEqual([]);
    expect(await world.tierOf(account)).toBe('pro');
    world.stripe.advance((34 * DAY) / 1_000);
    expect(await world.tierOf(account)).toBe('free');
    const { clientSecret } = await startSubscription(wrong, { account, packageId: 'pro-monthly' });
    expect(clientSecret).toMatch(/^pi_/);
  });

  it('a restricted key of our account is known by Stripe’s refusal to name it, and is not asked again', async () => {
    await world.member();
    const rights = ['customer_write', 'subscription_read', 'invoice_write', 'charge_read', 'dispute_read'];
    const key = world.stripe.restrict([...rights, 'event_read', 'payment_intent_read']);
    const restricted = world.withKey(key);
    world.stripe.clearRequests();
    for (let run = 0; run < 2; run += 1)
      expect(await reconcileActive(restricted)).toEqual({ read: 1, changed: 0, failed: 0 });
    const paths = world.stripe.requests().map(({ path }) => path);
    expect(paths.filter((path) => path === '/v1/account')).toHaveLength(1);
  });
});
