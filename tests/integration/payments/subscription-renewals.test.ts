import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reconcilePending } from '#shared/billing/reconcile.server';
import { DAY, HOUR, toIso } from '#shared/clock';
import type { Payer } from '#shared/payments/payments-context';
import { previewPlanChange } from '#shared/subscriptions/change-plan.server';
import {
  cancelSubscription,
  findConfirmation,
  openPortal,
  reactivateSubscription,
} from '#shared/subscriptions/manage-subscription.server';
import { endUnpaidSubscription } from '#shared/subscriptions/end-subscription.server';
import { refusalOf } from '../accounts/accounts-fixture';
import { CARDS } from './payments-fixture';
import { createSubscriptionsFixture, type SubscriptionsFixture } from './subscriptions-fixture';

let fixture: SubscriptionsFixture;
beforeEach(async () => {
  fixture = await createSubscriptionsFixture();
});
afterEach(() => fixture.cleanup());

describe('cancel and reactivate', () => {
  it('cancels at the end of the period with the reason, can be taken back, and ends on time', async () => {
    const account = await fixture.subscribe();
    expect((await refusalOf(reactivateSubscription(fixture.context, { account }))).code).toBe(
      'not_cancelling',
    );
    const cancelled = await cancelSubscription(fixture.context, { account, reason: 'Too many boxes.' });
    expect(cancelled.subscription).toEqual({
      tier: 'pro',
      expiresAt: toIso((await fixture.periodAtStripe()).end),
      cancelAtPeriodEnd: true,
      currentPackageId: 'pro-monthly',
    });
    expect(cancelled.message).toMatch(/^Your subscription is cancelled\. You keep Pro until \d+ \w+ \d{4},/);
    expect((await fixture.view(account)).state).toBe('canceling');
    expect((await fixture.atStripe())[0]?.cancellation_details?.comment).toBe('Too many boxes.');
    const stored = () =>
      fixture.db.selectFrom('subscriptions').select('cancel_reason').executeTakeFirstOrThrow();
    expect((await stored()).cancel_reason).toBe('Too many boxes.');

    const again = await reactivateSubscription(fixture.context, { account });
    expect(again.subscription.cancelAtPeriodEnd).toBe(false);
    expect((await stored()).cancel_reason).toBeNull();

    await cancelSubscription(fixture.context, { account, reason: null });
    fixture.advance(30 * DAY);
    // Free on time, before the event.
    expect((await fixture.view(account)).tier).toBe('free');
    await fixture.readAfresh(account);
    expect((await fixture.atStripe()).map(({ status }) => status)).toEqual(['canceled']);
    expect(await fixture.charges()).toEqual([999]);
    const refused = await refusalOf(cancelSubscription(fixture.context, { account, reason: null }));
    expect(refused).toMatchObject({ kind: 'Conflict', code: 'not_subscribed' });
    expect((await refusalOf(reactivateSubscription(fixture.context, { account }))).code).toBe(
      'not_subscribed',
    );

    await fixture.subscribe({ account });
    expect((await fixture.view(account)).tier).toBe('pro');
  });

  it('the portal opens for customers only', async () => {
    const newcomer = await fixture.payer();
    const open = (account: Payer) =>
      openPortal(fixture.context, { account, returnTo: '/dashboard/subscription' });
    expect((await refusalOf(open(newcomer))).code).toBe('no_customer');
    expect((await open(await fixture.subscribe())).url).toMatch(/^http/);
  });
});

