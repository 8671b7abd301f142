import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../start-sandbox';
import { createPaymentMethod } from '../payments/payment-methods';
import { stripeClient } from '../testing/clients';
import {
  changeCard,
  completeCheckout,
  hostedInvoicesOf,
  payHostedInvoice,
  setPortalCancellation,
  subscriptionsOf,
  successUrlOf,
} from './hosted';

const HOUR = 3600;
const DAY = 24 * HOUR;

let sandbox: Sandbox;
let stripe: Stripe;
let customer: Stripe.Customer;
let monthly: Stripe.Price;

beforeAll(async () => {
  sandbox = await startSandbox();
  stripe = stripeClient(sandbox.origin);
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  sandbox.reset();
  customer = await stripe.customers.create({ email: 'ash@example.test' });
  monthly = await stripe.prices.create({
    currency: 'gbp',
    unit_amount: 999,
    recurring: { interval: 'day', interval_count: 30 },
    product_data: { name: 'Monthly' },
  });
});

const eventTypes = () => sandbox.stripe.events().map(({ type }) => type);

const startPayment = (params: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
  stripe.checkout.sessions.create({
    mode: 'payment',
    customer: customer.id,
    line_items: [
      {
        price_data: { currency: 'gbp', unit_amount: 1250, product_data: { name: '50 tokens' } },
        quantity: 1,
      },
    ],
    success_url: 'https://shop.test/back?session={CHECKOUT_SESSION_ID}',
    cancel_url: 'https://shop.test/stop',
    metadata: { row: 'p1' },
    payment_intent_data: { metadata: { row: 'p1' } },
    ...params,
  });

const startSubscription = () =>
  stripe.checkout.sessions.create({
    mode: 'subscription',
    customer: customer.id,
    line_items: [{ price: monthly.id, quantity: 1 }],
    success_url: 'https://shop.test/back',
    subscription_data: { metadata: { row: 's1' } },
  });

/** Pays as the hosted page does, and reads the session afresh. */
async function pay(session: Stripe.Checkout.Session, card: string) {
  const method = newMethod(card);
  const stored = sandbox.stripe.store.require('checkout.session', session.id);
  const outcome = completeCheckout(sandbox.stripe.billing, stored, method);
  return { outcome, session: await stripe.checkout.sessions.retrieve(session.id) };
}

/** A payment method of a card that a buyer types into a hosted page. */
function newMethod(number: string): string {
  const card = { number, exp_month: 12, exp_year: 2040, cvc: '123' };
  return createPaymentMethod(sandbox.stripe.store, { card }).id;
}

describe('Checkout', () => {
  test('takes a one-off payment after a refused card, with the same payment', async () => {
    const open = await startPayment();
    expect(open).toMatchObject({
      status: 'open',
      payment_status: 'unpaid',
      amount_total: 1250,
      payment_intent: null,
      metadata: { row: 'p1' },
    });
    expect(open.url).toBe(`${sandbox.origin}/c/pay/${open.id}`);
    expect(open.expires_at - open.created).toBe(DAY);
    const declined = await pay(open, '4000000000000002');
    expect(declined.outcome).toEqual({ status: 'declined', message: 'Your card was declined.' });
    expect(declined.session).toMatchObject({ status: 'open', payment_intent: null });
    const paid = await pay(open, '4242424242424242');
    expect(paid.outcome).toEqual({ status: 'paid' });
    expect(paid.session).toMatchObject({ status: 'complete', payment_status: 'paid', url: null });
    const intents = await stripe.paymentIntents.list({ customer: customer.id });
    expect(intents.data).toMatchObject([
      { id: paid.session.payment_intent, status: 'succeeded', amount: 1250, metadata: { row: 'p1' } },
    ]);
    expect(successUrlOf(paid.session)).toBe(`https://shop.test/back?session=${open.id}`);
    expect(eventTypes()).toContain('checkout.session.completed');
    await expect(pay(open, '4242424242424242')).rejects.toThrow('no longer open');
    await expect(stripe.paymentIntents.cancel(intents.data[0]!.id)).rejects.toBeInstanceOf(
      Stripe.errors.StripeError,
    );
  });

  test('starts a subscription after the bank confirmed the payment, and saves the card', async () => {
    const open = await startSubscription();
    const waiting = await pay(open, '4000002500003155');
    expect(waiting.outcome.status).toBe('requires_action');
    expect(waiting.session).toMatchObject({ status: 'open', subscription: null });
    const [intent] = (await stripe.paymentIntents.list({ customer: customer.id })).data;
    sandbox.stripe.finishChallenge(intent!.id, true);
    const complete = await stripe.checkout.sessions.retrieve(open.id, {
      expand: ['subscription', 'line_items'],
    });
    expect(complete).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      subscription: {
        status: 'active',
        metadata: { row: 's1' },
        default_payment_method: expect.any(String) as string,
      },
    });
    expect(complete.line_items?.data).toMatchObject([{ amount_total: 999, description: 'Monthly' }]);
    sandbox.stripe.advance(30 * DAY + HOUR);
    const invoices = await stripe.invoices.list({ customer: customer.id });
    expect(invoices.data.map(({ status }) => status)).toEqual(['paid', 'paid']);
  });

  test('expires by the call and by the clock, and what was begun cannot be paid any more', async () => {
    const open = await startSubscription();
    await pay(open, '4000002500003155');
    const [intent] = (await stripe.paymentIntents.list({ customer: customer.id })).data;
    expect(await stripe.checkout.sessions.expire(open.id)).toMatchObject({ status: 'expired', url: null });
    expect(await stripe.paymentIntents.retrieve(intent!.id)).toMatchObject({ status: 'canceled' });
    expect((await stripe.subscriptions.list({ status: 'all' })).data).toMatchObject([
      { status: 'incomplete_expired' },
    ]);
    await expect(stripe.checkout.sessions.expire(open.id)).rejects.toThrow('can be expired');
    const other = await startPayment({ expires_at: sandbox.stripe.now() + HOUR });
    sandbox.stripe.advance(HOUR);
    expect(await stripe.checkout.sessions.retrieve(other.id)).toMatchObject({ status: 'expired' });
    expect(eventTypes().filter((type) => type === 'checkout.session.expired')).toHaveLength(2);
  });

  test('refuses what Stripe refuses', async () => {
    await expect(startPayment({ success_url: undefined })).rejects.toMatchObject({ param: 'success_url' });
    await expect(startPayment({ line_items: [{ price: monthly.id, quantity: 1 }] })).rejects.toMatchObject({
      param: 'mode',
    });
    await expect(startPayment({ expires_at: sandbox.stripe.now() + 60 })).rejects.toMatchObject({
      param: 'expires_at',
    });
    await expect(startPayment({ subscription_data: { metadata: { row: '1' } } })).rejects.toBeInstanceOf(
      Stripe.errors.StripeError,
    );
  });
});

