import type Stripe from 'stripe';
import { html, type Html } from '../../html';
import type { BillingStore } from '../billing/billing-store';
import { payHostedInvoice } from '../billing/hosted';
import { findIntentOf } from '../billing/invoices/invoice-intent';
import { defaultPaymentMethodOf } from '../billing/invoices/invoices';
import { formatDay, formatMoney } from '../format';
import { cardName, createCardMethod, drawCardForm } from './card-form';
import { drawLines, drawPage } from './draw-page';
import { challengeUrl, invoicePath, type HostedPage, type HostedResult } from './hosted-page';

const STATES: Record<string, string> = {
  draft: 'Draft',
  open: 'Unpaid',
  paid: 'Paid',
  void: 'Void',
  uncollectible: 'Uncollectible',
};

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

/**
 * The hosted invoice. An open one can be paid: with the stored card, which may lead to the bank's page, or with another.
 * @param page.storedCard the name of the card that renewals are charged to, or null
 * @param page.error the sentence about the card, or null
 */
function drawInvoice(
  invoice: Stripe.Invoice,
  {
    action,
    storedCard,
    needsConfirmation,
    error,
  }: { action: string; storedCard: string | null; needsConfirmation: boolean; error: string | null },
): Html {
  const { currency } = invoice;
  const status = invoice.status ?? 'draft';
  const price = formatMoney(invoice.amount_remaining, currency);
  return drawPage(
    `Invoice ${invoice.number ?? ''}`,
    html`<section class="card">
      <h1>
        Invoice ${invoice.number}
        <span class="state ${status === 'paid' ? 'open' : 'room'}" id="state"
          >${STATES[status] ?? status}</span
        >
      </h1>
      <p class="money">${formatMoney(invoice.amount_due, currency)}</p>
      <p class="soft">
        For ${invoice.customer_email ?? 'a customer without an address'}, ${formatDay(invoice.created)}
      </p>
      ${drawLines(
        invoice.lines.data.map((line) => ({ text: line.description ?? 'Line', pence: line.amount })),
        invoice.amount_due,
        currency,
      )}
      ${status === 'paid' && html`<p class="notice" role="status">This invoice is paid.</p>`}
      ${
        status === 'open' &&
        storedCard !== null &&
        html`${needsConfirmation && html`<p>The bank asks for a confirmation of this payment.</p>`}
          ${error !== null && html`<p class="error" role="alert">${error}</p>`}
          <form method="post" action="${action}">
            <button class="pay" name="intent" value="stored" id="pay-stored">
              ${needsConfirmation ? 'Confirm payment' : 'Pay'} of ${price} with ${storedCard}
            </button>
          </form>
          <details>
            <summary>Pay with another card</summary>
            ${drawCardForm({ action, button: `Pay ${price}`, error: null })}
          </details>`
      }
      ${status === 'open' && storedCard === null && drawCardForm({ action, button: `Pay ${price}`, error })}
    </section>`,
  );
}
