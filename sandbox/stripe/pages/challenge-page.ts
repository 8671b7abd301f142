import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import { respondHtml } from '../../http/app';
import { html, type Html } from '../../html';
import { formatMoney } from '../format';
import { drawPage } from './draw-page';

/**
 * The bank's page.
 * @param question what the buyer is asked to confirm
 * @param action the path that gets the buyer's answer in `outcome`: `complete` or `fail`
 * @param options.isFramed whether Stripe.js shows it over the shop's page
 */
export function drawChallenge(question: string, action: string, { isFramed = false } = {}): Html {
  return drawPage(
    '3D Secure',
    html`<section class="card">
      <h1>3D Secure</h1>
      <p>Your bank asks: ${question}</p>
      <form method="post" action="${action}" class="buttons">
        <button name="outcome" value="complete" id="complete">Complete authentication</button>
        <button name="outcome" value="fail" id="fail">Fail authentication</button>
      </form>
    </section>`,
    { isFramed },
  );
}

export const paymentQuestion = ({ amount, currency }: Pick<Stripe.PaymentIntent, 'amount' | 'currency'>) =>
  `do you pay ${formatMoney(amount, currency)} with this card?`;

/** Notifies Stripe.js, in the page around the frame, that the buyer has answered. The message holds no data, so any page may read it. */
export function respondChallengeDone(): Response {
  const nonce = randomBytes(16).toString('base64');
  const page = drawPage(
    '3D Secure',
    html`<p>You can close this window.</p>
      <script nonce="${nonce}">
        window.parent.postMessage({ type: 'challenge-done' }, '*');
      </script>`,
    { isFramed: true },
  );
  return respondHtml(200, page.markup, {
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'; base-uri 'none'`,
  });
}
