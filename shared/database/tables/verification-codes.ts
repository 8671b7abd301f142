import type { Generated } from 'kysely';

/** Six-digit codes sent by mail. */
export interface VerificationCodesTable {
  id: string;
  user_id: string;
  /** Keyed hash of the row's id and the code. */
  code_hash: string;
  /** Keyed hash of the key of the browser whose sign-in asked for it; null: asked for by a bare API call. */
  browser_hash: string | null;
  /** What proved the sign-in that asked for it, such as `discord:` and the id; null: asked for anonymously. */
  proof: string | null;
  /** The registration that asked for it: its password stays when this code confirms the address. */
  registration_id: string | null;
  /** The Discord account whose sign-in asked for it: linked when this code confirms the address. */
  discord_id: string | null;
  discord_username: string | null;
  discord_avatar: string | null;
  /**
   * live: may be used until `expires_at` (by whoever issues it); used (by the try that was right);
   * replaced: a newer one was issued (by whoever issues that); guessed: five wrong tries (by the fifth).
   */
  status: 'live' | 'used' | 'replaced' | 'guessed';
  /** Tries so far, right or wrong. */
  tries: Generated<number>;
  created_at: string;
  expires_at: string;
}
