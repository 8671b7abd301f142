import type Stripe from 'stripe';
import { idOf } from '../store';
import type { BillingStore } from './billing-store';
import { attemptPayment, defaultPaymentMethodOf, finalizeInvoice } from './invoices/invoices';
import { findIntentOf } from './invoices/invoice-intent';
import { startCheckoutPayment } from './checkout/checkout-payment';
import { SUBSCRIPTION_UPDATED, isOver } from './subscriptions/subscription-state';
import { updateSubscription } from './subscriptions/update-subscription';

/** The result of a payment on a hosted page. */
export type HostedOutcome =
  | { status: 'paid' }
  /** The bank asks for a confirmation: the challenge page of this PaymentIntent decides. */
  | { status: 'requires_action'; intent: Stripe.PaymentIntent }
  /** A sentence for the buyer, who may try another card. */
  | { status: 'declined'; message: string };

/**
 * Pays a Checkout session with a payment method. A repeated call after a decline uses the same payment. When the payment
 * succeeds, also after a challenge, the session is completed by its events.
 * @param paymentMethod the id of a stored payment method that is not attached yet
 * @throws StripeError when the session is no longer open
 */
export function completeCheckout(
  store: BillingStore,
  session: Stripe.Checkout.Session,
  paymentMethod: string,
): HostedOutcome {
  const intent = startCheckoutPayment(store, session, paymentMethod);
  return intent ? outcomeOf(intent) : { status: 'paid' };
}

/** Pays an open invoice while the customer is present. @param paymentMethod default: the customer's usual one */
export function payHostedInvoice(
  store: BillingStore,
  invoice: Stripe.Invoice,
  paymentMethod?: string,
): HostedOutcome {
  if (invoice.status === 'paid') return { status: 'paid' };
  if (invoice.status === 'draft') finalizeInvoice(store, invoice);
  if (invoice.status !== 'open')
    return { status: 'declined', message: 'This invoice can no longer be paid.' };
  if ((paymentMethod ?? defaultPaymentMethodOf(store, invoice)) === null)
    return { status: 'declined', message: 'Enter a card to pay this invoice.' };
  attemptPayment(store, invoice, { paymentMethod, offSession: false, isScheduled: false });
  const intent = findIntentOf(store, invoice);
  return intent ? outcomeOf(intent) : { status: 'paid' };
}

function outcomeOf(intent: Stripe.PaymentIntent): HostedOutcome {
  if (intent.status === 'succeeded') return { status: 'paid' };
  if (intent.status === 'requires_action') return { status: 'requires_action', intent };
  return { status: 'declined', message: intent.last_payment_error?.message ?? 'Your card was declined.' };
}

/** Where the browser goes after a completed session. */
export function successUrlOf({ success_url, id }: Stripe.Checkout.Session): string {
  return (success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', id);
}

/**
 * Makes an attached payment method the one that renewals are charged to: the customer's default, and that of each
 * subscription which had one of its own.
 */
export function changeCard(store: BillingStore, customer: Stripe.Customer, paymentMethod: string): void {
  store.update(
    customer,
    { invoice_settings: { ...customer.invoice_settings, default_payment_method: paymentMethod } },
    'customer.updated',
  );
  for (const subscription of subscriptionsOf(store, customer))
    if (subscription.default_payment_method !== null)
      store.update(subscription, { default_payment_method: paymentMethod }, SUBSCRIPTION_UPDATED);
}

/** A customer's subscriptions that have not ended, newest first. */
export function subscriptionsOf(store: BillingStore, { id }: Stripe.Customer): Stripe.Subscription[] {
  return store.list('subscription', (found) => idOf(found.customer) === id && !isOver(found));
}

/** A customer's invoices without drafts, newest first. */
export function hostedInvoicesOf(store: BillingStore, { id }: Stripe.Customer): Stripe.Invoice[] {
  return store.list('invoice', (invoice) => idOf(invoice.customer) === id && invoice.status !== 'draft');
}

/**
 * Cancels a subscription at the end of its period, or takes that back, as the customer portal does: for flexible billing by a
 * date (docs.stripe.com/billing/subscriptions/billing-mode/compare, "Cancellations in the Customer Portal").
 */
export function setPortalCancellation(
  store: BillingStore,
  subscription: Stripe.Subscription,
  isCanceling: boolean,
): void {
  const isFlexible = subscription.billing_mode.type === 'flexible';
  if (isCanceling && isFlexible) updateSubscription(store, subscription, { cancel_at: 'max_period_end' });
  else if (isCanceling) updateSubscription(store, subscription, { cancel_at_period_end: true });
  else if (subscription.cancel_at_period_end)
    updateSubscription(store, subscription, { cancel_at_period_end: false });
  else updateSubscription(store, subscription, { cancel_at: '' });
}
