import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { DAY, HOUR, SECOND, toIso } from '#shared/clock';
import type { Payer } from '#shared/payments/payments-context';
import { changePlan, previewPlanChange } from '#shared/subscriptions/change-plan.server';
import { cancelSubscription, reactivateSubscription } from '#shared/subscriptions/manage-subscription.server';
import { readSubscription } from '#shared/subscriptions/read-subscription';
import { startSubscription } from '#shared/subscriptions/start-subscription.server';
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

async function subscribe(): Promise<{ account: Payer; id: string; customer: string; end: number }> {
  const account = await world.payer();
  const { clientSecret } = await startSubscription(world.context, { account, packageId: 'pro-monthly' });
  await world.pay(clientSecret ?? '');
  await deliverAll();
  const [subscription] = world.stripe.store.list('subscription');
  const [customer] = world.stripe.store.list('customer');
  const end = subscription?.items.data[0]?.current_period_end ?? 0;
  return { account, id: subscription?.id ?? '', customer: customer?.id ?? '', end };
}

const view = ({ id: accountId }: Payer) => readSubscription(world.db, { accountId, now: world.clock.now() });
const charges = async () => (await world.client.charges.list({ limit: 1 })).data[0]?.amount;

it('the amount of the next renewal is what Stripe then charges: credit is taken off', async () => {
  const { account, customer } = await subscribe();
  expect(await view(account)).toMatchObject({ renewalPence: 999 });
  await world.client.customers.update(customer, { balance: -400 });
  await deliverAll();
  expect(await view(account)).toMatchObject({ state: 'active', renewalPence: 599 });
  world.stripe.advance((31 * DAY) / SECOND);
  expect(await charges()).toBe(599);
  // Before the events of the renewal: the amount was for the period before.
  await deliverAll();
  expect(await view(account)).toMatchObject({ renewalPence: 999 });
});

it('a cancelled subscription knows the amount for which it would renew, and a change of plan brings the new one', async () => {
  const { account, customer } = await subscribe();
  await world.client.customers.update(customer, { balance: -250 });
  await deliverAll();
  const canceled = await cancelSubscription(world.context, { account, reason: null });
  expect(canceled.subscription.cancelAtPeriodEnd).toBe(true);
  expect(await view(account)).toMatchObject({ state: 'canceling', renewalPence: 749 });
  await reactivateSubscription(world.context, { account });
  expect(await view(account)).toMatchObject({ state: 'active', renewalPence: 749 });
  await previewPlanChange(world.context, { account, newPackageId: 'pro-yearly' });
  await changePlan(world.context, { account, newPackageId: 'pro-yearly' });
  // The credit is used by the invoice of the change.
  expect(await view(account)).toMatchObject({ currentPackageId: 'pro-yearly', renewalPence: 9590 });
});

it('a preview that Stripe refuses leaves the date alone, and everything else is stored', async () => {
  const { account, id, customer } = await subscribe();
  world.stripe.setFaults([
    { kind: 'status', path: '/v1/invoices/create_preview', status: 500, persistent: true },
  ]);
  await world.client.customers.update(customer, { balance: -100 });
  await world.client.subscriptions.update(id, { cancel_at_period_end: true });
  await deliverAll();
  expect(await view(account)).toMatchObject({ state: 'canceling', tier: 'pro', renewalPence: null });
});

it('a pause of payments is known with its end, and a schedule is previewed by its own id', async () => {
  const { account, id, end } = await subscribe();
  const resumes = end + (30 * DAY) / SECOND;
  await world.client.subscriptions.update(id, {
    pause_collection: { behavior: 'void', resumes_at: resumes },
  });
  await deliverAll();
  expect(await view(account)).toMatchObject({ state: 'active', pause: { until: toIso(resumes * SECOND) } });
  await world.client.subscriptions.update(id, { pause_collection: '' });
  await world.client.subscriptionSchedules.create({ from_subscription: id });
  await deliverAll();
  expect(await view(account)).toMatchObject({ pause: null, renewalPence: 999, nextPackageName: null });
});

it('a subscription that Stripe pauses gives no Pro until it is resumed', async () => {
  const { account, id } = await subscribe();
  await world.client.subscriptions.pause(id, {
    type: 'subscription',
    bill_for: { unused_time_from: { type: 'none' } },
  });
  await deliverAll();
  expect(await view(account)).toMatchObject({ tier: 'free', state: 'paused' });
  await world.client.subscriptions.resume(id);
  await deliverAll();
  expect(await view(account)).toMatchObject({ tier: 'pro', state: 'active' });
});

it('an amount is shown for 36 hours after Stripe said it; what members press in between does not make it newer', async () => {
  const { account } = await subscribe();
  const wait = (hours: number) => world.stripe.advance((hours * HOUR) / SECOND);
  wait(20);
  await cancelSubscription(world.context, { account, reason: null });
  wait(15);
  await reactivateSubscription(world.context, { account });
  expect(await view(account)).toMatchObject({ state: 'active', renewalPence: 999 });
  wait(2);
  await cancelSubscription(world.context, { account, reason: null });
  expect(await view(account)).toMatchObject({ state: 'canceling', renewalPence: null });
  // The events have everything read.
  await deliverAll();
  expect(await view(account)).toMatchObject({ state: 'canceling', renewalPence: 999 });
});
