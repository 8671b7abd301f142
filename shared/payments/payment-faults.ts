import type { Selectable } from 'kysely';
import { toIso } from '../clock';
import type { Database } from '../database/schema';
import type { PaymentFaultsTable } from '../database/tables/payments/payments';
import { inTransaction } from '../database/transaction';

/**
 * account: the key is of another account or mode; key: Stripe refuses the key; permission: a restricted key lacks one;
 * missing: Stripe does not know several of our objects; the others: a list that the daily comparison could not read.
 */
export type PaymentFault =
  | 'account'
  | 'key'
  | 'permission'
  | 'missing'
  | 'refunds'
  | 'disputes'
  | 'deleted customers';

export type StoredFault = Selectable<PaymentFaultsTable>;

/** Stores a fault until `clearFault`. Returns whether it is new. `reason`: for operators. */
export function recordFault(
  db: Database,
  { fault, reason, now }: { fault: PaymentFault; reason: string; now: number },
): Promise<boolean> {
  const stamp = toIso(now);
  return inTransaction(db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('payment_faults')
      .set({ reason, updated_at: stamp })
      .where('fault', '=', fault)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) return false;
    await trx
      .insertInto('payment_faults')
      .values({ fault, reason, since: stamp, updated_at: stamp })
      .execute();
    return true;
  });
}

/** Ends a fault; nothing happens when there is none. */
export async function clearFault(db: Database, fault: PaymentFault): Promise<void> {
  const found = await db
    .selectFrom('payment_faults')
    .select('fault')
    .where('fault', '=', fault)
    .executeTakeFirst();
  if (found === undefined) return;
  await inTransaction(db, (trx) => trx.deleteFrom('payment_faults').where('fault', '=', fault).execute());
}

/** The faults of payments, the oldest first. */
export function listFaults(db: Database): Promise<StoredFault[]> {
  return db.selectFrom('payment_faults').selectAll().orderBy('since').orderBy('fault').execute();
}
