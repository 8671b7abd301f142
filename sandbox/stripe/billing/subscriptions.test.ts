import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../start-sandbox';
import { API_KEYS } from '../keys';

const HOUR = 3600;
const DAY = 24 * HOUR;

let sandbox: Sandbox;
let stripe: Stripe;
/** Types of the events that were announced, oldest first. */
let events: string[];
let monthly: Stripe.Price;
let pro: Stripe.Price;
let yearly: Stripe.Price;

beforeAll(async () => {
  sandbox = await startSandbox();
  const { hostname, port } = new URL(sandbox.origin);
  stripe = new Stripe(API_KEYS.secret, {
    host: hostname,
    port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  });
  sandbox.stripe.store.onEvent((type) => void events.push(type));
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  events = [];
  sandbox.reset();
  [monthly, pro, yearly] = await Promise.all([
    createPrice('Monthly', 999, 30),
    createPrice('Pro', 1999, 30),
    createPrice('Yearly', 9999, 365),
  ]);
});

const now = () => sandbox.stripe.now();

function createPrice(name: string, amount: number, days: number): Promise<Stripe.Price> {
  return stripe.prices.create({
    currency: 'gbp',
    unit_amount: amount,
    recurring: { interval: 'day', interval_count: days },
    lookup_key: name.toLowerCase(),
    product_data: { name },
  });
}

/** The objects that `expand` put into fields which hold ids otherwise. */
const invoiceOf = ({ latest_invoice }: Stripe.Subscription) => latest_invoice as Stripe.Invoice;
const itemOf = ({ items }: Stripe.Subscription) => items.data[0]!;

async function startIncomplete(price = monthly): Promise<Stripe.Subscription> {
  const customer = await stripe.customers.create({ email: 'ash@example.test' });
  return stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
    payment_behavior: 'default_incomplete',
    payment_settings: { save_default_payment_method: 'on_subscription' },
    metadata: { app: 'packwatch' },
    expand: ['latest_invoice.confirmation_secret'],
  });
}

/** Confirms an invoice's payment as the browser does. */
function confirm(invoice: Stripe.Invoice, card: string): Promise<Stripe.PaymentIntent> {
  const id = invoice.confirmation_secret!.client_secret.split('_secret_')[0]!;
  return stripe.paymentIntents.confirm(id, { payment_method: card, return_url: 'http://shop.test/back' });
}

async function startActive(card = 'pm_card_visa', price = monthly): Promise<Stripe.Subscription> {
  const subscription = await startIncomplete(price);
  const intent = await confirm(invoiceOf(subscription), card);
  if (intent.status === 'requires_action') sandbox.stripe.finishChallenge(intent.id, true);
  return stripe.subscriptions.retrieve(subscription.id);
}

const invoicesOf = async (subscription: Stripe.Subscription) =>
  (await stripe.invoices.list({ subscription: subscription.id, limit: 100 })).data;

