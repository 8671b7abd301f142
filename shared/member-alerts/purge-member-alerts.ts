import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { DAY, toIso } from '../clock';
import type { Database } from '../database/connection.server';
import { inTransaction } from '../database/transaction';

/** How long it is listed which alerts and tests were sent to whom. */
export const MEMBER_ALERT_RETENTION_MS = 90 * DAY;
/** Small batches, so that other writers do not wait long. */
const BATCH = 200;

/**
 * Deletes the deliveries to members of alerts and tests that are older than `MEMBER_ALERT_RETENTION_MS`; the alerts stay.
 * Returns how many. `now`: epoch ms.
 */
export async function purgeMemberAlerts(db: Database, now: number): Promise<number> {
  const end = toIso(now - MEMBER_ALERT_RETENTION_MS);
  for (let deleted = 0; ; await yieldToEventLoop()) {
    const { numDeletedRows } = await inTransaction(db, (trx) =>
      trx
        .deleteFrom('member_deliveries')
        .where('id', 'in', (from) =>
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
            .limit(BATCH),
        )
        .executeTakeFirst(),
    );
    deleted += Number(numDeletedRows);
    if (Number(numDeletedRows) < BATCH) return deleted;
  }
}
