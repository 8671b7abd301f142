/** One row per sign-in: a browser's cookie or a bearer token. */
export interface SessionsTable {
  id: string;
  user_id: string;
  /**
   * For a token in local storage: the session of the same browser's cookie; it is deleted with that session. Null for
   * a cookie and for other clients.
   */
  browser_session_id: string | null;
  /** SHA-256 of the token; the token is not stored. */
  token_hash: string;
  /** The User-Agent at sign-in. */
  user_agent: string | null;
  created_at: string;
  /** To the minute. */
  last_seen_at: string;
  /** Moves with `last_seen_at`. */
  expires_at: string;
}
