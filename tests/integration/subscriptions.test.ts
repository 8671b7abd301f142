import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND, toIso } from '#shared/clock';
import { findCustomer } from '#shared/payments/customers.server';
import type { Payer } from '#shared/payments/payments-context';
import {
  cancelSubscription,
  changePlan,
  findConfirmation,
  openPortal,
  previewPlanChange,
  reactivateSubscription,
} from '#shared/subscriptions/change-subscription.server';
import { endUnpaidSubscription } from '#shared/subscriptions/end-unpaid.server';
import { readSubscription } from '#shared/subscriptions/read-subscription';
import {
  readAttempt,
  startSubscription,
  startSubscriptionCheckout,
} from '#shared/subscriptions/start-subscription.server';
import { syncPackages } from '#shared/subscriptions/sync-packages.server';
import { refusalOf } from './accounts-fixture';
import { CARDS, confirmCard, createPaymentsFixture, type PaymentsFixture } from './payments-fixture';

let fixture: PaymentsFixture;
beforeEach(async () => {
  fixture = await createPaymentsFixture();
  await syncPackages(fixture.context);
});
afterEach(() => fixture.cleanup());

const view = (account: Payer) =>
  readSubscription(fixture.db, { accountId: account.id, now: fixture.context.clock.now() });

/** Pays with the card form. The bank's confirmation, when it is asked for, is given. */
async function pay(clientSecret: string | null | undefined, card: string = CARDS.succeeds): Promise<void> {
  if (clientSecret == null) throw new Error('there is nothing to pay');
  const { intent, error } = await confirmCard(fixture.sandbox, clientSecret, card);
  expect(error).toBeNull();
  if (intent?.status === 'requires_action') fixture.sandbox.stripe.finishChallenge(intent.id, true);
}

async function subscribe(
  { packageId = 'pro-monthly', card = CARDS.succeeds }: { packageId?: string; card?: string } = {},
  account?: Payer,
): Promise<Payer> {
  const payer = account ?? (await fixture.payer());
  const { clientSecret } = await startSubscription(fixture.context, { account: payer, packageId });
  await pay(clientSecret, card);
  await fixture.readAfresh(payer);
  return payer;
}

/** Subscribes, and then saves a card whose every charge fails (docs.stripe.com/testing), as Stripe's portal does. */
async function subscribeWithFailingCard(): Promise<Payer> {
  const account = await subscribe();
  const { client, db } = fixture;
  const customer = (await findCustomer(db, { accountId: account.id })) ?? '';
  const { id } = await client.paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
  const { data } = await client.subscriptions.list({ customer });
  await client.subscriptions.update(data[0]?.id ?? '', { default_payment_method: id });
  return account;
}

/** Every penny that Stripe has taken from an account's cards, newest first. */
async function charges(): Promise<number[]> {
  const { data } = await fixture.client.charges.list({ limit: 100 });
  return data.filter(({ paid }) => paid).map(({ amount }) => amount);
}

async function atStripe() {
  return (await fixture.client.subscriptions.list({ status: 'all', limit: 100 })).data;
}

/** The period of the only subscription at Stripe, in epoch ms: its clock runs on while a test does. */
async function periodAtStripe() {
  const item = (await atStripe())[0]?.items.data[0];
  return { start: (item?.current_period_start ?? 0) * SECOND, end: (item?.current_period_end ?? 0) * SECOND };
}

describe('start', () => {
  it('makes Pro of a payment, and not of a browser that says it paid', async () => {
    const account = await fixture.payer();
    const order = { account, packageId: 'pro-monthly' };
    const { attemptId, clientSecret, amountPence } = await startSubscription(fixture.context, order);
    expect(amountPence).toBe(999);
    const attempt = { accountId: account.id, attemptId };
    expect(await readAttempt(fixture.context, attempt)).toBe('waiting');
    expect((await view(account)).tier).toBe('free');
    const other = await fixture.payer();
    expect(await readAttempt(fixture.context, { ...attempt, accountId: other.id })).toBeNull();

    await pay(clientSecret);
    await fixture.readAfresh(account);
    expect(await readAttempt(fixture.context, attempt)).toBe('done');
    const { start, end } = await periodAtStripe();
    expect(end - start).toBe(30 * DAY);
    expect(await view(account)).toEqual({
      tier: 'pro',
      expiresAt: toIso(end),
      cancelAtPeriodEnd: false,
      currentPackageId: 'pro-monthly',
      packageName: 'Pro Monthly',
      renewalPence: 999,
      state: 'active',
      needsConfirmation: false,
    });
    expect(await charges()).toEqual([999]);
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
    expect(await atStripe()).toHaveLength(1);
    await pay(clientSecret);
    await fixture.readAfresh(account);
    expect((await view(account)).tier).toBe('pro');
    expect(await charges()).toEqual([999]);
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
    await pay(third.clientSecret);
    await fixture.readAfresh(account);
    expect(await view(account)).toMatchObject({ tier: 'pro', currentPackageId: 'pro-yearly' });
    expect(await charges()).toEqual([9590]);
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
    expect(await atStripe()).toHaveLength(1);
  });

  it('refuses what cannot be sold', async () => {
    const account = await fixture.payer();
    const start = (packageId: string) =>
      refusalOf(startSubscription(fixture.context, { account, packageId }));
    expect(await start('none')).toMatchObject({ kind: 'NotFound', code: 'unknown_package' });
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
    expect(await atStripe()).toEqual([]);
  });
});

