import type { OutboxStatus } from '../database/tables/outbox-columns';
import { exponentialBackoffMs } from '../backoff';
import { fromIso, toIso } from '../clock';

/**
 * How one attempt ended, whatever was sent over whatever channel. `Sent`: what is known of an accepted message; `What`: what
 * can be gone.
 *
 * - `retry`: refused for now, or no answer. `waitMs`: how long the receiver asks us to wait. `limited`: a rate limit, which
 *   ends then, for this receiver or for all. `uncertain`: the whole message was sent and no answer came.
 * - `rejected`: refused for good.
 * - `gone`: refused for good, because the webhook, address or device does not exist.
 * - `expired`, `cancelled`: not sent, because it was too late, or is no longer wanted or true.
 *
 * `status`: the receiver's answer, null or absent without one.
 */
export type Outcome<Sent = unknown, What extends string = string> =
  | ({ kind: 'ok'; status?: number | null } & Sent)
  | {
      kind: 'retry';
      status?: number | null;
      reason: string;
      waitMs?: number | null;
      limited?: 'receiver' | 'all';
      uncertain?: boolean;
    }
  | { kind: 'rejected'; status?: number | null; reason: string }
  | { kind: 'gone'; status?: number | null; reason: string; what: What }
  | { kind: 'expired'; reason?: string }
  | { kind: 'cancelled'; reason?: string };

/** An outcome of an attempt that began: what a channel answers. */
export type Answer<Sent = unknown, What extends string = string> = Exclude<
  Outcome<Sent, What>,
  { kind: 'expired' | 'cancelled' }
>;

/** The waits after the 1st, 2nd, 3rd … failed attempt: doubled from `firstMs` up to `maxMs`, spread by a fifth either way. */
export interface Backoff {
  firstMs: number;
  maxMs: number;
}

/** An attempt is uncertain when the receiver may have the message. Such a row is sent once more at most. */
export const SENT_TWICE = 'it was sent twice without an answer, so it is not sent again';

/** Spreads the retries of several rows, always after the requested wait. */
const LIMIT_SPREAD_MS = 50;

/** What an outcome writes to the common columns. */
export interface OutboxChange {
  status: OutboxStatus | 'outdated';
  due_at?: string;
  expires_at?: string;
  uncertain?: 0 | 1;
  sent_at?: string;
  last_status?: number | null;
  last_error?: string | null;
}

/** A rate limit is waited for; other waits grow with the attempts, at least as asked for. `random`: from 0 to 1. */
export function retryWaitMs(
  { waitMs, limited }: { waitMs?: number | null; limited?: string },
  { attempt, backoff, random = Math.random }: { attempt: number; backoff: Backoff; random?: () => number },
): number {
  if (limited !== undefined) return (waitMs ?? 0) + Math.ceil(random() * LIMIT_SPREAD_MS);
  return Math.max(exponentialBackoffMs({ attempt, ...backoff, random }), waitMs ?? 0);
}

/**
 * The change of a row after an attempt that ended at `endedAt`. `expiresAt`: ISO, as stored now. A message that was posted
 * waits for its edit as `outdated`, and stays `sent` when there is no time left for it.
 */
export function changeAfter(
  row: { attempts: number; uncertain: 0 | 1; sent_at: string | null; last_error: string | null },
  outcome: Outcome,
  { backoff, expiresAt, endedAt, now }: { backoff: Backoff; expiresAt: string; endedAt: number; now: number },
): OutboxChange {
  const isPosted = row.sent_at !== null;
  switch (outcome.kind) {
    case 'ok':
      return {
        status: 'sent',
        sent_at: row.sent_at ?? toIso(endedAt),
        last_status: outcome.status ?? null,
        last_error: null,
      };
    case 'cancelled':
      return { status: 'cancelled', last_error: outcome.reason ?? row.last_error };
    case 'expired':
      return { status: isPosted ? 'sent' : 'expired', last_error: row.last_error ?? outcome.reason ?? null };
    case 'rejected':
    case 'gone':
      return { status: 'dead', last_status: outcome.status ?? null, last_error: outcome.reason };
    case 'retry': {
      const answer = {
        last_status: outcome.status ?? null,
        last_error: outcome.reason,
        ...(outcome.uncertain === true && { uncertain: 1 as const }),
      };
      // A gateway's answer says that its server may have the message; a gateway with a fault gives it to all.
      if (outcome.uncertain === true && outcome.status == null && row.uncertain === 1)
        return { ...answer, status: 'dead', last_error: `${outcome.reason}; ${SENT_TWICE}` };
      const dueAt = now + retryWaitMs(outcome, { attempt: row.attempts, backoff });
      if (dueAt >= fromIso(expiresAt)) return { ...answer, status: isPosted ? 'sent' : 'expired' };
      return { ...answer, status: isPosted ? 'outdated' : 'pending', due_at: toIso(dueAt) };
    }
  }
}
