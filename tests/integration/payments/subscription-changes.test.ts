import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '#shared/clock';
import { disableAccount } from '#shared/accounts/account-status.server';
import { changePlan, previewPlanChange } from '#shared/subscriptions/change-plan.server';
import { cancelSubscription, findConfirmation } from '#shared/subscriptions/manage-subscription.server';
import { addSubscriptionPackage } from '#shared/subscriptions/packages/subscription-packages';
import { startSubscription } from '#shared/subscriptions/start-subscription.server';
import { syncPackages } from '#shared/subscriptions/packages/sync-packages.server';
import { refusalOf } from '../accounts/accounts-fixture';
import { CARDS, confirmCard } from './payments-fixture';
import { createSubscriptionsFixture, type SubscriptionsFixture } from './subscriptions-fixture';

let fixture: SubscriptionsFixture;
beforeEach(async () => {
  fixture = await createSubscriptionsFixture();
});
afterEach(() => fixture.cleanup());

describe('change', () => {
  it('a dearer plan costs what the preview says to the penny, a cheaper one becomes a credit', async () => {
    const account = await fixture.subscribe();
    fixture.advance(10 * DAY + 7 * HOUR);
    const up = await previewPlanChange(fixture.context, { account, newPackageId: 'pro-yearly' });
    // Some 19 days and 17 hours of 30 days at £9.99 are unused.
    const { start, end } = await fixture.periodAtStripe();
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
      message: 'Your plan is now Pro Yearly.',
    });
    expect(changed.clientSecret).toBeUndefined();
    expect(await fixture.charges()).toEqual([up.proratedPence, 999]);

    const again = { account, newPackageId: 'pro-yearly', quoteId: up.id };
    expect((await refusalOf(changePlan(fixture.context, again))).code).toBe('same_plan');

    fixture.advance(65 * DAY);
    const down = await previewPlanChange(fixture.context, { account, newPackageId: 'pro-monthly' });
    expect(down.proratedPence).toBe(999 - down.remainingPence);
    expect(down.proratedPence).toBeLessThan(0);
    await changePlan(fixture.context, { account, newPackageId: 'pro-monthly', quoteId: down.id });
    expect(await fixture.view(account)).toMatchObject({ tier: 'pro', currentPackageId: 'pro-monthly' });
    expect(await fixture.charges()).toHaveLength(2);
    // The credit pays for the renewals.
    fixture.advance(31 * DAY);
    await fixture.readAfresh(account);
    expect((await fixture.view(account)).tier).toBe('pro');
    expect(await fixture.charges()).toHaveLength(2);
  });

  it('through twenty changes at odd times, every charge equals its quote, and no penny is lost', async () => {
    const { context, db } = fixture;
    const fields = {
      id: 'pro-plus',
      name: 'Pro Plus',
      description: 'With the same period as Pro Monthly.',
      pricePence: 1777,
      durationDays: 30,
    };
    await addSubscriptionPackage(db, { fields, actor: { userId: null }, clock: context.clock });
    await syncPackages(context);
    const account = await fixture.subscribe();
    const plans = ['pro-yearly', 'pro-plus', 'pro-monthly'];
    for (let round = 0; round < 20; round += 1) {
      fixture.advance(((round * 7919) % 29) * DAY + ((round * 104_729) % 86_400) * SECOND);
      await fixture.readAfresh(account);
      const before = await fixture.charges();
      const newPackageId = plans[round % plans.length] ?? '';
      const quote = await previewPlanChange(context, { account, newPackageId });
      expect([quote.proratedPence, quote.remainingPence].every(Number.isSafeInteger)).toBe(true);
      const { subscription } = await changePlan(context, { account, newPackageId, quoteId: quote.id });
      expect(subscription.currentPackageId).toBe(newPackageId);
      const after = await fixture.charges();
      expect(after).toEqual(quote.proratedPence > 0 ? [quote.proratedPence, ...before] : before);
    }
    // What was billed is what was charged, less the credit that is left.
    const { data: invoices } = await fixture.client.invoices.list({ limit: 100 });
    const [{ customer } = { customer: '' }] = invoices;
    const { balance } = (await fixture.client.customers.retrieve(String(customer))) as { balance: number };
    const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
    const charged = await fixture.charges();
    expect(charged.length).toBeGreaterThan(6);
    expect(sum(charged) + balance).toBe(sum(invoices.map(({ total }) => total)));
  });

  it('a credit pays for a new subscription: there is no card form, and Pro at once', async () => {
    const account = await fixture.subscribe({ packageId: 'pro-yearly' });
    const order = { account, newPackageId: 'pro-monthly' };
    await previewPlanChange(fixture.context, order);
    await changePlan(fixture.context, order);
    await cancelSubscription(fixture.context, { account, reason: null });
    fixture.advance(31 * DAY);
    await fixture.readAfresh(account);
    expect((await fixture.view(account)).tier).toBe('free');
    const started = await startSubscription(fixture.context, { account, packageId: 'pro-monthly' });
    expect(started).toMatchObject({ clientSecret: null, amountPence: 0 });
    expect((await fixture.view(account)).tier).toBe('pro');
    expect(await fixture.charges()).toEqual([9590]);
  });

  it('an old, foreign or missing quote is refused with a fresh one, which can be used once', async () => {
    const [ann, bob] = [await fixture.subscribe(), await fixture.subscribe()];
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
      expect(refused.message).toMatch(/^The price of this change is now different: £\d+\.\d\d due now\./);
    }
    expect((await quotes()).map(({ status }) => status)).toEqual(['replaced', 'replaced', 'open']);

    const old = await previewPlanChange(fixture.context, order);
    fixture.advance(15 * MINUTE);
    const expired = await refusalOf(changePlan(fixture.context, { ...order, quoteId: old.id }));
    expect(expired.code).toBe('quote_expired');
    expect(await fixture.charges()).toEqual([999, 999]);

    const fresh = (await quotes()).at(-1);
    await changePlan(fixture.context, order);
    expect(await fixture.charges()).toEqual([fresh?.prorated_pence, 999, 999]);
    expect((await quotes()).at(-1)).toMatchObject({ id: fresh?.id, status: 'used' });
    // Bob's quote is untouched.
    expect(
      await fixture.db.selectFrom('plan_quotes').select('status').where('id', '=', foreign.id).execute(),
    ).toEqual([{ status: 'open' }]);
  });

  it('two confirmations at once charge once', async () => {
    const account = await fixture.subscribe();
    fixture.advance(DAY);
    const quote = await previewPlanChange(fixture.context, { account, newPackageId: 'pro-yearly' });
    const order = { account, newPackageId: 'pro-yearly', quoteId: quote.id };
    const both = await Promise.allSettled([
      changePlan(fixture.context, order),
      changePlan(fixture.context, order),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await fixture.charges()).toEqual([quote.proratedPence, 999]);
  });

  it('a change that needs the bank’s confirmation keeps the old plan until then', async () => {
    const account = await fixture.subscribe({ card: CARDS.alwaysConfirms });
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
    expect(await fixture.view(account)).toMatchObject({
      currentPackageId: 'pro-yearly',
      needsConfirmation: false,
    });
    expect(await findConfirmation(fixture.context, { account })).toBeNull();
    expect(await fixture.charges()).toEqual([quote.proratedPence, 999]);
  });

  it('a declined change keeps the plan until another card pays it, and a newer quote replaces it', async () => {
    const account = await fixture.subscribeWithFailingCard();
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
    await fixture.pay(clientSecret);
    await fixture.readAfresh(account);
    expect(await fixture.view(account)).toMatchObject({ currentPackageId: 'pro-yearly', state: 'active' });
    expect(await fixture.charges()).toEqual([second.proratedPence, 999]);
  });

  it('is refused for the current plan, while cancelling, and without Pro', async () => {
    const account = await fixture.subscribe();
    const preview = (newPackageId: string, payer = account) =>
      refusalOf(previewPlanChange(fixture.context, { account: payer, newPackageId }));
    expect((await preview('pro-monthly')).code).toBe('same_plan');
    expect(await preview('none')).toMatchObject({ kind: 'NotFound' });
    expect((await preview('pro-yearly', await fixture.payer())).code).toBe('not_subscribed');
    await cancelSubscription(fixture.context, { account, reason: null });
    expect((await preview('pro-yearly')).code).toBe('cancelling');
  });
});

it('disabling an account cancels the renewal of its subscription, or reports that it failed', async () => {
  const account = await fixture.subscribe();
  const { context, db } = fixture;
  const change = { accountId: account.id, actor: { userId: null }, clock: context.clock };
  const withoutStripe = { ...context, stripe: null };
  const failed = await disableAccount(db, { ...change, payments: withoutStripe });
  expect(failed).toMatchObject({ changed: true, subscription: { kind: 'failed' } });
  expect((await fixture.view(account)).cancelAtPeriodEnd).toBe(false);
  // The repetition tries again.
  const repeated = await disableAccount(db, { ...change, payments: context });
  expect(repeated).toMatchObject({ changed: false, subscription: { kind: 'cancelled' } });
  expect(await fixture.view(account)).toMatchObject({ tier: 'pro', cancelAtPeriodEnd: true });
  expect(await fixture.atStripe()).toMatchObject([{ cancel_at_period_end: true }]);
});
