import type { DeleteResult } from 'kysely';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Database, Transaction } from './schema';
import { inTransaction } from './transaction';

/** Rows per transaction: few, so that other writers do not wait long. */
const BATCH = 200;

/**
 * Deletes rows in small transactions until none is left. `batch`: a query that deletes at most `limit` of them. Returns
 * how many were deleted.
 */
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
