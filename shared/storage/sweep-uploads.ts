import { toIso } from '../clock';
import { inTransaction } from '../database/transaction';
import type { StorageArea } from './open-storage.server';
import { isS3Unavailable } from './s3/s3-faults';
import { UNUSED_RETENTION_MS } from './sweep-staging';
import { removeDeletedUpload, type StorageContext } from './upload-records';
import type { Database } from '../database/schema';
import type { FileStorage } from './storage';

/** The kinds of uploads in the area `releases`. */
const PRIVATE_KINDS = ['release', 'export'] as const;

interface UploadSweep {
  /** Uploads whose files and record are removed. */
  removed: number;
  /** Received files that belong to no upload and are removed. */
  discarded: number;
  /** Files that could not be removed and rows that could not be written; the next sweep tries again. */
  faults: unknown[];
  /** Whether the sweep ended early because the storage does not answer: each further call would wait as long. */
  stopped: boolean;
}

/**
 * Removes the files of an area's deleted uploads at once, and received files and pending uploads once they are a day
 * old. Each removal is independent and comes before any write, so that the sweep frees space on a full disk; a storage
 * that does not answer ends it. Idempotent, and safe to run concurrently.
 */
export async function sweepUploads(
  { db, storage, clock }: StorageContext,
  area: StorageArea,
): Promise<UploadSweep> {
  // The kind of each upload decides in which area its files are.
  const isOfArea = area === 'releases' ? 'in' : 'not in';
  const sweep: UploadSweep = { removed: 0, discarded: 0, faults: [], stopped: false };
  const now = clock.now();
  const before = now - UNUSED_RETENTION_MS;

  async function attempt(work: () => Promise<void>): Promise<void> {
    if (sweep.stopped) return;
    try {
      await work();
    } catch (error) {
      sweep.faults.push(error);
      sweep.stopped = isS3Unavailable(error);
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
        .where('kind', isOfArea, PRIVATE_KINDS)
        .execute(),
    );
  });
  await attempt(async () => {
    const expired = await inTransaction(db, (trx) =>
      trx
        .updateTable('uploads')
        .set({ status: 'deleted', updated_at: toIso(now) })
        .where('status', '=', 'pending')
        .where('kind', isOfArea, PRIVATE_KINDS)
        .where('updated_at', '<', toIso(before))
        .returning('id')
        .execute(),
    );
    await removeAll(expired);
  });
  return sweep;
}

/** Sweeps several areas of one storage, one after the other, and returns the sum. */
export async function sweepAreas(
  areas: readonly { area: StorageArea; storage: StorageContext['storage'] }[],
  { db, clock }: Pick<StorageContext, 'db' | 'clock'>,
): Promise<UploadSweep> {
  const sweeps: UploadSweep[] = [];
  for (const { area, storage } of areas)
    if (!sweeps.some(({ stopped }) => stopped)) sweeps.push(await sweepUploads({ db, storage, clock }, area));
  return {
    stopped: sweeps.some(({ stopped }) => stopped),
    removed: sweeps.reduce((sum, { removed }) => sum + removed, 0),
    discarded: sweeps.reduce((sum, { discarded }) => sum + discarded, 0),
    faults: sweeps.flatMap(({ faults }) => faults),
  };
}

/** SQLite limits the number of parameters of a query. */
const IDS_PER_QUERY = 200;

/**
 * Lists the stored upload folders without an upload record, for example after an older database was restored. Safe while
 * uploads arrive: a record is written before the first file of its folder, and folders are listed before records are read.
 */
export async function listOrphanUploads({
  db,
  storage,
}: {
  db: Database;
  storage: FileStorage;
}): Promise<string[]> {
  const stored = await storage.list();
  const orphans: string[] = [];
  for (let start = 0; start < stored.length; start += IDS_PER_QUERY) {
    const ids = stored.slice(start, start + IDS_PER_QUERY);
    const rows = await db.selectFrom('uploads').select('id').where('id', 'in', ids).execute();
    const known = new Set(rows.map(({ id }) => id));
    orphans.push(...ids.filter((id) => !known.has(id)));
  }
  return orphans.sort();
}
