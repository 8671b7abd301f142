import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { previewPlanChange } from '#shared/subscriptions/change-plan.server';
import { readMembership } from '#shared/subscriptions/membership';
import {
  startSubscription,
  startSubscriptionCheckout,
} from '#shared/subscriptions/start-subscription.server';
import { startTokenCheckout, startTokenPurchase } from '#shared/tokens/buy-tokens.server';
import { readBalance } from '#shared/tokens/token-ledger';
import { completeCheckout } from '../../../sandbox/stripe/billing/hosted';
import { takePaymentMethod } from '../../../sandbox/stripe/payments/payment-methods';
import { createStripeInProcess, type StripeInProcess } from './stripe-in-process';

let world: StripeInProcess;
beforeAll(async () => {
  world = await createStripeInProcess();
});
afterAll(() => world.cleanup());
beforeEach(() => world.restartStripe());

/** The requests for single objects that a step sends, such as `GET /v1/payment_intents/:id`. */
async function requestsOf(step: () => Promise<unknown>): Promise<string[]> {
  const before = world.stripe.requests().length;
  await step();
  return world.stripe
    .requests()
    .slice(before)
    .map(({ method, route }) => `${method} ${route}`)
    .filter((request) => request.includes('/:id'));
}

/** The member pays on the page of the newest Checkout session. */
function payOnPage(): void {
  const [session] = world.stripe.store.list('checkout.session');
  if (session === undefined) throw new Error('there is no session');
  completeCheckout(world.stripe.billing, session, takePaymentMethod(world.stripe.store, 'pm_card_visa').id);
}

it('the Checkout session of a completed purchase is read once', async () => {
  const account = await world.payer();
  await startTokenCheckout(world.context, { account, packageId: 'tokens-50', returnTo: '/dashboard' });
  payOnPage();
  const completed = world.takeEvents().find(({ type }) => type === 'checkout.session.completed');
  if (completed === undefined) throw new Error('Stripe emitted no completion');
  const requests = await requestsOf(() => world.deliver(completed));
  expect(requests.filter((request) => request.includes('checkout'))).toEqual([
    'GET /v1/checkout/sessions/:id',
  ]);
  expect(await readBalance(world.db, { accountId: account.id })).toBe(50);
});

it('the Checkout session of a purchase that another one replaces is only expired', async () => {
  const account = await world.payer();
  const checkout = (packageId: string) =>
    startTokenCheckout(world.context, { account, packageId, returnTo: '/dashboard' });
  await checkout('tokens-50');
  expect(await requestsOf(() => checkout('tokens-200'))).toEqual(['POST /v1/checkout/sessions/:id/expire']);
  const rows = await world.db
    .selectFrom('token_purchases')
    .select(['package_id', 'status'])
    .where('user_id', '=', account.id)
    .orderBy('created_at')
    .orderBy('package_id', 'desc')
    .execute();
  expect(rows).toEqual([
    { package_id: 'tokens-50', status: 'abandoned' },
    { package_id: 'tokens-200', status: 'pending' },
  ]);
});

it('a payment that is done when its purchase is continued is read once', async () => {
  const account = await world.payer();
  const start = () => startTokenPurchase(world.context, { account, packageId: 'tokens-50' });
  const { clientSecret } = await start();
  await world.pay(clientSecret);
  const requests = await requestsOf(() =>
    expect(start()).rejects.toMatchObject({ code: 'payment_received' }),
  );
  expect(requests).toEqual(['GET /v1/payment_intents/:id']);
  expect(await readBalance(world.db, { accountId: account.id })).toBe(50);
});

it('a subscription that is paid when its attempt is continued is read once, with its renewal', async () => {
  const account = await world.payer();
  const start = () => startSubscription(world.context, { account, packageId: 'pro-monthly' });
  const { clientSecret } = await start();
  await world.pay(clientSecret ?? '');
  const requests = await requestsOf(() =>
    expect(start()).rejects.toMatchObject({ code: 'already_subscribed' }),
  );
  expect(requests).toEqual(['GET /v1/subscriptions/:id']);
  const { renewal_pence: renewal } = await world.db
    .selectFrom('subscriptions')
    .select('renewal_pence')
    .where('user_id', '=', account.id)
    .executeTakeFirstOrThrow();
  expect(renewal).toBeGreaterThan(0);
});

it('a subscription whose Checkout session is paid when it is continued is read once', async () => {
  const account = await world.payer();
  const start = () => startSubscriptionCheckout(world.context, { account, packageId: 'pro-monthly' });
  await start();
  payOnPage();
  const requests = await requestsOf(() =>
    expect(start()).rejects.toMatchObject({ code: 'already_subscribed' }),
  );
  expect(requests).toEqual(['GET /v1/checkout/sessions/:id', 'GET /v1/subscriptions/:id']);
});

it('a subscription that was changed at Stripe is read once before a change of plan', async () => {
  const account = await world.payer();
  const { clientSecret } = await startSubscription(world.context, { account, packageId: 'pro-monthly' });
  await world.pay(clientSecret ?? '');
  for (const event of world.takeEvents()) await world.deliver(event);
  const [subscription] = world.stripe.store.list('subscription');
  await world.client.subscriptions.update(subscription?.id ?? '', { cancel_at_period_end: true });
  const requests = await requestsOf(() =>
    previewPlanChange(world.context, { account, newPackageId: 'pro-yearly' }).catch(() => undefined),
  );
  expect(requests).toEqual(['GET /v1/subscriptions/:id']);
  const { cancelAtPeriodEnd } = await readMembership(world.db, {
    accountId: account.id,
    now: world.clock.now(),
  });
  expect(cancelAtPeriodEnd).toBe(true);
});
