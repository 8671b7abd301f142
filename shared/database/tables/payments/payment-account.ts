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
