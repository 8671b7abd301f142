/** Previews of plan changes, kept for fifteen minutes: confirming one charges its amount. */
export interface PlanQuotesTable {
  id: string;
  user_id: string;
  subscription_id: string;
  from_package_id: string;
  new_package_id: string;
  /** Stripe's `proration_date`, in epoch seconds. */
  proration_at: number;
  /** The unused value of the current plan. */
  remaining_pence: number;
  /** Due now; negative: a credit. */
  prorated_pence: number;
  /** open: can be confirmed until `expires_at`; used: confirmed (by the change); replaced: by a newer preview. */
  status: 'open' | 'used' | 'replaced';
  created_at: string;
  expires_at: string;
}
