import { suspendAlert } from '../alerts/alert-changes';
import { writeAudit, type Actor } from '../audit/write-audit';
import { DEFAULT_WATCH_ID } from '../brand';
import { fromIso, isPast, MINUTE, toIso, type Clock } from '../clock';
import type { Database } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { settingsOf } from './monitor-settings';
import { isWithinHours } from './monitoring-hours';
import { requireActive } from './products/products';
import { readWatch } from './watches/watches';
import type { Queues } from '../queues/connection.server';
import { syncScheduler } from '../queues/check-schedulers';

/** An open alert without checks is suspended when the waiting room was last seen this long ago. */
const UNWATCHED_FOR_MS = 10 * MINUTE;

interface SwitchResult {
  /** False when the monitor was already in that state. */
  changed: boolean;
  message: string;
}

/**
 * Starts the checks of a watch; does nothing when they are running. `switchMonitoring` also syncs the scheduler. Throws
 * `Conflict` (`product_retired`).
 */
export async function startMonitoring(
  db: Database,
  { actor, clock, watchId = DEFAULT_WATCH_ID }: { actor: Actor; clock: Clock; watchId?: string },
): Promise<SwitchResult> {
  return inTransaction(db, async (trx) => {
    const now = clock.now();
    const { running, product_id } = await readWatch(trx, watchId);
    if (product_id !== null) {
      const product = trx.selectFrom('products').select(['title', 'retired_at']).where('id', '=', product_id);
      requireActive(await product.executeTakeFirstOrThrow());
    }
    if (running === 1) return { changed: false, message: 'Monitoring is already running.' };
    await trx
      .updateTable('watches')
      .set({ running: 1, started_at: toIso(now), not_before: null, refusals_in_row: 0, next_check_at: null })
      .where('id', '=', watchId)
      .execute();
    await writeAudit(trx, { actor, action: 'monitor.start', subject: watchId }, now);
    return { changed: true, message: 'Monitoring started.' };
  });
}

/**
 * Stops the checks of a watch; does nothing when they are stopped. A check that is still running opens no alert, and
 * the messages of an open alert then say that monitoring is paused.
 */
export async function stopMonitoring(
  db: Database,
  { actor, clock, watchId = DEFAULT_WATCH_ID }: { actor: Actor; clock: Clock; watchId?: string },
): Promise<SwitchResult> {
  return inTransaction(db, async (trx) => {
    const now = clock.now();
    const { running } = await readWatch(trx, watchId);
    if (running === 0) return { changed: false, message: 'Monitoring is already stopped.' };
    await trx
      .updateTable('watches')
      .set({
        running: 0,
        stopped_at: toIso(now),
        weak_since: null,
        recheck_due_at: null,
        silence_notified_at: null,
      })
      .where('id', '=', watchId)
      .execute();
    const open = await trx
      .selectFrom('alerts')
      .selectAll()
      .where('status', '=', 'open')
      .where('watch_id', '=', watchId)
      .execute();
    for (const alert of open) await suspendAlert(trx, alert, now);
    await writeAudit(trx, { actor, action: 'monitor.stop', subject: watchId }, now);
    return { changed: true, message: 'Monitoring stopped.' };
  });
}

/**
 * Suspends open alerts that are no longer checked: the day's hours ended after the waiting room was last seen, or ten
 * minutes have passed since the manual check that found it. Returns how many.
 */
export async function suspendUnwatchedAlerts(db: Database, now: number): Promise<number> {
  const open = await db
    .selectFrom('alerts')
    .innerJoin('watches', 'watches.id', 'alerts.watch_id')
    .select([
      'alerts.id',
      'last_seen_at',
      'running',
      'watches.interval_seconds',
      'watches.hours',
      'watches.time_zone',
    ])
    .where('status', '=', 'open')
    .execute();
  let suspended = 0;
  for (const { id, last_seen_at, running, ...watch } of open) {
    const { hours, timeZone } = settingsOf(watch);
    if (running === 1 && isWithinHours(now, hours, timeZone)) continue;
    const seen = fromIso(last_seen_at);
    const endedSince = running === 1 && isWithinHours(seen, hours, timeZone);
    if (!endedSince && isPast(seen, now) && now - seen < UNWATCHED_FOR_MS) continue;
    suspended += 1;
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
  return suspended;
}

/**
 * Switches the checks of a watch on or off and syncs their scheduler in Redis at once. `synced` is false while Redis is
 * down: the switch holds, and the daemon syncs the scheduler once Redis is back. `queues`: null without Redis.
 */
export async function switchMonitoring(
  { db, queues, clock }: { db: Database; queues: Queues | null; clock: Clock },
  { on, actor, watchId = DEFAULT_WATCH_ID }: { on: boolean; actor: Actor; watchId?: string },
): Promise<SwitchResult & { synced: boolean }> {
  const change = on ? startMonitoring : stopMonitoring;
  const result = await change(db, { actor, clock, watchId });
  const watch = await readWatch(db, watchId);
  // The schedule of a product is in its row.
  if (watch.kind === 'product') return { ...result, synced: true };
  if (queues === null || !queues.isReady()) return { ...result, synced: false };
  try {
    await syncScheduler(queues, { watch, checking: false, now: clock.now() });
    return { ...result, synced: true };
  } catch {
    // The switch is committed: if the sync fails, the daemon logs and repeats it.
    return { ...result, synced: false };
  }
}
