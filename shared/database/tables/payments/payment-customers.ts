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
