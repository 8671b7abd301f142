import type { Generated } from 'kysely';

/** Numbers of tokens that can be bought. Changed by `npm run packages`; never deleted. */
export interface TokenPackagesTable {
  id: string;
  name: string;
  description: string;
  token_count: number;
  price_pence: number;
  /** A retired package can no longer be bought. */
  retired_at: string | null;
  created_at: string;
  updated_at: string;
}

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
  /** Since when its payment is missing at Stripe (by the sync); the other columns stay unchanged. */
  missing_since: string | null;
  /** When Stripe's state was last read. */
  synced_at: string | null;
  created_at: string;
  updated_at: string;
}

/**
 * Every change of a token balance; append-only. Rows form a chain per account: `balance_before` is the `balance_after` of
 * the row before, held by a foreign key, so the last `balance_after` is the sum of all `tokens`.
 */
export interface TokenLedgerTable {
  id: string;
  user_id: string;
  /** 1, 2, 3 … per account. */
  seq: number;
  /** `seq` - 1; null in the first row. */
  previous_seq: number | null;
  kind: 'purchase' | 'consume' | 'refund' | 'dispute' | 'dispute_won' | 'grant';
  /** Negative: taken. */
  tokens: number;
  balance_before: number;
  /** Below zero only after a refund or a dispute. */
  balance_after: number;
  /** The task of a `consume`; one row per account and task. */
  task_id: string | null;
  purchase_id: string | null;
  /** The cause of the row, such as a purchase or a refund; one row per source. Null for `consume`. */
  source_id: string | null;
  created_at: string;
}

/** Tokens that admins granted to members or took back (negative); each has a row in the ledger. Never changed. */
export interface TokenGrantsTable {
  /** The id of the request, so that it is granted once. */
  id: string;
  user_id: string;
  tokens: number;
  reason: string;
  /** Null: the admin's account is deleted. */
  granted_by: string | null;
  created_at: string;
}

/** The proxy assigned to a task. Deleted a day after it was closed: the ledger records the tokens it used. */
export interface ProxyAssignmentsTable {
  user_id: string;
  task_id: string;
  /** The proxy's URL, sealed with the session secret. */
  sealed_proxy: string;
  /** 1, 2, 3 … per account, in the order of assignment. 0 in rows of earlier releases. */
  ordinal: Generated<number>;
  created_at: string;
  /** When the task used its tokens, or the assignment expired unused after a day. Null while open. */
  closed_at: string | null;
}
