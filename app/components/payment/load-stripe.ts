import type { Stripe, StripeConstructor } from '@stripe/stripe-js';
import type { StripeForBrowser } from './payment-facts';

let loading: Promise<StripeConstructor> | null = null;

function loadScript(jsUrl: string): Promise<StripeConstructor> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = jsUrl;
    script.async = true;
    script.onload = () =>
      window.Stripe === undefined
        ? reject(new Error('the script did not define Stripe'))
        : resolve(window.Stripe);
    script.onerror = () => {
      script.remove();
      reject(new Error('Stripe.js did not load'));
    };
    document.head.append(script);
  });
}

/**
 * Loads Stripe.js from the configured address, once per document. `loadStripe` of @stripe/stripe-js always uses
 * Stripe's own address. Resolves with null if it cannot be loaded; the next call tries again.
 */
export async function loadStripe({ jsUrl, publishableKey }: StripeForBrowser): Promise<Stripe | null> {
  loading ??= window.Stripe === undefined ? loadScript(jsUrl) : Promise.resolve(window.Stripe);
  try {
    return (await loading)(publishableKey);
  } catch {
    loading = null;
    return null;
  }
}
