import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type Stripe from 'stripe';
import { DAY, SECOND, toIso } from '#shared/clock';
import type { Payer } from '#shared/payments/payments-context';
import { previewPlanChange } from '#shared/subscriptions/change-plan.server';
import { cancelSubscription, reactivateSubscription } from '#shared/subscriptions/manage-subscription.server';
import { readSubscription } from '#shared/subscriptions/read-subscription';
import { startSubscription } from '#shared/subscriptions/start-subscription.server';
import { subscriptionsOf, setPortalCancellation } from '../../../sandbox/stripe/billing/hosted';
import { refusalOf } from '../accounts/accounts-fixture';
import { createStripeInProcess, type StripeInProcess } from './stripe-in-process';

let world: StripeInProcess;
beforeAll(async () => {
  world = await createStripeInProcess();
});
afterAll(() => world.cleanup());
beforeEach(() => world.restartStripe());

async function deliverAll(): Promise<void> {
  for (const event of world.takeEvents()) await world.deliver(event);
}

async function subscribe(): Promise<{ account: Payer; id: string; end: number }> {
  const account = await world.payer();
  const { clientSecret } = await startSubscription(world.context, { account, packageId: 'pro-monthly' });
  await world.pay(clientSecret ?? '');
  await deliverAll();
  const [subscription] = world.stripe.store.list('subscription');
  const end = subscription?.items.data[0]?.current_period_end ?? 0;
  return { account, id: subscription?.id ?? '', end };
}

const view = ({ id: accountId }: Payer) => readSubscription(world.db, { accountId, now: world.clock.now() });
const atStripe = (id: string): Promise<Stripe.Subscription> => world.client.subscriptions.retrieve(id);
const iso = (seconds: number): string => toIso(seconds * SECOND);

describe('a subscription that ends on a date', () => {
  it('of the portal is canceled for the period’s end, and is active again when it is reactivated', async () => {
    const { account, id, end } = await subscribe();
    const [customer] = world.stripe.store.list('customer');
    if (customer === undefined) throw new Error('there is no customer');
    const [found] = subscriptionsOf(world.stripe.billing, customer);
    if (found !== undefined) setPortalCancellation(world.stripe.billing, found, true);
    expect(await atStripe(id)).toMatchObject({ cancel_at: end, cancel_at_period_end: false });
    // Also before the event has arrived.
    const again = await reactivateSubscription(world.context, { account });
    expect(again.message).toMatch(/^Your subscription is active again\. It renews on /);
    expect(again.subscription).toMatchObject({ cancelAtPeriodEnd: false, expiresAt: iso(end) });
    expect(await atStripe(id)).toMatchObject({ cancel_at: null, cancel_at_period_end: false });
    await deliverAll();
    expect(await view(account)).toMatchObject({ state: 'active' });
  });

  it('within the period gives Pro until then, also when it is canceled once more, and cannot change its plan', async () => {
    const { account, id, end } = await subscribe();
    const date = end - (10 * DAY) / SECOND;
    await world.client.subscriptions.update(id, { cancel_at: date });
    await deliverAll();
    const ending = { tier: 'pro', expiresAt: iso(date), cancelAtPeriodEnd: true };
    expect(await view(account)).toMatchObject({ ...ending, state: 'canceling', periodEnd: iso(end) });
    const canceled = await cancelSubscription(world.context, { account, reason: 'Enough.' });
    expect(canceled.subscription).toMatchObject(ending);
    expect(await atStripe(id)).toMatchObject({
      cancel_at: date,
      cancellation_details: { comment: 'Enough.' },
    });
    const change = previewPlanChange(world.context, { account, newPackageId: 'pro-yearly' });
    expect((await refusalOf(change)).code).toBe('cancelling');
    world.stripe.advance((20 * DAY) / SECOND);
    // Before the event.
    expect((await view(account)).tier).toBe('free');
    await deliverAll();
    expect((await atStripe(id)).status).toBe('canceled');
  });

  it('periods later renews until then, and is canceled for the end of this period', async () => {
    const { account, id, end } = await subscribe();
    const date = end + (40 * DAY) / SECOND;
    await world.client.subscriptions.update(id, { cancel_at: date });
    await deliverAll();
    expect(await view(account)).toMatchObject({
      state: 'canceling',
      expiresAt: iso(date),
      periodEnd: iso(end),
    });
    const canceled = await cancelSubscription(world.context, { account, reason: null });
    expect(canceled.subscription).toMatchObject({ expiresAt: iso(end), cancelAtPeriodEnd: true });
    expect((await reactivateSubscription(world.context, { account })).subscription).toMatchObject({
      cancelAtPeriodEnd: false,
    });
    expect(await atStripe(id)).toMatchObject({ cancel_at: null });
  });

  it('by a schedule is reactivated, and one with a schedule can be canceled', async () => {
    const { account, id, end } = await subscribe();
    const schedule = await world.client.subscriptionSchedules.create({ from_subscription: id });
    await world.client.subscriptionSchedules.update(schedule.id, { end_behavior: 'cancel' });
    await deliverAll();
    expect(await view(account)).toMatchObject({ state: 'canceling', expiresAt: iso(end) });
    await reactivateSubscription(world.context, { account });
    expect(await atStripe(id)).toMatchObject({ cancel_at: null, schedule: null });

    await world.client.subscriptionSchedules.create({ from_subscription: id });
    await cancelSubscription(world.context, { account, reason: null });
    expect(await view(account)).toMatchObject({ state: 'canceling', expiresAt: iso(end) });
    expect(await atStripe(id)).toMatchObject({ cancel_at_period_end: true, schedule: null });
  });
});

