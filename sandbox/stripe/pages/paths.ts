/**
 * The paths of Stripe's hosted pages at the sandbox's origin: the `url` of a Checkout or portal session, an invoice's
 * `hosted_invoice_url`, and the bank's page of a `next_action` (`use_stripe_sdk.stripe_js` and `redirect_to_url.url`).
 */
export const checkoutPath = (session: string) => `/c/pay/${session}`;
export const portalPath = (session: string) => `/p/session/${session}`;
export const invoicePath = (invoice: string) => `/i/acct_sandbox/${invoice}`;
export const challengePath = (paymentIntent: string) => `/3ds/${paymentIntent}`;
