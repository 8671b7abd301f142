import { randomBytes } from 'node:crypto';
import { MINUTE, toIso, type Clock } from '../../clock';
import type { Database } from '../../database/schema';
import { inStatement } from '../../database/transaction';
import type { Keyring } from '../../secrets.server';

/** How long an authenticator may take to answer. */
export const CHALLENGE_LIFETIME_MS = 5 * MINUTE;
/** The least that WebAuthn Level 3, section 13.4.3, asks for. */
const NONCE_BYTES = 16;

interface ChallengeContext {
  keyring: Keyring;
  clock: Clock;
}

const signed = (holder: string, nonce: string, at: string): string => `${holder} ${nonce} ${at}`;

/**
 * A new challenge. It is signed, so that nothing is stored before it is answered, and each tab of a browser has its own.
 * `holder`: what may answer it, a browser or a session, and for which purpose.
 */
export function issueChallenge({ keyring, clock }: ChallengeContext, holder: string): string {
  const nonce = randomBytes(NONCE_BYTES).toString('base64url');
  const at = String(clock.now());
  return `${nonce}.${at}.${keyring.hash('passkey', signed(holder, nonce, at))}`;
}

/**
 * Uses up a challenge. Returns false for one of another holder, an expired one, and one that was used before, by whichever
 * process.
 */
export async function spendChallenge(
  db: Database,
  { keyring, clock }: ChallengeContext,
  { challenge, holder }: { challenge: string; holder: string },
): Promise<boolean> {
  const [nonce = '', at = '', signature = ''] = challenge.split('.', 4);
  if (!keyring.matches('passkey', signed(holder, nonce, at), signature)) return false;
  const expiresAt = Number(at) + CHALLENGE_LIFETIME_MS;
  if (expiresAt <= clock.now()) return false;
  const used = await inStatement(db, (trx) =>
    trx
      .insertInto('used_challenges')
      .values({ id: nonce, expires_at: toIso(expiresAt) })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst(),
  );
  return used !== undefined;
}
