/** What an account has subscribed to; the field names are the API's. */
export interface Membership {
  tier: 'free' | 'pro';
  expiresAt: string | null;
  cancelAtPeriodEnd: boolean;
}

/** The membership of an account without a subscription. */
export const FREE_MEMBERSHIP: Membership = { tier: 'free', expiresAt: null, cancelAtPeriodEnd: false };
