import type { Generated } from 'kysely';

/** One account per mail address. */
export interface UsersTable {
  id: string;
  /** Lower case. */
  email: string;
  /** When the address was confirmed with us; null until then, and until then there is no session. */
  email_verified_at: string | null;
  username: string;
  /** admin: granted by the environment's lists at sign-in or by the admin command, taken back by that command; else member. */
  role: Generated<'admin' | 'member'>;
  /** The Discord account that signs in here. Set only together with or after the confirmation of the address. */
  discord_id: string | null;
  discord_username: string | null;
  /** The hash of the picture that Discord shows now; null: it has none. */
  discord_avatar: string | null;
  /** Where our copy of that picture is served (`/uploads/…`); null while there is none. */
  discord_picture: string | null;
  /** The hash that this copy was made from: behind `discord_avatar` until the newer picture could be fetched. */
  discord_picture_hash: string | null;
  /** scrypt, with its parameters; null: no password. */
  password_hash: string | null;
  /** While the address is unconfirmed: the registration that set the password. Only a code of that registration keeps it. */
  password_registration_id: string | null;
  /** Asked for beta access (by the member); null again after a revoke (by an admin). */
  beta_requested_at: string | null;
  /** Let in (by an admin); null again after a revoke. */
  beta_approved_at: string | null;
  /** 1 since the first request; a revoke does not change it. */
  beta_ever_requested: Generated<0 | 1>;
  /** JSON: what the member has chosen, without the defaults. */
  preferences: Generated<string>;
  created_at: string;
  updated_at: string;
}
