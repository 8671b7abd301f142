import { sql, type Kysely } from 'kysely';
import { toIso } from '../clock';
import type { Schema } from '../database/schema';
import type { AlertDeliveriesTable } from '../database/tables/alert-deliveries';

const MOST_AT_ONCE = 1_000;

/**
 * The ids of whatever is due and unsent, oldest first: after a crash, a Redis loss or a long outage. `audience`
 * narrows it to one. Only reads; whether a row is still news is decided by whoever claims it.
 */
export async function listDueDeliveries(
  db: Kysely<Schema>,
  { now, audience }: { now: number; audience?: AlertDeliveriesTable['audience'] },
): Promise<string[]> {
  const stamp = toIso(now);
  const rows = await db
    .selectFrom('alert_deliveries')
    .select('id')
    // In the words of the partial index: with parameters SQLite would not use it.
    .where(sql<boolean>`status in ('pending', 'sending', 'outdated')`)
    .where((where) =>
      where.or([
        where.and([where('status', 'in', ['pending', 'outdated']), where('due_at', '<=', stamp)]),
        where.and([where('status', '=', 'sending'), where('claimed_until', '<', stamp)]),
      ]),
    )
    .where('audience', 'in', audience === undefined ? ['instant', 'free', 'admin'] : [audience])
    .orderBy('due_at')
    .limit(MOST_AT_ONCE)
    .execute();
  return rows.map((row) => row.id);
}
