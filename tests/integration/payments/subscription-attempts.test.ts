import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { reconcilePending } from '#shared/billing/reconcile.server';
import { DAY, toIso } from '#shared/clock';
import {
  readAttempt,
  startSubscription,
  startSubscriptionCheckout,
} from '#shared/subscriptions/start-subscription.server';
import { syncPackages } from '#shared/subscriptions/packages/sync-packages.server';
import { eventually } from '../../eventually';
import { refusalOf } from '../accounts/accounts-fixture';
import { CARDS, confirmCard } from './payments-fixture';
import { createSubscriptionsFixture, type SubscriptionsFixture } from './subscriptions-fixture';

let fixture: SubscriptionsFixture;
beforeEach(async () => {
  fixture = await createSubscriptionsFixture();
});
afterEach(() => fixture.cleanup());

/** Pays on the page of a Checkout session; the answer redirects back. */
function payOnPage(url: string): Promise<Response> {
  const card = { intent: 'card', number: CARDS.succeeds, expiry: '12/40', cvc: '123' };
  return fetch(url, { method: 'POST', body: new URLSearchParams(card), redirect: 'manual' });
}

describe('start', () => {
  it('grants Pro for a payment, not for a browser’s claim to have paid', async () => {
    const account = await fixture.payer();
    const order = { account, packageId: 'pro-monthly' };
    const { attemptId, clientSecret, amountPence } = await startSubscription(fixture.context, order);
    expect(amountPence).toBe(999);
    const attempt = { accountId: account.id, attemptId };
    expect(await readAttempt(fixture.context, attempt)).toBe('waiting');
    expect((await fixture.view(account)).tier).toBe('free');
    const other = await fixture.payer();
    expect(await readAttempt(fixture.context, { ...attempt, accountId: other.id })).toBeNull();

    await fixture.pay(clientSecret);
    await fixture.readAfresh(account);
    expect(await readAttempt(fixture.context, attempt)).toBe('done');
    const { start, end } = await fixture.periodAtStripe();
    expect(end - start).toBe(30 * DAY);
    expect(await fixture.view(account)).toEqual({
      tier: 'pro',
      expiresAt: toIso(end),
      cancelAtPeriodEnd: false,
      currentPackageId: 'pro-monthly',
      packageName: 'Pro Monthly',
      renewalPence: 999,
      nextPackageName: null,
      isTrial: false,
      pause: null,
      periodEnd: toIso(end),
      state: 'active',
      isRenewalUnpaid: false,
      needsConfirmation: false,
    });
    expect(await fixture.charges()).toEqual([999]);
    expect((await refusalOf(startSubscription(fixture.context, order))).code).toBe('already_subscribed');
  });

  it('parallel starts give one subscription, and so do a declined card and another try', async () => {
    const account = await fixture.payer();
    const order = { account, packageId: 'pro-monthly' };
    const started = await Promise.all([1, 2, 3].map(() => startSubscription(fixture.context, order)));
    expect(new Set(started.map(({ clientSecret }) => clientSecret)).size).toBe(1);
    const { clientSecret } = started[0] ?? {};
    expect((await confirmCard(fixture.sandbox, clientSecret ?? '', CARDS.declines)).error).toMatch(
      /declined/,
    );
    expect((await startSubscription(fixture.context, order)).clientSecret).toBe(clientSecret);
    expect(await fixture.atStripe()).toHaveLength(1);
    await fixture.pay(clientSecret);
    await fixture.readAfresh(account);
    expect((await fixture.view(account)).tier).toBe('pro');
    expect(await fixture.charges()).toEqual([999]);
  });

  it('another plan, or the hosted page, ends the open attempt at Stripe: it can no longer be paid', async () => {
    const account = await fixture.payer();
    const first = await startSubscription(fixture.context, { account, packageId: 'pro-monthly' });
    const second = await startSubscription(fixture.context, { account, packageId: 'pro-yearly' });
    expect(second.amountPence).toBe(9590);
    const late = await confirmCard(fixture.sandbox, first.clientSecret ?? '', CARDS.succeeds);
    expect(late.error).not.toBeNull();
    expect(await readAttempt(fixture.context, { accountId: account.id, attemptId: first.attemptId })).toBe(
      'failed',
    );

    const order = { account, packageId: 'pro-yearly' };
    const { url } = await startSubscriptionCheckout(fixture.context, order);
    expect(await startSubscriptionCheckout(fixture.context, order)).toEqual({ url });
    expect(
      (await confirmCard(fixture.sandbox, second.clientSecret ?? '', CARDS.succeeds)).error,
    ).not.toBeNull();

    const third = await startSubscription(fixture.context, order);
    const { data: sessions } = await fixture.client.checkout.sessions.list({ limit: 10 });
    expect(sessions.map(({ status }) => status)).toEqual(['expired']);
    await fixture.pay(third.clientSecret);
    await fixture.readAfresh(account);
    expect(await fixture.view(account)).toMatchObject({ tier: 'pro', currentPackageId: 'pro-yearly' });
    expect(await fixture.charges()).toEqual([9590]);
  });

  it('continues after a crash between Stripe and the database without a second subscription', async () => {
    const account = await fixture.payer();
    const order = { account, packageId: 'pro-monthly' };
    const before = await startSubscription(fixture.context, order);
    // As if the process had died before the answer was stored.
    await fixture.db
      .updateTable('subscriptions')
      .set({ status: 'creating', stripe_subscription_id: null, synced_at: null })
      .where('id', '=', before.attemptId)
      .execute();
    expect(await startSubscription(fixture.context, order)).toEqual(before);
    expect(await fixture.atStripe()).toHaveLength(1);
  });

  it('a payment whose event has not arrived is never charged twice, whatever the member presses', async () => {
    const account = await fixture.payer();
    const { clientSecret } = await startSubscription(fixture.context, { account, packageId: 'pro-monthly' });
    await fixture.pay(clientSecret);
    const unpressed = { status: 'incomplete' } as const;
    for (const packageId of ['pro-monthly', 'pro-yearly'])
      for (const press of [startSubscription, startSubscriptionCheckout]) {
        // As the database was before the event.
        await fixture.db.updateTable('subscriptions').set(unpressed).execute();
        const refused = await refusalOf(press(fixture.context, { account, packageId }));
        expect(refused).toMatchObject({ kind: 'Conflict', code: 'already_subscribed' });
        expect((await fixture.view(account)).tier).toBe('pro');
      }
    expect(await fixture.charges()).toEqual([999]);
    expect(await fixture.atStripe()).toHaveLength(1);
  });

  it('a payment that arrives while another plan is being chosen is kept, and nothing is cancelled', async () => {
    const account = await fixture.payer();
    const { stripe } = fixture.sandbox;
    const first = await startSubscription(fixture.context, { account, packageId: 'pro-monthly' });
    stripe.clearRequests();
    stripe.setFaults([{ kind: 'delay', ms: 500, method: 'GET', path: '/v1/invoices/' }]);
    const refused = refusalOf(startSubscription(fixture.context, { account, packageId: 'pro-yearly' }));
    await eventually(() =>
      expect(stripe.requests().map(({ path }) => path)).toContainEqual(
        expect.stringMatching(/invoices\/in_/),
      ),
    );
    await fixture.pay(first.clientSecret);
    expect((await refused).code).toBe('payment_processing');
    expect(await fixture.view(account)).toMatchObject({ tier: 'pro', currentPackageId: 'pro-monthly' });
    expect((await fixture.atStripe()).map(({ status }) => status)).toEqual(['active']);
    expect(await fixture.charges()).toEqual([999]);
  });

  it('a bank confirmation that is open when another plan is chosen charges nothing', async () => {
    const account = await fixture.payer();
    const first = await startSubscription(fixture.context, { account, packageId: 'pro-monthly' });
    const { intent } = await confirmCard(fixture.sandbox, first.clientSecret ?? '', CARDS.alwaysConfirms);
    expect(intent?.status).toBe('requires_action');
    await fixture.subscribe({ account, packageId: 'pro-yearly' });
    expect((await fixture.client.paymentIntents.retrieve(intent?.id ?? '')).status).toBe('canceled');
    expect(await fixture.charges()).toEqual([9590]);
  });

  it('the hosted page grants Pro as the card form does, and a paid one is not offered again', async () => {
    const account = await fixture.payer();
    const order = { account, packageId: 'pro-monthly' };
    const { url } = await startSubscriptionCheckout(fixture.context, order);
    const paid = await payOnPage(url);
    const back = new URL(paid.headers.get('Location') ?? '');
    expect(back.origin + back.pathname).toBe('https://packwatch.example/dashboard/subscription');
    expect(back.searchParams.get('redirect_status')).toBe('succeeded');
    expect((await fixture.view(account)).tier).toBe('free');
    for (const press of [startSubscription, startSubscriptionCheckout])
      expect((await refusalOf(press(fixture.context, order))).code).toBe('already_subscribed');
    expect(await fixture.view(account)).toMatchObject({ tier: 'pro', currentPackageId: 'pro-monthly' });
    const attemptId = back.searchParams.get('attempt') ?? '';
    expect(await readAttempt(fixture.context, { accountId: account.id, attemptId })).toBe('done');
    expect(await fixture.charges()).toEqual([999]);
  });

  it.each([
    ['the card form', startSubscription],
    ['the hosted page', startSubscriptionCheckout],
  ])('a paid Checkout session is read once when %s is opened again', async (_name, start) => {
    const order = { account: await fixture.payer(), packageId: 'pro-monthly' };
    const { url } = await startSubscriptionCheckout(fixture.context, order);
    await payOnPage(url);
    const { sessions } = fixture.context.stripe?.client.checkout ?? fixture.client.checkout;
    const retrieve = vi.spyOn(sessions, 'retrieve');
    expect((await refusalOf(start(fixture.context, order))).code).toBe('already_subscribed');
    expect(retrieve).toHaveBeenCalledTimes(1);
  });

  it('refuses what cannot be sold, and a price that was changed since the last comparison with Stripe', async () => {
    const account = await fixture.payer();
    const start = (packageId: string) =>
      refusalOf(startSubscription(fixture.context, { account, packageId }));
    expect(await start('none')).toMatchObject({ kind: 'NotFound', code: 'unknown_package' });
    for (const press of [startSubscription, startSubscriptionCheckout]) {
      await fixture.db
        .updateTable('subscription_packages')
        .set({ price_pence: 9500, stripe_fault: null })
        .where('id', '=', 'pro-yearly')
        .execute();
      const refused = await refusalOf(press(fixture.context, { account, packageId: 'pro-yearly' }));
      expect(refused.code).toBe('package_not_sellable');
      expect((await start('pro-yearly')).code).toBe('package_not_sellable');
    }
    const { data: sessions } = await fixture.client.checkout.sessions.list({ limit: 10 });
    expect(sessions.map(({ status }) => status)).toEqual(['expired']);
    expect((await fixture.atStripe()).map(({ status }) => status)).toEqual(['incomplete_expired']);
    await fixture.db
      .updateTable('subscription_packages')
      .set({ price_pence: 1099 })
      .where('id', '=', 'pro-monthly')
      .execute();
    const [monthly] = await syncPackages(fixture.context);
    expect(monthly?.fault).toMatch(/^Stripe's price price_\w+ is £9\.99 every 30 day/);
    expect(await start('pro-monthly')).toMatchObject({ kind: 'Conflict', code: 'package_not_sellable' });
    const off = { ...fixture.context, stripe: null };
    expect(await refusalOf(startSubscription(off, { account, packageId: 'pro-yearly' }))).toMatchObject({
      code: 'payment_unavailable',
    });
    expect(await fixture.charges()).toEqual([]);
  });
});

describe('the prices of plans', () => {
  it('are made once, by any number of syncs, and made again only on request', async () => {
    const { context, client, db } = fixture;
    const before = (await client.prices.list({ limit: 10 })).data;
    expect(before).toHaveLength(2);
    // A database that was restored from before the sync finds them again.
    await db.updateTable('subscription_packages').set({ stripe_price_id: null }).execute();
    await Promise.all([syncPackages(context), syncPackages(context)]);
    expect((await client.prices.list({ limit: 10 })).data.map(({ id }) => id)).toEqual(
      before.map(({ id }) => id),
    );

    // As after a change of Stripe's keys to another account.
    await db
      .updateTable('subscription_packages')
      .set({ stripe_price_id: 'price_elsewhere' })
      .where('id', '=', 'pro-monthly')
      .execute();
    const [missing] = await syncPackages(context);
    expect(missing).toMatchObject({ outcome: 'missing', fault: expect.stringContaining('packages -- sync') });
    const [repaired] = await syncPackages(context, { recreate: true });
    expect(repaired).toMatchObject({ fault: null });
    expect(before.map(({ id }) => id)).toContain(repaired?.stripePriceId);

    await client.prices.update(repaired?.stripePriceId ?? '', { active: false });
    const [archived] = await syncPackages(context);
    expect(archived?.fault).toMatch(/is archived/);
  });
});

describe('a disabled account', () => {
  const disable = ({ id }: { id: string }) =>
    fixture.db
      .updateTable('users')
      .set({ disabled_at: toIso(Date.now()) })
      .where('id', '=', id)
      .execute();
  const endings = async () =>
    (await fixture.atStripe()).map(({ status, cancel_at_period_end: ends }) => [status, ends]);

  it('cannot pay an attempt that it has begun', async () => {
    const account = await fixture.payer();
    const { clientSecret } = await startSubscription(fixture.context, { account, packageId: 'pro-monthly' });
    await disable(account);
    await reconcilePending(fixture.context);
    expect((await confirmCard(fixture.sandbox, clientSecret ?? '', CARDS.succeeds)).error).not.toBeNull();
    expect(await endings()).toEqual([['incomplete_expired', false]]);
    expect(await fixture.charges()).toEqual([]);
  });

  it('whose payment arrives afterwards does not pay a renewal', async () => {
    const account = await fixture.payer();
    const { clientSecret } = await startSubscription(fixture.context, { account, packageId: 'pro-monthly' });
    await disable(account);
    await fixture.pay(clientSecret);
    // The first run reads that it is paid.
    for (const _run of [1, 2]) await reconcilePending(fixture.context);
    expect(await endings()).toEqual([['active', true]]);
    expect(await reconcilePending(fixture.context)).toEqual({ read: 0, changed: 0, failed: 0 });
  });
});
