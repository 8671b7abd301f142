import Stripe from 'stripe';
import { API_KEYS } from '../keys';

/** The real SDK against the sandbox, without retries. */
export function stripeClient(origin: string, key: string = API_KEYS.secret): Stripe {
  const { hostname, port } = new URL(origin);
  return new Stripe(key, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false });
}

export type Json = Record<string, unknown>;

/** What Stripe.js sends: a form with the publishable key. Resolves with the status and the body. */
export async function browserPost(
  origin: string,
  path: string,
  fields: Record<string, string>,
): Promise<{ status: number; body: Json }> {
  const response = await fetch(origin + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEYS.publishable}` },
    body: new URLSearchParams(fields),
  });
  return { status: response.status, body: (await response.json()) as Json };
}

/** Creates a payment method from a typed card in the browser and returns its id. */
export async function typeCard(origin: string, number: string): Promise<string> {
  const { status, body } = await browserPost(origin, '/v1/payment_methods', {
    type: 'card',
    'card[number]': number,
    'card[exp_month]': '12',
    'card[exp_year]': '2040',
    'card[cvc]': '123',
    'billing_details[name]': 'Ash Ketchum',
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return String(body.id);
}
