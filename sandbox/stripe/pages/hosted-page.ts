import type { Html } from '../../html';
import type { RequestContext } from '../../http/app';

/**
 * The paths of Stripe's hosted pages at the sandbox's origin: the `url` of a Checkout or portal session, an invoice's
 * `hosted_invoice_url`, and the bank's page of a `next_action` (`use_stripe_sdk.stripe_js` and `redirect_to_url.url`).
 */
export const checkoutPath = (session: string) => `/c/pay/${session}`;
export const portalPath = (session: string) => `/p/session/${session}`;
export const invoicePath = (invoice: string) => `/i/acct_sandbox/${invoice}`;
export const challengePath = (paymentIntent: string) => `/3ds/${paymentIntent}`;

/** The response of a hosted page: a page with its status, or a redirect. */
export type HostedResult = { status?: number; page: Html } | { location: string };

/** One hosted page: `show` for GET, `submit` for POST. */
export interface HostedPage {
  title: string;
  show(id: string, context: RequestContext): HostedResult;
  submit(id: string, fields: URLSearchParams, context: RequestContext): HostedResult;
}

/** The address of the bank's page, which returns to a hosted page. */
export function challengeUrl(intent: string, backTo: string): string {
  return `${challengePath(intent)}?return=${encodeURIComponent(backTo)}`;
}
