import type Stripe from 'stripe';
import { byCreated, byId, byValue, listRoute } from '../../rest/list';
import { retrieveRoute, route, type Route } from '../../rest/rest';
import { invalidRequest } from '../../rest/stripe-error';
import { idOf } from '../../store';
import type { BillingStore } from '../billing-store';
import { findIntentOf } from './invoice-intent';
import { subscriptionIdOf } from './invoice-object';
import { attemptPayment, finalizeInvoice, paymentRefusal, voidInvoice } from './invoices';
import { previewInvoice } from './preview';

/** The routes of invoice objects. */
export const invoiceRoutes = (store: BillingStore): Route[] => [
  route<Stripe.InvoiceCreatePreviewParams>({
    method: 'POST',
    path: '/v1/invoices/create_preview',
    implemented: [
      'customer',
      'subscription',
      'schedule',
      'subscription_details.items.*.id',
      'subscription_details.items.*.price',
      'subscription_details.items.*.quantity',
      'subscription_details.proration_behavior',
      'subscription_details.proration_date',
      'subscription_details.cancel_at',
      'subscription_details.cancel_at_period_end',
    ],
    run: ({ params }) => previewInvoice(store, params),
  }),
  retrieveRoute('invoice', '/v1/invoices'),
  listRoute('invoice', '/v1/invoices', {
    customer: byId('customer'),
    subscription: (invoice, id: string) => subscriptionIdOf(invoice) === id,
    status: byValue('status'),
    created: byCreated,
    collection_method: byValue('collection_method'),
  }),
  route<Stripe.InvoicePayParams>({
    method: 'POST',
    path: '/v1/invoices/:id/pay',
    implemented: ['payment_method', 'off_session'],
    run: ({ id, params }) => payInvoice(store, store.require('invoice', id), params),
  }),
  route<Stripe.InvoiceVoidInvoiceParams>({
    method: 'POST',
    path: '/v1/invoices/:id/void',
    run({ id }) {
      const invoice = store.require('invoice', id);
      voidInvoice(store, invoice);
      return invoice;
    },
  }),
  listRoute('invoice_payment', '/v1/invoice_payments', {
    invoice: ({ invoice }, id: string) => invoice === id,
    status: byValue('status'),
    'payment.type': ({ payment }, type: string) => payment.type === type,
    'payment.payment_intent': ({ payment }, id: string) => idOf(payment.payment_intent) === id,
    created: byCreated,
  }),
];

/** Pays an invoice by API, by default while the customer is absent. Throws `StripeError` 402 when it is not paid. */
function payInvoice(
  store: BillingStore,
  invoice: Stripe.Invoice,
  params: Stripe.InvoicePayParams,
): Stripe.Invoice {
  if (invoice.status === 'paid') throw invalidRequest('Invoice is already paid', 'invoice_already_paid');
  if (invoice.status === 'draft') finalizeInvoice(store, invoice);
  else if (invoice.status !== 'open')
    throw invalidRequest(
      `This invoice can no longer be paid: its status is ${invoice.status}.`,
      'invoice_not_editable',
    );
  if (invoice.status !== 'paid')
    attemptPayment(store, invoice, {
      paymentMethod: params.payment_method,
      offSession: params.off_session ?? true,
      isScheduled: false,
    });
  const refusal = paymentRefusal(store, invoice, 'invoice');
  if (refusal) throw refusal;
  return invoice;
}

/** The fields of an invoice that only `expand` shows. */
export const INVOICE_INCLUDABLES = {
  /** Stripe API, "The Invoice object", confirmation_secret: the client secret of the invoice's PaymentIntent. */
  confirmation_secret(
    store: BillingStore,
    invoice: Stripe.Invoice,
  ): Stripe.Invoice.ConfirmationSecret | null {
    const secret = findIntentOf(store, invoice)?.client_secret;
    return secret ? { client_secret: secret, type: 'payment_intent' } : null;
  },
  payments(store: BillingStore, { id }: Stripe.Invoice) {
    const url = `/v1/invoice_payments?invoice=${id}`;
    return {
      object: 'list',
      data: store.list('invoice_payment', ({ invoice }) => invoice === id),
      has_more: false,
      url,
    };
  },
};
