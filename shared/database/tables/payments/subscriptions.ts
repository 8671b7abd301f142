import type { Generated } from 'kysely';

/** Attempts to subscribe, and the subscriptions that they became. Stripe's state is written by the sync alone. */
export interface SubscriptionsTable {
  id: string;
  user_id: string;
  package_id: string;
  /** Null until Stripe has created it; the idempotency key of that request is made of this row's id. */
  stripe_subscription_id: string | null;
  /** The hosted Checkout session of an attempt without scripts. */
  stripe_checkout_session_id: string | null;
  /**
   * creating: the attempt has no Stripe subscription yet (by the attempt); abandoned: it was replaced by another attempt
   * or its Checkout session expired (by the later attempt or the sync). All others are Stripe's, written by the sync.
   */
  status:
    | 'creating'
    | 'abandoned'
    | 'incomplete'
    | 'incomplete_expired'
    | 'trialing'
    | 'active'
    | 'past_due'
    | 'unpaid'
    | 'paused'
    | 'canceled';
  current_period_start: string | null;
  current_period_end: string | null;
  /** Stripe ends it with its period (the flag of this name). */
  cancel_at_period_end: Generated<0 | 1>;
  /** When Stripe ends it by a date, within the period or after it; null when none is set, and with the flag. */
  cancel_at: string | null;
  /** The reason that the member gave. */
  cancel_reason: string | null;
  /** The end of the grace after a failed renewal; null while the current period is paid. */
  grace_until: string | null;
  latest_invoice_id: string | null;
  /** The latest invoice waits for the member's confirmation (strong customer authentication). */
  needs_confirmation: Generated<0 | 1>;
  ended_at: string | null;
  /** The next renewal's charge by Stripe's preview, with discounts, tax and credit, in pence; null: unknown. */
  renewal_pence: number | null;
  /** The end of the period that the preview is for; null without a preview. */
  renewal_at: string | null;
  /** When `renewal_pence` was read; a reading without a preview leaves it. Null: never, or not since this column exists. */
  renewal_read_at: string | null;
  /** The plan from the next renewal on, when a schedule at Stripe changes it; null: the same. */
  renewal_package_id: string | null;
  /** Stripe collects no payments (`pause_collection`), until `payments_resume_at` or, when that is null, until further notice. */
  payments_paused: Generated<0 | 1>;
  payments_resume_at: string | null;
  /** Since when it or one of its invoices is missing at Stripe (by the sync); the other columns stay unchanged. */
  missing_since: string | null;
  /** When Stripe's state was last read. */
  synced_at: string | null;
  created_at: string;
  updated_at: string;
}

/** The plans. Changed by `npm run packages`; never deleted. */
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

/** The invoices of subscriptions as Stripe last showed them. A change of a row decides which mail is sent. */
export interface SubscriptionInvoicesTable {
  /** Stripe's id. */
  id: string;
  subscription_id: string;
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void';
  billing_reason: string | null;
  amount_due_pence: number;
  amount_paid_pence: number;
  attempt_count: number;
  needs_confirmation: Generated<0 | 1>;
  paid_at: string | null;
  created_at: string;
  updated_at: string;
}

/** Refunds and disputes of subscription payments as Stripe last showed them (by the sync). */
export interface SubscriptionReversalsTable {
  /** Stripe's id of the refund or dispute. */
  id: string;
  subscription_id: string;
  invoice_id: string;
  kind: 'refund' | 'dispute';
  /** The status that Stripe gives. */
  status: string;
  amount_pence: number;
  paid_pence: number;
  /** When the admins were notified of it, which happens once. */
  notified_at: string | null;
  created_at: string;
  updated_at: string;
}

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
