import type { Transaction } from 'kysely';
import { fromIso, HOUR, SECOND, toIso } from '../clock';
import type { Schema } from '../database/schema';
import { DomainError } from '../errors';
import { newId } from '../ids';
import type { Keyring } from '../keyring.server';

/** Between two codes that somebody asks for. */
export const RESEND_WAIT_MS = 30 * SECOND;
/** Mails about codes to one address, whichever call asks. */
export const CODES_PER_HOUR = 5;

/** What may still be sent to an address. It is the same for addresses without an account. */
export interface CodeAllowance {
  /** The last code was asked for less than thirty seconds ago. */
  recent: boolean;
  /** Nothing more may be sent for now. */
  exhausted: boolean;
  /** When the next code may be asked for; 0: now. */
  waitMs: number;
}

/** Reads how often codes were asked for lately. */
export async function readAllowance(
  trx: Transaction<Schema>,
  { keyring, email, now }: { keyring: Keyring; email: string; now: number },
): Promise<CodeAllowance> {
  const rows = await trx
    .selectFrom('code_requests')
    .select('requested_at')
    .where('email_hash', 'in', keyring.hashes('email', email))
    .where('requested_at', '>', toIso(now - HOUR))
    .orderBy('requested_at', 'desc')
    .limit(CODES_PER_HOUR)
    .execute();
  const times = rows.map((row) => fromIso(row.requested_at));
  const [last] = times;
  const tooSoonFor = last === undefined ? 0 : Math.max(0, last + RESEND_WAIT_MS - now);
  const oldest = times[CODES_PER_HOUR - 1];
  const fullFor = oldest === undefined ? 0 : oldest + HOUR - now;
  return {
    recent: tooSoonFor > 0,
    exhausted: fullFor > 0,
    waitMs: Math.max(tooSoonFor, fullFor),
  };
}

/** Counts one more request for a code. */
export async function countCodeRequest(
  trx: Transaction<Schema>,
  { keyring, email, now }: { keyring: Keyring; email: string; now: number },
): Promise<void> {
  await trx
    .insertInto('code_requests')
    .values({ id: newId(), email_hash: keyring.hash('email', email), requested_at: toIso(now) })
    .execute();
}

/** The refusal of somebody who asks again too soon. */
export function tooSoon(waitMs: number): DomainError {
  // Two at least, because the sentence speaks of seconds.
  const seconds = Math.max(2, Math.ceil(waitMs / SECOND));
  return new DomainError('RateLimited', {
    code: 'code_too_soon',
    message: `Please wait ${seconds} seconds before asking for another code.`,
    retryAfterSeconds: seconds,
  });
}
