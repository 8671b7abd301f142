import type Stripe from 'stripe';
import { html, type Html } from '../../html';
import { drawCardForm } from './card-form';
import { drawLines, drawPage, formatMoney } from './draw-page';

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
export function drawCheckout(
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
