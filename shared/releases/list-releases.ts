import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema';
import type { Platform, Release, ReleaseFile } from './release';

/** Lists the releases, the newest version first (semantic order). `publishedOnly`: those that members see. */
export function listReleases(
  db: Kysely<Schema>,
  { publishedOnly }: { publishedOnly: boolean },
): Promise<Release[]> {
  throw new Error('not built yet', { cause: { db, publishedOnly } });
}

/** The newest published version that has at least one file; null if there is none. */
export function findLatestRelease(db: Kysely<Schema>): Promise<Release | null> {
  throw new Error('not built yet', { cause: db });
}

/** A release by its id, published or not. Throws `NotFound`. */
export function requireRelease(db: Kysely<Schema>, id: string): Promise<Release> {
  throw new Error('not built yet', { cause: { db, id } });
}

/**
 * The file that members download: of a version, or of the latest release. Throws `NotFound` with '{Platform} version is
 * not available yet'.
 */
export function requireDownload(
  db: Kysely<Schema>,
  { platform, version }: { platform: Platform; version?: string },
): Promise<{ release: Release; file: ReleaseFile }> {
  throw new Error('not built yet', { cause: { db, platform, version } });
}
