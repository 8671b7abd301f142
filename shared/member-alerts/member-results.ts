import type { Kysely } from 'kysely';
import type { Actor } from '../audit/write-audit';
import type { Clock } from '../clock';
import type { Schema } from '../database/schema';

/** How far an alert has reached the members over one channel. */
export interface MemberResult {
  channel: 'email' | 'push';
  /** Rows by state, with the words of the monitor screen. */
  waiting: number;
  sending: number;
  tryingAgain: number;
  sent: number;
  cancelled: number;
  failed: number;
  expired: number;
  handled: number;
  /** The most frequent reasons of failed and waiting-again rows, most frequent first, at most five. */
  reasons: { reason: string; count: number }[];
}

/** Both channels of an alert; a channel without rows is left out. `complete`: every member is listed. */
export function readMemberResults(
  _db: Kysely<Schema>,
  _input: { alertId: string },
): Promise<{ complete: boolean; results: MemberResult[] }> {
  throw new Error('not built yet');
}

/** Sends the failed rows of a channel again, if the alert is still open. Returns how many. Writes the audit log. */
export function retryMemberDeliveries(
  _db: Kysely<Schema>,
  _input: { alertId: string; channel: 'email' | 'push'; actor: Actor; clock: Clock },
): Promise<number> {
  throw new Error('not built yet');
}

/** Marks the failed and expired rows of a channel as handled. Returns how many. Writes the audit log. */
export function handleMemberDeliveries(
  _db: Kysely<Schema>,
  _input: { alertId: string; channel: 'email' | 'push'; actor: Actor; clock: Clock },
): Promise<number> {
  throw new Error('not built yet');
}
