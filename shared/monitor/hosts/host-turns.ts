import type { Selectable } from 'kysely';
import { CLOCK_TOLERANCE_MS, DAY, fromIso, MINUTE, SECOND, toIso, type Clock } from '../../clock';
import type { Database } from '../../database/schema';
import type { HostsTable } from '../../database/tables/monitor/products';
import { inStatement } from '../../database/transaction';
import { LEASE_LIFETIME_MS } from '../checks/check-lease';

export type Host = Selectable<HostsTable>;

/** Two requests to one host are sent at least this far apart, so that it gets at most 30 a minute. */
const SPACING_MS = 2 * SECOND;
/** The spacing is longer by a random share up to this, so that requests do not arrive at exact intervals. */
const SPACING_JITTER = 0.1;
/** A longer `Crawl-delay` is an error of the shop: its products would be checked once a day. */
const MAX_DELAY_MS = 5 * MINUTE;
/** Requests of one turn: a page redirects at most twenty times. */
const MOST_REQUESTS = 25;
/** The pause after one refusal; each further one doubles it, up to the longest. */
const FIRST_PAUSE_MS = MINUTE;
const LONGEST_PAUSE_MS = 15 * MINUTE;
/** Enough refusals for the longest pause. */
const MAX_REFUSALS = 5;
/** A longer pause that a shop asks for is an error of the shop. */
export const MAX_ASKED_PAUSE_MS = DAY;

/** The average time between two requests to a host, in milliseconds. */
export function averageSpacingMs(host: Pick<Host, 'robots_delay_ms'> | null): number {
  return leastSpacingMs(host) * (1 + SPACING_JITTER / 2);
}

/** The least time between two requests to a host, in milliseconds. */
export function leastSpacingMs(host: Pick<Host, 'robots_delay_ms'> | null): number {
  return Math.min(Math.max(SPACING_MS, host?.robots_delay_ms ?? 0), MAX_DELAY_MS);
}

/** The time until the next request to a host (ms): the least spacing and a random part. */
export function nextSpacingMs(host: Pick<Host, 'robots_delay_ms'> | null): number {
  return leastSpacingMs(host) * (1 + Math.random() * SPACING_JITTER);
}

/** When a stored time (ISO) is over; 0 for one that lies further ahead than it can: the clock was set back since. */
function endOf(time: string | null, { now, longestMs }: { now: number; longestMs: number }): number {
  const at = time === null ? 0 : fromIso(time);
  return at > now + longestMs + CLOCK_TOLERANCE_MS ? 0 : at;
}

/** The end (epoch ms) of the pause of a host; 0 without one. */
export function hostPauseEnd(host: Pick<Host, 'paused_until'>, now: number): number {
  return endOf(host.paused_until, { now, longestMs: MAX_ASKED_PAUSE_MS });
}

/** The address's host with its port, as the row of the host is called. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? '';
}

/** Reads the row of a host, or null when none of its pages was ever requested. */
export async function findHost(db: Database, host: string): Promise<Host | null> {
  return (await db.selectFrom('hosts').selectAll().where('host', '=', host).executeTakeFirst()) ?? null;
}

interface TurnRequest {
  host: string;
  owner: string;
  clock: Clock;
  /** Whether the turn may come in the host's pause: an admin wants it. */
  ignoresPause: boolean;
}

/**
 * Takes the turn for one request to a host, if it can be had now; else says in how many milliseconds to try again. One turn
 * at a time, over all processes. The spacing counts from the turn until it is returned with the time of its request. A
 * process takes one turn of a host at a time, so its own is left over from a request that failed to return it.
 */