describe('renewal', () => {
  it('renews automatically', async () => {
    const account = await fixture.subscribe();
    fixture.advance(30 * DAY + 2 * HOUR);
    await fixture.readAfresh(account);
    expect(await fixture.view(account)).toMatchObject({ tier: 'pro', state: 'active' });
    expect(await fixture.charges()).toEqual([999, 999]);
  });

  it('one that the bank wants confirmed waits for the member, who confirms it', async () => {
    const account = await fixture.subscribe({ card: CARDS.alwaysConfirms });
    const { end } = await fixture.periodAtStripe();
    fixture.advance(30 * DAY + 2 * HOUR);
    await fixture.readAfresh(account);
    expect(await fixture.view(account)).toMatchObject({
      tier: 'pro',
      state: 'past_due',
      expiresAt: toIso(end + 3 * DAY),
      needsConfirmation: true,
    });
    const waiting = await findConfirmation(fixture.context, { account });
    expect(waiting).toMatchObject({ amountPence: 999, hostedInvoiceUrl: expect.stringContaining('http') });
    await fixture.pay(waiting?.clientSecret, CARDS.alwaysConfirms);
    await fixture.readAfresh(account);
    expect(await fixture.view(account)).toMatchObject({ state: 'active', needsConfirmation: false });
    expect(await findConfirmation(fixture.context, { account })).toBeNull();
    expect(await fixture.charges()).toEqual([999, 999]);
  });

  it('one that fails keeps Pro for three days, and buying again afterwards charges once', async () => {
    const account = await fixture.subscribeWithFailingCard();
    fixture.advance(30 * DAY + 2 * HOUR);
    await fixture.readAfresh(account);
    expect(await fixture.view(account)).toMatchObject({ tier: 'pro', state: 'past_due' });
    const preview = previewPlanChange(fixture.context, { account, newPackageId: 'pro-yearly' });
    expect((await refusalOf(preview)).code).toBe('payment_due');
    fixture.advance(3 * DAY);
    expect((await fixture.view(account)).tier).toBe('free');

    // Before the reconcile job has ended the old one.
    await fixture.subscribe({ account });
    expect(await fixture.view(account)).toMatchObject({ tier: 'pro', state: 'active' });
    fixture.advance(20 * DAY);
    const states = (await fixture.atStripe()).map(({ status }) => status).sort();
    expect(states).toEqual(['active', 'canceled']);
    expect(await fixture.charges()).toEqual([999, 999]);
  });

  it.each([
    ['once the member has bought again', (account: Payer) => fixture.subscribe({ account }), [999, 999]],
    ['once the reconcile job has run', () => reconcilePending(fixture.context), [999]],
  ])('what Stripe gave up to collect cannot be paid any more %s', async (_when, act, charges) => {
    const account = await fixture.subscribeWithFailingCard();
    // Until Stripe has given up its retries and cancels the subscription.
    fixture.advance(90 * DAY);
    await fixture.readAfresh(account);
    expect((await fixture.atStripe()).map(({ status }) => status)).toEqual(['canceled']);
    const open = () => fixture.client.invoices.list({ status: 'open', limit: 10 });
    expect((await open()).data).toHaveLength(1);
    await act(account);
    expect((await open()).data).toEqual([]);
    expect(await fixture.charges()).toEqual(charges);
    expect((await reconcilePending(fixture.context)).read).toBe(0);
  });

  it('the reconcile job ends a subscription whose grace is over; cancelling before ends it at once', async () => {
    const [ann, bob] = [await fixture.subscribeWithFailingCard(), await fixture.subscribeWithFailingCard()];
    fixture.advance(30 * DAY + 2 * HOUR);
    for (const account of [ann, bob]) await fixture.readAfresh(account);
    const ended = await cancelSubscription(fixture.context, { account: bob, reason: 'Lost my card.' });
    expect(ended).toEqual({
      subscription: { tier: 'free', expiresAt: null, cancelAtPeriodEnd: false, currentPackageId: null },
      message: 'Your subscription has ended, and nothing more is charged.',
    });
    fixture.advance(3 * DAY);
    const row = await fixture.db
      .selectFrom('subscriptions')
      .select('id')
      .where('user_id', '=', ann.id)
      .executeTakeFirstOrThrow();
    await endUnpaidSubscription(fixture.context, row.id);
    expect((await fixture.atStripe()).map(({ status }) => status)).toEqual(['canceled', 'canceled']);
    const { data: open } = await fixture.client.invoices.list({ status: 'open', limit: 10 });
    expect(open).toEqual([]);
  });
});
