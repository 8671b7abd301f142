import type Stripe from 'stripe';
import { html, type Html } from '../../html';
import { drawCardForm } from './card-form';
import { drawPage, formatDay, formatMoney } from './draw-page';

/** How a card is named, such as `Visa •••• 4242`. */
export function cardName({ card }: Stripe.PaymentMethod): string {
  const brand = card?.brand ?? 'card';
  return `${brand.charAt(0).toUpperCase()}${brand.slice(1)} •••• ${card?.last4 ?? '????'}`;
}

/**
 * The customer portal: the card for later payments, and past invoices. In a flow that cancels a subscription it asks for
 * that instead.
 * @param page.error the sentence about the card, or null
 * @param page.ending the subscription of a flow that cancels, or null
 */
export function drawPortal(
  session: Stripe.BillingPortal.Session,
  {
    customer,
    method,
    invoices,
    ending,
    action,
    error,
    isSaved,
  }: {
    customer: Stripe.Customer;
    method: Stripe.PaymentMethod | undefined;
    invoices: readonly Stripe.Invoice[];
    ending: Stripe.Subscription | undefined;
    action: string;
    error: string | null;
    isSaved: boolean;
  },
): Html {
  return drawPage(
    'Customer portal',
    html`${
        session.return_url !== null &&
        html`<p><a class="button" id="back" href="${session.return_url}">Return to the shop</a></p>`
      }
      ${ending !== undefined && drawEnding(ending, action)}
      <section class="card" aria-labelledby="card-title">
        <h1 id="card-title">Payment method</h1>
        <p>For <strong>${customer.email ?? customer.id}</strong></p>
        ${isSaved && html`<p class="notice" role="status">Your card is changed.</p>`}
        <p id="current-card">${method === undefined ? 'There is no card yet.' : cardName(method)}</p>
        ${drawCardForm({ action, button: 'Save card', error })}
      </section>
      <section class="card" aria-labelledby="invoices-title">
        <h2 id="invoices-title">Invoices</h2>
        ${
          invoices.length === 0
            ? html`<p class="empty">There are no invoices.</p>`
            : html`<table class="lines" id="invoices">
                <tbody>
                  ${invoices.map(
                    (invoice) =>
                      html`<tr>
                        <td>
                          <a href="${invoice.hosted_invoice_url ?? '#'}"
                            >${formatDay(invoice.created)}, ${invoice.number}</a
                          >
                        </td>
                        <td>${invoice.status}</td>
                        <td>${formatMoney(invoice.amount_due, invoice.currency)}</td>
                      </tr>`,
                  )}
                </tbody>
              </table>`
        }
      </section>`,
  );
}

function drawEnding(subscription: Stripe.Subscription, action: string): Html {
  const end = subscription.items.data[0]?.current_period_end;
  return html`<section class="card">
    <h1>Cancel the subscription</h1>
    <p>${end !== undefined && `It ends on ${formatDay(end)} and does not renew.`}</p>
    <form method="post" action="${action}">
      <button name="intent" value="cancel" id="cancel-subscription">Cancel subscription</button>
    </form>
  </section>`;
}
