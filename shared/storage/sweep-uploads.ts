import { DAY, toIso } from '../clock';
import { inTransaction } from '../database/transaction';
import type { StorageArea } from './open-storage.server';
import { removeDeletedUpload, type StorageContext } from './upload-records';

/** Longer than any upload takes, and longer than an editor with an unsaved image is likely to stay open. */
const UNUSED_RETENTION_MS = DAY;

export interface UploadSweep {
  /** Uploads whose files and record are removed. */
  removed: number;
  /** Received files that belong to no upload and are removed. */
  discarded: number;
  /** Files that could not be removed and rows that could not be written; the next sweep tries again. */
  faults: unknown[];
}

/**
 * Removes the files of an area's deleted uploads at once, and received files and pending uploads once they are a day
 * old. Each removal is independent and comes before any write, so that the sweep frees space on a full disk.
 * Idempotent, and safe to run concurrently.
 */
export async function sweepUploads(
  { db, storage, clock }: StorageContext,
  area: StorageArea,
): Promise<UploadSweep> {
  // The kind of each upload decides in which area its files are.
  const isRelease = area === 'releases' ? '=' : '!=';
  const sweep: UploadSweep = { removed: 0, discarded: 0, faults: [] };
  const now = clock.now();
  const before = now - UNUSED_RETENTION_MS;

  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      sweep.faults.push(error);
    }
  }

  async function removeAll(deleted: readonly { id: string }[]): Promise<void> {
    for (const { id } of deleted)
      await attempt(async () => {
        await removeDeletedUpload({ db, storage }, id);
        sweep.removed += 1;
      });
  }

  await attempt(async () => {
    sweep.discarded = await storage.discardBefore(before);
  });
  await attempt(async () => {
    await removeAll(
      await db
        .selectFrom('uploads')
        .select('id')
        .where('status', '=', 'deleted')
        .where('kind', isRelease, 'release')
        .execute(),
    );
  });
  await attempt(async () => {
    const expired = await inTransaction(db, (trx) =>
      trx
        .updateTable('uploads')
        .set({ status: 'deleted', updated_at: toIso(now) })
        .where('status', '=', 'pending')
        .where('kind', isRelease, 'release')
        .where('updated_at', '<', toIso(before))
        .returning('id')
        .execute(),
    );
    await removeAll(expired);
  });
  return sweep;
}

/** The sum of several sweeps. */
export function addSweeps(sweeps: readonly UploadSweep[]): UploadSweep {
  return {
    removed: sweeps.reduce((sum, { removed }) => sum + removed, 0),
    discarded: sweeps.reduce((sum, { discarded }) => sum + discarded, 0),
    faults: sweeps.flatMap(({ faults }) => faults),
  };
}
