/** The keys of the sandbox's Stripe account. */
export const API_KEYS = { secret: 'sk_test_sandbox', publishable: 'pk_test_sandbox' } as const;

/** An account at Stripe in one of its modes: the objects that its keys reach. */
export interface AccountKeys {
  id: string;
  livemode: boolean;
  secret: string;
  publishable: string;
}

/** Test and live mode of one account have the same id and different objects. */
export const ACCOUNTS = {
  own: { id: 'acct_1Sandbox', livemode: false, ...API_KEYS },
  live: { id: 'acct_1Sandbox', livemode: true, secret: 'sk_live_sandbox', publishable: 'pk_live_sandbox' },
  other: {
    id: 'acct_1Elsewhere',
    livemode: false,
    secret: 'sk_test_elsewhere',
    publishable: 'pk_test_elsewhere',
  },
} as const satisfies Record<string, AccountKeys>;

/** Signs webhooks. */
export const WEBHOOK_SECRET = 'whsec_sandbox';

/** The version of the API that the sandbox serves: the SDK's own. */
export const API_VERSION = '2026-10-28.endive';
