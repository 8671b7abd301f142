import type { Selectable } from 'kysely';
import rcompare from 'semver/functions/rcompare.js';
import type { Database } from '../database/schema';
import type { ReleaseFilesTable, ReleasesTable } from '../database/tables/releases';
import { DomainError } from '../errors';
import { PLATFORM_FILES, PLATFORMS, type Release, type ReleaseFile } from './release';

type ReleaseRow = Selectable<ReleasesTable>;
type FileRow = Selectable<ReleaseFilesTable>;

export function releaseNotFound(): DomainError {
  return new DomainError('NotFound', {
    code: 'release_not_found',
    message: 'This release does not exist. It may have been deleted.',
  });
}

function fileOf(row: FileRow): ReleaseFile {
  return {
    platform: row.platform,
    fileName: PLATFORM_FILES[row.platform].fileName,
    fileSize: row.file_size,
    sha256: row.sha256,
    sha512: row.sha512,
    uploadId: row.upload_id,
    createdAt: row.created_at,
  };
}

function releaseOf(row: ReleaseRow, files: readonly FileRow[]): Release {
  return {
    id: row.id,
    version: row.version,
    releaseNotes: row.release_notes,
    releaseNotesHtml: row.release_notes_html,
    isBeta: row.is_beta === 1,
    published: row.published === 1,
    publishedAt: row.published_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    files: Object.fromEntries(
      PLATFORMS.flatMap((platform) => {
        const file = files.find((each) => each.platform === platform);
        return file === undefined ? [] : [[platform, fileOf(file)]];
      }),
    ),
  };
}

/** Turns rows into releases with their files, the newest version first (semantic order). */
export async function toReleases(db: Database, rows: readonly ReleaseRow[]): Promise<Release[]> {
  if (rows.length === 0) return [];
  // All files: a list of ids could exceed the limit of bound values.
  const filesByRelease = new Map<string, FileRow[]>();
  for (const file of await db.selectFrom('release_files').selectAll().execute())
    filesByRelease.set(file.release_id, [...(filesByRelease.get(file.release_id) ?? []), file]);
  return [...rows]
    .sort((a, b) => rcompare(a.version, b.version))
    .map((row) => releaseOf(row, filesByRelease.get(row.id) ?? []));
}

/** Turns one row into a release with its files. */
export async function toRelease(db: Database, row: ReleaseRow): Promise<Release> {
  const files = await db.selectFrom('release_files').selectAll().where('release_id', '=', row.id).execute();
  return releaseOf(row, files);
}
