import type Stripe from 'stripe';
import type { IntentChange } from '../payments/payment-intents';
import { idOf } from '../store';
import type { BillingStore } from './billing-store';
import { findPaymentOf, invoiceFacts } from './invoices/invoice-intent';
import { markPaid } from './invoices/invoices';
import { subscriptionIdOf } from './invoices/invoice-object';
import {
  applyPending,
  dropPending,
  endSubscription,
  isRunning,
  SUBSCRIPTION_UPDATED,
} from './subscriptions/subscription-state';

/** Lets payments settle invoices, and invoices their subscriptions, as their events are emitted. */
export function listenForSettlement(store: BillingStore): void {
  store.intents.onChange((intent, change) => onIntent(store, intent, change));
  store.onEvent((type, object) => {
    if (type.startsWith('invoice.')) onInvoice(store, type, object as Stripe.Invoice);
  });
}

function onIntent(store: BillingStore, intent: Stripe.PaymentIntent, change: IntentChange): void {
  const owner = store.intents.ownerOf(intent.id);
  const invoice = owner?.kind === 'invoice' ? store.find('invoice', owner.id) : undefined;
  if (invoice?.status !== 'open') return;
  if (change === 'succeeded') {
    const payment = findPaymentOf(store, invoice);
    if (payment) {
      payment.amount_paid = intent.amount_received;
      payment.status = 'paid';
      payment.status_transitions.paid_at = store.now();
      store.emit('invoice_payment.paid', payment);
    }
    saveDefaultPaymentMethod(store, invoice, idOf(intent.payment_method));
    markPaid(store, invoice);
    return;
  }
  if (change === 'canceled') return;
  const isOffSession = invoiceFacts(store, invoice).isOffSession === true;
  invoice.attempted = true;
  invoice.attempt_count = Math.max(1, invoice.attempt_count);
  // A buyer who is present is led through the confirmation; only Stripe's own attempt has failed.
  if (change === 'failed' || isOffSession) store.emit('invoice.payment_failed', invoice);
  if (change === 'requires_action') store.emit('invoice.payment_action_required', invoice);
}

function subscriptionOf(store: BillingStore, invoice: Stripe.Invoice): Stripe.Subscription | undefined {
  return store.find('subscription', subscriptionIdOf(invoice) ?? '');
}

/** `payment_settings.save_default_payment_method=on_subscription`: the first payment's method serves the renewals. */
function saveDefaultPaymentMethod(
  store: BillingStore,
  invoice: Stripe.Invoice,
  paymentMethod: string | null,
): void {
  const subscription = subscriptionOf(store, invoice);
  if (!subscription || paymentMethod === null) return;
  if (subscription.payment_settings?.save_default_payment_method !== 'on_subscription') return;
  if (store.find('payment_method', paymentMethod)?.customer !== idOf(subscription.customer)) return;
  store.update(subscription, { default_payment_method: paymentMethod }, SUBSCRIPTION_UPDATED);
}

function onInvoice(store: BillingStore, type: string, invoice: Stripe.Invoice): void {
  const subscription = subscriptionOf(store, invoice);
  if (subscription?.latest_invoice !== invoice.id) return;
  if (type === 'invoice.paid') {
    if (subscription.pending_update) applyPending(store, subscription);
    else if (subscription.status === 'incomplete' || subscription.status === 'past_due')
      store.update(subscription, { status: 'active' }, SUBSCRIPTION_UPDATED);
  } else if (type === 'invoice.payment_failed') onFailure(store, subscription, invoice);
  else if (type === 'invoice.voided') {
    if (subscription.pending_update) dropPending(store, subscription, false);
    else if (subscription.status === 'incomplete') endSubscription(store, subscription, null);
    else if (subscription.status === 'past_due')
      store.update(subscription, { status: 'active' }, SUBSCRIPTION_UPDATED);
  }
}

function onFailure(store: BillingStore, subscription: Stripe.Subscription, invoice: Stripe.Invoice): void {
  if (!isRunning(subscription) || subscription.pending_update || invoiceFacts(store, invoice).isOptional)
    return;
  if (subscription.status !== 'past_due')
    store.update(subscription, { status: 'past_due' }, SUBSCRIPTION_UPDATED);
}
