import { toIso, type Clock, DAY } from '../clock';
import type { Database } from '../database/schema';
import { inTransaction } from '../database/transaction';
import type { Platform } from './release';
import { deleteInBatches } from '../database/delete-in-batches';

/** Counts a download once per member and version. Writes nothing when it is counted already. */
export async function countDownload(
  db: Database,
  {
    releaseId,
    accountId,
    platform,
    clock,
  }: { releaseId: string; accountId: string; platform: Platform; clock: Clock },
): Promise<void> {
  // Read first: most requests of a download are ranges of one that is counted, and a write waits for the lock.
  const counted = await db
    .selectFrom('release_downloads')
    .select('release_id')
    .where('release_id', '=', releaseId)
    .where('user_id', '=', accountId)
    .executeTakeFirst();
  if (counted !== undefined) return;
  await inTransaction(db, async (trx) => {
    const release = trx.selectFrom('releases').select('id').where('id', '=', releaseId);
    // The release may be deleted by now.
    if ((await release.executeTakeFirst()) === undefined) return;
    await trx
      .insertInto('release_downloads')
      .values({ release_id: releaseId, user_id: accountId, platform, created_at: toIso(clock.now()) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

/** How many members downloaded each release, by its id and then by platform. Releases without downloads are absent. */
export async function readDownloadCounts(
  db: Database,
): Promise<Map<string, Partial<Record<Platform, number>>>> {
  const rows = await db
    .selectFrom('release_downloads')
    .select(['release_id', 'platform', (eb) => eb.fn.countAll().as('count')])
    .groupBy(['release_id', 'platform'])
    .execute();
  const counts = new Map<string, Partial<Record<Platform, number>>>();
  for (const { release_id, platform, count } of rows)
    counts.set(release_id, { ...counts.get(release_id), [platform]: Number(count) });
  return counts;
}

/** As long as a session lasts without being used. */
export const DOWNLOAD_START_RETENTION_MS = 30 * DAY;

/** A download that a member requests in a session: of a version, or of the latest one. */
interface DownloadAddress {
  accountId: string;
  /** Distinguishes the member's computers: each may have started with another file. */
  sessionId: string;
  platform: Platform;
  version: string | undefined;
}

/** The recorded starts of a member's downloads at an address, of all sessions, the newest first. */
function startsAt(db: Database, { accountId, platform, version = '' }: DownloadAddress) {
  return db
    .selectFrom('release_download_starts')
    .select(['session_id', 'sha256'])
    .where('user_id', '=', accountId)
    .where('platform', '=', platform)
    .where('version', '=', version)
    .orderBy('created_at', 'desc')
    .execute();
}

/** The SHA-256 of the file whose download the member last started at an address, in this session or any; null for none. */
export async function findDownloadStart(db: Database, address: DownloadAddress): Promise<string | null> {
  const starts = await startsAt(db, address);
  const start = starts.find(({ session_id }) => session_id === address.sessionId) ?? starts[0];
  return start?.sha256 ?? null;
}

/** Records the file whose first byte a member gets at an address. Writes nothing when that file is recorded already. */
export async function recordDownloadStart(
  db: Database,
  { sha256, clock, ...address }: DownloadAddress & { sha256: string; clock: Clock },
): Promise<void> {
  const starts = await startsAt(db, address);
  if (starts.some((start) => start.session_id === address.sessionId && start.sha256 === sha256)) return;
  const { accountId, sessionId, platform, version = '' } = address;
  const now = clock.now();
  await inTransaction(db, async (trx) => {
    await trx
      .insertInto('release_download_starts')
      .values({
        user_id: accountId,
        session_id: sessionId,
        platform,
        version,
        sha256,
        created_at: toIso(now),
      })
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'platform', 'version', 'session_id']).doUpdateSet((eb) => ({
          sha256: eb.ref('excluded.sha256'),
          created_at: eb.ref('excluded.created_at'),
        })),
      )
      .execute();
  });
}

/** Deletes the starts that are a month old. Returns how many. `now`: epoch ms. */
export function purgeDownloadStarts(db: Database, now: number): Promise<number> {
  return deleteInBatches(db, (trx, limit) =>
    trx.deleteFrom('release_download_starts').where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('user_id', 'platform', 'version', 'session_id'),
        'in',
        selectFrom('release_download_starts')
          .select(['user_id', 'platform', 'version', 'session_id'])
          .where('created_at', '<', toIso(now - DOWNLOAD_START_RETENTION_MS))
          .limit(limit)
          .$asTuple('user_id', 'platform', 'version', 'session_id'),
      ),
    ),
  );
}
