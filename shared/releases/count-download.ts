import type { Kysely } from 'kysely';
import type { Clock } from '../clock';
import type { Schema } from '../database/schema';
import type { Platform } from './release';

/** Counts a download once per member and version. Writes nothing when it is counted already. */
export function countDownload(
  db: Kysely<Schema>,
  {
    releaseId,
    accountId,
    platform,
    clock,
  }: { releaseId: string; accountId: string; platform: Platform; clock: Clock },
): Promise<void> {
  throw new Error('not built yet', { cause: { db, releaseId, accountId, platform, clock } });
}

/** How many members downloaded each release, by its id and then by platform. Releases without downloads are absent. */
export function readDownloadCounts(
  db: Kysely<Schema>,
): Promise<Map<string, Partial<Record<Platform, number>>>> {
  throw new Error('not built yet', { cause: db });
}