describe('the portal and the hosted invoice', () => {
  async function startActive(card: string): Promise<Stripe.Subscription> {
    const { session } = await pay(await startSubscription(), card);
    return stripe.subscriptions.retrieve(String(session.subscription));
  }

  test('a portal session leads to its page, and a new card serves the renewals', async () => {
    const subscription = await startActive('4242424242424242');
    const session = await stripe.billingPortal.sessions.create({
      customer: customer.id,
      return_url: 'https://shop.test/dashboard/subscription',
      flow_data: { type: 'payment_method_update' },
    });
    expect(session).toMatchObject({
      url: `${sandbox.origin}/p/session/${session.id}`,
      flow: { type: 'payment_method_update' },
    });
    const { id } = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
      customer: customer.id,
    });
    const { billing, store } = sandbox.stripe;
    const stored = store.require('customer', customer.id);
    changeCard(billing, stored, id);
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
      default_payment_method: id,
    });
    const [found] = subscriptionsOf(billing, stored);
    setPortalCancellation(billing, found!, true);
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
      cancel_at_period_end: false,
      cancel_at: subscription.items.data[0]?.current_period_end,
    });
    setPortalCancellation(billing, found!, false);
    sandbox.stripe.advance(30 * DAY + HOUR);
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'past_due' });
    expect(hostedInvoicesOf(billing, stored).map(({ status }) => status)).toEqual(['open', 'paid']);
  });

  test('an unpaid renewal is paid on the hosted invoice', async () => {
    const subscription = await startActive('4242424242424242');
    const { id } = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
      customer: customer.id,
    });
    await stripe.subscriptions.update(subscription.id, { default_payment_method: id });
    sandbox.stripe.advance(30 * DAY + HOUR);
    const { billing, store } = sandbox.stripe;
    const [invoice] = hostedInvoicesOf(billing, store.require('customer', customer.id));
    expect(payHostedInvoice(billing, invoice!)).toMatchObject({ status: 'declined' });
    expect(payHostedInvoice(billing, invoice!, newMethod('4242424242424242'))).toEqual({
      status: 'paid',
    });
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'active' });
  });

  test('deleting the customer ends the subscriptions', async () => {
    const subscription = await startActive('4242424242424242');
    await stripe.customers.del(customer.id);
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'canceled' });
    expect(eventTypes()).toContain('customer.subscription.deleted');
  });
});
