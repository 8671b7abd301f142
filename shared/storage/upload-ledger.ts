import type { Kysely, Transaction } from 'kysely';
import { toIso, type Clock } from '../clock';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { newId } from '../ids';
import type { UploadsTable } from '../database/tables/uploads';
import type { FileStorage } from './storage';

/** What the rules of uploads stand on. */
export interface StorageContext {
  db: Kysely<Schema>;
  storage: FileStorage;
  clock: Clock;
}

/** Enters an upload into the ledger, before the first of its files is stored. Returns its id. */
export async function beginUpload(
  db: Kysely<Schema>,
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

/**
 * Says that a record points at an upload, in the transaction that writes the record. Throws when the upload is not
 * waiting for one: it took longer than the sweep has patience.
 */
export async function keepUpload(trx: Transaction<Schema>, id: string, now: number): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('uploads')
    .set({ status: 'kept', updated_at: toIso(now) })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new Error(`upload ${id} waits for no record`);
}

/** Says that nothing points at these uploads any more, in the transaction that let go of them. Ids by the few. */
export async function doomUploads(
  trx: Transaction<Schema>,
  ids: readonly string[],
  now: number,
): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable('uploads')
    .set({ status: 'doomed', updated_at: toIso(now) })
    .where('id', 'in', [...ids])
    .execute();
}

/** Removes the files of a doomed upload, then its row. Safe at any time, and twice at once. */
export async function clearUpload(
  { db, storage }: Pick<StorageContext, 'db' | 'storage'>,
  id: string,
): Promise<void> {
  await storage.remove(id);
  await inTransaction(db, (trx) =>
    trx.deleteFrom('uploads').where('id', '=', id).where('status', '=', 'doomed').execute(),
  );
}

/** Clears doomed uploads now, as far as it can: what stays is found by the sweep, which says why. */
export async function clearUploads(context: StorageContext, ids: readonly string[]): Promise<void> {
  for (const id of ids) await clearUpload(context, id).catch(() => undefined);
}

/**
 * Takes back an upload that was begun and whose record never came to be. Its files go even when the ledger cannot be
 * written, since a full disk is one reason for that; the row then waits for the sweep. Never throws.
 */
export async function abandonUpload(context: StorageContext, id: string): Promise<void> {
  const { db, storage, clock } = context;
  try {
    await inTransaction(db, (trx) => doomUploads(trx, [id], clock.now()));
  } catch {
    await storage.remove(id).catch(() => undefined);
    return;
  }
  await clearUploads(context, [id]);
}
