import type { Generated } from 'kysely';

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
