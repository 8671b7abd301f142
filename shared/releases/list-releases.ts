import type { Database } from '../database/schema';
import { DomainError } from '../errors';
import { PLATFORM_FILES, type Platform, type Release, type ReleaseFile } from './release';
import { releaseNotFound, toRelease, toReleases } from './release-rows';

/** Lists the releases, the newest version first (semantic order). `publishedOnly`: those that members see. */
export async function listReleases(
  db: Database,
  { publishedOnly }: { publishedOnly: boolean },
): Promise<Release[]> {
  const rows = await db
    .selectFrom('releases')
    .selectAll()
    .$if(publishedOnly, (query) => query.where('published', '=', 1))
    .execute();
  return toReleases(db, rows);
}

/** The newest published version that has at least one file; null if there is none. */
export async function findLatestRelease(db: Database): Promise<Release | null> {
  const releases = await listReleases(db, { publishedOnly: true });
  return releases.find(({ files }) => Object.keys(files).length > 0) ?? null;
}

/** A release by its id, published or not. Throws `NotFound`. */
export async function requireRelease(db: Database, id: string): Promise<Release> {
  const row = await db.selectFrom('releases').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw releaseNotFound();
  return toRelease(db, row);
}

/** The file of a version, or of the latest release. Throws `NotFound` with '{Platform} version is not available yet'. */
export async function requireDownload(
  db: Database,
  { platform, version }: { platform: Platform; version?: string },
): Promise<{ release: Release; file: ReleaseFile }> {
  const release =
    version === undefined ? await findLatestRelease(db) : await findPublishedVersion(db, version);
  const file = release?.files[platform];
  if (release == null || file === undefined) {
    throw new DomainError('NotFound', {
      code: 'platform_not_available',
      message: `${PLATFORM_FILES[platform].label} version is not available yet`,
    });
  }
  return { release, file };
}

async function findPublishedVersion(db: Database, version: string): Promise<Release | null> {
  const row = await db
    .selectFrom('releases')
    .selectAll()
    .where('version', '=', version)
    .where('published', '=', 1)
    .executeTakeFirst();
  return row === undefined ? null : toRelease(db, row);
}
