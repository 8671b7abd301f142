import { DAY, toIso } from '../clock';
import type { Database } from '../database/schema';
import { deleteInBatches } from '../database/delete-in-batches';

/** How long a notice to the admins is kept, with its deliveries. */
const NOTICE_RETENTION_MS = 90 * DAY;

/** Deletes old notices to the admins; the database deletes their deliveries. Returns how many. `now`: epoch ms. */
export function purgeNotices(db: Database, now: number): Promise<number> {
  return deleteInBatches(db, (trx, limit) =>
    trx.deleteFrom('admin_notices').where('id', 'in', (from) =>
      from
        .selectFrom('admin_notices')
        .select('id')
        .where('created_at', '<', toIso(now - NOTICE_RETENTION_MS))
        .limit(limit),
    ),
  );
}