describe('when Stripe answers an internal fault', () => {
  const failUpdates = (executed: boolean): void =>
    world.stripe.setFaults([
      { kind: 'status', status: 500, executed, method: 'POST', path: '/v1/subscriptions/', persistent: true },
    ]);

  it('to a change that it has made, the member reads what is so now', async () => {
    const { account, id, end } = await subscribe();
    await world.client.subscriptions.update(id, { cancel_at: 'max_period_end' });
    await deliverAll();
    failUpdates(true);
    const active = await reactivateSubscription(world.context, { account });
    expect(active.message).toMatch(/^Your subscription is active again\. It renews on /);
    expect(await view(account)).toMatchObject({ state: 'active' });
    const canceled = await cancelSubscription(world.context, { account, reason: null });
    expect(canceled.message).toMatch(/^Your subscription is cancelled\. You keep Pro until /);
    expect(await view(account)).toMatchObject({ state: 'canceling', expiresAt: iso(end) });
    world.stripe.setFaults([]);
  });

  it('to a change that it has not made, the member is asked to try again', async () => {
    const { account, id } = await subscribe();
    const again = 'The payment service did not answer. Please try again in a minute.';
    failUpdates(false);
    expect((await refusalOf(cancelSubscription(world.context, { account, reason: null }))).message).toBe(
      again,
    );
    expect(await view(account)).toMatchObject({ state: 'active' });
    world.stripe.setFaults([]);
    await world.client.subscriptions.update(id, { cancel_at: 'max_period_end' });
    await deliverAll();
    failUpdates(false);
    expect((await refusalOf(reactivateSubscription(world.context, { account }))).message).toBe(again);
    expect(await view(account)).toMatchObject({ state: 'canceling' });
    world.stripe.setFaults([]);
  });
});

it('Stripe takes one of the two parameters, a future date, and reads the period’s end back as its time', async () => {
  const { id, end } = await subscribe();
  const both = world.client.subscriptions.update(id, { cancel_at: '', cancel_at_period_end: false });
  await expect(both).rejects.toThrow('only specify one');
  await expect(world.client.subscriptions.update(id, { cancel_at: 1 })).rejects.toThrow('in the future');
  for (const cancel_at of ['min_period_end', 'max_period_end'] as const)
    expect(await world.client.subscriptions.update(id, { cancel_at })).toMatchObject({
      cancel_at: end,
      cancel_at_period_end: false,
    });
  expect(await world.client.subscriptions.update(id, { cancel_at_period_end: false })).toMatchObject({
    cancel_at: end,
  });
});
