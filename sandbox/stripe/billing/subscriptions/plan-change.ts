import type Stripe from 'stripe';
import { formatDay } from '../../format';
import { invalidRequest, notInSandbox, parameterMissing } from '../../rest/stripe-error';
import type { BillingStore } from '../billing-store';
import { periodTerms, type LineTerms } from '../invoices/invoice-lines';
import { invoicesOf } from '../invoices/invoices';
import { isSameInterval, periodFrom, type Period } from './period';
import { productNameOf, requireRecurringPrice, unitAmountOf } from '../catalogue/prices';
import { prorate } from './proration';

/** The parameters that an update and a preview share. */
export interface ChangeRequest {
  items?: { id?: string; price?: string; quantity?: number }[];
  proration_behavior?: string;
  proration_date?: number;
}

/** The effect of a change of price or quantity on a subscription's only item. */
export interface PlanChange {
  item: Stripe.SubscriptionItem;
  price: Stripe.Price;
  quantity: number;
  period: Period;
  /** Epoch seconds; another one when the interval changes. */
  anchor: number;
  /** The items that are invoiced at once; empty for none. */
  lines: LineTerms[];
}

/** The only item of a subscription. */
export function itemOf(subscription: Stripe.Subscription): Stripe.SubscriptionItem {
  return subscription.items.data[0]!;
}

/**
 * Works out a change. A price with another interval starts a new period now, at the full price; else the rest of the period
 * is charged. The unused time of the old price is credited (Stripe API, "Update a subscription"; "Prorations").
 * @param prefix the parameter that holds `items`, for messages, such as `subscription_details`
 * @returns null when the request changes neither price nor quantity
 * @throws StripeError for an unknown item or price, another currency, or a time outside the period
 */
export function planChange(
  store: BillingStore,
  subscription: Stripe.Subscription,
  request: ChangeRequest,
  prefix = '',
): PlanChange | null {
  const named = (name: string) => (prefix === '' ? name : `${prefix}[${name}]`);
  const [given, ...others] = request.items ?? [];
  if (!given) return null;
  if (others.length > 0 || given.id === undefined)
    throw notInSandbox('a subscription with several items', named('items'));
  const item = itemOf(subscription);
  if (given.id !== item.id)
    throw invalidRequest(
      `No such subscription item: '${given.id}'`,
      'resource_missing',
      `${named('items')}[0][id]`,
    );
  const { price, recurring } =
    given.price === undefined || given.price === item.price.id
      ? { price: item.price, recurring: item.price.recurring! }
      : requireRecurringPrice(store, given.price, `${named('items')}[0][price]`);
  const quantity = given.quantity ?? item.quantity ?? 1;
  if (price.currency !== subscription.currency)
    throw invalidRequest(
      `The specified price has currency ${price.currency}, but the subscription has currency ${subscription.currency}.`,
      undefined,
      `${named('items')}[0][price]`,
    );

  const now = store.now();
  const current: Period = { start: item.current_period_start, end: item.current_period_end };
  const at = request.proration_date ?? now;
  if (at < current.start || at > current.end)
    throw invalidRequest(
      'Invalid proration_date: it must be within the current billing period of the subscription.',
      undefined,
      named('proration_date'),
    );
  if (price === item.price && quantity === (item.quantity ?? 1)) return null;

  const isSame = isSameInterval(recurring, item.price.recurring!);
  const behavior = request.proration_behavior ?? 'create_prorations';
  if (isSame && behavior === 'create_prorations')
    throw notInSandbox(
      'proration_behavior=create_prorations without a new period',
      named('proration_behavior'),
    );
  const period = isSame ? current : periodFrom(now, recurring, now);
  const credit = behavior === 'none' ? null : creditFor(store, subscription, item, at);
  const charge = isSame
    ? behavior === 'none'
      ? null
      : remainingTerms(store, subscription, { item: item.id, price, quantity, period: current, at })
    : periodTerms(store, subscription, { item: item.id, price, quantity, period });
  return {
    item,
    price,
    quantity,
    period,
    anchor: isSame ? subscription.billing_cycle_anchor : now,
    lines: [credit, charge].filter((line) => line !== null),
  };
}

/**
 * The credit for the unused time of an item. With flexible billing it is a share of the amount charged for the item, not
 * of its price (Stripe docs, "Compare classic and flexible billing mode", credit prorations).
 */
function creditFor(
  store: BillingStore,
  subscription: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  at: number,
): LineTerms | null {
  for (const invoice of invoicesOf(store, subscription)) {
    // A renewal's draft counts: it will be charged.
    if (invoice.status === 'void') continue;
    const debit = invoice.lines.data.find(
      ({ amount, period, pricing }) =>
        amount > 0 &&
        period.end === item.current_period_end &&
        pricing?.price_details?.price === item.price.id,
    );
    if (!debit) continue;
    const period = { start: Math.max(at, debit.period.start), end: debit.period.end };
    return {
      subscription,
      item: item.id,
      price: item.price,
      quantity: item.quantity ?? 1,
      amount: 0 - prorate(debit.amount, debit.period, at),
      description: `Unused time on ${productNameOf(store, item.price)} after ${formatDay(at, 'UTC')}`,
      period,
      credited: { invoice: invoice.id!, invoice_line_items: [debit.id] },
    };
  }
  return null;
}

function remainingTerms(
  store: BillingStore,
  subscription: Stripe.Subscription,
  of: { item: string; price: Stripe.Price; quantity: number; period: Period; at: number },
): LineTerms {
  return {
    subscription,
    item: of.item,
    price: of.price,
    quantity: of.quantity,
    amount: prorate(unitAmountOf(of.price) * of.quantity, of.period, of.at),
    description: `Remaining time on ${productNameOf(store, of.price)} after ${formatDay(of.at, 'UTC')}`,
    period: { start: of.at, end: of.period.end },
    credited: null,
  };
}

/** Checks that a request changes one item only. Throws `StripeError` `parameter_missing` without a price. */
export function requireOnlyItem<T extends { price?: string; quantity?: number }>(
  items: T[] | undefined,
  param: string,
): T {
  const [item, ...others] = items ?? [];
  if (!item) throw parameterMissing(param);
  if (others.length > 0) throw notInSandbox('a subscription with several items', param);
  if (item.price === undefined) throw parameterMissing(`${param}[0][price]`);
  return item;
}
