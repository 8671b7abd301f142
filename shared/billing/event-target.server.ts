import type Stripe from 'stripe';
import { idOf } from '../payments/our-objects';

/** The object that an event is about, and that is read afresh from Stripe when the event is applied. */
export interface EventTarget {
  objectType: 'subscription' | 'payment_intent' | 'checkout.session' | 'customer';
  objectId: string;
}

const subscription = (objectId: string | null): EventTarget | null =>
  objectId === null ? null : { objectType: 'subscription', objectId };
const payment = (objectId: string | null): EventTarget | null =>
  objectId === null ? null : { objectType: 'payment_intent', objectId };

const customer = (objectId: string | null): EventTarget | null =>
  objectId === null ? null : { objectType: 'customer', objectId };

/** The attributes of a customer that change what the next invoice charges. */
const AMOUNT_ATTRIBUTES = [
  'balance',
  'discount',
  'tax_exempt',
  'address',
  'shipping',
  'invoice_credit_balance',
];

const changesAmounts = (previous: object | undefined): boolean =>
  Object.keys(previous ?? {}).some((name) => AMOUNT_ATTRIBUTES.includes(name));

/**
 * The object to read for an event: for an invoice its subscription, for a charge, refund or dispute its payment. Null for
 * types that we do not handle, and when there is no such object, as for an invoice without a subscription.
 */
export function targetOf(event: Stripe.Event): EventTarget | null {
  switch (event.type) {
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
    case 'customer.subscription.paused':
    case 'customer.subscription.resumed':
    case 'customer.subscription.pending_update_applied':
    case 'customer.subscription.pending_update_expired':
      return subscription(event.data.object.id);
    case 'invoice.upcoming':
    case 'invoice.paid':
    case 'invoice.payment_failed':
    case 'invoice.payment_action_required':
    case 'invoice.voided':
    case 'invoice.marked_uncollectible':
      return subscription(idOf(event.data.object.parent?.subscription_details?.subscription));
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed':
    case 'payment_intent.canceled':
      return payment(event.data.object.id);
    case 'charge.refunded':
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return payment(idOf(event.data.object.payment_intent));
    case 'checkout.session.completed':
    case 'checkout.session.expired':
      return { objectType: 'checkout.session', objectId: event.data.object.id };
    case 'subscription_schedule.created':
    case 'subscription_schedule.updated':
    case 'subscription_schedule.released':
    case 'subscription_schedule.canceled':
    case 'subscription_schedule.completed':
      return subscription(idOf(event.data.object.subscription ?? event.data.object.released_subscription));
    case 'customer.discount.created':
    case 'customer.discount.updated':
    case 'customer.discount.deleted':
      return customer(idOf(event.data.object.customer));
    case 'invoiceitem.created':
    case 'invoiceitem.deleted':
      return customer(idOf(event.data.object.customer));
    case 'customer.updated':
      return changesAmounts(event.data.previous_attributes) ? customer(event.data.object.id) : null;
    case 'customer.deleted':
      return customer(event.data.object.id);
    default:
      return null;
  }
}
