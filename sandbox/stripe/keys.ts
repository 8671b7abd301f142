/** The keys of the sandbox's Stripe account. */
export const API_KEYS = { secret: 'sk_test_sandbox', publishable: 'pk_test_sandbox' } as const;

/** Signs webhooks. */
export const WEBHOOK_SECRET = 'whsec_sandbox';

/** The version of the API that the sandbox serves: the SDK's own. */
export const API_VERSION = '2026-10-28.endive';
