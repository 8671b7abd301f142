import Stripe from 'stripe';
import { PRODUCT_NAME } from '../brand';
import { SECOND } from '../clock';
import type { StripeConfig } from '../config.server';

/** The version of Stripe's API that this code is written for; equal to the SDK's own and to Stripe.js' ("endive"). */
export const STRIPE_API_VERSION = '2026-10-28.endive';

/** Per attempt, so that a page answers within 15 s (product specification). */
const TIMEOUT_MS = 5 * SECOND;
/** The SDK waits 0.5 to 5 s between tries and sends the same idempotency key (stripe-node README, "Network retries"). */
const MAX_RETRIES = 1;

/** The client of Stripe's API. `shared/payments` and `shared/subscriptions` are its only users. */
export function createStripe({ secretKey, apiUrl }: Pick<StripeConfig, 'secretKey' | 'apiUrl'>): Stripe {
  const { protocol, hostname, port } = new URL(apiUrl);
  return new Stripe(secretKey, {
    apiVersion: STRIPE_API_VERSION,
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port === '' ? {} : { port }),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: MAX_RETRIES,
    telemetry: false,
    appInfo: { name: PRODUCT_NAME },
  });
}
