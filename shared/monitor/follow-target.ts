import type { Kysely } from 'kysely';
import { closeMovedAlerts } from '../alerts/alert-changes';
import type { Delivery } from '../alerts/deliveries';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { listWatches, urlOf } from './watches';

/**
 * Closes the alerts of pages that are no longer checked (MONITOR_TARGET_URL was changed) and resets what the detector
 * remembers of them: opens in a row, a weak sign, a pause after a block. The daemon calls it at start. Returns the
 * messages to edit.
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