export async function takeHostTurn(
  db: Database,
  { host, owner, clock, ignoresPause }: TurnRequest,
): Promise<Host | { waitMs: number }> {
  const row = await findHost(db, host);
  const now = clock.now();
  if (row !== null) {
    const leased =
      row.lease_owner === owner ? 0 : endOf(row.lease_until, { now, longestMs: LEASE_LIFETIME_MS });
    const spaced = endOf(row.next_request_at, {
      now,
      longestMs: MOST_REQUESTS * leastSpacingMs(row) * (1 + SPACING_JITTER),
    });
    const paused = ignoresPause ? 0 : hostPauseEnd(row, now);
    const readyAt = Math.max(spaced, paused);
    // Another daemon may return its turn at any time.
    if (leased > now) return { waitMs: Math.min(leased - now, SECOND / 4) };
    if (readyAt > now) return { waitMs: readyAt - now };
  }
  const turn = {
    lease_owner: owner,
    lease_until: toIso(now + LEASE_LIFETIME_MS),
    next_request_at: toIso(now + nextSpacingMs(row)),
  };
  // Each statement repeats what was read: a daemon that was faster has a higher token.
  const taken = await inStatement(db, (trx) =>
    row === null
      ? trx
          .insertInto('hosts')
          .values({ host, lease_token: 1, ...turn })
          .onConflict((conflict) => conflict.column('host').doNothing())
          .returningAll()
          .executeTakeFirst()
      : trx
          .updateTable('hosts')
          .set((set) => ({ ...turn, lease_token: set('lease_token', '+', 1) }))
          .where('host', '=', host)
          .where('lease_token', '=', row.lease_token)
          .returningAll()
          .executeTakeFirst(),
  );
  return taken ?? { waitMs: 0 };
}

/** A host's answer in a turn: `nothing` new, its page, or a refusal. */
export interface HostAnswer {
  kind: 'nothing' | 'page' | 'refusal';
  /** The pause that it asked for with `Retry-After`, in milliseconds; 0 when it asked for none. */
  askedPauseMs: number;
}

/** The new pause of a host after its answer: a refusal doubles the pause, a page halves the next one. */
function pauseAfterAnswer(
  { refusals: before, paused_until }: Pick<Host, 'refusals' | 'paused_until'>,
  { kind, askedPauseMs }: HostAnswer,
  now: number,
): Pick<Host, 'refusals' | 'paused_until'> {
  const refusals =
    kind === 'refusal'
      ? Math.min(before + 1, MAX_REFUSALS)
      : kind === 'page'
        ? Math.max(0, before - 1)
        : before;
  const ownMs = kind === 'refusal' ? Math.min(FIRST_PAUSE_MS * 2 ** (refusals - 1), LONGEST_PAUSE_MS) : 0;
  const pauseMs = Math.max(ownMs, Math.min(askedPauseMs, MAX_ASKED_PAUSE_MS));
  const isLeft = kind === 'nothing' && pauseMs === 0;
  return { refusals, paused_until: isLeft ? paused_until : pauseMs === 0 ? null : toIso(now + pauseMs) };
}

/** The requests of a turn that no pause lay between: when the last one was sent (epoch ms), and how many there were. */
export interface SentRequests {
  lastAt: number;
  count: number;
}

/**
 * Returns a turn, unless another process has taken it since, and notes what the host answered. The next request waits a
 * spacing for each that was sent: a page that redirects costs the host two. `sent`: null when none was.
 */
export async function returnHostTurn(
  db: Database,
  turn: Host,
  { answer, sent, now }: { answer: HostAnswer; sent: SentRequests | null; now: number },
): Promise<void> {
  const next =
    sent === null ? null : toIso(sent.lastAt + Math.min(sent.count, MOST_REQUESTS) * nextSpacingMs(turn));
  await inStatement(db, (trx) =>
    trx
      .updateTable('hosts')
      .set({
        lease_owner: null,
        lease_until: null,
        ...(next !== null && { next_request_at: next }),
        ...pauseAfterAnswer(turn, answer, now),
      })
      .where('host', '=', turn.host)
      .where('lease_token', '=', turn.lease_token)
      .execute(),
  );
}
