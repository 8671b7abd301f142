import type Stripe from 'stripe';
import { html, type Html } from '../../html';
import { createPaymentMethod } from '../payments/payment-methods';
import { StripeError } from '../rest/stripe-error';
import type { Store } from '../store';

const TEST_CARDS = [
  ['4242 4242 4242 4242', 'succeeds'],
  ['4000 0000 0000 0002', 'is declined'],
  ['4000 0025 0000 3155', 'asks for a confirmation at the first payment'],
  ['4000 0027 6000 3184', 'asks for a confirmation at each payment'],
  ['4000 0000 0000 0341', 'can be stored, every charge fails'],
] as const;

/** How a card is named, such as `Visa •••• 4242`. */
export function cardName({ card }: Stripe.PaymentMethod): string {
  const brand = card?.brand ?? 'card';
  return `${brand.charAt(0).toUpperCase()}${brand.slice(1)} •••• ${card?.last4 ?? '????'}`;
}

/**
 * A form with a card and one button. What was typed is not shown again after an error, as at Stripe.
 * @param error the sentence about the card, or null
 */
export function drawCardForm({
  action,
  button,
  error,
}: {
  action: string;
  button: string;
  error: string | null;
}): Html {
  return html`<form method="post" action="${action}">
    ${error !== null && html`<p class="error" role="alert" id="card-error">${error}</p>`}
    <div class="fields">
      <label class="wide"
        >Card number
        <input
          name="number"
          inputmode="numeric"
          autocomplete="cc-number"
          placeholder="1234 1234 1234 1234"
          required
        />
      </label>
      <label
        >Expiration date <input name="expiry" autocomplete="cc-exp" placeholder="MM / YY" required />
      </label>
      <label
        >Security code
        <input name="cvc" inputmode="numeric" autocomplete="cc-csc" placeholder="CVC" required />
      </label>
      <button class="pay wide" name="intent" value="card">${button}</button>
    </div>
    <details id="test-cards">
      <summary>The sandbox’s cards</summary>
      <table class="cards">
        <tbody>
          ${TEST_CARDS.map(
            ([number, what]) =>
              html`<tr>
                <td>${number}</td>
                <td>${what}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </details>
  </form>`;
}

/**
 * Makes a payment method of the form's card.
 * @returns the method, or the sentence about the card
 */
export function createCardMethod(
  store: Store,
  fields: URLSearchParams,
): { method: Stripe.PaymentMethod } | { fault: string } {
  const digits = (name: string) => (fields.get(name) ?? '').replace(/\D/g, '');
  const expiry = digits('expiry');
  try {
    if (expiry.length !== 4 && expiry.length !== 6)
      return { fault: "Your card's expiration date is incomplete." };
    const method = createPaymentMethod(store, {
      card: {
        number: digits('number'),
        exp_month: Number(expiry.slice(0, 2)),
        exp_year: Number(expiry.slice(2)),
        cvc: digits('cvc'),
      },
    });
    return { method };
  } catch (error) {
    return { fault: sentenceOf(error) };
  }
}

/** Runs `action`; a refused card gives Stripe's sentence for the buyer, anything else is thrown. */
export function cardFault(action: () => void): string | null {
  try {
    action();
    return null;
  } catch (error) {
    return sentenceOf(error);
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof StripeError && error.body.type === 'card_error') return error.body.message;
  throw error;
}
