import { DAY, toIso } from '../clock';
import { inTransaction } from '../database/transaction';
import { areTooMany, listStrays, listStraysSeen, noteStrays } from './stray-uploads';
import { clearUpload, type StorageContext } from './upload-ledger';
import { noteWatch, watchedSince } from './upload-watch';

/** Longer than any upload takes, and than anybody leaves a form open with a picture in it. */
const UNCLAIMED_KEPT_MS = DAY;

export interface UploadSweep {
  /** Uploads whose files and row are gone. */
  cleared: number;
  /** Folders that no row knew, as a restored older database leaves them. */
  strays: number;
  /** Files that arrived and that nobody took. */
  unclaimed: number;
  /** Strays that stay because they are too many beside what the ledger keeps: is it the right database? */
  doubt: { strays: number; kept: number } | null;
  /** Whatever could not be removed or written; the next sweep tries again. */
  faults: unknown[];
}

/**
 * Removes what nothing points at: doomed uploads at once; received files that nobody took once they are a day old;
 * begun uploads that nothing came of and folders without a row once this database has watched them for a day without a
 * gap. Removals come first and none depends on another or on a write, so that a full disk does not keep itself full.
 * Safe to run at any time and twice at once.
 */
export async function sweepUploads({ db, storage, clock }: StorageContext): Promise<UploadSweep> {
  const sweep: UploadSweep = { cleared: 0, strays: 0, unclaimed: 0, doubt: null, faults: [] };
  const now = clock.now();
  const before = now - UNCLAIMED_KEPT_MS;

  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      sweep.faults.push(error);
    }
  }

  async function clearAll(doomed: readonly { id: string }[]): Promise<void> {
    for (const { id } of doomed)
      await attempt(async () => {
        await clearUpload({ db, storage }, id);
        sweep.cleared += 1;
      });
  }

  async function countKept(): Promise<number> {
    const { kept } = await db
      .selectFrom('uploads')
      .select(({ fn }) => fn.countAll<number>().as('kept'))
      .where('status', '=', 'kept')
      .executeTakeFirstOrThrow();
    return kept;
  }

  async function clearStrays(watchedLongEnough: boolean): Promise<void> {
    const strays = await listStrays(db, await storage.list());
    const kept = await countKept();
    const gone = new Set<string>();
    if (areTooMany(strays.length, kept)) sweep.doubt = { strays: strays.length, kept };
    else if (watchedLongEnough)
      for (const id of await listStraysSeen(db, strays, before))
        await attempt(async () => {
          await storage.remove(id);
          gone.add(id);
        });
    sweep.strays = gone.size;
    await noteStrays(
      db,
      strays.filter((id) => !gone.has(id)),
      now,
    );
  }

  async function doomUnclaimed(): Promise<void> {
    const doomed = await inTransaction(db, (trx) =>
      trx
        .updateTable('uploads')
        .set({ status: 'doomed', updated_at: toIso(now) })
        .where('status', '=', 'pending')
        .where('updated_at', '<', toIso(before))
        .returning('id')
        .execute(),
    );
    await clearAll(doomed);
  }

  await attempt(async () => {
    sweep.unclaimed = await storage.discardBefore(before);
  });
  await attempt(async () => {
    await clearAll(await db.selectFrom('uploads').select('id').where('status', '=', 'doomed').execute());
  });
  await attempt(async () => {
    const watchedLongEnough = (await watchedSince(db, now)) < before;
    await attempt(() => clearStrays(watchedLongEnough));
    if (watchedLongEnough) await attempt(doomUnclaimed);
    await inTransaction(db, (trx) => noteWatch(trx, { now }));
  });
  return sweep;
}
