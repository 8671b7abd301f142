import type Stripe from 'stripe';
import { invalidRequest } from '../../rest/stripe-error';
import { idOf, mergeMetadata } from '../../store';
import type { BillingStore } from '../billing-store';
import { attachedData, finishSession } from './checkout-session';
import { findIntentOf } from '../invoices/invoice-intent';
import { startSubscription } from '../subscriptions/subscriptions';

/**
 * Pays an open session: creates its PaymentIntent or subscription at the first call, and confirms the payment.
 * @returns the PaymentIntent; null when nothing was due
 */
export function startCheckoutPayment(
  store: BillingStore,
  session: Stripe.Checkout.Session,
  paymentMethod: string,
): Stripe.PaymentIntent | null {
  if (session.status !== 'open')
    throw invalidRequest(`This Checkout Session is no longer open: its status is ${session.status}.`);
  const intent =
    session.mode === 'payment' ? paymentOf(store, session) : subscriptionPaymentOf(store, session);
  if (!intent) {
    finishSession(store, session);
    return null;
  }
  store.intents.confirm(intent, { paymentMethod, offSession: false });
  return intent;
}

function paymentOf(store: BillingStore, session: Stripe.Checkout.Session): Stripe.PaymentIntent {
  const data = attachedData(store, session);
  if (data.intent === null) {
    const given = data.params.payment_intent_data;
    const intent = store.intents.create({
      amount: session.amount_total!,
      currency: session.currency!,
      customer: idOf(session.customer),
      description: given?.description,
      metadata: mergeMetadata(null, given?.metadata),
      receiptEmail: given?.receipt_email,
      setupFutureUsage: given?.setup_future_usage,
      owner: { kind: 'checkout.session', id: session.id },
    });
    data.intent = intent.id;
  }
  return store.require('payment_intent', data.intent);
}

function subscriptionPaymentOf(
  store: BillingStore,
  session: Stripe.Checkout.Session,
): Stripe.PaymentIntent | null {
  const data = attachedData(store, session);
  if (data.subscription === null) {
    const given = data.params.subscription_data;
    const subscription = startSubscription(store, {
      customer: idOf(session.customer)!,
      items: data.params.line_items?.map(({ price, quantity }) => ({ price, quantity })),
      metadata: given?.metadata,
      description: given?.description,
      payment_settings: { save_default_payment_method: 'on_subscription' },
    });
    data.subscription = subscription.id;
    data.intent =
      findIntentOf(store, store.require('invoice', idOf(subscription.latest_invoice)!))?.id ?? null;
  }
  return data.intent === null ? null : store.require('payment_intent', data.intent);
}
