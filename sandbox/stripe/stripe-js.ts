import { randomBytes } from 'node:crypto';
import { respond, respondHtml, createApp, type App } from '../http/app';
import { drawElement } from './browser/draw-element';
import { runElement } from './browser/element-script';
import { createApi } from './browser/page-api';
import { openChallenge } from './browser/page-challenge';
import { openChannel } from './browser/page-channel';
import { createElement } from './browser/page-element';
import { createElements } from './browser/page-elements';
import { createPayments } from './browser/page-payments';
import { installStripe } from './browser/page-stripe';

/** Value of STRIPE_JS_URL, without the origin. */
export const STRIPE_JS_PATH = '/stripe-js/stripe.js';

// The functions run in the browser, so they are sent as text: each is complete in itself and gets the others in `parts`.
// tsx marks functions with the helper __name.
const HELPER = 'const __name = (value) => value;';
const PARTS = { openChannel, createApi, createElement, createElements, openChallenge, createPayments };
const PAGE_SCRIPT = `(() => {
'use strict';
${HELPER}
const parts = {
${Object.entries(PARTS)
  .map(([name, part]) => `${name}: ${part.toString()}`)
  .join(',\n')}
};
(${installStripe.toString()})(parts);
})();
`;
const ELEMENT_SCRIPT = `(() => { 'use strict'; ${HELPER} (${runElement.toString()})(); })()`;

/**
 * The stand-in for Stripe.js (docs.stripe.com/js): the script and the frames of its elements. They call the API under
 * `/v1/` with the publishable key.
 */
export function createStripeJs(): App {
  const app = createApp();
  app.get(STRIPE_JS_PATH, () =>
    respond(
      200,
      { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-cache' },
      PAGE_SCRIPT,
    ),
  );

  app.get('/stripe-js/element', ({ var: { url } }) => {
    const type = url.searchParams.get('type') === 'card' ? 'card' : 'payment';
    const nonce = randomBytes(16).toString('base64');
    return respondHtml(200, drawElement(type, { nonce, script: ELEMENT_SCRIPT }).markup, {
      'cache-control': 'no-store',
      // Fonts come from the page that embeds the frame.
      'content-security-policy': `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'unsafe-inline' http: https:; font-src http: https: data:; connect-src 'self'; base-uri 'none'; form-action 'none'`,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  });
  return app;
}
