import type { Generated } from 'kysely';

/** One account per mail address. */
export interface UsersTable {
  id: string;
  /** Lower case. */
  email: string;
  /** When the address was confirmed with us. Null until then; an unconfirmed account has no sessions. */
  email_verified_at: string | null;
  username: string;
  /** `username` as `searchKey` makes it. */
  username_search: Generated<string>;
  /** admin: see `admin_granted_by`; else member. */
  role: Generated<'admin' | 'member'>;
  /**
   * environment: granted at sign-in by ADMIN_EMAILS or ADMIN_DISCORD_IDS, and revoked at the next start or sign-in once
   * these no longer name the account; command, null: granted and revoked by the admin command. Null for members.
   */
  admin_granted_by: 'environment' | 'command' | null;
  /**
   * When an admin or the admin command disabled the account; null: it is not disabled. Equal to `deletion_requested_at`:
   * the deletion request disabled it.
   */
  disabled_at: string | null;
  /** When its deletion was requested, and when it is due; null: not requested, withdrawn, or done. */
  deletion_requested_at: string | null;
  delete_after: string | null;
  /** When it was deleted. The row stays, without personal data, for records that the law requires. */
  deleted_at: string | null;
  /** The linked Discord account. Set only with or after the confirmation of the address. */
  discord_id: string | null;
  discord_username: string | null;
  /** `discord_username` as `searchKey` makes it. */
  discord_search: Generated<string | null>;
  /** The hash of the current Discord avatar; null for none. */
  discord_avatar: string | null;
  /** The path of our copy of the avatar (`/uploads/…`); null while there is none. */
  discord_picture: string | null;
  /** The hash of the copied avatar; differs from `discord_avatar` until the newer avatar is copied. */
  discord_picture_hash: string | null;
  /** scrypt, with its parameters; null: no password. */
  password_hash: string | null;
  /** While the address is unconfirmed: the registration that set the password. Only a code of that registration keeps it. */
  password_registration_id: string | null;
  /** When the member requested beta access; null after a revoke. */
  beta_requested_at: string | null;
  /** When an admin approved the request; null after a revoke. */
  beta_approved_at: string | null;
  /** 1 since the first request; a revoke does not change it. */
  beta_ever_requested: Generated<0 | 1>;
  /**
   * When the mail server permanently refused the address, and its reply; cleared by a confirmed address or an accepted
   * test.
   */
  mail_bounced_at: string | null;
  mail_bounce_reason: string | null;
  /** When that was last cleared: earlier refusals do not count. */
  mail_bounce_cleared_at: string | null;
  /** When the owner reported a new browser's sign-in: browsers that signed in before count as new again. */
  browsers_forgotten_at: string | null;
  /** JSON: the member's preferences, without the defaults. */
  preferences: Generated<string>;
  created_at: string;
  updated_at: string;
}

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

/** The public keys of passkeys. */
export interface PasskeysTable {
  id: string;
  user_id: string;
  /** Identifies the key to the authenticator; base64url. */
  credential_id: string;
  /** COSE, base64url. */
  public_key: string;
  /** The authenticator's count of signatures at the last sign-in; always 0 for keys that are synced between devices. */
  counter: number;
  /** Chosen by the owner; initially the authenticator's name. */
  name: string;
  created_at: string;
  last_used_at: string | null;
  /** When a sign-in had a lower counter: the key is refused until it is removed. */
  refused_at: string | null;
}

/** The passkey challenges that were answered: each is valid once. */
export interface UsedChallengesTable {
  /** The challenge's random part. */
  id: string;
  expires_at: string;
}

/** Six-digit codes sent by mail. */
export interface VerificationCodesTable {
  id: string;
  user_id: string;
  /** Keyed hash of the row's id and the code. */
  code_hash: string;
  /** Keyed hash of the requesting browser's key; null for an API call without cookies. */
  browser_hash: string | null;
  /** The evidence of a proven sign-in, such as `discord:` and the id; null for an anonymous request. */
  proof: string | null;
  /** The registration of the requesting sign-in; its password is kept when this code confirms the address. */
  registration_id: string | null;
  /** The Discord account of the requesting sign-in; linked when this code confirms the address. */
  discord_id: string | null;
  discord_username: string | null;
  discord_avatar: string | null;
  /**
   * live: usable until `expires_at` (written when it is issued); used (by the right try); replaced (when a newer code
   * is issued); guessed (by the fifth wrong try).
   */
  status: 'live' | 'used' | 'replaced' | 'guessed';
  /** Tries so far, right or wrong. */
  tries: Generated<number>;
  created_at: string;
  expires_at: string;
}

/** One row per request for a code, also for unknown addresses, so that rate limits do not reveal who has an account. */
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
