import { fromIso, SECOND, toIso } from '../clock';
import type { DatabaseClock } from '../database/database-clock';
import type { Database, Transaction } from '../database/schema';
import { inTransaction } from '../database/transaction';
import type { Logger } from '../logger.server';
import { OUTBOXES } from '../outbox/outboxes';
import { RESTOCK_REOPEN_WITHIN_MS } from './checks/recording/decide-restock';
import { reopeningsOf } from './checks/recording/decide-offer';
import { listWatches } from './watches/watches';

/** A smaller step is not told from the precision of the machine's uptime (10 ms) and of the reading. */
const MIN_STEP_MS = SECOND / 10;
/** Two processes read the same step with this difference at most. */
const SAME_STEP_MS = MIN_STEP_MS / 2;
/** All times but the due ones follow when steps add up to this: every other wait here has seconds of tolerance. */
const MIN_LAG_MS = 5 * SECOND;
/** Smaller drifts are not steps: NTP corrects a clock by at most half of it (adjtimex(2): 500 ppm) where it can. */
const SLOW_DRIFT = 1 / 1000;
/** The wall clock and the uptime are read again when more than this passed between them. */
const READ_WITHIN_MS = 20;
const READ_AT_MOST = 5;

/** Follows corrections of the wall clock (NTP, an operator, a virtual machine that was resumed). */
export interface ClockSteps {
  /**
   * Detects whether the wall clock was set since the last call, and then moves the stored due times and claims of waiting
   * messages by the same step, and after five seconds of steps the other stored times as well. Call it before comparing
   * such a time with now. Rejects when the database cannot be written; the next call tries again. A clock that is not the
   * machine's makes no steps: it is only measured again.
   */
  handleStep(): Promise<void>;
}

interface Shift {
  stepMs: number;
  /** Epoch ms after the step. */
  now: number;
}

type Move = <T extends string | null>(time: T) => T;

/** Moves the times of live alerts, and of those closed so recently that they may be continued. */
async function shiftAlerts(trx: Transaction, move: Move, { now, stepMs }: Shift): Promise<void> {
  const rows = await trx
    .selectFrom('alerts')
    .select(['id', 'opened_at', 'last_seen_at', 'closed_at', 'suspended_at', 'fan_out_at', 'reopened_at'])
    .where((where) =>
      where.or([
        where('status', 'in', ['open', 'suspended']),
        where('closed_at', '>=', toIso(now - stepMs - RESTOCK_REOPEN_WITHIN_MS)),
      ]),
    )
    .execute();
  for (const { id, opened_at, last_seen_at, closed_at, suspended_at, fan_out_at, reopened_at } of rows)
    await trx
      .updateTable('alerts')
      .set({
        opened_at: move(opened_at),
        last_seen_at: move(last_seen_at),
        closed_at: move(closed_at),
        suspended_at: move(suspended_at),
        fan_out_at: move(fan_out_at),
        reopened_at: reopened_at === null ? null : JSON.stringify(reopeningsOf({ reopened_at }).map(move)),
      })
      .where('id', '=', id)
      .execute();
}

async function shiftHeartbeats(trx: Transaction, move: Move): Promise<void> {
  const rows = await trx
    .selectFrom('daemon_heartbeats')
    .select(['id', 'beat_at', 'started_at', 'stopped_at'])
    .execute();
  for (const { id, beat_at, started_at, stopped_at } of rows)
    await trx
      .updateTable('daemon_heartbeats')
      .set({ beat_at: move(beat_at), started_at: move(started_at), stopped_at: move(stopped_at) })
      .where('id', '=', id)
      .execute();
}

async function shiftWatches(trx: Transaction, move: Move): Promise<void> {
  for (const watch of await listWatches(trx))
    await trx
      .updateTable('watches')
      .set({
        started_at: move(watch.started_at),
        stopped_at: move(watch.stopped_at),
        lease_until: move(watch.lease_until),
        last_checked_at: move(watch.last_checked_at),
        last_conclusive_at: move(watch.last_conclusive_at),
        weak_since: move(watch.weak_since),
        recheck_due_at: move(watch.recheck_due_at),
        not_before: move(watch.not_before),
        next_check_at: move(watch.next_check_at),
        hurried_until: move(watch.hurried_until),
        page_read_at: move(watch.page_read_at),
        silence_notified_at: move(watch.silence_notified_at),
      })
      .where('id', '=', watch.id)
      .execute();
}

async function shiftHosts(trx: Transaction, move: Move): Promise<void> {
  const rows = await trx
    .selectFrom('hosts')
    .select(['host', 'lease_until', 'next_request_at', 'paused_until', 'robots_read_at'])
    .execute();
  for (const { host, lease_until, next_request_at, paused_until, robots_read_at } of rows)
    await trx
      .updateTable('hosts')
      .set({
        lease_until: move(lease_until),
        next_request_at: move(next_request_at),
        paused_until: move(paused_until),
        robots_read_at: move(robots_read_at),
      })
      .where('host', '=', host)
      .execute();
}

