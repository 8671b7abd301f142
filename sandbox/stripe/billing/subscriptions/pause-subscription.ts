import type Stripe from 'stripe';
import { invalidRequest, notInSandbox } from '../../rest/stripe-error';
import type { BillingStore } from '../billing-store';
import { periodTerms } from '../invoices/invoice-lines';
import { attemptPayment, createInvoice, finalizeInvoice } from '../invoices/invoices';
import { periodFrom } from './period';
import { itemOf } from './plan-change';
import { applyChange, isRunning, SUBSCRIPTION_UPDATED } from './subscription-state';

/**
 * Pauses a subscription without a credit: it creates no invoices until it is resumed (Stripe API, "Pause a subscription").
 * @throws StripeError when it does not run, and for a pause with a credit
 */
export function pauseSubscription(
  store: BillingStore,
  subscription: Stripe.Subscription,
  params: Stripe.SubscriptionPauseParams,
): Stripe.Subscription {
  if (params.bill_for?.unused_time_from?.type !== 'none')
    throw notInSandbox('a pause with a credit', 'bill_for[unused_time_from][type]');
  if (!isRunning(subscription))
    throw invalidRequest(`A subscription with status ${subscription.status} cannot be paused.`);
  const paused: Stripe.Subscription.StatusDetails.Paused = {
    subscription: { type: 'pause_requested' },
    transitioned_at: store.now(),
    type: 'subscription',
  };
  store.update(subscription, { status: 'paused', status_details: { paused } }, SUBSCRIPTION_UPDATED);
  store.emit('customer.subscription.paused', subscription);
  return subscription;
}

/**
 * Resumes a paused subscription with a new period from now, which is charged at once (Stripe API, "Resume a
 * subscription", with its defaults).
 * @throws StripeError when it is not paused
 */
export function resumeSubscription(
  store: BillingStore,
  subscription: Stripe.Subscription,
): Stripe.Subscription {
  if (subscription.status !== 'paused')
    throw invalidRequest(`Only a paused subscription can be resumed; this one is ${subscription.status}.`);
  const now = store.now();
  const item = itemOf(subscription);
  const { price, quantity = 1 } = item;
  const period = periodFrom(now, price.recurring!, now);
  const invoice = createInvoice(store, {
    subscription,
    reason: 'subscription_update',
    lines: [periodTerms(store, subscription, { item: item.id, price, quantity, period })],
    period: { start: item.current_period_start, end: now },
  });
  applyChange(
    store,
    subscription,
    { price, quantity, period, anchor: now },
    { latest_invoice: invoice.id, status: 'active', status_details: undefined },
  );
  store.emit('customer.subscription.resumed', subscription);
  finalizeInvoice(store, invoice);
  if (invoice.status === 'open') attemptPayment(store, invoice, { offSession: true, isScheduled: true });
  return subscription;
}
