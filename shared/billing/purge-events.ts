import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { DAY, toIso } from '../clock';
import type { Database } from '../database/connection.server';
import { inTransaction } from '../database/transaction';

/** How long a finished event is kept: longer than Stripe sends it again (docs.stripe.com/webhooks), for questions. */
export const EVENT_RETENTION_MS = 90 * DAY;
/** Small batches, so that other writers do not wait long. */
const BATCH = 200;

/**
 * Deletes events that were applied or ignored and are older than `EVENT_RETENTION_MS`; failed ones stay for the
 * operators. Returns how many.
 */
export async function purgeEvents(db: Database, now: number): Promise<number> {
  for (let deleted = 0; ; await yieldToEventLoop()) {
    const { numDeletedRows } = await inTransaction(db, (trx) =>
      trx
        .deleteFrom('payment_events')
        .where('id', 'in', (from) =>
          from
            .selectFrom('payment_events')
            .select('id')
            .where('created_at', '<', toIso(now - EVENT_RETENTION_MS))
            .where('status', 'in', ['applied', 'ignored'])
            .limit(BATCH),
        )
        .executeTakeFirst(),
    );
    deleted += Number(numDeletedRows);
    if (Number(numDeletedRows) < BATCH) return deleted;
  }
}
