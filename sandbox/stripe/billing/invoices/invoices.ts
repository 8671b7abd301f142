import type Stripe from 'stripe';
import { invoicePath } from '../../pages/hosted-page';
import { StripeError, invalidRequest } from '../../rest/stripe-error';
import { idOf } from '../../store';
import type { BillingStore } from '../billing-store';
import {
  amountsOf,
  buildInvoice,
  endingBalanceOf,
  subscriptionIdOf,
  type InvoiceTerms,
} from './invoice-object';
import { createInvoiceIntent, findIntentOf, findPaymentOf, invoiceFacts } from './invoice-intent';

const HOUR = 3600;
const DAY = 24 * HOUR;
/** Stripe leaves a renewal's invoice as a draft for about an hour, so that webhooks can still change it. */
const DRAFT_TIME = HOUR;
/** When a failed payment is tried again: days after the first attempt. After the last the subscription is cancelled. */
const RETRY_DAYS = [1, 3, 5, 7];

/** Creates a draft and emits `invoice.created`. A renewal's draft is finalised later, by the clock. */
export function createInvoice(store: BillingStore, terms: InvoiceTerms): Stripe.Invoice {
  const invoice = buildInvoice(store, store.newId('invoice'), terms);
  if (terms.reason === 'subscription_cycle') invoice.automatically_finalizes_at = store.now() + DRAFT_TIME;
  store.insert('invoice', invoice);
  store.emit('invoice.created', invoice);
  return invoice;
}

/** Fixes a draft's amounts with the customer's balance, and opens the invoice with its PaymentIntent, or pays it when nothing is due. */
export function finalizeInvoice(store: BillingStore, invoice: Stripe.Invoice): void {
  const customer = store.require('customer', idOf(invoice.customer)!);
  const now = store.now();
  Object.assign(invoice, amountsOf(invoice, customer.balance));
  store.update(
    invoice,
    {
      automatically_finalizes_at: null,
      effective_at: now,
      ending_balance: endingBalanceOf(invoice),
      hosted_invoice_url: store.origin() + invoicePath(invoice.id!),
      number: nextNumber(store, customer),
      status: 'open',
      status_transitions: { ...invoice.status_transitions, finalized_at: now },
    },
    'invoice.updated',
  );
  store.emit('invoice.finalized', invoice);
  store.update(customer, { balance: invoice.ending_balance! }, 'customer.updated');
  if (invoice.amount_due === 0) markPaid(store, invoice);
  else createInvoiceIntent(store, invoice);
}

/** Such as `K7Q2M9XB-0003`: the customer's prefix and a number that counts up. */
function nextNumber(store: BillingStore, customer: Stripe.Customer): string {
  const sequence = customer.next_invoice_sequence ?? 1;
  customer.next_invoice_sequence = sequence + 1;
  customer.invoice_prefix ??= store.newToken('x').slice(2, 10).toUpperCase();
  return `${customer.invoice_prefix}-${String(sequence).padStart(4, '0')}`;
}

/** Marks an open invoice paid. The events of the payment itself come from its PaymentIntent. */
export function markPaid(store: BillingStore, invoice: Stripe.Invoice): void {
  if (invoice.status === 'paid') return;
  store.update(
    invoice,
    {
      amount_paid: invoice.amount_due,
      amount_remaining: 0,
      attempted: true,
      attempt_count: invoice.amount_due > 0 ? Math.max(1, invoice.attempt_count) : invoice.attempt_count,
      next_payment_attempt: null,
      status: 'paid',
      status_transitions: { ...invoice.status_transitions, paid_at: store.now() },
    },
    'invoice.updated',
  );
  store.emit('invoice.paid', invoice);
  store.emit('invoice.payment_succeeded', invoice);
}

/** Voids an open invoice: the PaymentIntent is cancelled, and credit that it used goes back to the balance. */
export function voidInvoice(store: BillingStore, invoice: Stripe.Invoice): void {
  if (invoice.status !== 'open')
    throw invalidRequest(
      'You can only pass in open invoices. This invoice is not open.',
      'status_transition_invalid',
    );
  const payment = findPaymentOf(store, invoice);
  const intent = findIntentOf(store, invoice);
  if (intent) store.intents.cancel(intent, 'void_invoice');
  if (payment) {
    payment.status = 'canceled';
    payment.status_transitions.canceled_at = store.now();
  }
  const customer = store.find('customer', idOf(invoice.customer)!);
  if (customer)
    store.update(
      customer,
      { balance: customer.balance - (endingBalanceOf(invoice) - invoice.starting_balance) },
      'customer.updated',
    );
  store.update(
    invoice,
    {
      auto_advance: false,
      next_payment_attempt: null,
      status: 'void',
      status_transitions: { ...invoice.status_transitions, voided_at: store.now() },
    },
    'invoice.updated',
  );
  store.emit('invoice.voided', invoice);
}

