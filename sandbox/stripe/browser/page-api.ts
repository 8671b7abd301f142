import type { Outcome } from './script-types';

/** What the page itself asks Stripe's API with the publishable key: it never holds a card. */
export interface PageApi {
  /** Reads the PaymentIntent of a client secret. Never rejects. */
  retrieve(clientSecret: string): Promise<Outcome>;
  /** Confirms a PaymentIntent with a stored payment method, or with the one that it has. Never rejects. */
  confirm(clientSecret: string, fields: Record<string, string>): Promise<Outcome>;
}

/** Runs in the browser (see stripe-js.ts). */
export function createApi(origin: string, key: string): PageApi {
  async function call(
    clientSecret: string,
    action: string,
    fields: Record<string, string>,
  ): Promise<Outcome> {
    const id = clientSecret.split('_secret_')[0] ?? '';
    const isWrite = action !== '';
    const parameters = new URLSearchParams({ client_secret: clientSecret, ...fields }).toString();
    try {
      const response = await fetch(
        `${origin}/v1/payment_intents/${encodeURIComponent(id)}${action}${isWrite ? '' : `?${parameters}`}`,
        {
          method: isWrite ? 'POST' : 'GET',
          headers: {
            authorization: `Bearer ${key}`,
            ...(isWrite && { 'content-type': 'application/x-www-form-urlencoded' }),
          },
          ...(isWrite && { body: parameters }),
        },
      );
      const body = await response.json();
      return response.ok ? { paymentIntent: body } : { error: body.error };
    } catch {
      return {
        error: {
          type: 'api_connection_error',
          message:
            'We are experiencing issues connecting to our payments provider. Please check your internet connection and try again.',
        },
      };
    }
  }
  return {
    retrieve: (clientSecret) => call(clientSecret, '', {}),
    confirm: (clientSecret, fields) => call(clientSecret, '/confirm', fields),
  };
}
