import { sql, type Kysely } from 'kysely';
import { toIso } from '../clock';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { CLAIM_LASTS_MS } from './alert-timing';
import type { Delivery } from './outbox';

/**
 * Takes a delivery that is due, so that nobody else sends it; null when it is not due, finished or being sent.
 * A claim that ran out belonged to a sender that died: whether its message arrived is unknown.
 */
export async function claimDelivery(
  db: Kysely<Schema>,
  { id, owner, now }: { id: string; owner: string; now: number },
): Promise<Delivery | null> {
  const stamp = toIso(now);
  const row = await inTransaction(db, (trx) =>
    trx
      .updateTable('alert_deliveries')
      .set((set) => ({
        status: 'sending' as const,
        claimed_by: owner,
        claimed_until: toIso(now + CLAIM_LASTS_MS),
        attempts: set('attempts', '+', 1),
        uncertain: sql<0 | 1>`case when status = 'sending' then 1 else uncertain end`,
        updated_at: stamp,
      }))
      .where('id', '=', id)
      .where((where) =>
        where.or([
          where.and([where('status', 'in', ['pending', 'outdated']), where('due_at', '<=', stamp)]),
          where.and([where('status', '=', 'sending'), where('claimed_until', '<', stamp)]),
        ]),
      )
      .returningAll()
      .executeTakeFirst(),
  );
  return row ?? null;
}

/** Gives back at once what dead daemons had claimed; the next sweep sends it, marked as a possible repeat. Returns how many. */
export async function releaseClaims(
  db: Kysely<Schema>,
  { owners, now }: { owners: readonly string[]; now: number },
): Promise<number> {
  if (owners.length === 0) return 0;
  const result = await inTransaction(db, (trx) =>
    trx
      .updateTable('alert_deliveries')
      .set({ claimed_until: toIso(now - 1) })
      .where('status', '=', 'sending')
      .where('claimed_by', 'in', [...owners])
      .executeTakeFirst(),
  );
  return Number(result.numUpdatedRows);
}