describe('a first payment', () => {
  test('makes an incomplete subscription active and saves the card for renewals', async () => {
    const incomplete = await startIncomplete();
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

    const intent = await confirm(invoiceOf(incomplete), 'pm_card_visa');
    expect(intent).toMatchObject({ status: 'succeeded', amount: 999 });
    const active = await stripe.subscriptions.retrieve(incomplete.id, {
      expand: ['latest_invoice.payments'],
    });
    expect(active).toMatchObject({ status: 'active', default_payment_method: intent.payment_method });
    expect(invoiceOf(active)).toMatchObject({ status: 'paid', amount_paid: 999, amount_remaining: 0 });
    expect(invoiceOf(active).payments?.data).toMatchObject([
      { status: 'paid', amount_paid: 999, payment: { payment_intent: intent.id } },
    ]);
    expect(events).toEqual(
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
    const incomplete = await startIncomplete();
    await expect(confirm(invoiceOf(incomplete), 'pm_card_chargeDeclined')).rejects.toMatchObject({
      code: 'card_declined',
      decline_code: 'generic_decline',
    });
    expect(await stripe.subscriptions.retrieve(incomplete.id)).toMatchObject({ status: 'incomplete' });
    expect(events).toContain('invoice.payment_failed');
    await confirm(invoiceOf(incomplete), 'pm_card_visa');
    expect(await stripe.subscriptions.retrieve(incomplete.id)).toMatchObject({ status: 'active' });
  });

  test('that never comes expires the subscription after 23 hours and cancels the payment', async () => {
    const incomplete = await startIncomplete();
    sandbox.stripe.advance(23 * HOUR - 60);
    expect(await stripe.subscriptions.retrieve(incomplete.id)).toMatchObject({ status: 'incomplete' });
    sandbox.stripe.advance(60);
    expect(await stripe.subscriptions.retrieve(incomplete.id)).toMatchObject({
      status: 'incomplete_expired',
    });
    expect((await invoicesOf(incomplete))[0]).toMatchObject({ status: 'void' });
    await expect(confirm(invoiceOf(incomplete), 'pm_card_visa')).rejects.toMatchObject({
      code: 'payment_intent_unexpected_state',
    });
  });

  test('is not possible any more after an incomplete subscription was cancelled', async () => {
    const incomplete = await startIncomplete();
    expect(await stripe.subscriptions.cancel(incomplete.id)).toMatchObject({ status: 'incomplete_expired' });
    await expect(confirm(invoiceOf(incomplete), 'pm_card_visa')).rejects.toBeInstanceOf(
      Stripe.errors.StripeError,
    );
    await expect(stripe.subscriptions.cancel(incomplete.id)).rejects.toMatchObject({
      code: 'resource_missing',
    });
  });
});

describe('the clock', () => {
  test('renews a subscription twelve times in a year, each time for the next thirty days', async () => {
    const subscription = await startActive();
    const start = itemOf(subscription).current_period_start;
    sandbox.stripe.advance(365 * DAY);
    const renewed = await stripe.subscriptions.retrieve(subscription.id);
    expect(renewed).toMatchObject({
      status: 'active',
      default_payment_method: subscription.default_payment_method,
    });
    expect(itemOf(renewed)).toMatchObject({
      current_period_start: start + 360 * DAY,
      current_period_end: start + 390 * DAY,
    });
    const invoices = await invoicesOf(subscription);
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
    expect(events.filter((type) => type === 'invoice.paid')).toHaveLength(13);
    expect(new Set(invoices.map(({ number }) => number)).size).toBe(13);
  });

  test('leaves a renewal in draft for an hour', async () => {
    const subscription = await startActive();
    sandbox.stripe.advance(30 * DAY);
    expect((await invoicesOf(subscription))[0]).toMatchObject({
      status: 'draft',
      billing_reason: 'subscription_cycle',
    });
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'active' });
    sandbox.stripe.advance(HOUR);
    expect((await invoicesOf(subscription))[0]).toMatchObject({ status: 'paid' });
  });

  test('retries a refused renewal on days 1, 3, 5 and 7, and then cancels the subscription', async () => {
    const subscription = await startActive();
    const method = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
      customer: String(subscription.customer),
    });
    await stripe.subscriptions.update(subscription.id, { default_payment_method: method.id });
    sandbox.stripe.advance(30 * DAY + HOUR);
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'past_due' });
    const attempts: number[] = [];
    for (let day = 1; day <= 7; day += 1) {
      attempts.push((await invoicesOf(subscription))[0]!.attempt_count);
      sandbox.stripe.advance(DAY);
    }
    expect(attempts).toEqual([1, 2, 2, 3, 3, 4, 4]);
    const ended = await stripe.subscriptions.retrieve(subscription.id);
    expect(ended).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'payment_failed' },
    });
    expect((await invoicesOf(subscription))[0]).toMatchObject({
      status: 'open',
      attempt_count: 5,
      next_payment_attempt: null,
      auto_advance: false,
    });
    expect(events.filter((type) => type === 'invoice.payment_failed')).toHaveLength(5);
    expect(events).toContain('customer.subscription.deleted');
    sandbox.stripe.advance(60 * DAY);
    expect(await invoicesOf(subscription)).toHaveLength(2);
  });

  test('asks for the customer when a renewal needs authentication, who then pays it', async () => {
    const subscription = await startActive('pm_card_authenticationRequired');
    expect(subscription).toMatchObject({ status: 'active' });
    sandbox.stripe.advance(30 * DAY + HOUR);
    const waiting = await stripe.subscriptions.retrieve(subscription.id, {
      expand: ['latest_invoice.confirmation_secret'],
    });
    expect(waiting).toMatchObject({ status: 'past_due' });
    expect(invoiceOf(waiting)).toMatchObject({ status: 'open', amount_remaining: 999 });
    expect(invoiceOf(waiting).hosted_invoice_url).toContain(invoiceOf(waiting).id);
    expect(events).toEqual(
      expect.arrayContaining(['invoice.payment_failed', 'invoice.payment_action_required']),
    );
    const intent = await confirm(invoiceOf(waiting), String(waiting.default_payment_method));
    expect(intent).toMatchObject({ status: 'requires_action' });
    sandbox.stripe.finishChallenge(intent.id, true);
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'active' });
    sandbox.stripe.advance(20 * DAY);
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'active' });
  });

  test('renews without the customer when the card was authenticated at the first payment', async () => {
    const subscription = await startActive('pm_card_authenticationRequiredOnSetup');
    sandbox.stripe.advance(30 * DAY + HOUR);
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'active' });
    expect((await invoicesOf(subscription)).map(({ status }) => status)).toEqual(['paid', 'paid']);
  });

  test('fails a renewal when no card was saved', async () => {
    const customer = await stripe.customers.create();
    const incomplete = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: monthly.id }],
      payment_behavior: 'default_incomplete',
      expand: ['latest_invoice.confirmation_secret'],
    });
    await confirm(invoiceOf(incomplete), 'pm_card_visa');
    sandbox.stripe.advance(30 * DAY + HOUR);
    expect(await stripe.subscriptions.retrieve(incomplete.id)).toMatchObject({ status: 'past_due' });
  });

  test('ends a subscription at the end of its period, unless that was taken back', async () => {
    const subscription = await startActive();
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
    sandbox.stripe.advance(31 * DAY);
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
      status: 'canceled',
      ended_at: itemOf(subscription).current_period_end,
    });
    expect(await invoicesOf(subscription)).toHaveLength(1);
    await expect(
      stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false }),
    ).rejects.toMatchObject({ code: 'invalid_canceled_subscription_fields' });
  });
});

