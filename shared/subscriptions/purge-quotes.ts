import { DAY, toIso } from '../clock';
import type { Database } from '../database/schema';
import { deleteInBatches } from '../database/delete-in-batches';

/** How long the preview of a plan change is kept, for inquiries. It can be confirmed for fifteen minutes. */
export const QUOTE_RETENTION_MS = 30 * DAY;

/** Deletes old previews of plan changes. Returns how many. `now`: epoch ms. */
export function purgeQuotes(db: Database, now: number): Promise<number> {
  return deleteInBatches(db, (trx, limit) =>
    trx.deleteFrom('plan_quotes').where('id', 'in', (from) =>
      from
        .selectFrom('plan_quotes')
        .select('id')
        .where('created_at', '<', toIso(now - QUOTE_RETENTION_MS))
        .limit(limit),
    ),
  );
}
