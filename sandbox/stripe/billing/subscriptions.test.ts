import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY, HOUR, invoiceOf, itemOf, startBillingShop, type BillingShop } from '../testing/billing-shop';

let shop: BillingShop;
let stripe: Stripe;

beforeAll(async () => {
  shop = await startBillingShop();
  stripe = shop.stripe;
});
afterAll(() => shop.sandbox.close());
beforeEach(() => shop.reset());

describe('a first payment', () => {
  test('makes an incomplete subscription active and saves the card for renewals', async () => {
    const incomplete = await shop.startIncomplete();
    expect(incomplete).toMatchObject({ status: 'incomplete', default_payment_method: null });
    expect(itemOf(incomplete).current_period_end - itemOf(incomplete).current_period_start).toBe(30 * DAY);
    expect(invoiceOf(incomplete)).toMatchObject({
      status: 'open',
      billing_reason: 'subscription_create',
      amount_due: 999,
      total: 999,
      currency: 'gbp',
      confirmation_secret: { type: 'payment_intent' },
      parent: { subscription_details: { subscription: incomplete.id, metadata: { app: 'packwatch' } } },
    });
    expect('payment_intent' in invoiceOf(incomplete)).toBe(false);

    const intent = await shop.confirm(invoiceOf(incomplete), 'pm_card_visa');
    expect(intent).toMatchObject({ status: 'succeeded', amount: 999 });
    const active = await stripe.subscriptions.retrieve(incomplete.id, {
      expand: ['latest_invoice.payments'],
    });
    expect(active).toMatchObject({ status: 'active', default_payment_method: intent.payment_method });
    expect(invoiceOf(active)).toMatchObject({ status: 'paid', amount_paid: 999, amount_remaining: 0 });
    expect(invoiceOf(active).payments?.data).toMatchObject([
      { status: 'paid', amount_paid: 999, payment: { payment_intent: intent.id } },
    ]);
    expect(shop.eventTypes()).toEqual(
      expect.arrayContaining([
        'customer.subscription.created',
        'invoice.finalized',
        'payment_intent.succeeded',
        'invoice.paid',
        'invoice.payment_succeeded',
        'customer.subscription.updated',
      ]),
    );
  });

  test('that is refused leaves the subscription incomplete, and another card pays it', async () => {
    const incomplete = await shop.startIncomplete();
    await expect(shop.confirm(invoiceOf(incomplete), 'pm_card_chargeDeclined')).rejects.toMatchObject({
      code: 'card_declined',
      decline_code: 'generic_decline',
    });
    expect(await stripe.subscriptions.retrieve(incomplete.id)).toMatchObject({ status: 'incomplete' });
    expect(shop.eventTypes()).toContain('invoice.payment_failed');
    await shop.confirm(invoiceOf(incomplete), 'pm_card_visa');
    expect(await stripe.subscriptions.retrieve(incomplete.id)).toMatchObject({ status: 'active' });
  });

  test('that never comes expires the subscription after 23 hours and cancels the payment', async () => {
    const incomplete = await shop.startIncomplete();
    shop.sandbox.stripe.advance(23 * HOUR - 60);
    expect(await stripe.subscriptions.retrieve(incomplete.id)).toMatchObject({ status: 'incomplete' });
    shop.sandbox.stripe.advance(60);
    expect(await stripe.subscriptions.retrieve(incomplete.id)).toMatchObject({
      status: 'incomplete_expired',
    });
    expect((await shop.invoicesOf(incomplete))[0]).toMatchObject({ status: 'void' });
    await expect(shop.confirm(invoiceOf(incomplete), 'pm_card_visa')).rejects.toMatchObject({
      code: 'payment_intent_unexpected_state',
    });
  });

  test('is not possible any more after an incomplete subscription was cancelled', async () => {
    const incomplete = await shop.startIncomplete();
    expect(await stripe.subscriptions.cancel(incomplete.id)).toMatchObject({ status: 'incomplete_expired' });
    await expect(shop.confirm(invoiceOf(incomplete), 'pm_card_visa')).rejects.toBeInstanceOf(
      Stripe.errors.StripeError,
    );
    await expect(stripe.subscriptions.cancel(incomplete.id)).rejects.toMatchObject({
      code: 'resource_missing',
    });
  });
});

describe('allow_incomplete', () => {
  const start = async (card: string) => {
    const customer = await stripe.customers.create();
    const { id } = await stripe.paymentMethods.attach(card, { customer: customer.id });
    return stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: shop.plans.monthly.id }],
      default_payment_method: id,
    });
  };

  test('charges the given card at once', async () => {
    expect(await start('pm_card_visa')).toMatchObject({ status: 'active' });
    expect(await start('pm_card_chargeCustomerFail')).toMatchObject({ status: 'incomplete' });
    expect(await start('pm_card_authenticationRequired')).toMatchObject({ status: 'incomplete' });
    const { id: customer } = await stripe.customers.create();
    await expect(
      stripe.subscriptions.create({ customer, items: [{ price: shop.plans.monthly.id }] }),
    ).rejects.toMatchObject({ code: 'resource_missing' });
  });
});

