import { setImmediate as breathe } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { DAY, toIso } from '../clock';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { clearUpload, type StorageContext } from './upload-ledger';

/** Longer than any upload takes, and than anybody leaves a form open with a picture in it. */
const UNCLAIMED_KEPT_MS = DAY;
/** Small steps: no other writer waits long. */
const BATCH = 200;

export interface UploadSweep {
  /** Uploads whose files and row are gone. */
  cleared: number;
  /** Folders that no row knew, as a restored older database leaves them. */
  strays: number;
  /** Files that arrived and that nobody took. */
  unclaimed: number;
  /** Whatever could not be removed; the next sweep tries again. */
  faults: unknown[];
}

/**
 * Removes what nothing points at: doomed uploads at once; begun ones that nothing came of, folders without a row and
 * received files that nobody took once they are a day old. Safe to run at any time and twice at once.
 */
export async function sweepUploads({ db, storage, clock }: StorageContext): Promise<UploadSweep> {
  const sweep: UploadSweep = { cleared: 0, strays: 0, unclaimed: 0, faults: [] };
  const now = clock.now();
  const before = now - UNCLAIMED_KEPT_MS;
  await inTransaction(db, (trx) =>
    trx
      .updateTable('uploads')
      .set({ status: 'doomed', updated_at: toIso(now) })
      .where('status', '=', 'pending')
      .where('updated_at', '<', toIso(before))
      .execute(),
  );

  const doomed = await db.selectFrom('uploads').select('id').where('status', '=', 'doomed').execute();
  for (const { id } of doomed) {
    try {
      await clearUpload({ db, storage }, id);
      sweep.cleared += 1;
    } catch (error) {
      sweep.faults.push(error);
    }
  }

  for (const id of await listStrays(
    db,
    (await storage.list()).filter(({ changedAt }) => changedAt < before),
  )) {
    try {
      await storage.remove(id);
      sweep.strays += 1;
    } catch (error) {
      sweep.faults.push(error);
    }
  }
  sweep.unclaimed = await storage.discardBefore(before);
  return sweep;
}

/** Those of the stored uploads that have no row. */
async function listStrays(db: Kysely<Schema>, stored: readonly { id: string }[]): Promise<string[]> {
  const strays: string[] = [];
  for (let start = 0; start < stored.length; start += BATCH) {
    const ids = stored.slice(start, start + BATCH).map(({ id }) => id);
    const rows = await db.selectFrom('uploads').select('id').where('id', 'in', ids).execute();
    const known = new Set(rows.map(({ id }) => id));
    strays.push(...ids.filter((id) => !known.has(id)));
    await breathe();
  }
  return strays;
}
