import type Stripe from 'stripe';
import { html, type Html } from '../../html';
import type { BillingStore } from '../billing/billing-store';
import { attachedData, lineItemsOf } from '../billing/checkout/checkout-session';
import { completeCheckout, successUrlOf } from '../billing/hosted';
import { formatMoney } from '../format';
import { createCardMethod, drawCardForm } from './card-form';
import { drawLines, drawPage, drawRefusal } from './draw-page';
import { challengeUrl, checkoutPath, type HostedPage, type HostedResult } from './hosted-page';

const TITLE = 'Checkout';

/** Hosted Checkout (docs.stripe.com/payments/checkout). */
export function createCheckoutPage(store: BillingStore): HostedPage {
  const pathOf = ({ id }: Stripe.Checkout.Session) => checkoutPath(id);

  function draw(session: Stripe.Checkout.Session, error: string | null): HostedResult {
    const page = drawCheckout(session, lineItemsOf(store, session).data, { action: pathOf(session), error });
    return { status: error === null ? 200 : 402, page };
  }

  /** A session that can no longer be paid; undefined for an open one. */
  function closed({ status }: Stripe.Checkout.Session): HostedResult | undefined {
    if (status === 'open') return undefined;
    return {
      page: drawRefusal(
        TITLE,
        status === 'complete' ? 'You have already paid.' : 'This page has expired. Start again in the shop.',
      ),
    };
  }

  return {
    title: TITLE,
    show(id, { var: { url } }) {
      const session = store.require('checkout.session', id);
      // From the bank's page: show the result of the payment.
      if (!url.searchParams.has('returned')) return closed(session) ?? draw(session, null);
      if (session.status === 'complete') return { location: successUrlOf(session) };
      const intent = store.find('payment_intent', attachedData(store, session).intent ?? '');
      return closed(session) ?? draw(session, intent?.last_payment_error?.message ?? null);
    },
    submit(id, fields) {
      const session = store.require('checkout.session', id);
      // The second of two submissions.
      if (session.status === 'complete') return { location: successUrlOf(session) };
      const refused = closed(session);
      if (refused !== undefined) return refused;
      const card = createCardMethod(store, fields);
      if ('fault' in card) return draw(session, card.fault);
      const outcome = completeCheckout(store, session, card.method.id);
      if (outcome.status === 'declined') return draw(session, outcome.message);
      if (outcome.status === 'requires_action')
        return { location: challengeUrl(outcome.intent.id, `${pathOf(session)}?returned=1`) };
      return { location: successUrlOf(session) };
    },
  };
}

/** How often a subscription renews, such as `every 30 days`; null for a single payment. */
function renewalOf(lines: readonly Stripe.LineItem[]): string | null {
  const recurring = lines[0]?.price?.recurring;
  if (!recurring) return null;
  const { interval, interval_count: count } = recurring;
  return count === 1 ? `every ${interval}` : `every ${count} ${interval}s`;
}

/**
 * Hosted Checkout: what is bought, the card, and the way back.
 * @param error the sentence about the card, or null
 */
function drawCheckout(
  session: Stripe.Checkout.Session,
  lines: readonly Stripe.LineItem[],
  { action, error }: { action: string; error: string | null },
): Html {
  const total = session.amount_total ?? 0;
  const currency = session.currency ?? 'gbp';
  const renewal = renewalOf(lines);
  const price = formatMoney(total, currency);
  return drawPage(
    'Checkout',
    html`${
        session.cancel_url !== null &&
        html`<p><a class="button" id="cancel" href="${session.cancel_url}">Back to the shop</a></p>`
      }
      <section class="card" aria-labelledby="checkout-title">
        <h1 id="checkout-title">${renewal === null ? 'Pay' : 'Subscribe'}</h1>
        <p class="money">${price}</p>
        ${renewal !== null && html`<p>Renews ${renewal} until you cancel.</p>`}
        ${drawLines(
          lines.map(({ description, quantity, amount_total: pence }) => ({
            text: `${description ?? 'Item'}${(quantity ?? 1) > 1 ? ` × ${quantity}` : ''}`,
            pence,
          })),
          total,
          currency,
        )}
        <p class="soft">For ${session.customer_details?.email ?? 'a customer without an address'}</p>
        ${drawCardForm({ action, button: renewal === null ? `Pay ${price}` : `Subscribe for ${price}`, error })}
      </section>`,
  );
}
