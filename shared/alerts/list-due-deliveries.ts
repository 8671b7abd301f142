import type { Kysely } from 'kysely';
import { toIso } from '../clock';
import type { Schema } from '../database/schema';

const MOST_AT_ONCE = 1_000;

/**
 * The ids of whatever is due and unsent, oldest first: after a crash, a Redis loss or a long outage. Only reads;
 * whether a row is still news is decided by whoever claims it.
 */
export async function listDueDeliveries(db: Kysely<Schema>, now: number): Promise<string[]> {
  const stamp = toIso(now);
  const rows = await db
    .selectFrom('alert_deliveries')
    .select('id')
    .where((where) =>
      where.or([
        where.and([where('status', 'in', ['pending', 'outdated']), where('due_at', '<=', stamp)]),
        where.and([where('status', '=', 'sending'), where('claimed_until', '<', stamp)]),
      ]),
    )
    .orderBy('due_at')
    .limit(MOST_AT_ONCE)
    .execute();
  return rows.map((row) => row.id);
}
