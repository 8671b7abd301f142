import type { Kysely } from 'kysely';
import { stringify } from 'yaml';
import type { Schema } from '../database/schema';
import { DomainError } from '../errors';
import { listReleases } from './list-releases';
import { PLATFORM_FILES, type Platform } from './release';

/** The names of electron-updater's feeds (electron-updater 6, `Provider.getChannelFilePrefix`), by platform. */
export const UPDATE_FEED_NAMES = {
  windows: 'latest.yml',
  macos: 'latest-mac.yml',
  linux: 'latest-linux.yml',
} as const satisfies Record<Platform, string>;

/**
 * The path of a version's file below the feeds. electron-updater chooses a file by the extension of its path
 * (electron-updater 6, `findFile`), so the name ends the path.
 */
function filePath(version: string, platform: Platform): string {
  return `${platform}/${version}/${PLATFORM_FILES[platform].fileName}`;
}

/**
 * The update feed of a platform in electron-updater's form (builder-util-runtime, `UpdateInfo`): the newest published version
 * that has a file for it. Addresses are relative to the feed. Throws `NotFound`.
 */
export async function writeUpdateFeed(db: Kysely<Schema>, platform: Platform): Promise<string> {
  const releases = await listReleases(db, { publishedOnly: true });
  for (const { version, releaseNotes, publishedAt, createdAt, files } of releases) {
    const file = files[platform];
    if (file === undefined) continue;
    const url = filePath(version, platform);
    const info = {
      version,
      files: [{ url, sha512: file.sha512, size: file.fileSize }],
      // Of the form before `files`; electron-builder still writes them.
      path: url,
      sha512: file.sha512,
      releaseDate: publishedAt ?? createdAt,
      ...(releaseNotes !== '' && { releaseNotes }),
    };
    // js-yaml, which electron-updater reads with, knows the timestamps of YAML 1.1: this version quotes texts like them.
    return stringify(info, { version: '1.1', lineWidth: 0 });
  }
  throw new DomainError('NotFound', {
    code: 'platform_not_available',
    message: `${PLATFORM_FILES[platform].label} version is not available yet`,
  });
}
