import type Stripe from 'stripe';
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
    ['the same rhythm', () => shop.plans.pro, 11 * DAY + 12_345],
    ['another rhythm', () => shop.plans.yearly, 7 * DAY + 1],
    ['the last minute of the period', () => shop.plans.yearly, 30 * DAY - 60],
  ])('costs what its preview said, to the penny: %s', async (_name, priceOf, elapsed) => {
    const subscription = await shop.startActive();
    shop.sandbox.stripe.advance(elapsed - (shop.now() - itemOf(subscription).current_period_start));
    const date = shop.now();
    const quote = await preview(subscription, priceOf(), date);
    expect(await shop.invoicesOf(subscription)).toHaveLength(1);
    if (elapsed < 30 * DAY - 60) shop.sandbox.stripe.advance(9 * 60);
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
    if (priceOf() === shop.plans.pro)
      expect(itemOf(changed)).toMatchObject({ current_period_end: itemOf(subscription).current_period_end });
    else expect(itemOf(changed).current_period_end - itemOf(changed).current_period_start).toBe(365 * DAY);
  });

  test('to a cheaper plan gives credit, which later renewals use', async () => {
    const subscription = await shop.startActive('pm_card_visa', shop.plans.yearly);
    shop.sandbox.stripe.advance(100 * DAY - (shop.now() - itemOf(subscription).current_period_start));
    const date = shop.now();
    const quote = await preview(subscription, shop.plans.monthly, date);
    const credit = Math.round((9999 * 265) / 365);
    expect(quote).toMatchObject({ total: 999 - credit, amount_due: 0 });
    const changed = await change(subscription, shop.plans.monthly, date);
    expect(invoiceOf(changed)).toMatchObject({ status: 'paid', total: 999 - credit, amount_paid: 0 });
    expect(await shop.balanceOf(subscription)).toBe(999 - credit);
    shop.sandbox.stripe.advance(30 * DAY + HOUR);
    expect((await shop.invoicesOf(subscription))[0]).toMatchObject({
      status: 'paid',
      total: 999,
      amount_due: 0,
      starting_balance: 999 - credit,
      ending_balance: 2 * 999 - credit,
    });
    expect(await shop.balanceOf(subscription)).toBe(2 * 999 - credit);
    shop.sandbox.stripe.advance(7 * 30 * DAY);
    const invoices = await shop.invoicesOf(subscription);
    const paid = invoices.reduce((sum, { amount_paid }) => sum + amount_paid, 0);
    expect(invoices).toHaveLength(10);
    expect([paid, await shop.balanceOf(subscription)]).toEqual([9999 + 9 * 999 - credit, 0]);
  });

  test('waits as a pending update until the bank has confirmed the payment', async () => {
    const subscription = await shop.startActive('pm_card_authenticationRequired');
    shop.sandbox.stripe.advance(10 * DAY);
    const pending = await change(subscription, shop.plans.pro, shop.now());
    expect(pending).toMatchObject({
      status: 'active',
      pending_update: { expires_at: expect.any(Number) as number },
    });
    expect(itemOf(pending).price.id).toBe(shop.plans.monthly.id);
    expect(invoiceOf(pending)).toMatchObject({ status: 'open' });
    const intent = await stripe.paymentIntents.retrieve(
      invoiceOf(pending).confirmation_secret!.client_secret.split('_secret_')[0]!,
    );
    expect(intent).toMatchObject({ status: 'requires_action' });
    shop.sandbox.stripe.finishChallenge(intent.id, true);
    const changed = await stripe.subscriptions.retrieve(subscription.id);
    expect(changed).toMatchObject({ status: 'active', pending_update: null });
    expect(itemOf(changed).price.id).toBe(shop.plans.pro.id);
    expect(shop.eventTypes()).toContain('customer.subscription.pending_update_applied');
  });

  test('is dropped when its payment is refused and 23 hours pass', async () => {
    const subscription = await shop.startActive();
    const method = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
      customer: String(subscription.customer),
    });
    await stripe.subscriptions.update(subscription.id, { default_payment_method: method.id });
    const pending = await change(subscription, shop.plans.pro, shop.now());
    expect(pending.pending_update).not.toBeNull();
    shop.sandbox.stripe.advance(23 * HOUR);
    const dropped = await stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] });
    expect(dropped).toMatchObject({ status: 'active', pending_update: null });
    expect(itemOf(dropped).price.id).toBe(shop.plans.monthly.id);
    expect(invoiceOf(dropped)).toMatchObject({ status: 'void' });
    expect(shop.eventTypes()).toContain('customer.subscription.pending_update_expired');
    await expect(
      change(subscription, shop.plans.pro, shop.now(), 'error_if_incomplete'),
    ).rejects.toMatchObject({
      statusCode: 402,
      code: 'card_declined',
    });
    expect(itemOf(await stripe.subscriptions.retrieve(subscription.id)).price.id).toBe(shop.plans.monthly.id);
  });

  test('that waits for its payment ends with the subscription', async () => {
    const subscription = await shop.startActive('pm_card_authenticationRequired');
    const pending = await change(subscription, shop.plans.pro, shop.now());
    expect(await stripe.subscriptions.cancel(subscription.id)).toMatchObject({
      status: 'canceled',
      pending_update: null,
    });
    await expect(shop.confirm(invoiceOf(pending), 'pm_card_visa')).rejects.toMatchObject({
      code: 'payment_intent_unexpected_state',
    });
  });

  test('by default_incomplete is applied at once and past due until it is paid', async () => {
    const subscription = await shop.startActive();
    shop.sandbox.stripe.advance(DAY);
    const changed = await change(subscription, shop.plans.pro, shop.now(), 'default_incomplete');
    expect(changed).toMatchObject({ status: 'past_due' });
    expect(itemOf(changed).price.id).toBe(shop.plans.pro.id);
    await stripe.invoices.pay(invoiceOf(changed).id!);
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'active' });
  });

  test('credits what was charged, so that there and back again costs nothing', async () => {
    const subscription = await shop.startActive();
    shop.sandbox.stripe.advance(13 * DAY + 777);
    const date = shop.now();
    const up = await change(subscription, shop.plans.pro, date);
    const down = await change(up, shop.plans.monthly, date);
    expect(invoiceOf(down).total).toBe(-invoiceOf(up).total);
  });

  test('is refused outside the period, without the item, and for an inactive price', async () => {
    const subscription = await shop.startActive();
    await expect(change(subscription, shop.plans.pro, shop.now() - 5 * DAY)).rejects.toMatchObject({
      param: 'proration_date',
    });
    await expect(
      stripe.subscriptions.update(subscription.id, {
        items: [{ id: 'si_unknown', price: shop.plans.pro.id }],
      }),
    ).rejects.toMatchObject({ code: 'resource_missing' });
    await stripe.prices.update(shop.plans.pro.id, { active: false });
    await expect(change(subscription, shop.plans.pro, shop.now())).rejects.toMatchObject({
      param: 'items[0][price]',
    });
    await expect(
      stripe.subscriptions.update(subscription.id, {
        payment_behavior: 'pending_if_incomplete',
        description: 'x',
      }),
    ).rejects.toMatchObject({ param: 'description' });
  });

  test('credits a renewal that is still a draft', async () => {
    const subscription = await shop.startActive();
    shop.sandbox.stripe.advance(30 * DAY + HOUR / 2);
    const changed = await change(subscription, shop.plans.yearly, shop.now());
    expect(invoiceOf(changed)).toMatchObject({ status: 'paid', amount_paid: 9999 - 998 });
    shop.sandbox.stripe.advance(DAY);
    const invoices = await shop.invoicesOf(subscription);
    expect(invoices.map(({ amount_paid }) => amount_paid)).toEqual([9999 - 998, 999, 999]);
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
      status: 'active',
      latest_invoice: invoices[0]!.id,
    });
  });

  test('that costs less than Stripe can charge goes to the balance, and the next renewal collects it', async () => {
    const subscription = await shop.startActive();
    const elapsed = 29 * DAY + 18 * HOUR;
    shop.sandbox.stripe.advance(elapsed - (shop.now() - itemOf(subscription).current_period_start));
    const date = shop.now();
    const changed = await change(subscription, shop.plans.pro, date);
    const { total } = invoiceOf(changed);
    expect(total).toBeGreaterThan(0);
    expect(total).toBeLessThan(30);
    expect(invoiceOf(changed)).toMatchObject({
      status: 'paid',
      amount_due: 0,
      amount_paid: 0,
      ending_balance: total,
    });
    shop.sandbox.stripe.advance(7 * HOUR + 60);
    expect((await shop.invoicesOf(subscription))[0]).toMatchObject({
      status: 'paid',
      amount_paid: 1999 + total,
    });
    expect(await shop.balanceOf(subscription)).toBe(0);
  });

  test('leaves credit that pays the first invoice of a later subscription', async () => {
    const subscription = await shop.startActive('pm_card_visa', shop.plans.yearly);
    await change(subscription, shop.plans.monthly, shop.now());
    await stripe.subscriptions.cancel(subscription.id);
    const credit = await shop.balanceOf(subscription);
    const next = await stripe.subscriptions.create({
      customer: String(subscription.customer),
      items: [{ price: shop.plans.monthly.id }],
      payment_behavior: 'default_incomplete',
      expand: ['latest_invoice.confirmation_secret'],
    });
    expect(next).toMatchObject({ status: 'active' });
    expect(invoiceOf(next)).toMatchObject({ status: 'paid', amount_due: 0, confirmation_secret: null });
    expect(await shop.balanceOf(subscription)).toBe(credit + 999);
  });
});