/** Stops automatic payments of the invoices that a subscription leaves open. */
export function stopCollection(store: BillingStore, subscription: Stripe.Subscription): void {
  for (const invoice of invoicesOf(store, subscription))
    if (invoice.status === 'open' || invoice.status === 'draft')
      store.update(
        invoice,
        { auto_advance: false, automatically_finalizes_at: null, next_payment_attempt: null },
        'invoice.updated',
      );
}

/** The invoices of a subscription, newest first. */
export function invoicesOf(store: BillingStore, { id }: Stripe.Subscription): Stripe.Invoice[] {
  return store.list('invoice', (invoice) => subscriptionIdOf(invoice) === id);
}

/** The payment method that an invoice is charged to: the subscription's, else the customer's. Null without one. */
export function defaultPaymentMethodOf(store: BillingStore, invoice: Stripe.Invoice): string | null {
  const subscription = store.find('subscription', subscriptionIdOf(invoice) ?? '');
  const customer = store.find('customer', idOf(invoice.customer)!);
  const candidates = [
    invoice.default_payment_method,
    subscription?.default_payment_method,
    customer?.invoice_settings.default_payment_method,
  ].map(idOf);
  return (
    candidates.find((id) => id !== null && store.find('payment_method', id)?.customer === customer?.id) ??
    null
  );
}

/**
 * Charges an open invoice. `settlement.ts` settles it when the events of its PaymentIntent arrive.
 * @param how.paymentMethod default: the subscription's or the customer's
 * @param how.isScheduled an attempt by Stripe's own schedule, which plans the next one
 */
export function attemptPayment(
  store: BillingStore,
  invoice: Stripe.Invoice,
  how: { paymentMethod?: string; offSession: boolean; isScheduled: boolean },
): void {
  const intent = findIntentOf(store, invoice);
  if (!intent) throw new Error(`open invoice ${invoice.id} has no PaymentIntent`);
  if (how.isScheduled || invoice.attempt_count === 0) {
    const count = invoice.attempt_count + 1;
    const firstAttempt = invoice.status_transitions.finalized_at!;
    const days = RETRY_DAYS[count - 1];
    invoice.attempt_count = count;
    invoice.next_payment_attempt = how.isScheduled && days !== undefined ? firstAttempt + days * DAY : null;
  }
  invoice.attempted = true;
  const paymentMethod = how.paymentMethod ?? defaultPaymentMethodOf(store, invoice);
  if (paymentMethod === null) {
    store.emit('invoice.payment_failed', invoice);
    return;
  }
  const facts = invoiceFacts(store, invoice);
  facts.isOffSession = how.offSession;
  try {
    store.intents.confirm(intent, { paymentMethod, offSession: how.offSession ? 'billing' : false });
  } finally {
    facts.isOffSession = false;
  }
}

/**
 * The refusal of a request whose payment did not succeed; null when it did.
 * @param subject how Stripe's code names the object, such as `invoice`
 */
export function paymentRefusal(
  store: BillingStore,
  invoice: Stripe.Invoice,
  subject: 'invoice' | 'subscription',
): StripeError | null {
  if (invoice.status === 'paid') return null;
  const intent = findIntentOf(store, invoice);
  if (intent?.status === 'requires_action')
    return new StripeError(402, {
      type: 'card_error',
      code: `${subject}_payment_intent_requires_action`,
      message: `This payment requires additional user action before it can be completed successfully. Payment can be completed using the PaymentIntent associated with ${subject} ${subject === 'invoice' ? invoice.id : subscriptionIdOf(invoice)}. For more details see: https://stripe.com/docs/billing/subscriptions/overview#requires-action`,
    });
  const failure = intent?.last_payment_error;
  if (failure)
    return new StripeError(402, {
      type: 'card_error',
      code: failure.code ?? 'card_declined',
      message: failure.message ?? 'Your card was declined.',
      ...(failure.decline_code !== undefined && { decline_code: failure.decline_code }),
      ...(failure.charge !== undefined && { charge: failure.charge }),
    });
  return invalidRequest(
    'This customer has no attached payment source or default payment method. Please consider adding a default payment method. For more information, visit https://stripe.com/docs/billing/subscriptions/payment-methods-setting#payment-method-priority.',
    'resource_missing',
  );
}
