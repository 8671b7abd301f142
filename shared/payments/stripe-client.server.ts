import Stripe from 'stripe';
import { PRODUCT_NAME } from '../brand';
import { SECOND } from '../clock';
import type { StripeConfig } from '../config.server';
import { createHttpAgents } from '../network/connect/http-agents.server';
import { remainingMs } from './step-deadline.server';

/** The version of Stripe's API that this code is written for; equal to the SDK's own and to Stripe.js' ("endive"). */
export const STRIPE_API_VERSION = '2026-10-28.endive';

/** Per attempt; a step shortens it to what it has left. */
const TIMEOUT_MS = 20 * SECOND;
/** The SDK waits 0.5 to 5 s between tries and sends the same idempotency key (stripe-node README, "Network retries"). */
const MAX_RETRIES = 1;

/** Gives each request, also a repeated one, what the running step has left; refuses it when nothing is left. */
function withinSteps(inner: Stripe.HttpClient): Stripe.HttpClient {
  return {
    getClientName: () => inner.getClientName(),
    makeRequest(host, port, path, method, headers, data, protocol, timeout) {
      const remaining = remainingMs();
      if (remaining <= 0) return Promise.reject(new Error('The payment step has no time left.'));
      const limit = Math.ceil(Math.min(timeout, remaining));
      return inner.makeRequest(host, port, path, method, headers, data, protocol, limit);
    },
  };
}

/** The client of Stripe's API. `shared/payments` and `shared/subscriptions` are its only users. */
export function createStripe({ secretKey, apiUrl }: Pick<StripeConfig, 'secretKey' | 'apiUrl'>): Stripe {
  const { protocol, hostname, port } = new URL(apiUrl);
  const { httpAgent, httpsAgent } = createHttpAgents({ keepAlive: true });
  return new Stripe(secretKey, {
    apiVersion: STRIPE_API_VERSION,
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port === '' ? {} : { port }),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: MAX_RETRIES,
    httpClient: withinSteps(Stripe.createNodeHttpClient(protocol === 'http:' ? httpAgent : httpsAgent)),
    telemetry: false,
    appInfo: { name: PRODUCT_NAME },
  });
}
