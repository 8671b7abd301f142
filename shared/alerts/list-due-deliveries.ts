import type { Kysely } from 'kysely';
import { fromIso, toIso } from '../clock';
import type { Schema } from '../database/schema';
import type { DueDelivery } from '../queues/catalogue';

const MOST_AT_ONCE = 1_000;

/**
 * Whatever is due and unsent, oldest first: after a crash, a Redis loss or a long outage. Only reads;
 * whether a row is still news is decided by whoever claims it.
 */
export async function listDueDeliveries(db: Kysely<Schema>, now: number): Promise<DueDelivery[]> {
  const stamp = toIso(now);
  const rows = await db
    .selectFrom('alert_deliveries')
    .select(['id', 'attempts', 'due_at'])
    .where((where) =>
      where.or([
        where.and([where('status', 'in', ['pending', 'outdated']), where('due_at', '<=', stamp)]),
        where.and([where('status', '=', 'sending'), where('claimed_until', '<', stamp)]),
      ]),
    )
    .orderBy('due_at')
    .limit(MOST_AT_ONCE)
    .execute();
  return rows.map((row) => ({ id: row.id, attempt: row.attempts + 1, dueAt: fromIso(row.due_at) }));
}
