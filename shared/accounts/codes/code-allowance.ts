import type { Kysely, Transaction } from 'kysely';
import { fromIso, HOUR, MINUTE, SECOND, toIso } from '../../clock';
import type { Schema } from '../../database/schema';
import { DomainError } from '../../errors';
import { newId } from '../../ids';
import type { Keyring } from '../../secrets.server';

/** Between two codes that are asked for. */
export const RESEND_WAIT_MS = 30 * SECOND;
/** Mails about codes to one address in an hour for anonymous requests from one network. */
const CODES_PER_NETWORK = 3;
/** The same for anonymous requests from all networks together. */
const CODES_PER_ADDRESS = 10;
/** Codes in an hour for one proven sign-in. */
const CODES_PER_PROOF = 5;

/** A caller that has proved nothing: anyone may name any address. */
export interface AnonymousRequest {
  email: string;
  /** The caller's network, as `wideNetworkOf` names it. */
  network: string;
  /** Known to this browser alone; null for a bare API call. */
  browserKey: string | null;
}

/** A sign-in that Discord or the right password has proved. */
export interface ProvenRequest {
  email: string;
  /** What proved it: see `proofOf`. */
  proof: string;
}

/** What anonymous callers may still ask for. It is the same for addresses without an account. */
export interface AnonymousAllowance {
  /** This browser has asked for a code for this address less than thirty seconds ago. */
  recentInBrowser: boolean;
  /** When another code may be asked for without being too fast, counted from the last request of any caller; 0: now. */
  tooSoonMs: number;
  /** When the next mail may be sent; 0: now. */
  fullMs: number;
}

interface AllowanceContext {
  keyring: Keyring;
  now: number;
}

/** When the oldest of the last `most` requests is an hour old, newest first; 0 when there are fewer. */
function untilNotFull(times: readonly number[], most: number, now: number): number {
  const oldest = times[most - 1];
  return oldest === undefined ? 0 : Math.max(0, oldest + HOUR - now);
}

/** Names what proved a sign-in: the Discord account, or the registration whose password was right. */
export function proofOf(purpose: { registrationId: string | null; discord: { id: string } | null }): string {
  return purpose.discord === null
    ? `registration:${purpose.registrationId ?? ''}`
    : `discord:${purpose.discord.id}`;
}

/** Reads what anonymous callers have asked for lately. Proven sign-ins do not count. */
export async function readAnonymousAllowance(
  db: Kysely<Schema>,
  { keyring, now }: AllowanceContext,
  { email, network, browserKey }: AnonymousRequest,
): Promise<AnonymousAllowance> {
  const rows = await db
    .selectFrom('code_requests')
    .select(['requested_at', 'network_hash', 'browser_hash'])
    .where('email_hash', 'in', keyring.hashes('email', email))
    .where('proof', 'is', null)
    .where('requested_at', '>', toIso(now - HOUR))
    .orderBy('requested_at', 'desc')
    .limit(CODES_PER_ADDRESS)
    .execute();
  const requests = rows.map((row) => ({ ...row, at: fromIso(row.requested_at) }));
  const isRecent = ({ at }: { at: number }) => at + RESEND_WAIT_MS > now;
  const networkHashes = keyring.hashes('network', network);
  const browserHashes = browserKey === null ? [] : keyring.hashes('browser', browserKey);
  const ofNetwork = requests
    .filter((row) => row.network_hash !== null && networkHashes.includes(row.network_hash))
    .map(({ at }) => at);
  const last = requests[0]?.at;
  return {
    recentInBrowser: requests.some(
      (row) => isRecent(row) && row.browser_hash !== null && browserHashes.includes(row.browser_hash),
    ),
    tooSoonMs: last === undefined ? 0 : Math.max(0, last + RESEND_WAIT_MS - now),
    fullMs: Math.max(
      untilNotFull(ofNetwork, CODES_PER_NETWORK, now),
      untilNotFull(
        requests.map(({ at }) => at),
        CODES_PER_ADDRESS,
        now,
      ),
    ),
  };
}

/** When a proven sign-in may have its next code, in milliseconds; 0: now. Requests of others do not count. */
export async function readProvenWait(
  trx: Transaction<Schema>,
  { keyring, now }: AllowanceContext,
  { email, proof }: ProvenRequest,
): Promise<number> {
  const rows = await trx
    .selectFrom('code_requests')
    .select('requested_at')
    .where('email_hash', 'in', keyring.hashes('email', email))
    .where('proof', '=', proof)
    .where('requested_at', '>', toIso(now - HOUR))
    .orderBy('requested_at', 'desc')
    .limit(CODES_PER_PROOF)
    .execute();
  return untilNotFull(
    rows.map((row) => fromIso(row.requested_at)),
    CODES_PER_PROOF,
    now,
  );
}

/** Counts one more request for a code. */
export async function countCodeRequest(
  trx: Transaction<Schema>,
  { keyring, now }: AllowanceContext,
  request: AnonymousRequest | ProvenRequest,
): Promise<void> {
  const isProven = 'proof' in request;
  await trx
    .insertInto('code_requests')
    .values({
      id: newId(),
      email_hash: keyring.hash('email', request.email),
      network_hash: isProven ? null : keyring.hash('network', request.network),
      browser_hash:
        isProven || request.browserKey === null ? null : keyring.hash('browser', request.browserKey),
      proof: isProven ? request.proof : null,
      requested_at: toIso(now),
    })
    .execute();
}

/** The refusal of a request for which no mail is sent now; it says when the next one can be. */
export function codeTooSoon(waitMs: number): DomainError {
  // Two at least, because the sentence speaks of seconds.
  const seconds = Math.max(2, Math.ceil(waitMs / SECOND));
  const wait = waitMs < 2 * MINUTE ? `${seconds} seconds` : `${Math.ceil(waitMs / MINUTE)} minutes`;
  return new DomainError('RateLimited', {
    code: 'code_too_soon',
    message: `Please wait ${wait} before asking for another code.`,
    retryAfterSeconds: seconds,
  });
}
