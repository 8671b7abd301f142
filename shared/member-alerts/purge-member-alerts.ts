import { DAY, toIso } from '../clock';
import type { Database } from '../database/connection.server';
import { deleteInBatches } from '../database/delete-in-batches';
import { purgeAnnouncements } from '../alerts/product-announcements';
import { sumOldDeliveries } from './sum-deliveries';

/** How long a member's tests are listed. */
export const MEMBER_TEST_RETENTION_MS = 90 * DAY;

/** Deletes the members' old tests. */
function purgeTests(db: Database, now: number): Promise<number> {
  return deleteInBatches(db, (trx, limit) =>
    trx.deleteFrom('member_deliveries').where('id', 'in', (from) =>
      from
        .selectFrom('member_deliveries')
        .select('id')
        .where('alert_id', 'is', null)
        .where('announcement_id', 'is', null)
        .where('created_at', '<', toIso(now - MEMBER_TEST_RETENTION_MS))
        .limit(limit),
    ),
  );
}

/** Deletes the deliveries to members once their sums are stored, old announcements with theirs, and old tests. Returns how many. `now`: epoch ms. */
export async function purgeMemberAlerts(db: Database, now: number): Promise<number> {
  return (
    (await sumOldDeliveries(db, now)) + (await purgeAnnouncements(db, now)) + (await purgeTests(db, now))
  );
}
