/** Somebody is signed in: a browser's cookie or a bearer token. */
export interface SessionsTable {
  id: string;
  user_id: string;
  /**
   * Of a token in local storage: the session of the same browser's cookie, whose end is its end. Null: a session of its own,
   * a browser's cookie or another client.
   */
  browser_session_id: string | null;
  /** SHA-256 of the token; the token itself is known to its holder alone. */
  token_hash: string;
  /** What the client called itself at sign-in. */
  user_agent: string | null;
  created_at: string;
  /** To the minute. */
  last_seen_at: string;
  /** Moves with `last_seen_at`. */
  expires_at: string;
}
