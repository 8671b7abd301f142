import type { Kysely } from 'kysely';
import { toIso, type Clock } from '../clock';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';
import type { Platform } from './release';

/** Counts a download once per member and version. Writes nothing when it is counted already. */
export async function countDownload(
  db: Kysely<Schema>,
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
  db: Kysely<Schema>,
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
