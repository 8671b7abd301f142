import type Stripe from 'stripe';
import type { BillingStore } from '../billing/billing-store';
import { payHostedInvoice } from '../billing/hosted';
import { findIntentOf } from '../billing/invoices/invoice-intent';
import { defaultPaymentMethodOf } from '../billing/invoices/invoices';
import { createCardMethod } from './card-form';
import { drawInvoice } from './invoice-page';
import { challengeUrl, type HostedResult, type HostedPage } from './hosted-page';
import { invoicePath } from './paths';
import { cardName } from './portal-page';

/** The hosted invoice page (docs.stripe.com/invoicing/hosted-invoice-page). */
export function createInvoicePage(store: BillingStore): HostedPage {
  const pathOf = ({ id }: Stripe.Invoice) => invoicePath(id ?? '');

  function draw(invoice: Stripe.Invoice, error: string | null): HostedResult {
    const stored = store.find('payment_method', defaultPaymentMethodOf(store, invoice) ?? '');
    const page = drawInvoice(invoice, {
      action: pathOf(invoice),
      storedCard: stored === undefined ? null : cardName(stored),
      needsConfirmation: findIntentOf(store, invoice)?.status === 'requires_action',
      error,
    });
    return { status: error === null ? 200 : 402, page };
  }

  return {
    title: 'Invoice',
    show(id, { var: { url } }) {
      const invoice = store.require('invoice', id);
      const failure = findIntentOf(store, invoice)?.last_payment_error?.message ?? null;
      const isReturn = url.searchParams.has('returned') && invoice.status === 'open';
      return draw(invoice, isReturn ? failure : null);
    },
    submit(id, fields) {
      const invoice = store.require('invoice', id);
      if (invoice.status !== 'open') return draw(invoice, null);
      let method: string | undefined;
      if (fields.get('intent') === 'card') {
        const card = createCardMethod(store, fields);
        if ('fault' in card) return draw(invoice, card.fault);
        method = card.method.id;
      }
      const outcome = payHostedInvoice(store, invoice, method);
      if (outcome.status === 'declined') return draw(invoice, outcome.message);
      if (outcome.status === 'requires_action')
        return { location: challengeUrl(outcome.intent.id, `${pathOf(invoice)}?returned=1`) };
      return { location: pathOf(invoice) };
    },
  };
}
