import type { Generated } from 'kysely';

/** One account per mail address. */
export interface UsersTable {
  id: string;
  /** Lower case. */
  email: string;
  /** When the address was confirmed with us. Null until then; an unconfirmed account has no sessions. */
  email_verified_at: string | null;
  username: string;
  /** admin: see `admin_granted_by`; else member. */
  role: Generated<'admin' | 'member'>;
  /**
   * environment: granted at sign-in by ADMIN_EMAILS or ADMIN_DISCORD_IDS, and ended at the next start or sign-in once
   * these no longer name the account; command: granted and revoked by the admin command, as is null. Null for members.
   */
  admin_granted_by: 'environment' | 'command' | null;
  /** When an admin or the admin command disabled the account; null: it is not disabled. */
  disabled_at: string | null;
  /** The linked Discord account. Set only with or after the confirmation of the address. */
  discord_id: string | null;
  discord_username: string | null;
  /** The hash of the current Discord avatar; null for none. */
  discord_avatar: string | null;
  /** The path of our copy of the avatar (`/uploads/…`); null while there is none. */
  discord_picture: string | null;
  /** The hash of the copied avatar; differs from `discord_avatar` until the newer avatar is copied. */
  discord_picture_hash: string | null;
  /** scrypt, with its parameters; null: no password. */
  password_hash: string | null;
  /**
   * While the address is unconfirmed: the registration that set the password. Only a code of that registration keeps
   * it.
   */
  password_registration_id: string | null;
  /** When the member requested beta access; null after a revoke. */
  beta_requested_at: string | null;
  /** When an admin approved the request; null after a revoke. */
  beta_approved_at: string | null;
  /** 1 since the first request; a revoke does not change it. */
  beta_ever_requested: Generated<0 | 1>;
  /**
   * When the mail server refused the address for good, and what it answered; cleared by a confirmed address or an
   * accepted test.
   */
  mail_bounced_at: string | null;
  mail_bounce_reason: string | null;
  /** JSON: the member's preferences, without the defaults. */
  preferences: Generated<string>;
  created_at: string;
  updated_at: string;
}
