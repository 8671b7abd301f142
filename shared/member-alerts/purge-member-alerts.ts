import { DAY, toIso } from '../clock';
import type { Database } from '../database/connection.server';
import { deleteInBatches } from '../database/delete-in-batches';

/** How long it is listed which alerts and tests were sent to whom. */
export const MEMBER_ALERT_RETENTION_MS = 90 * DAY;

/**
 * Deletes the deliveries to members of alerts and tests that are older than `MEMBER_ALERT_RETENTION_MS`; the alerts stay.
 * Returns how many. `now`: epoch ms.
 */
export function purgeMemberAlerts(db: Database, now: number): Promise<number> {
  const end = toIso(now - MEMBER_ALERT_RETENTION_MS);
  return deleteInBatches(db, (trx, limit) =>
    trx.deleteFrom('member_deliveries').where('id', 'in', (from) =>
      from
        .selectFrom('member_deliveries')
        .select('id')
        // By alert, because that has an index: one by time would slow each insert of the fan-out.
        .where((where) =>
          where.or([
            where('alert_id', 'in', where.selectFrom('alerts').select('id').where('opened_at', '<', end)),
            where.and([where('alert_id', 'is', null), where('created_at', '<', end)]),
          ]),
        )
        .limit(limit),
    ),
  );
}
