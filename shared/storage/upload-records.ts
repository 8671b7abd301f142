import { toIso, type Clock } from '../clock';
import type { Database, Transaction } from '../database/schema';
import type { UploadsTable } from '../database/tables/site';
import { inTransaction } from '../database/transaction';
import { newId } from '../ids';
import type { FileStorage } from './storage';

/** What the functions that store uploads need. */
export interface StorageContext {
  db: Database;
  storage: FileStorage;
  clock: Clock;
}

/** Creates a pending upload record, before the first file of the upload is stored. Returns the id. */
export async function beginUpload(
  db: Database,
  { kind, clock }: { kind: UploadsTable['kind']; clock: Clock },
): Promise<string> {
  const id = newId();
  const now = toIso(clock.now());
  await inTransaction(db, (trx) =>
    trx
      .insertInto('uploads')
      .values({ id, kind, status: 'pending', created_at: now, updated_at: now })
      .execute(),
  );
  return id;
}

/** Marks a pending upload as attached, in the transaction of the row that refers to it. Throws when the sweep removed it. */
export async function attachUpload(trx: Transaction, id: string, now: number): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('uploads')
    .set({ status: 'attached', updated_at: toIso(now) })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new Error(`upload ${id} is not pending`);
}

/** Marks uploads as deleted, in the transaction that removes the last reference to them. For short lists of ids. */
export async function markUploadsDeleted(
  trx: Transaction,
  ids: readonly string[],
  now: number,
): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable('uploads')
    .set({ status: 'deleted', updated_at: toIso(now) })
    .where('id', 'in', [...ids])
    .execute();
}

/** Removes the files of a deleted upload, then its record. Idempotent, and safe to run concurrently. */
export async function removeDeletedUpload(
  { db, storage }: Pick<StorageContext, 'db' | 'storage'>,
  id: string,
): Promise<void> {
  await storage.remove(id);
  await inTransaction(db, (trx) =>
    trx.deleteFrom('uploads').where('id', '=', id).where('status', '=', 'deleted').execute(),
  );
}

/** Removes deleted uploads now, up to the first failure: the sweep retries and reports it, and a caller waits for this. */
export async function removeDeletedUploads(context: StorageContext, ids: readonly string[]): Promise<void> {
  try {
    for (const id of ids) await removeDeletedUpload(context, id);
  } catch {
    // See above.
  }
}

/** Undoes an upload that is not attached: removes its files, even when the record cannot be updated. Never throws. */
export async function abandonUpload(context: StorageContext, id: string): Promise<void> {
  const { db, storage, clock } = context;
  try {
    await inTransaction(db, (trx) => markUploadsDeleted(trx, [id], clock.now()));
  } catch {
    await storage.remove(id).catch(() => undefined);
    return;
  }
  await removeDeletedUploads(context, [id]);
}