describe('change', () => {
  it('a dearer plan costs what the preview says to the penny, a cheaper one becomes a credit', async () => {
    const account = await subscribe();
    fixture.advance(10 * DAY + 7 * HOUR);
    const up = await previewPlanChange(fixture.context, { account, newPackageId: 'pro-yearly' });
    // Some 19 days and 17 hours of 30 days at £9.99 are unused.
    const { start, end } = await periodAtStripe();
    const { proration_at } = await fixture.db
      .selectFrom('plan_quotes')
      .select('proration_at')
      .where('id', '=', up.id)
      .executeTakeFirstOrThrow();
    expect(up).toMatchObject({
      currentPlan: { name: 'Pro Monthly' },
      newPlan: { name: 'Pro Yearly', pricePence: 9590, durationDays: 365 },
      remainingPence: Math.round((999 * (end - proration_at * SECOND)) / (end - start)),
    });
    expect(up.proratedPence).toBe(9590 - up.remainingPence);
    fixture.advance(14 * MINUTE);
    const changed = await changePlan(fixture.context, {
      account,
      newPackageId: 'pro-yearly',
      quoteId: up.id,
    });
    expect(changed).toMatchObject({
      subscription: { tier: 'pro', currentPackageId: 'pro-yearly' },
      message: 'Your plan is Pro Yearly now.',
    });
    expect(changed.clientSecret).toBeUndefined();
    expect(await charges()).toEqual([up.proratedPence, 999]);

    const again = { account, newPackageId: 'pro-yearly', quoteId: up.id };
    expect((await refusalOf(changePlan(fixture.context, again))).code).toBe('same_plan');

    fixture.advance(65 * DAY);
    const down = await previewPlanChange(fixture.context, { account, newPackageId: 'pro-monthly' });
    expect(down.proratedPence).toBe(999 - down.remainingPence);
    expect(down.proratedPence).toBeLessThan(0);
    await changePlan(fixture.context, { account, newPackageId: 'pro-monthly', quoteId: down.id });
    expect(await view(account)).toMatchObject({ tier: 'pro', currentPackageId: 'pro-monthly' });
    expect(await charges()).toHaveLength(2);
    // The credit pays for the renewals.
    fixture.advance(31 * DAY);
    await fixture.readAfresh(account);
    expect((await view(account)).tier).toBe('pro');
    expect(await charges()).toHaveLength(2);
  });

  it('an old, foreign or missing quote is refused with a fresh one, which can be used once', async () => {
    const [ann, bob] = [await subscribe(), await subscribe()];
    const foreign = await previewPlanChange(fixture.context, { account: bob, newPackageId: 'pro-yearly' });
    const order = { account: ann, newPackageId: 'pro-yearly' };
    const quotes = () =>
      fixture.db
        .selectFrom('plan_quotes')
        .selectAll()
        .where('user_id', '=', ann.id)
        .orderBy('created_at')
        .execute();

    for (const quoteId of [undefined, foreign.id, 'none']) {
      fixture.advance(MINUTE);
      const refused = await refusalOf(changePlan(fixture.context, { ...order, ...(quoteId && { quoteId }) }));
      // Without an id the open quote is meant; the first call has none.
      expect(refused).toMatchObject({ kind: 'Conflict', code: 'quote_expired' });
      expect(refused.message).toMatch(/^The price of this change is new: £\d+\.\d\d due now\./);
    }
    expect((await quotes()).map(({ status }) => status)).toEqual(['replaced', 'replaced', 'open']);

    const old = await previewPlanChange(fixture.context, order);
    fixture.advance(15 * MINUTE);
    const expired = await refusalOf(changePlan(fixture.context, { ...order, quoteId: old.id }));
    expect(expired.code).toBe('quote_expired');
    expect(await charges()).toEqual([999, 999]);

    const fresh = (await quotes()).at(-1);
    await changePlan(fixture.context, order);
    expect(await charges()).toEqual([fresh?.prorated_pence, 999, 999]);
    expect((await quotes()).at(-1)).toMatchObject({ id: fresh?.id, status: 'used' });
    // Bob's quote is untouched.
    expect(
      await fixture.db.selectFrom('plan_quotes').select('status').where('id', '=', foreign.id).execute(),
    ).toEqual([{ status: 'open' }]);
  });

  it('two confirmations at once charge once', async () => {
    const account = await subscribe();
    fixture.advance(DAY);
    const quote = await previewPlanChange(fixture.context, { account, newPackageId: 'pro-yearly' });
    const order = { account, newPackageId: 'pro-yearly', quoteId: quote.id };
    const both = await Promise.allSettled([
      changePlan(fixture.context, order),
      changePlan(fixture.context, order),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await charges()).toEqual([quote.proratedPence, 999]);
  });

  it('a change that the bank wants confirmed keeps the old plan until it is', async () => {
    const account = await subscribe({ card: CARDS.alwaysConfirms });
    fixture.advance(DAY);
    const quote = await previewPlanChange(fixture.context, { account, newPackageId: 'pro-yearly' });
    const order = { account, newPackageId: 'pro-yearly', quoteId: quote.id };
    const { clientSecret, subscription } = await changePlan(fixture.context, order);
    expect(subscription.currentPackageId).toBe('pro-monthly');
    expect((await changePlan(fixture.context, order)).clientSecret).toBe(clientSecret);
    expect(await findConfirmation(fixture.context, { account })).toMatchObject({
      clientSecret,
      amountPence: quote.proratedPence,
      hostedInvoiceUrl: expect.stringContaining('http'),
    });
    const [id = ''] = (clientSecret ?? '').split('_secret_');
    fixture.sandbox.stripe.finishChallenge(id, true);
    await fixture.readAfresh(account);
    expect(await view(account)).toMatchObject({ currentPackageId: 'pro-yearly', needsConfirmation: false });
    expect(await findConfirmation(fixture.context, { account })).toBeNull();
    expect(await charges()).toEqual([quote.proratedPence, 999]);
  });

  it('a declined change keeps the plan until another card pays it, and a newer quote replaces it', async () => {
    const account = await subscribeWithFailingCard();
    fixture.advance(DAY);
    const order = { account, newPackageId: 'pro-yearly' };
    const first = await previewPlanChange(fixture.context, order);
    const declined = await changePlan(fixture.context, { ...order, quoteId: first.id });
    expect(declined.subscription.currentPackageId).toBe('pro-monthly');

    fixture.advance(HOUR);
    const second = await previewPlanChange(fixture.context, order);
    expect(second.proratedPence).toBeGreaterThan(first.proratedPence);
    const { clientSecret } = await changePlan(fixture.context, { ...order, quoteId: second.id });
    const old = await confirmCard(fixture.sandbox, declined.clientSecret ?? '', CARDS.succeeds);
    expect(old.error).not.toBeNull();
    await pay(clientSecret);
    await fixture.readAfresh(account);
    expect(await view(account)).toMatchObject({ currentPackageId: 'pro-yearly', state: 'active' });
    expect(await charges()).toEqual([second.proratedPence, 999]);
  });

  it('is refused for the current plan, while cancelling, and without Pro', async () => {
    const account = await subscribe();
    const preview = (newPackageId: string, payer = account) =>
      refusalOf(previewPlanChange(fixture.context, { account: payer, newPackageId }));
    expect((await preview('pro-monthly')).code).toBe('same_plan');
    expect(await preview('none')).toMatchObject({ kind: 'NotFound' });
    expect((await preview('pro-yearly', await fixture.payer())).code).toBe('not_subscribed');
    await cancelSubscription(fixture.context, { account, reason: null });
    expect((await preview('pro-yearly')).code).toBe('cancelling');
  });
});

describe('cancel and reactivate', () => {
  it('cancels at the end of the period with the reason, can be taken back, and ends by itself', async () => {
    const account = await subscribe();
    expect((await refusalOf(reactivateSubscription(fixture.context, { account }))).code).toBe(
      'not_cancelling',
    );
    const cancelled = await cancelSubscription(fixture.context, { account, reason: 'Too many boxes.' });
    expect(cancelled.subscription).toEqual({
      tier: 'pro',
      expiresAt: toIso((await periodAtStripe()).end),
      cancelAtPeriodEnd: true,
      currentPackageId: 'pro-monthly',
    });
    expect(cancelled.message).toMatch(/^Your subscription is cancelled\. You keep Pro until \d+ \w+ \d{4},/);
    expect((await view(account)).state).toBe('canceling');
    expect((await atStripe())[0]?.cancellation_details?.comment).toBe('Too many boxes.');
    const stored = () =>
      fixture.db.selectFrom('subscriptions').select('cancel_reason').executeTakeFirstOrThrow();
    expect((await stored()).cancel_reason).toBe('Too many boxes.');

    const again = await reactivateSubscription(fixture.context, { account });
    expect(again.subscription.cancelAtPeriodEnd).toBe(false);
    expect((await stored()).cancel_reason).toBeNull();

    await cancelSubscription(fixture.context, { account, reason: null });
    fixture.advance(30 * DAY);
    // Free on time, before the event.
    expect((await view(account)).tier).toBe('free');
    await fixture.readAfresh(account);
    expect((await atStripe()).map(({ status }) => status)).toEqual(['canceled']);
    expect(await charges()).toEqual([999]);
    const refused = await refusalOf(cancelSubscription(fixture.context, { account, reason: null }));
    expect(refused).toMatchObject({ kind: 'Conflict', code: 'not_subscribed' });
    expect((await refusalOf(reactivateSubscription(fixture.context, { account }))).code).toBe(
      'not_subscribed',
    );

    await subscribe({}, account);
    expect((await view(account)).tier).toBe('pro');
  });

  it('the portal opens for customers only', async () => {
    const newcomer = await fixture.payer();
    const open = (account: Payer) =>
      openPortal(fixture.context, { account, returnTo: '/dashboard/subscription' });
    expect((await refusalOf(open(newcomer))).code).toBe('no_customer');
    expect((await open(await subscribe())).url).toMatch(/^http/);
  });
});

describe('renewal', () => {
  it('renews by itself', async () => {
    const account = await subscribe();
    fixture.advance(30 * DAY + 2 * HOUR);
    await fixture.readAfresh(account);
    expect(await view(account)).toMatchObject({ tier: 'pro', state: 'active' });
    expect(await charges()).toEqual([999, 999]);
  });

  it('one that the bank wants confirmed waits for the member, who confirms it', async () => {
    const account = await subscribe({ card: CARDS.alwaysConfirms });
    const { end } = await periodAtStripe();
    fixture.advance(30 * DAY + 2 * HOUR);
    await fixture.readAfresh(account);
    expect(await view(account)).toMatchObject({
      tier: 'pro',
      state: 'past_due',
      expiresAt: toIso(end + 3 * DAY),
      needsConfirmation: true,
    });
    const waiting = await findConfirmation(fixture.context, { account });
    expect(waiting).toMatchObject({ amountPence: 999, hostedInvoiceUrl: expect.stringContaining('http') });
    await pay(waiting?.clientSecret, CARDS.alwaysConfirms);
    await fixture.readAfresh(account);
    expect(await view(account)).toMatchObject({ state: 'active', needsConfirmation: false });
    expect(await findConfirmation(fixture.context, { account })).toBeNull();
    expect(await charges()).toEqual([999, 999]);
  });

  it('one that fails keeps Pro for three days, and buying again afterwards charges once', async () => {
    const account = await subscribeWithFailingCard();
    fixture.advance(30 * DAY + 2 * HOUR);
    await fixture.readAfresh(account);
    expect(await view(account)).toMatchObject({ tier: 'pro', state: 'past_due' });
    const preview = previewPlanChange(fixture.context, { account, newPackageId: 'pro-yearly' });
    expect((await refusalOf(preview)).code).toBe('payment_due');
    fixture.advance(3 * DAY);
    expect((await view(account)).tier).toBe('free');

    // Before the reconcile job has ended the old one.
    await subscribe({}, account);
    expect(await view(account)).toMatchObject({ tier: 'pro', state: 'active' });
    fixture.advance(20 * DAY);
    const states = (await atStripe()).map(({ status }) => status).sort();
    expect(states).toEqual(['active', 'canceled']);
    expect(await charges()).toEqual([999, 999]);
  });

  it('the reconcile job ends a subscription whose grace is over; cancelling before ends it at once', async () => {
    const [ann, bob] = [await subscribeWithFailingCard(), await subscribeWithFailingCard()];
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
    expect((await atStripe()).map(({ status }) => status)).toEqual(['canceled', 'canceled']);
    const { data: open } = await fixture.client.invoices.list({ status: 'open', limit: 10 });
    expect(open).toEqual([]);
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
    const [repaired] = await syncPackages(context, { makeAgain: true });
    expect(repaired).toMatchObject({ fault: null });
    expect(before.map(({ id }) => id)).toContain(repaired?.stripePriceId);

    await client.prices.update(repaired?.stripePriceId ?? '', { active: false });
    const [archived] = await syncPackages(context);
    expect(archived?.fault).toMatch(/is archived/);
  });
});
