import type Stripe from 'stripe';
import type { BillingStore } from '../billing-store';
import {
  createInvoice,
  finalizeInvoice,
  invoicesOf,
  stopCollection,
  voidInvoice,
} from '../invoices/invoices';
import { periodTerms } from '../invoices/invoice-lines';
import { periodFrom, type Period } from './period';
import { itemOf, type PlanChange } from './plan-change';
import { itemFields } from './subscription-object';

/** A first invoice may stay unpaid for 23 hours, and so may a pending update (Stripe docs, "How subscriptions work"). */
export const INCOMPLETE_LIFETIME = 23 * 3600;

export const SUBSCRIPTION_UPDATED = 'customer.subscription.updated';

type Reason = NonNullable<Stripe.Subscription.CancellationDetails['reason']>;

/** Whether a subscription renews: it is paid, or its last renewal is being retried. */
export const isRunning = ({ status }: Stripe.Subscription) =>
  status === 'active' || status === 'trialing' || status === 'past_due';

/** Whether a subscription has ended for good. */
export const isOver = ({ status }: Stripe.Subscription) =>
  status === 'canceled' || status === 'incomplete_expired';

/**
 * Ends a subscription now. An incomplete one becomes `incomplete_expired` and its invoice is voided; the invoices of
 * another stay open, but are no longer charged automatically.
 */
export function endSubscription(
  store: BillingStore,
  subscription: Stripe.Subscription,
  reason: Reason | null,
): void {
  // Otherwise a buyer could still pay for a change of an ended subscription.
  dropPending(store, subscription, false);
  const now = store.now();
  const details = subscription.cancellation_details;
  const changes: Partial<Stripe.Subscription> = {
    canceled_at: subscription.canceled_at ?? now,
    cancellation_details: {
      comment: details?.comment ?? null,
      feedback: details?.feedback ?? null,
      feedback_option: null,
      reason: reason ?? details?.reason ?? null,
    },
    ended_at: now,
  };
  if (subscription.status === 'incomplete') {
    store.update(subscription, { ...changes, status: 'incomplete_expired' }, SUBSCRIPTION_UPDATED);
    for (const invoice of invoicesOf(store, subscription))
      if (invoice.status === 'open') voidInvoice(store, invoice);
    return;
  }
  Object.assign(subscription, changes, { status: 'canceled' });
  store.emit('customer.subscription.deleted', subscription);
  stopCollection(store, subscription);
}

/** Starts the next period at its time: a new draft invoice, which is finalised and charged an hour later. */
export function renewSubscription(store: BillingStore, subscription: Stripe.Subscription): void {
  const item = itemOf(subscription);
  const before: Period = { start: item.current_period_start, end: item.current_period_end };
  const period = periodFrom(subscription.billing_cycle_anchor, item.price.recurring!, before.end);
  const quantity = item.quantity ?? 1;
  const invoice = createInvoice(store, {
    subscription,
    reason: 'subscription_cycle',
    lines: [periodTerms(store, subscription, { item: item.id, price: item.price, quantity, period })],
    period: before,
  });
  moveItem(store, subscription, { price: item.price, quantity, period }, { latest_invoice: invoice.id });
}

/** Replaces an item's price, quantity and period, together with `changes` of the subscription. */
function moveItem(
  store: BillingStore,
  subscription: Stripe.Subscription,
  { price, quantity, period }: Pick<PlanChange, 'price' | 'quantity' | 'period'>,
  changes: Partial<Stripe.Subscription>,
): void {
  const item = { ...itemOf(subscription), ...itemFields(price, quantity, period) };
  store.update(
    subscription,
    {
      items: { ...subscription.items, data: [item] },
      ...(subscription.cancel_at_period_end && { cancel_at: period.end }),
      ...changes,
    },
    SUBSCRIPTION_UPDATED,
  );
}

/** Gives the subscription its new plan. */
export function applyChange(
  store: BillingStore,
  subscription: Stripe.Subscription,
  change: Pick<PlanChange, 'price' | 'quantity' | 'period' | 'anchor'>,
  changes: Partial<Stripe.Subscription> = {},
): void {
  moveItem(store, subscription, change, { billing_cycle_anchor: change.anchor, ...changes });
}

/** Keeps a change until its invoice is paid (Stripe docs, "Pending updates reference"). */
export function keepPending(
  store: BillingStore,
  subscription: Stripe.Subscription,
  change: PlanChange,
  invoice: Stripe.Invoice,
): void {
  const { item, price, quantity, period } = change;
  store.update(
    subscription,
    {
      latest_invoice: invoice.id,
      pending_update: {
        billing_cycle_anchor: change.anchor === subscription.billing_cycle_anchor ? null : change.anchor,
        cancel_at_period_end: null,
        discount: null,
        discounts: null,
        expires_at: Math.min(invoice.created + INCOMPLETE_LIFETIME, item.current_period_end),
        metadata: null,
        subscription_items: [{ ...item, ...itemFields(price, quantity, period) }],
        trial_end: null,
        trial_from_plan: null,
      },
    },
    SUBSCRIPTION_UPDATED,
  );
}

/** Applies the pending update, whose invoice has been paid. */
export function applyPending(store: BillingStore, subscription: Stripe.Subscription): void {
  const pending = subscription.pending_update;
  const item = pending?.subscription_items?.[0];
  if (!item) return;
  applyChange(
    store,
    subscription,
    {
      price: item.price,
      quantity: item.quantity ?? 1,
      period: { start: item.current_period_start, end: item.current_period_end },
      anchor: pending?.billing_cycle_anchor ?? subscription.billing_cycle_anchor,
    },
    { pending_update: null },
  );
  store.emit('customer.subscription.pending_update_applied', subscription);
}

/** Drops the pending update and voids its invoice. */
export function dropPending(
  store: BillingStore,
  subscription: Stripe.Subscription,
  isExpired: boolean,
): void {
  if (!subscription.pending_update) return;
  store.update(subscription, { pending_update: null }, SUBSCRIPTION_UPDATED);
  if (isExpired) store.emit('customer.subscription.pending_update_expired', subscription);
  const invoice = store.find('invoice', String(subscription.latest_invoice));
  if (invoice?.status === 'open') voidInvoice(store, invoice);
}

/** Creates and finalises the invoice of a change. */
export function invoiceChange(
  store: BillingStore,
  subscription: Stripe.Subscription,
  { item, lines }: PlanChange,
  prorationDate: number,
): Stripe.Invoice {
  const invoice = createInvoice(store, {
    subscription,
    reason: 'subscription_update',
    lines,
    period: { start: item.current_period_start, end: store.now() },
    prorationDate,
  });
  finalizeInvoice(store, invoice);
  return invoice;
}
