import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND, toIso, type Clock } from '../clock';
import type { Database } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { newId } from '../ids';

/** A lock that is not renewed for this long is free: its process has died. */
const LEASE_MS = 10 * SECOND;
const RENEW_INTERVAL_MS = SECOND;
/** Longer than the lease, so that a request after a crash gets the lock. */
const WAIT_LIMIT_MS = 15 * SECOND;
const POLL_INTERVAL_MS = 100;

/** A lock that is held. `release` never rejects: a lock that cannot be removed expires. */
export interface UploadLock {
  release(): Promise<void>;
}

/** Tries once. `held`: another request has the lock, which is marked as wanted. `missing`: there is no such upload. */
function tryLock(
  db: Database,
  { uploadId, holder, now }: { uploadId: string; holder: string; now: number },
): Promise<'locked' | 'held' | 'missing'> {
  return inTransaction(db, async (trx) => {
    const upload = await trx
      .selectFrom('release_uploads')
      .select('id')
      .where('id', '=', uploadId)
      .executeTakeFirst();
    if (upload === undefined) return 'missing';
    await trx
      .deleteFrom('release_upload_locks')
      .where('upload_id', '=', uploadId)
      .where('expires_at', '<', toIso(now))
      .execute();
    const inserted = await trx
      .insertInto('release_upload_locks')
      .values({ upload_id: uploadId, holder, expires_at: toIso(now + LEASE_MS), wanted: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (inserted.numInsertedOrUpdatedRows === 1n) return 'locked';
    const latestExpiry = toIso(now + LEASE_MS);
    await trx
      .updateTable('release_upload_locks')
      .set((eb) => ({
        wanted: 1,
        // The expiry is later than that if the clock was set back. A live holder renews the lock.
        expires_at: eb
          .case()
          .when('expires_at', '>', latestExpiry)
          .then(latestExpiry)
          .else(eb.ref('expires_at'))
          .end(),
      }))
      .where('upload_id', '=', uploadId)
      .execute();
    return 'held';
  });
}

/** Renews a lock. Returns whether another request wants it or has taken it. */
async function renew(
  db: Database,
  { uploadId, holder, now }: { uploadId: string; holder: string; now: number },
): Promise<boolean> {
  const row = await inTransaction(db, (trx) =>
    trx
      .updateTable('release_upload_locks')
      .set({ expires_at: toIso(now + LEASE_MS) })
      .where('upload_id', '=', uploadId)
      .where('holder', '=', holder)
      .returning('wanted')
      .executeTakeFirst(),
  );
  return row?.wanted !== 0;
}

async function isLocked(db: Database, uploadId: string, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('release_upload_locks')
    .select('upload_id')
    .where('upload_id', '=', uploadId)
    .where('expires_at', '>=', toIso(now))
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Takes the lock of a resumable upload, which holds across processes. Waits up to 15 s for its holder to release it.
 * `onWanted` is called, perhaps repeatedly, when another request waits for this lock or has taken it. Returns `held` when
 * the holder did not end in time, and `missing` when there is no such upload. Rejects when `signal` aborts.
 */
export async function lockUpload(
  db: Database,
  {
    uploadId,
    onWanted,
    clock,
    signal,
    waitMs = WAIT_LIMIT_MS,
  }: { uploadId: string; onWanted?: () => void; clock: Clock; signal?: AbortSignal; waitMs?: number },
): Promise<UploadLock | 'held' | 'missing'> {
  const holder = newId();
  const deadline = performance.now() + waitMs;
  for (;;) {
    const outcome = await tryLock(db, { uploadId, holder, now: clock.now() });
    if (outcome === 'missing') return 'missing';
    if (outcome === 'locked') break;
    do {
      if (performance.now() > deadline) return 'held';
      await sleep(POLL_INTERVAL_MS, undefined, { signal });
    } while (await isLocked(db, uploadId, clock.now()));
  }

  const timer = setInterval(() => {
    renew(db, { uploadId, holder, now: clock.now() })
      .then((isWanted) => {
        if (isWanted) onWanted?.();
      })
      // The database may be busy: the next renewal comes before the lock expires.
      .catch(() => undefined);
  }, RENEW_INTERVAL_MS);
  return {
    async release() {
      clearInterval(timer);
      await inTransaction(db, (trx) =>
        trx
          .deleteFrom('release_upload_locks')
          .where('upload_id', '=', uploadId)
          .where('holder', '=', holder)
          .execute(),
      ).catch(() => undefined);
    },
  };
}