describe('the clock', () => {
  test('renews a subscription twelve times in a year, each time for the next thirty days', async () => {
    const subscription = await shop.startActive();
    const start = itemOf(subscription).current_period_start;
    shop.sandbox.stripe.advance(365 * DAY);
    const renewed = await stripe.subscriptions.retrieve(subscription.id);
    expect(renewed).toMatchObject({
      status: 'active',
      default_payment_method: subscription.default_payment_method,
    });
    expect(itemOf(renewed)).toMatchObject({
      current_period_start: start + 360 * DAY,
      current_period_end: start + 390 * DAY,
    });
    const invoices = await shop.invoicesOf(subscription);
    expect(invoices).toHaveLength(13);
    expect(invoices.slice(0, 12)).toEqual(
      invoices
        .slice(0, 12)
        .map(() =>
          expect.objectContaining({ billing_reason: 'subscription_cycle', status: 'paid', amount_paid: 999 }),
        ),
    );
    expect(invoices.map(({ lines }) => lines.data[0]!.period.start)).toEqual(
      Array.from({ length: 13 }, (_, index) => start + (12 - index) * 30 * DAY),
    );
    expect(shop.eventTypes().filter((type) => type === 'invoice.paid')).toHaveLength(13);
    expect(new Set(invoices.map(({ number }) => number)).size).toBe(13);
  });

  test('leaves a renewal in draft for an hour', async () => {
    const subscription = await shop.startActive();
    shop.sandbox.stripe.advance(30 * DAY);
    expect((await shop.invoicesOf(subscription))[0]).toMatchObject({
      status: 'draft',
      billing_reason: 'subscription_cycle',
    });
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'active' });
    shop.sandbox.stripe.advance(HOUR);
    expect((await shop.invoicesOf(subscription))[0]).toMatchObject({ status: 'paid' });
  });

  test('retries a refused renewal on days 1, 3, 5 and 7, and then cancels the subscription', async () => {
    const subscription = await shop.startActive();
    const method = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
      customer: String(subscription.customer),
    });
    await stripe.subscriptions.update(subscription.id, { default_payment_method: method.id });
    shop.sandbox.stripe.advance(30 * DAY + HOUR);
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'past_due' });
    const attempts: number[] = [];
    for (let day = 1; day <= 7; day += 1) {
      attempts.push((await shop.invoicesOf(subscription))[0]!.attempt_count);
      shop.sandbox.stripe.advance(DAY);
    }
    expect(attempts).toEqual([1, 2, 2, 3, 3, 4, 4]);
    const ended = await stripe.subscriptions.retrieve(subscription.id);
    expect(ended).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'payment_failed' },
    });
    expect((await shop.invoicesOf(subscription))[0]).toMatchObject({
      status: 'open',
      attempt_count: 5,
      next_payment_attempt: null,
      auto_advance: false,
    });
    expect(shop.eventTypes().filter((type) => type === 'invoice.payment_failed')).toHaveLength(5);
    expect(shop.eventTypes()).toContain('customer.subscription.deleted');
    shop.sandbox.stripe.advance(60 * DAY);
    expect(await shop.invoicesOf(subscription)).toHaveLength(2);
  });

  test('asks for the customer when a renewal needs authentication, who then pays it', async () => {
    const subscription = await shop.startActive('pm_card_authenticationRequired');
    expect(subscription).toMatchObject({ status: 'active' });
    shop.sandbox.stripe.advance(30 * DAY + HOUR);
    const waiting = await stripe.subscriptions.retrieve(subscription.id, {
      expand: ['latest_invoice.confirmation_secret'],
    });
    expect(waiting).toMatchObject({ status: 'past_due' });
    expect(invoiceOf(waiting)).toMatchObject({ status: 'open', amount_remaining: 999 });
    expect(invoiceOf(waiting).hosted_invoice_url).toContain(invoiceOf(waiting).id);
    expect(shop.eventTypes()).toEqual(
      expect.arrayContaining(['invoice.payment_failed', 'invoice.payment_action_required']),
    );
    const intent = await shop.confirm(invoiceOf(waiting), String(waiting.default_payment_method));
    expect(intent).toMatchObject({ status: 'requires_action' });
    shop.sandbox.stripe.finishChallenge(intent.id, true);
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'active' });
    shop.sandbox.stripe.advance(20 * DAY);
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'active' });
  });

  test('renews without the customer when the card was authenticated at the first payment', async () => {
    const subscription = await shop.startActive('pm_card_authenticationRequiredOnSetup');
    shop.sandbox.stripe.advance(30 * DAY + HOUR);
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'active' });
    expect((await shop.invoicesOf(subscription)).map(({ status }) => status)).toEqual(['paid', 'paid']);
  });

  test('fails a renewal when no card was saved', async () => {
    const customer = await stripe.customers.create();
    const incomplete = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: shop.plans.monthly.id }],
      payment_behavior: 'default_incomplete',
      expand: ['latest_invoice.confirmation_secret'],
    });
    await shop.confirm(invoiceOf(incomplete), 'pm_card_visa');
    shop.sandbox.stripe.advance(30 * DAY + HOUR);
    expect(await stripe.subscriptions.retrieve(incomplete.id)).toMatchObject({ status: 'past_due' });
  });

  test('stops charging an unpaid renewal once the subscription is cancelled and the invoice is void', async () => {
    const subscription = await shop.startActive('pm_card_authenticationRequired');
    shop.sandbox.stripe.advance(30 * DAY + HOUR);
    await stripe.subscriptions.cancel(subscription.id, {
      cancellation_details: { comment: 'grace is over' },
    });
    const [unpaid] = await shop.invoicesOf(subscription);
    expect(unpaid).toMatchObject({ status: 'open', auto_advance: false, next_payment_attempt: null });
    await stripe.invoices.voidInvoice(unpaid!.id);
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
      status: 'canceled',
      cancellation_details: { comment: 'grace is over', reason: 'cancellation_requested' },
    });
    expect((await shop.invoicesOf(subscription))[0]).toMatchObject({
      status: 'void',
      payments: { data: [{ status: 'canceled' }] },
    });
    await expect(stripe.invoices.pay(unpaid!.id)).rejects.toMatchObject({ code: 'invoice_not_editable' });
  });

  test('renews nothing while a subscription is paused, and charges a new period when it is resumed', async () => {
    const subscription = await shop.startActive();
    const paused = await stripe.subscriptions.pause(subscription.id, {
      bill_for: { unused_time_from: { type: 'none' } },
    });
    expect(paused).toMatchObject({ status: 'paused', status_details: { paused: { type: 'subscription' } } });
    shop.sandbox.stripe.advance(90 * DAY);
    expect(await shop.invoicesOf(subscription)).toHaveLength(1);
    const resumed = await stripe.subscriptions.resume(subscription.id);
    expect(resumed).toMatchObject({ status: 'active' });
    expect(itemOf(resumed).current_period_end - shop.now()).toBeGreaterThan(30 * DAY - 60);
    expect((await shop.invoicesOf(subscription))[0]).toMatchObject({ status: 'paid', amount_paid: 999 });
    expect(shop.eventTypes()).toEqual(
      expect.arrayContaining(['customer.subscription.paused', 'customer.subscription.resumed']),
    );
  });

  test('ends a subscription at the end of its period, unless that was taken back', async () => {
    const subscription = await shop.startActive();
    const canceling = await stripe.subscriptions.update(subscription.id, {
      cancel_at_period_end: true,
      cancellation_details: { comment: 'too many mails' },
    });
    expect(canceling).toMatchObject({
      status: 'active',
      cancel_at_period_end: true,
      cancel_at: itemOf(subscription).current_period_end,
      cancellation_details: { reason: 'cancellation_requested', comment: 'too many mails' },
    });
    const back = await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false });
    expect(back).toMatchObject({ cancel_at_period_end: false, cancel_at: null, canceled_at: null });
    await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    shop.sandbox.stripe.advance(31 * DAY);
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
      status: 'canceled',
      ended_at: itemOf(subscription).current_period_end,
    });
    expect(await shop.invoicesOf(subscription)).toHaveLength(1);
    await expect(
      stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false }),
    ).rejects.toMatchObject({ code: 'invalid_canceled_subscription_fields' });
  });
});

