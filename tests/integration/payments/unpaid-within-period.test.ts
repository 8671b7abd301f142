import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { reconcilePending } from '#shared/billing/reconcile.server';
import { DAY, HOUR, MINUTE, SECOND, toIso } from '#shared/clock';
import type { Payer } from '#shared/payments/payments-context';
import { cancelSubscription } from '#shared/subscriptions/manage-subscription.server';
import { readSubscription } from '#shared/subscriptions/read-subscription';
import { startSubscription } from '#shared/subscriptions/start-subscription.server';
import { take } from './payment-history';
import { createStripeInProcess, type StripeInProcess } from './stripe-in-process';

let world: StripeInProcess;
beforeAll(async () => {
  world = await createStripeInProcess();
});
afterAll(() => world.cleanup());
beforeEach(() => world.restartStripe());

const advance = (ms: number): void => world.stripe.advance(ms / SECOND);

async function deliverAll(): Promise<void> {
  for (const event of world.takeEvents()) await world.deliver(event);
}

/** A member whose card fails from now on. */
async function subscribe(): Promise<{ account: Payer; id: string; end: string }> {
  const account = await world.payer();
  const { clientSecret } = await startSubscription(world.context, { account, packageId: 'pro-monthly' });
  await world.pay(clientSecret ?? '');
  await take(world, account, { do: 'changeCard', card: 'pm_card_chargeCustomerFail' });
  await deliverAll();
  const [subscription] = world.stripe.store.list('subscription');
  const end = toIso((subscription?.items.data[0]?.current_period_end ?? 0) * SECOND);
  return { account, id: subscription?.id ?? '', end };
}

/** A change at Stripe's dashboard that is charged at once, and not paid. */
async function changeUnpaid(id: string): Promise<void> {
  const { items } = await world.client.subscriptions.retrieve(id);
  await world.client.subscriptions.update(id, {
    items: [{ id: items.data[0]?.id ?? '', quantity: 2 }],
    proration_behavior: 'always_invoice',
  });
  await deliverAll();
}

const view = ({ id: accountId }: Payer) => readSubscription(world.db, { accountId, now: world.clock.now() });

it('an unpaid invoice in the middle of a paid period takes nothing away, and the renewal has its own grace', async () => {
  const { account, id, end } = await subscribe();
  advance(10 * DAY);
  await changeUnpaid(id);
  const unpaid = { tier: 'pro', state: 'past_due', expiresAt: end, isRenewalUnpaid: false };
  expect(await view(account)).toMatchObject(unpaid);
  // Stripe's retries end after seven days, and with them the subscription; until then it runs.
  advance(5 * DAY);
  await deliverAll();
  await reconcilePending(world.context);
  expect(await view(account)).toMatchObject(unpaid);
  expect((await world.client.subscriptions.retrieve(id)).status).toBe('past_due');
  // Canceled for the end of the paid period, not at once.
  const canceled = await cancelSubscription(world.context, { account, reason: null });
  expect(canceled.subscription).toMatchObject({ tier: 'pro', expiresAt: end, cancelAtPeriodEnd: true });
  expect(canceled.message).toContain('The payment that is due stays due.');
  // So that the page offers to reactivate it.
  expect((await view(account)).state).toBe('canceling');
});

it('an unpaid renewal ends Pro three days after its invoice, whatever is unpaid beside it', async () => {
  const { account, id, end } = await subscribe();
  advance(26 * DAY);
  await changeUnpaid(id);
  expect(await view(account)).toMatchObject({ expiresAt: end, isRenewalUnpaid: false });
  advance(4 * DAY + 2 * HOUR);
  await deliverAll();
  expect(await view(account)).toMatchObject({
    state: 'past_due',
    isRenewalUnpaid: true,
    expiresAt: toIso(Date.parse(end) + 3 * DAY),
  });
  advance(3 * DAY);
  expect((await view(account)).tier).toBe('free');
  await reconcilePending(world.context);
  expect((await world.client.subscriptions.retrieve(id)).status).toBe('canceled');
});

it('a payment of an old subscription whose event was lost is read by the minute job', async () => {
  const { account, id } = await subscribe();
  await world.db
    .updateTable('subscriptions')
    .set({ created_at: toIso(world.clock.now() - 400 * DAY) })
    .where('user_id', '=', account.id)
    .execute();
  advance(30 * DAY + 2 * HOUR);
  await deliverAll();
  expect((await view(account)).state).toBe('past_due');
  const { latest_invoice: invoice } = await world.client.subscriptions.retrieve(id);
  const { id: card } = await world.client.paymentMethods.attach('pm_card_visa', {
    customer: world.stripe.store.list('customer')[0]?.id ?? '',
  });
  await world.client.invoices.pay(String(invoice), { payment_method: card });
  world.takeEvents();
  advance(2 * MINUTE);
  await reconcilePending(world.context);
  expect(await view(account)).toMatchObject({ state: 'active' });
});
