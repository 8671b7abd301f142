import { clearOldWebhooks } from '../alerts/webhooks/webhook-seal.server';
import { DAY, toIso } from '../clock';
import type { Database } from '../database/schema';
import { deleteInBatches } from '../database/delete-in-batches';
import { releaseSpace } from '../database/upkeep';
import { deleteOldCounts } from './checks/recording/check-counts';
import { deleteOldHeartbeats } from './heartbeat';
import { deleteWebhooksOfRemoved } from './watches/remove-watch.server';

/** Response bodies are kept for a week, checks for ninety days, alerts forever. */
export const PAGE_RETENTION_MS = 7 * DAY;
export const CHECK_RETENTION_MS = 90 * DAY;

export interface RetentionReport {
  pagesCleared: number;
  checksDeleted: number;
}

/** Deletes expired rows in small transactions and releases their space. Safe to run at any time, and concurrently. */
export async function applyRetention(db: Database, now: number): Promise<RetentionReport> {
  const pagesCleared = await deleteInBatches(db, (trx, limit) =>
    trx.deleteFrom('check_bodies').where('check_id', 'in', (from) =>
      from
        .selectFrom('check_bodies')
        .select('check_id')
        .where('check_timestamp', '<', toIso(now - PAGE_RETENTION_MS))
        .limit(limit),
    ),
  );
  let checksDeleted = 0;
  // One watch at a time, to use the index; deleted watches keep their checks as long as the others.
  const watches = await db.selectFrom('watches').select('id').execute();
  for (const { id: watchId } of watches) {
    await deleteOldCounts(db, { watchId, now });
    checksDeleted += await deleteInBatches(db, (trx, limit) =>
      trx.deleteFrom('monitor_checks').where('id', 'in', (from) =>
        from
          .selectFrom('monitor_checks')
          .select('id')
          .where('watch_id', '=', watchId)
          .where('check_timestamp', '<', toIso(now - CHECK_RETENTION_MS))
          .limit(limit),
      ),
    );
  }
  await deleteOldHeartbeats(db, now);
  await clearOldWebhooks(db, now);
  await deleteWebhooksOfRemoved(db);
  await releaseSpace(db);
  return { pagesCleared, checksDeleted };
}
