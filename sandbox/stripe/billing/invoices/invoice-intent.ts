import type Stripe from 'stripe';
import { idOf } from '../../store';
import type { BillingStore } from '../billing-store';

/** Creates the PaymentIntent of an invoice that was finalised, and the invoice's payment record. */
export function createInvoiceIntent(store: BillingStore, invoice: Stripe.Invoice): void {
  const intent = store.intents.create({
    amount: invoice.amount_due,
    currency: invoice.currency,
    customer: idOf(invoice.customer),
    description:
      invoice.billing_reason === 'subscription_create' ? 'Subscription creation' : 'Subscription update',
    setupFutureUsage: 'off_session',
    owner: { kind: 'invoice', id: invoice.id! },
  });
  store.insert('invoice_payment', {
    id: store.newId('invoice_payment'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: store.now(),
    currency: invoice.currency,
    invoice: invoice.id!,
    is_default: true,
    livemode: false,
    payment: { type: 'payment_intent', payment_intent: intent.id },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  });
}

/** The payment record of an invoice; undefined while it is a draft and when nothing was due. */
export function findPaymentOf(
  store: BillingStore,
  { id }: Pick<Stripe.Invoice, 'id'>,
): Stripe.InvoicePayment | undefined {
  return store.list('invoice_payment', ({ invoice }) => invoice === id)[0];
}

/** The PaymentIntent of an invoice; undefined while it is a draft and when nothing was due. */
export function findIntentOf(
  store: BillingStore,
  invoice: Pick<Stripe.Invoice, 'id'>,
): Stripe.PaymentIntent | undefined {
  return store.find('payment_intent', idOf(findPaymentOf(store, invoice)?.payment.payment_intent) ?? '');
}

/** State of an invoice that the API does not return. */
interface InvoiceFacts {
  /** Stripe is charging it while the customer is absent. */
  isOffSession: boolean;
  /** It pays for a change that is applied only when it is paid: a failure leaves the subscription as it is. */
  isOptional: boolean;
}

export const invoiceFacts = (store: BillingStore, { id }: Stripe.Invoice) => store.factsOf<InvoiceFacts>(id!);
