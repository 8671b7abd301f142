import type { Transaction } from 'kysely';
import { deliveryOutbox } from '../alerts/deliveries/deliveries';
import { paymentEventOutbox } from '../billing/payment-events';
import { fromIso, MINUTE, SECOND, toIso } from '../clock';
import type { Database } from '../database/connection.server';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';
import type { Logger } from '../logger.server';
import type { MachineClock } from '../process/machine-clock.server';
import { mailOutbox } from '../mail/mails';
import { memberOutbox } from '../member-alerts/member-outbox';
import { REOPEN_WITHIN_MS } from './checks/recording/decide-transition';
import { listWatches } from './watches/watches';

/** A smaller step changes nothing that matters: every wait here has seconds of tolerance. */
const MIN_STEP_MS = 5 * SECOND;
/** Every process detects the same step within this time. */
const SAME_STEP_WITHIN_MS = MINUTE;

/** Follows corrections of the wall clock (NTP, an operator, a virtual machine that was resumed). */
export interface ClockSteps {
  /**
   * Detects whether the wall clock was set since the last call, and then moves every stored due time, claim and lease
   * by the same step. Call it before comparing such a time with now. Rejects when the database cannot be written; the
   * next call tries again.
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
async function shiftAlerts(trx: Transaction<Schema>, move: Move, { now, stepMs }: Shift): Promise<void> {
  const rows = await trx
    .selectFrom('alerts')
    .select(['id', 'opened_at', 'last_seen_at', 'closed_at', 'suspended_at', 'fan_out_at'])
    .where((where) =>
      where.or([
        where('status', 'in', ['open', 'suspended']),
        where('closed_at', '>=', toIso(now - stepMs - REOPEN_WITHIN_MS)),
      ]),
    )
    .execute();
  for (const { id, opened_at, last_seen_at, closed_at, suspended_at, fan_out_at } of rows)
    await trx
      .updateTable('alerts')
      .set({
        opened_at: move(opened_at),
        last_seen_at: move(last_seen_at),
        closed_at: move(closed_at),
        suspended_at: move(suspended_at),
        fan_out_at: move(fan_out_at),
      })
      .where('id', '=', id)
      .execute();
}

async function shiftHeartbeats(trx: Transaction<Schema>, move: Move): Promise<void> {
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

async function shiftWatches(trx: Transaction<Schema>, move: Move): Promise<void> {
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
        silence_notified_at: move(watch.silence_notified_at),
      })
      .where('id', '=', watch.id)
      .execute();
}

/**
 * Moves the times that waiting work depends on by a step of the wall clock: due times, claims, check leases, pauses,
 * heartbeats and the watchdog's start times. The history of checks stays unchanged. When several processes report the
 * same step it is applied once. Returns whether this call applied it.
 */
function shiftTimes(db: Database, { stepMs, now }: Shift): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const state = await trx.selectFrom('daemon_state').selectAll().executeTakeFirstOrThrow();
    const reported =
      state.clock_step_at !== null &&
      Math.abs(now - fromIso(state.clock_step_at)) < SAME_STEP_WITHIN_MS &&
      Math.abs(stepMs - state.clock_step_ms) < MIN_STEP_MS;
    if (reported) return false;

    const move: Move = (time) => (time === null ? time : (toIso(fromIso(time) + stepMs) as typeof time));
    await deliveryOutbox.shiftTimes(trx, move);
    await mailOutbox.shiftTimes(trx, move);
    await memberOutbox.shiftTimes(trx, move);
    await paymentEventOutbox.shiftTimes(trx, move);
    await shiftAlerts(trx, move, { stepMs, now });
    await shiftHeartbeats(trx, move);
    await shiftWatches(trx, move);
    await trx
      .updateTable('daemon_state')
      .set({
        gone_notified_at: move(state.gone_notified_at),
        clock_step_at: toIso(now),
        clock_step_ms: Math.round(stepMs),
      })
      .execute();
    return true;
  });
}

/** Compares the wall clock of one process with the time since the machine started. */
export function createClockSteps({
  db,
  clock,
  logger,
}: {
  db: Database;
  clock: MachineClock;
  logger: Logger;
}): ClockSteps {
  const readOffset = (): number => clock.now() - clock.uptime();
  let offset = readOffset();
  let settling: Promise<void> | null = null;

  async function follow(): Promise<void> {
    const after = readOffset();
    const stepMs = after - offset;
    const applied = await shiftTimes(db, { stepMs, now: clock.now() });
    offset = after;
    logger.warn({ stepMs: Math.round(stepMs), applied }, 'the wall clock was set; stored times follow it');
  }

  return {
    async handleStep() {
      if (settling === null) {
        const drift = readOffset() - offset;
        if (Math.abs(drift) < MIN_STEP_MS) {
          // The two clocks have different precision and may drift apart slowly.
          offset += drift;
          return;
        }
        settling = follow().finally(() => (settling = null));
      }
      return settling;
    },
  };
}
