import type { Kysely } from 'kysely';
import { closeMovedAlerts } from '../alerts/alert-changes';
import type { Delivery } from '../alerts/deliveries';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { listWatches, urlOf } from './watches';

/**
 * Called at the daemon's start: when a watch checks another page than before (MONITOR_TARGET_URL was changed), closes the
 * alerts of the old page and forgets what checks of it would mean for the next check (an open in a row, a weak sign, a
 * pause after a block). Returns the messages to edit.
 */
export function followTarget(
  db: Kysely<Schema>,
  { targetUrl, now }: { targetUrl: string; now: number },
): Promise<Delivery[]> {
  return inTransaction(db, async (trx) => {
    const outdated: Delivery[] = [];
    for (const watch of await listWatches(trx)) {
      const url = urlOf(watch, { targetUrl });
      const last =
        watch.last_check_id === null
          ? undefined
          : await trx
              .selectFrom('monitor_checks')
              .select('target_url')
              .where('id', '=', watch.last_check_id)
              .executeTakeFirst();
      if (last !== undefined && last.target_url !== url)
        await trx
          .updateTable('watches')
          .set({
            opens_in_row: 0,
            weak_since: null,
            recheck_due_at: null,
            refusals_in_row: 0,
            not_before: null,
          })
          .where('id', '=', watch.id)
          .execute();
      outdated.push(...(await closeMovedAlerts(trx, { watchId: watch.id, targetUrl: url, now })));
    }
    return outdated;
  });
}
