import { DAY, toIso } from '../clock';
import type { Database } from '../database/schema';
import { deleteInBatches } from '../database/delete-in-batches';

/** How long a finished event is kept, for inquiries; longer than Stripe repeats it (docs.stripe.com/webhooks). */
export const EVENT_RETENTION_MS = 90 * DAY;
/** How long an event is kept that was given up or never applied: a year of inquiries. */
export const UNAPPLIED_RETENTION_MS = 365 * DAY;

/** Deletes old events: applied or ignored after `EVENT_RETENTION_MS`, others after a year. How many. `now`: epoch ms. */
export function purgeEvents(db: Database, now: number): Promise<number> {
  return deleteInBatches(db, (trx, limit) =>
    trx.deleteFrom('payment_events').where('id', 'in', (from) =>
      from
        .selectFrom('payment_events')
        .select('id')
        .where('created_at', '<', toIso(now - EVENT_RETENTION_MS))
        .where((where) =>
          where.or([
            where('status', 'in', ['sent', 'cancelled']),
            where('created_at', '<', toIso(now - UNAPPLIED_RETENTION_MS)),
          ]),
        )
        .limit(limit),
    ),
  );
}
