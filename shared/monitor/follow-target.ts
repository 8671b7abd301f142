import type { Kysely } from 'kysely';
import { closeMovedAlerts } from '../alerts/alert-changes';
import type { Delivery } from '../alerts/deliveries';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { readMonitorState } from './check-lease';

/**
 * Called at the daemon's start: when another page is monitored than before (MONITOR_TARGET_URL was changed), ends the
 * alerts of the old one and forgets what checks of it would mean for the next check (an open in a row, a weak sign, a
 * pause after a block). Returns the messages to edit.
 */
export function followTarget(
  db: Kysely<Schema>,
  { targetUrl, now }: { targetUrl: string; now: number },
): Promise<Delivery[]> {
  return inTransaction(db, async (trx) => {
    const { last_check_id } = await readMonitorState(trx);
    const last =
      last_check_id === null
        ? undefined
        : await trx
            .selectFrom('monitor_checks')
            .select('target_url')
            .where('id', '=', last_check_id)
            .executeTakeFirst();
    if (last !== undefined && last.target_url !== targetUrl) {
      await trx
        .updateTable('monitor_state')
        .set({
          opens_in_row: 0,
          weak_since: null,
          recheck_due_at: null,
          refusals_in_row: 0,
          not_before: null,
        })
        .where('id', '=', 'monitor')
        .execute();
    }
    return closeMovedAlerts(trx, { targetUrl, now });
  });
}
