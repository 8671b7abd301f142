/** The account at Stripe whose objects the database refers to: no row before the first request, then one. */
export interface PaymentAccountTable {
  id: 1;
  /** Null: the key may not tell. */
  stripe_account_id: string | null;
  livemode: 0 | 1;
  /** Of the secret key that was last found to be of this account, so that the account is read once per key. */
  key_hash: string;
  created_at: string;
  updated_at: string;
}

/** The Stripe customer of an account. An account has one row without `deleted_at`. */
export interface PaymentCustomersTable {
  id: string;
  user_id: string;
  /** Null until Stripe has created the customer; the idempotency key of that request is made of this row's id. */
  stripe_customer_id: string | null;
  /** The lease that serialises the writes of Stripe's state per customer. */
  locked_by: string | null;
  locked_until: string | null;
  /** When the customer was deleted at Stripe (by its event), or could not be created; the account gets another. */
  deleted_at: string | null;
  created_at: string;
}

/** The current payment faults; a row is deleted when its fault is over. */
export interface PaymentFaultsTable {
  /** See `PaymentFault`. */
  fault: string;
  /** Sentences for operators. */
  reason: string;
  since: string;
  /** When the admins were notified (by the daemon). */
  notified_at: string | null;
  updated_at: string;
}
