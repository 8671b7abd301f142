import { sql } from 'kysely';
import { fromIso } from '../clock';
import type { Database } from '../database/schema';

export interface EventBacklog {
  /** When the oldest event arrived that is not applied yet (epoch ms); null when none waits. */
  oldestSince: number | null;
  /** How many events were given up and not retried. */
  failed: number;
}

/** Counts the events that are not applied, for metrics. */
export async function readEventBacklog(db: Database): Promise<EventBacklog> {
  const oldest = await db
    .selectFrom('payment_events')
    .select((row) => row.fn.min('created_at').as('since'))
    // Literals, so that SQLite uses the partial index of unfinished rows.
    .where(sql<boolean>`status in ('pending', 'sending')`)
    .executeTakeFirst();
  const { failed } = await db
    .selectFrom('payment_events')
    .select((row) => row.fn.countAll<number>().as('failed'))
    .where('status', 'in', ['dead', 'expired'])
    .executeTakeFirstOrThrow();
  // The minimum of no rows is null, contrary to Kysely's type.
  const since = oldest?.since as string | null | undefined;
  return { oldestSince: since == null ? null : fromIso(since), failed: Number(failed) };
}
