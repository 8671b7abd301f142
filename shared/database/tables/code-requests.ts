/** Each time a code was asked for; for unknown addresses too, so that limits tell nobody who has an account. */
export interface CodeRequestsTable {
  id: string;
  /** Keyed hash of the address. */
  email_hash: string;
  requested_at: string;
}
