import { sql, type DeleteResult } from 'kysely';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { toIso } from '../clock';
import type { Database, Transaction } from './schema';
import { inTransaction } from './transaction';

/** Rows per transaction: few, so that other writers do not wait long. */
const BATCH = 200;

/** Deletes rows in small transactions until none is left. `batch`: deletes at most `limit`. Returns how many. */
export async function deleteInBatches(
  db: Database,
  batch: (trx: Transaction, limit: number) => { executeTakeFirstOrThrow(): Promise<DeleteResult> },
): Promise<number> {
  for (let deleted = 0; ; await yieldToEventLoop()) {
    const { numDeletedRows } = await inTransaction(db, (trx) => batch(trx, BATCH).executeTakeFirstOrThrow());
    deleted += Number(numDeletedRows);
    if (Number(numDeletedRows) < BATCH) return deleted;
  }
}

/** The tables whose rows expire only by time. */
type AgedTable =
  | 'admin_notices'
  | 'audit_log'
  | 'code_requests'
  | 'ended_push_subscriptions'
  | 'mails'
  | 'page_previews'
  | 'plan_quotes'
  | 'product_suggestions'
  | 'sessions'
  | 'used_challenges'
  | 'verification_codes';

/** Deletes the rows of a table whose time in `column` is before `before` (epoch ms). Returns how many. */
export function deleteOlder(
  db: Database,
  table: AgedTable,
  before: number,
  column: 'created_at' | 'dismissed_at' | 'ended_at' | 'expires_at' | 'requested_at' = 'created_at',
): Promise<number> {
  return deleteInBatches(db, (trx, limit) =>
    trx
      .deleteFrom(table)
      .where('id', 'in', (from) =>
        from.selectFrom(table).select('id').where(sql.ref<string>(column), '<', toIso(before)).limit(limit),
      ),
  );
}
