/** What a subscription can be bought for. Changed by `npm run packages`; never deleted. */
export interface SubscriptionPackagesTable {
  id: string;
  name: string;
  description: string;
  price_pence: number;
  /** One Stripe Price recurs every so many days. */
  duration_days: number;
  /** Set by `npm run packages -- sync`, as is `stripe_price_id`. */
  stripe_product_id: string | null;
  stripe_price_id: string | null;
  /** Why the package cannot be sold, such as a Stripe price with another amount (by sync and the check at start). */
  stripe_fault: string | null;
  /** A retired package can no longer be bought; subscriptions to it continue. */
  retired_at: string | null;
  created_at: string;
  updated_at: string;
}
