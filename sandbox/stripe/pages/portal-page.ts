import type Stripe from 'stripe';
import { html, type Html } from '../../html';
import type { BillingStore } from '../billing/billing-store';
import { changeCard, hostedInvoicesOf, setPortalCancellation, subscriptionsOf } from '../billing/hosted';
import { formatDay, formatMoney } from '../format';
import { attachPaymentMethod, markSetUp, needsAuthentication } from '../payments/payment-methods';
import { cardFault, cardName, createCardMethod, drawCardForm } from './card-form';
import { drawChallenge } from './challenge-page';
import { drawPage } from './draw-page';
import { portalPath, type HostedPage, type HostedResult } from './hosted-page';

/** The customer portal (docs.stripe.com/customer-management). */
export function createPortalPage(store: BillingStore): HostedPage {
  const pathOf = ({ id }: Stripe.BillingPortal.Session) => portalPath(id);

  function draw(
    session: Stripe.BillingPortal.Session,
    { error = null, isSaved = false }: { error?: string | null; isSaved?: boolean } = {},
  ): HostedResult {
    const customer = store.require('customer', String(session.customer));
    const [subscription] = subscriptionsOf(store, customer);
    const used = subscription?.default_payment_method ?? customer.invoice_settings.default_payment_method;
    const ending = store.find('subscription', session.flow?.subscription_cancel?.subscription ?? '');
    const page = drawPortal(session, {
      customer,
      method: store.find('payment_method', String(used ?? '')),
      invoices: hostedInvoicesOf(store, customer),
      ending: ending?.cancel_at === null ? ending : undefined,
      action: pathOf(session),
      error,
      isSaved,
    });
    return { status: error === null ? 200 : 402, page };
  }

  /** Stores the card for later payments. */
  function save(session: Stripe.BillingPortal.Session, method: Stripe.PaymentMethod): HostedResult {
    const customer = store.require('customer', String(session.customer));
    const fault = cardFault(() => attachPaymentMethod(store, method, customer));
    if (fault !== null) return draw(session, { error: fault });
    changeCard(store, customer, method.id);
    return finish(session, `${pathOf(session)}?saved=1`);
  }

  /** A flow with a return address leaves the portal when its task is done. */
  function finish(session: Stripe.BillingPortal.Session, home: string): HostedResult {
    return { location: session.flow?.after_completion?.redirect?.return_url ?? home };
  }

  function submitCard(session: Stripe.BillingPortal.Session, fields: URLSearchParams): HostedResult {
    const card = createCardMethod(store, fields);
    if ('fault' in card) return draw(session, { error: card.fault });
    return needsAuthentication(store, card.method)
      ? { location: `${pathOf(session)}?confirm=${card.method.id}` }
      : save(session, card.method);
  }

  return {
    title: 'Customer portal',
    show(id, { var: { url } }) {
      const session = store.require('billing_portal.session', id);
      const method = store.find('payment_method', url.searchParams.get('confirm') ?? '');
      if (method?.customer !== null || method === undefined)
        return draw(session, { isSaved: url.searchParams.has('saved') });
      const question = `may the shop charge ${cardName(method)} for later payments?`;
      return { page: drawChallenge(question, `${pathOf(session)}?confirm=${method.id}`) };
    },
    submit(id, fields, { var: { url } }) {
      const session = store.require('billing_portal.session', id);
      const confirmed = store.find('payment_method', url.searchParams.get('confirm') ?? '');
      if (confirmed?.customer === null) {
        if (fields.get('outcome') !== 'complete')
          return draw(session, { error: 'We are unable to authenticate your payment method.' });
        markSetUp(store, confirmed);
        return save(session, confirmed);
      }
      const ending = store.find('subscription', session.flow?.subscription_cancel?.subscription ?? '');
      if (fields.get('intent') === 'cancel' && ending !== undefined) {
        setPortalCancellation(store, ending, true);
        return finish(session, pathOf(session));
      }
      return submitCard(session, fields);
    },
  };
}

/**
 * The customer portal: the card for later payments, and past invoices. In a flow that cancels a subscription it asks for
 * that instead.
 * @param page.error the sentence about the card, or null
 * @param page.ending the subscription of a flow that cancels, or null
 */
function drawPortal(
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
