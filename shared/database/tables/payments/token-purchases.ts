import type { Generated } from 'kysely';

/** Purchases of tokens. Name, count and amount are those of the package at the time of the purchase. */
export interface TokenPurchasesTable {
  id: string;
  user_id: string;
  package_id: string;
  package_name: string;
  token_count: number;
  amount_pence: number;
  /**
   * pending: not paid yet (by the attempt; an account has one at a time); completed: it is paid at Stripe, and the
   * ledger has the tokens; failed: the last payment attempt was refused and no other followed; abandoned: canceled
   * before any payment, and shown in no list. The last three are written by the sync.
   */
  status: 'pending' | 'completed' | 'failed' | 'abandoned';
  /** Null until Stripe has created it; the idempotency key of that request is made of this row's id. */
  stripe_payment_intent_id: string | null;
  /** The hosted Checkout session of a purchase without scripts. */
  stripe_checkout_session_id: string | null;
  /**
   * When the sync first read that the member has submitted the payment; null while the payment step was only opened. A
   * session of Checkout has no payment before that.
   */
  submitted_at: string | null;
  /** Stripe's sentence about the last refused payment. */
  failure_message: string | null;
  refunded_pence: Generated<number>;
  dispute_status: 'open' | 'won' | 'lost' | null;
  completed_at: string | null;
  /** Since when Stripe does not know its payment (by the sync); the other columns stay as they were. */
  missing_since: string | null;
  /** When Stripe's state was last read. */
  synced_at: string | null;
  created_at: string;
  updated_at: string;
}