describe('a change of price', () => {
  const preview = (subscription: Stripe.Subscription, price: Stripe.Price, date: number) =>
    stripe.invoices.createPreview({
      subscription: subscription.id,
      subscription_details: {
        items: [{ id: itemOf(subscription).id, price: price.id }],
        proration_behavior: 'always_invoice',
        proration_date: date,
      },
    });
  const change = (
    subscription: Stripe.Subscription,
    price: Stripe.Price,
    date: number,
    behavior: Stripe.SubscriptionUpdateParams.PaymentBehavior = 'pending_if_incomplete',
  ) =>
    stripe.subscriptions.update(subscription.id, {
      items: [{ id: itemOf(subscription).id, price: price.id }],
      proration_behavior: 'always_invoice',
      proration_date: date,
      payment_behavior: behavior,
      expand: ['latest_invoice.confirmation_secret'],
    });

  test.each([
    ['the same rhythm', () => pro, 11 * DAY + 12_345],
    ['another rhythm', () => yearly, 7 * DAY + 1],
    ['the last minute of the period', () => yearly, 30 * DAY - 60],
  ])('costs what its preview said, to the penny: %s', async (_name, priceOf, elapsed) => {
    const subscription = await startActive();
    sandbox.stripe.advance(elapsed - (now() - itemOf(subscription).current_period_start));
    const date = now();
    const quote = await preview(subscription, priceOf(), date);
    expect(await invoicesOf(subscription)).toHaveLength(1);
    if (elapsed < 30 * DAY - 60) sandbox.stripe.advance(9 * 60);
    const changed = await change(subscription, priceOf(), date);
    const invoice = invoiceOf(changed);
    expect(invoice).toMatchObject({
      status: 'paid',
      billing_reason: 'subscription_update',
      amount_paid: quote.amount_due,
    });
    expect(invoice.lines.data.map(({ amount }) => amount)).toEqual(
      quote.lines.data.map(({ amount }) => amount),
    );
    const rest = 30 * DAY - (date - itemOf(subscription).current_period_start);
    expect(quote.lines.data[0]).toMatchObject({
      amount: 0 - Math.round((999 * rest) / (30 * DAY)),
      parent: { subscription_item_details: { proration: true } },
    });
    expect(changed).toMatchObject({ status: 'active', pending_update: null });
    expect(itemOf(changed).price.id).toBe(priceOf().id);
    if (priceOf() === pro)
      expect(itemOf(changed)).toMatchObject({ current_period_end: itemOf(subscription).current_period_end });
    else expect(itemOf(changed).current_period_end - itemOf(changed).current_period_start).toBe(365 * DAY);
  });

  test('to a cheaper plan gives credit, which later renewals use', async () => {
    const subscription = await startActive('pm_card_visa', yearly);
    sandbox.stripe.advance(100 * DAY - (now() - itemOf(subscription).current_period_start));
    const date = now();
    const quote = await preview(subscription, monthly, date);
    const credit = Math.round((9999 * 265) / 365);
    expect(quote).toMatchObject({ total: 999 - credit, amount_due: 0 });
    const changed = await change(subscription, monthly, date);
    expect(invoiceOf(changed)).toMatchObject({ status: 'paid', total: 999 - credit, amount_paid: 0 });
    const balance = async () =>
      ((await stripe.customers.retrieve(String(subscription.customer))) as Stripe.Customer).balance;
    expect(await balance()).toBe(999 - credit);
    sandbox.stripe.advance(30 * DAY + HOUR);
    expect((await invoicesOf(subscription))[0]).toMatchObject({
      status: 'paid',
      total: 999,
      amount_due: 0,
      starting_balance: 999 - credit,
      ending_balance: 2 * 999 - credit,
    });
    expect(await balance()).toBe(2 * 999 - credit);
    sandbox.stripe.advance(7 * 30 * DAY);
    const invoices = await invoicesOf(subscription);
    const paid = invoices.reduce((sum, { amount_paid }) => sum + amount_paid, 0);
    expect(invoices).toHaveLength(10);
    expect([paid, await balance()]).toEqual([9999 + 9 * 999 - credit, 0]);
  });

  test('waits as a pending update until the bank has confirmed the payment', async () => {
    const subscription = await startActive('pm_card_authenticationRequired');
    sandbox.stripe.advance(10 * DAY);
    const pending = await change(subscription, pro, now());
    expect(pending).toMatchObject({
      status: 'active',
      pending_update: { expires_at: expect.any(Number) as number },
    });
    expect(itemOf(pending).price.id).toBe(monthly.id);
    expect(invoiceOf(pending)).toMatchObject({ status: 'open' });
    const intent = await stripe.paymentIntents.retrieve(
      invoiceOf(pending).confirmation_secret!.client_secret.split('_secret_')[0]!,
    );
    expect(intent).toMatchObject({ status: 'requires_action' });
    sandbox.stripe.finishChallenge(intent.id, true);
    const changed = await stripe.subscriptions.retrieve(subscription.id);
    expect(changed).toMatchObject({ status: 'active', pending_update: null });
    expect(itemOf(changed).price.id).toBe(pro.id);
    expect(events).toContain('customer.subscription.pending_update_applied');
  });

  test('is dropped when its payment is refused and 23 hours pass', async () => {
    const subscription = await startActive();
    const method = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
      customer: String(subscription.customer),
    });
    await stripe.subscriptions.update(subscription.id, { default_payment_method: method.id });
    const pending = await change(subscription, pro, now());
    expect(pending.pending_update).not.toBeNull();
    sandbox.stripe.advance(23 * HOUR);
    const dropped = await stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] });
    expect(dropped).toMatchObject({ status: 'active', pending_update: null });
    expect(itemOf(dropped).price.id).toBe(monthly.id);
    expect(invoiceOf(dropped)).toMatchObject({ status: 'void' });
    expect(events).toContain('customer.subscription.pending_update_expired');
    await expect(change(subscription, pro, now(), 'error_if_incomplete')).rejects.toMatchObject({
      statusCode: 402,
      code: 'card_declined',
    });
    expect(itemOf(await stripe.subscriptions.retrieve(subscription.id)).price.id).toBe(monthly.id);
  });

  test('by default_incomplete is applied at once and past due until it is paid', async () => {
    const subscription = await startActive();
    sandbox.stripe.advance(DAY);
    const changed = await change(subscription, pro, now(), 'default_incomplete');
    expect(changed).toMatchObject({ status: 'past_due' });
    expect(itemOf(changed).price.id).toBe(pro.id);
    await stripe.invoices.pay(invoiceOf(changed).id!);
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'active' });
  });

  test('credits what was charged, so that there and back again costs nothing', async () => {
    const subscription = await startActive();
    sandbox.stripe.advance(13 * DAY + 777);
    const date = now();
    const up = await change(subscription, pro, date);
    const down = await change(up, monthly, date);
    expect(invoiceOf(down).total).toBe(-invoiceOf(up).total);
  });

  test('is refused outside the period, without the item, and for an inactive price', async () => {
    const subscription = await startActive();
    await expect(change(subscription, pro, now() - 5 * DAY)).rejects.toMatchObject({
      param: 'proration_date',
    });
    await expect(
      stripe.subscriptions.update(subscription.id, { items: [{ id: 'si_unknown', price: pro.id }] }),
    ).rejects.toMatchObject({ code: 'resource_missing' });
    await stripe.prices.update(pro.id, { active: false });
    await expect(change(subscription, pro, now())).rejects.toMatchObject({ param: 'items[0][price]' });
    await expect(
      stripe.subscriptions.update(subscription.id, {
        payment_behavior: 'pending_if_incomplete',
        description: 'x',
      }),
    ).rejects.toMatchObject({ param: 'description' });
  });
});

describe('lists and previews', () => {
  test('find subscriptions by customer and status, and prices by lookup key', async () => {
    const subscription = await startActive();
    const other = await startIncomplete();
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
      { id: yearly.id, recurring: { interval: 'day', interval_count: 365 } },
    ]);
    await expect(createPrice('Yearly', 1, 1)).rejects.toMatchObject({ code: 'resource_already_exists' });
  });

  test('a preview without changes is the next renewal; a cancelled subscription has none', async () => {
    const subscription = await startActive();
    const next = await stripe.invoices.createPreview({ subscription: subscription.id });
    expect(next).toMatchObject({ status: 'draft', amount_due: 999 });
    expect(next.lines.data[0]?.period.start).toBe(itemOf(subscription).current_period_end);
    await stripe.subscriptions.cancel(subscription.id);
    await expect(stripe.invoices.createPreview({ subscription: subscription.id })).rejects.toMatchObject({
      code: 'invoice_upcoming_none',
    });
  });
});
