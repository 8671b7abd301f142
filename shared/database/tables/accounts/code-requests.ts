/**
 * One row per request for a code, also for unknown addresses, so that rate limits do not reveal who has an account.
 */
export interface CodeRequestsTable {
  id: string;
  /** Keyed hash of the address. */
  email_hash: string;
  /** Keyed hash of the caller's network; null for a proven sign-in. */
  network_hash: string | null;
  /** Keyed hash of the browser's key; null for an API call without cookies. */
  browser_hash: string | null;
  /** The evidence of a proven sign-in, such as `discord:` and the id; null for an anonymous request. */
  proof: string | null;
  requested_at: string;
}