describe('lists and previews', () => {
  test('find subscriptions by customer and status, and prices by lookup key', async () => {
    const subscription = await shop.startActive();
    const other = await shop.startIncomplete();
    const idsOf = async (params: Stripe.SubscriptionListParams) =>
      (await stripe.subscriptions.list(params)).data.map(({ id }) => id);
    expect(await idsOf({})).toEqual([other.id, subscription.id]);
    expect(await idsOf({ customer: String(subscription.customer), status: 'active' })).toEqual([
      subscription.id,
    ]);
    await stripe.subscriptions.cancel(subscription.id);
    expect(await idsOf({})).toEqual([other.id]);
    expect(await idsOf({ status: 'ended' })).toEqual([subscription.id]);
    const found = await stripe.prices.list({ lookup_keys: ['yearly'], active: true });
    expect(found.data).toMatchObject([
      { id: shop.plans.yearly.id, recurring: { interval: 'day', interval_count: 365 } },
    ]);
    await expect(shop.createPrice('Yearly', 1, 1)).rejects.toMatchObject({ code: 'resource_already_exists' });
  });

  test('a preview without changes is the next renewal; a cancelled subscription has none', async () => {
    const subscription = await shop.startActive();
    const next = await stripe.invoices.createPreview({ subscription: subscription.id });
    expect(next).toMatchObject({ status: 'draft', amount_due: 999 });
    expect(next.lines.data[0]?.period.start).toBe(itemOf(subscription).current_period_end);
    await stripe.subscriptions.cancel(subscription.id);
    await expect(stripe.invoices.createPreview({ subscription: subscription.id })).rejects.toMatchObject({
      code: 'invoice_upcoming_none',
    });
  });
});
