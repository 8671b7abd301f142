import type Stripe from 'stripe';
import { fitsId, fitsRange, listOf } from '../../rest/list';
import { route, type Route } from '../../rest/rest';
import { invalidRequest } from '../../rest/stripe-error';
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
      'subscription_details.items.*.id',
      'subscription_details.items.*.price',
      'subscription_details.items.*.quantity',
      'subscription_details.proration_behavior',
      'subscription_details.proration_date',
      'subscription_details.cancel_at_period_end',
    ],
    run: ({ params }) => previewInvoice(store, params),
  }),
  route({ method: 'GET', path: '/v1/invoices/:id', run: ({ path }) => store.require('invoice', path.id!) }),
  route<Stripe.InvoiceListParams>({
    method: 'GET',
    path: '/v1/invoices',
    implemented: ['customer', 'subscription', 'status', 'created', 'collection_method'],
    run(call) {
      const { customer, subscription, status, created, collection_method: method } = call.params;
      return listOf(
        call,
        store
          .list(
            'invoice',
            (invoice) =>
              fitsId(invoice.customer, customer) &&
              (subscription === undefined || subscriptionIdOf(invoice) === subscription) &&
              (status === undefined || invoice.status === status) &&
              (method === undefined || invoice.collection_method === method) &&
              fitsRange(invoice.created, created),
          )
          .map((invoice) => invoice as Stripe.Invoice & { id: string }),
      );
    },
  }),
  route<Stripe.InvoiceListLineItemsParams>({
    method: 'GET',
    path: '/v1/invoices/:id/lines',
    run: (call) => listOf(call, store.require('invoice', call.path.id!).lines.data),
  }),
  route<Stripe.InvoiceFinalizeInvoiceParams>({
    method: 'POST',
    path: '/v1/invoices/:id/finalize',
    implemented: ['auto_advance'],
    run({ path, params }) {
      const invoice = store.require('invoice', path.id!);
      if (params.auto_advance !== undefined) invoice.auto_advance = params.auto_advance;
      finalizeInvoice(store, invoice);
      return invoice;
    },
  }),
  route<Stripe.InvoicePayParams>({
    method: 'POST',
    path: '/v1/invoices/:id/pay',
    implemented: ['payment_method', 'off_session'],
    run: ({ path, params }) => payInvoice(store, store.require('invoice', path.id!), params),
  }),
  route<Stripe.InvoiceVoidInvoiceParams>({
    method: 'POST',
    path: '/v1/invoices/:id/void',
    run({ path }) {
      const invoice = store.require('invoice', path.id!);
      voidInvoice(store, invoice);
      return invoice;
    },
  }),
  route<Stripe.InvoicePaymentListParams>({
    method: 'GET',
    path: '/v1/invoice_payments',
    implemented: ['invoice', 'status', 'payment.type', 'payment.payment_intent', 'created'],
    run(call) {
      const { invoice, status, payment, created } = call.params;
      return listOf(
        call,
        store.list(
          'invoice_payment',
          (found) =>
            fitsId(found.invoice as string, invoice) &&
            (status === undefined || found.status === status) &&
            (payment?.type === undefined || found.payment.type === payment.type) &&
            fitsId(found.payment.payment_intent, payment?.payment_intent) &&
            fitsRange(found.created, created),
        ),
      );
    },
  }),
  route({
    method: 'GET',
    path: '/v1/invoice_payments/:id',
    run: ({ path }) => store.require('invoice_payment', path.id!),
  }),
];

/** Pays an invoice by API; unless told otherwise, the customer is absent. Throws `StripeError` 402 when it is not paid. */
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
