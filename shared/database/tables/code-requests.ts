/** Each time a code was asked for; for unknown addresses too, so that limits tell nobody who has an account. */
export interface CodeRequestsTable {
  id: string;
  /** Keyed hash of the address. */
  email_hash: string;
  /** Keyed hash of the network that asked; null for a proven sign-in. */
  network_hash: string | null;
  /** Keyed hash of the key of the browser that asked; null for a bare API call. */
  browser_hash: string | null;
  /** What proved the sign-in that asked, such as `discord:` and the id; null: an anonymous request. */
  proof: string | null;
  requested_at: string;
}
