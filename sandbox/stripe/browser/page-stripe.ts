import type { createApi } from './page-api';
import type { createElement } from './page-element';
import type { createElements } from './page-elements';
import type { openChallenge } from './page-challenge';
import type { openChannel } from './page-channel';
import type { createPayments } from './page-payments';
import type { ElementsOptions } from './script-types';

interface StripeParts {
  createApi: typeof createApi;
  createElement: typeof createElement;
  createElements: typeof createElements;
  createPayments: typeof createPayments;
  openChallenge: typeof openChallenge;
  openChannel: typeof openChannel;
}

/**
 * Runs in the browser (see stripe-js.ts). Sets `window.Stripe`, with the functions that @stripe/stripe-js and
 * @stripe/react-stripe-js call.
 */
export function installStripe(parts: StripeParts): void {
  const script = document.currentScript;
  if (!(script instanceof HTMLScriptElement))
    throw new Error('load the sandbox’s Stripe.js with a script element');
  const { origin } = new URL(script.src);

  function Stripe(key: string, { locale }: { locale?: string } = {}) {
    if (typeof key !== 'string' || !key.startsWith('pk_'))
      throw Object.assign(
        new Error(
          'Invalid value for Stripe(): apiKey should be a publishable key. You can find it at https://dashboard.stripe.com/account/apikeys.',
        ),
        { name: 'IntegrationError' },
      );
    const api = parts.createApi(origin, key);
    const payments = parts.createPayments(parts, { origin, api });
    return {
      ...payments,
      elements: (options: ElementsOptions = {}) =>
        parts.createElements(parts, {
          origin,
          key,
          options: { locale, ...options },
          retrieve: api.retrieve,
        }),
      /** @stripe/react-stripe-js accepts only an object with this function as a Stripe object. */
      createToken: () =>
        Promise.reject(
          new Error('The sandbox’s Stripe.js makes no tokens: use a PaymentIntent or createPaymentMethod.'),
        ),
      // With both, a library names itself to Stripe.
      _registerWrapper: () => undefined,
      registerAppInfo: () => undefined,
    };
  }

  Object.assign(window, { Stripe: Object.assign(Stripe, { version: 'endive' }) });
}
