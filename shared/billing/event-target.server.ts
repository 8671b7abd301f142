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
    case 'customer.deleted':
      return { objectType: 'customer', objectId: event.data.object.id };
    default:
      return null;
  }
}