/**
 * Moves the times that waiting work depends on by a step of the wall clock: due times and claims of the outboxes exactly;
 * check leases, turns of hosts, pauses, heartbeats and the watchdog's start times when the steps add up to `MIN_LAG_MS`. The history of
 * checks stays unchanged.
 *
 * `clock_step_at` holds when the machine started by the clock that the outboxes follow, so that processes that report the
 * same steps, in any portions, apply each once. `knownStart`: what the process last read there; when it differs,
 * another process has written it since. Returns the applied step, and what is stored now.
 */
function shiftTimes(
  db: Database,
  { from, to, now, knownStart }: { from: number; to: number; now: number; knownStart: string | null },
): Promise<{ appliedMs: number; start: string | null }> {
  return inTransaction(db, async (trx) => {
    const state = await trx.selectFrom('daemon_state').selectAll().executeTakeFirstOrThrow();
    const isShared = state.clock_step_at !== null && state.clock_step_at !== knownStart;
    const stepMs = to - (isShared ? fromIso(state.clock_step_at ?? '') : from);
    if (Math.abs(stepMs) < SAME_STEP_MS) return { appliedMs: 0, start: state.clock_step_at };

    const by =
      (ms: number): Move =>
      (time) =>
        time === null ? time : (toIso(fromIso(time) + ms) as typeof time);
    const move = by(stepMs);
    for (const outbox of Object.values(OUTBOXES)) await outbox.shiftTimes(trx, move);

    // A stored lag beyond the limit is the last step, as an earlier release stored it.
    const lagBefore = Math.abs(state.clock_step_ms) < MIN_LAG_MS ? state.clock_step_ms : 0;
    const isLarge = Math.abs(stepMs) >= MIN_LAG_MS;
    const lagMs = isLarge ? stepMs : lagBefore + stepMs;
    const follows = Math.abs(lagMs) >= MIN_LAG_MS;
    if (follows) {
      await shiftAlerts(trx, by(lagMs), { stepMs: lagMs, now });
      await shiftHeartbeats(trx, by(lagMs));
      await shiftWatches(trx, by(lagMs));
      await shiftHosts(trx, by(lagMs));
    }
    const start = toIso(to);
    await trx
      .updateTable('daemon_state')
      .set({
        gone_notified_at: follows ? by(lagMs)(state.gone_notified_at) : state.gone_notified_at,
        clock_step_at: start,
        clock_step_ms: Math.round(isLarge ? lagBefore : follows ? 0 : lagMs),
      })
      .execute();
    return { appliedMs: stepMs, start };
  });
}

/** Compares the clock of one process with the time since the machine started. */
export function createClockSteps({
  db,
  clock,
  logger,
}: {
  db: Database;
  clock: DatabaseClock;
  logger: Logger;
}): ClockSteps {
  if (clock.catchUp !== null) return { handleStep: clock.catchUp };

  /** When the machine started, by the wall clock (epoch ms). */
  function readStart(): number {
    let best = { start: 0, tookMs: Infinity };
    // The process may have been suspended between the two readings.
    for (let count = 0; count < READ_AT_MOST && best.tookMs > READ_WITHIN_MS; count += 1) {
      const before = clock.uptime();
      const wall = clock.now();
      const tookMs = clock.uptime() - before;
      if (tookMs < best.tookMs) best = { start: wall - before, tookMs };
    }
    return best.start;
  }

  let start = readStart();
  let readAt = clock.uptime();
  /** The value of `clock_step_at` at this process's last read; undefined before the first one. */
  let knownStart: string | null | undefined;
  let settling: Promise<void> | null = null;

  async function follow(): Promise<void> {
    const after = readStart();
    const now = clock.now();
    const { appliedMs, start: stored } = await shiftTimes(db, {
      from: start,
      to: after,
      now,
      knownStart: knownStart ?? null,
    });
    start = after;
    knownStart = stored;
    const facts = { stepMs: Math.round(appliedMs) };
    if (Math.abs(appliedMs) >= MIN_LAG_MS)
      logger.warn(facts, 'the wall clock was set; stored times follow it');
    else if (appliedMs !== 0) logger.info(facts, 'the wall clock was corrected; due times follow it');
  }

  return {
    async handleStep() {
      if (knownStart === undefined) {
        const { clock_step_at: stored } = await db
          .selectFrom('daemon_state')
          .select('clock_step_at')
          .executeTakeFirstOrThrow();
        // Another process has followed a step since this one was created.
        if (stored !== null && Math.abs(readStart() - fromIso(stored)) < SAME_STEP_MS) start = readStart();
        knownStart ??= stored;
      }
      if (settling === null) {
        const drift = readStart() - start;
        const uptime = clock.uptime();
        if (Math.abs(drift) < MIN_STEP_MS) {
          // The two clocks may drift apart slowly.
          const slow = (uptime - readAt) * SLOW_DRIFT;
          start += Math.max(-slow, Math.min(slow, drift));
          readAt = uptime;
          return;
        }
        readAt = uptime;
        settling = follow().finally(() => (settling = null));
      }
      return settling;
    },
  };
}
