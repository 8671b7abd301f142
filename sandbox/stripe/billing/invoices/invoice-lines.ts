import type Stripe from 'stripe';
import { formatMoney } from '../../format';
import { idOf } from '../../store';
import type { BillingStore } from '../billing-store';
import type { Period } from '../subscriptions/period';
import { productNameOf, unitAmountOf } from '../catalogue/prices';

/** What a line of a subscription's invoice charges or credits. */
export interface LineTerms {
  subscription: Stripe.Subscription;
  /** The id of the subscription item. */
  item: string;
  price: Stripe.Price;
  quantity: number;
  /** Minor units; negative: a credit. */
  amount: number;
  description: string;
  period: Period;
  /** For a proration, the lines that a credit takes back; null for a charge. Undefined: no proration. */
  credited?: { invoice: string; invoice_line_items: string[] } | null;
}

/** One line of an invoice, in its draft or preview. */
export function buildLine(store: BillingStore, invoice: string, terms: LineTerms): Stripe.InvoiceLineItem {
  const { subscription, price, credited } = terms;
  return {
    id: store.newToken('il'),
    object: 'line_item',
    amount: terms.amount,
    currency: price.currency,
    description: terms.description,
    discount_amounts: [],
    discountable: credited === undefined,
    discounts: [],
    invoice,
    livemode: false,
    metadata: { ...subscription.metadata },
    parent: {
      type: 'subscription_item_details',
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: credited !== undefined,
        proration_details: credited === undefined ? null : { credited_items: credited },
        subscription: subscription.id,
        subscription_item: terms.item,
      },
    },
    period: { start: terms.period.start, end: terms.period.end },
    pretax_credit_amounts: [],
    pricing: {
      type: 'price_details',
      price_details: { price: price.id, product: idOf(price.product)! },
      unit_amount_decimal: price.unit_amount_decimal,
    },
    quantity: terms.quantity,
    quantity_decimal: String(terms.quantity) as unknown as Stripe.InvoiceLineItem['quantity_decimal'],
    subscription: subscription.id,
    subtotal: terms.amount,
    taxes: [],
  };
}

/** The line for one whole period of a price. */
export function periodTerms(
  store: BillingStore,
  subscription: Stripe.Subscription,
  of: { item: string; price: Stripe.Price; quantity: number; period: Period },
): LineTerms {
  const { price, quantity } = of;
  const { interval, interval_count: count } = price.recurring!;
  const every = count === 1 ? interval : `every ${count} ${interval}s`;
  const name = productNameOf(store, price);
  return {
    ...of,
    subscription,
    amount: unitAmountOf(price) * quantity,
    description: `${quantity} × ${name} (at ${formatMoney(unitAmountOf(price), price.currency)} / ${every})`,
  };
}
