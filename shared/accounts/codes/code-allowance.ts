import { fromIso, HOUR, MINUTE, SECOND, toIso } from '../../clock';
import type { Database, Transaction } from '../../database/schema';
import { DomainError } from '../../errors';
import { newId } from '../../ids';
import type { Keyring } from '../../secrets.server';

/** The shortest time between two codes. */
export const RESEND_WAIT_MS = 30 * SECOND;
/** Mails per hour to one address for anonymous requests from one network. */
const CODES_PER_NETWORK = 3;
/** Mails per hour to one address for anonymous requests from all networks. */
const CODES_PER_ADDRESS = 10;
/** Codes per hour for one proven sign-in. */
const CODES_PER_PROOF = 5;

/** An unauthenticated request: the caller may name any address. */
export interface AnonymousRequest {
  email: string;
  /** The caller's network, as `wideNetworkOf` returns it. */
  network: string;
  /** The browser's secret key; null for an API call without cookies. */
  browserKey: string | null;
}

/** A sign-in that Discord or the right password has authenticated. */
export interface ProvenRequest {
  email: string;
  /** The evidence, from `proofOf`. */
  proof: string;
}

/** The remaining allowance of anonymous callers. The same for addresses without an account. */
export interface AnonymousAllowance {
  /** Whether this browser requested a code for this address less than thirty seconds ago. */
  recentInBrowser: boolean;
  /** The wait after the last request of any caller, in milliseconds; 0: none. */
  tooSoonMs: number;
  /** The wait until the next mail may be sent, in milliseconds; 0: none. */
  fullMs: number;
}

interface AllowanceContext {
  keyring: Keyring;
  now: number;
}

/** The wait until fewer than `most` requests fall within the last hour. `times`: newest first. */
function untilNotFull(times: readonly number[], most: number, now: number): number {
  const oldest = times[most - 1];
  return oldest === undefined ? 0 : Math.max(0, oldest + HOUR - now);
}

/** The evidence of a sign-in as a string: the Discord account, or the registration with the right password. */
export function proofOf(purpose: { registrationId: string | null; discord: { id: string } | null }): string {
  return purpose.discord === null
    ? `registration:${purpose.registrationId ?? ''}`
    : `discord:${purpose.discord.id}`;
}

/** Reads the allowance of anonymous callers. Proven sign-ins do not count. */
export async function readAnonymousAllowance(
  db: Database,
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

/** The wait until a proven sign-in may have another code, in milliseconds; 0: none. Other requests do not count. */
export async function readProvenWait(
  trx: Transaction,
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

/** Records a request for a code. */
export async function countCodeRequest(
  trx: Transaction,
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

/** The error for a code request that came too soon, with the remaining wait. */
export function codeTooSoon(waitMs: number): DomainError {
  // At least two: the sentence uses the plural.
  const seconds = Math.max(2, Math.ceil(waitMs / SECOND));
  const wait = waitMs < 2 * MINUTE ? `${seconds} seconds` : `${Math.ceil(waitMs / MINUTE)} minutes`;
  return new DomainError('RateLimited', {
    code: 'code_too_soon',
    message: `Please wait ${wait} before asking for another code.`,
    retryAfterSeconds: seconds,
  });
}
