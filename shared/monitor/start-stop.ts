import type { Kysely } from 'kysely';
import { suspendAlert } from '../alerts/alert-changes';
import { writeAudit, type Actor } from '../audit/write-audit';
import { fromIso, MINUTE, toIso, type Clock } from '../clock';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { readMonitorState } from './check-lease';
import { readMonitorSettings } from './monitor-settings';
import { isWithinHours } from './monitoring-hours';

/** An alert that nobody watches is said to be paused when it was not seen for this long. */
const UNWATCHED_FOR_MS = 10 * MINUTE;

export interface SwitchResult {
  /** False when it was so already. */
  changed: boolean;
  message: string;
}

/** Switches monitoring on; the same when it is on. The daemon makes the scheduler follow. */
export async function startMonitoring(
  db: Kysely<Schema>,
  { actor, clock }: { actor: Actor; clock: Clock },
): Promise<SwitchResult> {
  return inTransaction(db, async (trx) => {
    const now = clock.now();
    const { running } = await readMonitorState(trx);
    if (running === 1) return { changed: false, message: 'Monitoring is running already.' };
    await trx
      .updateTable('monitor_state')
      .set({ running: 1, started_at: toIso(now), not_before: null, refusals_in_row: 0 })
      .execute();
    await writeAudit(trx, { actor, action: 'monitor.start' }, now);
    return { changed: true, message: 'Monitoring started.' };
  });
}

/**
 * Switches monitoring off; the same when it is off. A check that runs meanwhile opens nothing, and the messages
 * of an open alert say that nobody watches any more.
 */
export async function stopMonitoring(
  db: Kysely<Schema>,
  { actor, clock }: { actor: Actor; clock: Clock },
): Promise<SwitchResult> {
  return inTransaction(db, async (trx) => {
    const now = clock.now();
    const { running } = await readMonitorState(trx);
    if (running === 0) return { changed: false, message: 'Monitoring is stopped already.' };
    await trx
      .updateTable('monitor_state')
      .set({
        running: 0,
        stopped_at: toIso(now),
        weak_since: null,
        recheck_due_at: null,
        silence_told_at: null,
        daemon_gone_told_at: null,
      })
      .execute();
    const open = await trx.selectFrom('alerts').selectAll().where('status', '=', 'open').execute();
    for (const alert of open) await suspendAlert(trx, alert, now);
    await writeAudit(trx, { actor, action: 'monitor.stop' }, now);
    return { changed: true, message: 'Monitoring stopped.' };
  });
}

/**
 * Pauses an open alert that nobody watches any more: the day's hours ended since the room was last seen, or a
 * check by hand found it and nobody looked again for ten minutes. Returns how many were paused.
 */
export async function suspendUnwatchedAlerts(db: Kysely<Schema>, now: number): Promise<number> {
  const open = await db.selectFrom('alerts').selectAll().where('status', '=', 'open').execute();
  if (open.length === 0) return 0;
  const { running } = await readMonitorState(db);
  const { hours } = await readMonitorSettings(db);
  if (running === 1 && isWithinHours(now, hours)) return 0;

  const unwatched = open.filter((alert) => {
    const seen = fromIso(alert.last_seen_at);
    return (running === 1 && isWithinHours(seen, hours)) || now - seen >= UNWATCHED_FOR_MS;
  });
  for (const { id } of unwatched) {
    await inTransaction(db, async (trx) => {
      const alert = await trx
        .selectFrom('alerts')
        .selectAll()
        .where('id', '=', id)
        .where('status', '=', 'open')
        .executeTakeFirst();
      if (alert !== undefined) await suspendAlert(trx, alert, now);
    });
  }
  return unwatched.length;
}
