import { DAY, toIso } from '../../../clock';
import { prepareQuery } from '../../../database/prepare-query';
import type { Database, Transaction } from '../../../database/schema';
import type { CheckCountsTable } from '../../../database/tables/monitor/monitor-checks';
import { inTransaction } from '../../../database/transaction';

/** How long counts are kept: hours for the last 24 hours of the public status, days for its 90 days. */
const RETENTION_MS: Record<CheckCountsTable['span'], number> = { hour: 2 * DAY, day: 91 * DAY };

/** The start of the hour or day (UTC) of an ISO time. */
function startOfSpan(iso: string, span: CheckCountsTable['span']): string {
  return span === 'hour' ? `${iso.slice(0, 13)}:00:00.000Z` : `${iso.slice(0, 10)}T00:00:00.000Z`;
}

/** Counts a check of a watch in its hour and its day, in the transaction that stores the check. */
export async function countCheck(
  trx: Transaction,
  {
    watchId,
    checkedAt,
    conclusive,
    scrappeyCalls,
  }: { watchId: string; checkedAt: string; conclusive: boolean; scrappeyCalls: number },
): Promise<void> {
  await addCounts(trx, {
    watchId,
    hour: startOfSpan(checkedAt, 'hour'),
    day: startOfSpan(checkedAt, 'day'),
    conclusive: conclusive ? 1 : 0,
    scrappeyCalls,
  });
}

const addCounts = prepareQuery(
  (
    db,
    {
      watchId,
      hour,
      day,
      conclusive,
      scrappeyCalls,
    }: { watchId: string; hour: string; day: string; conclusive: number; scrappeyCalls: number },
  ) => {
    const count = { watch_id: watchId, total: 1, conclusive, scrappey_calls: scrappeyCalls };
    return db
      .insertInto('check_counts')
      .values([
        { ...count, span: 'hour', starts_at: hour },
        { ...count, span: 'day', starts_at: day },
      ])
      .onConflict((conflict) =>
        conflict.columns(['watch_id', 'span', 'starts_at']).doUpdateSet((set) => ({
          total: set('check_counts.total', '+', 1),
          conclusive: set('check_counts.conclusive', '+', conclusive),
          scrappey_calls: set('check_counts.scrappey_calls', '+', scrappeyCalls),
        })),
      );
  },
);

/** Deletes the counts of a watch whose retention has ended. */
export async function deleteOldCounts(
  db: Database,
  { watchId, now }: { watchId: string; now: number },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    for (const span of ['hour', 'day'] as const)
      await trx
        .deleteFrom('check_counts')
        .where('watch_id', '=', watchId)
        .where('span', '=', span)
        .where('starts_at', '<', toIso(now - RETENTION_MS[span]))
        .execute();
  });
}

/** Counts the paid fetches since the start (epoch ms) of a London day, from hours: London's offset is whole hours. */
export async function countScrappeyCalls(db: Database, dayStart: number): Promise<number> {
  const row = await db
    .selectFrom('check_counts')
    .select((select) => select.fn.sum<number | null>('scrappey_calls').as('calls'))
    // The condition on `watch_id` lets SQLite use the primary key.
    .where('watch_id', 'in', (from) => from.selectFrom('watches').select('id'))
    .where('span', '=', 'hour')
    .where('starts_at', '>=', toIso(dayStart))
    .executeTakeFirst();
  return Number(row?.calls ?? 0);
}
