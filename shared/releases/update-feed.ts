import prerelease from 'semver/functions/prerelease.js';
import type { Database } from '../database/schema';
import { DomainError } from '../errors';
import { listReleases } from './list-releases';
import { PLATFORM_FILES, type Platform } from './release';

/** electron-updater's channels: `latest` for stable versions, `beta` for all. */
export const UPDATE_CHANNELS = ['latest', 'beta'] as const;
export type UpdateChannel = (typeof UPDATE_CHANNELS)[number];

/** What follows the channel in the name of a feed (electron-updater 6, `Provider.getChannelFilePrefix`). */
const FEED_SUFFIXES = { windows: '', macos: '-mac', linux: '-linux' } as const satisfies Record<
  Platform,
  string
>;

/** The file name of a feed, such as `beta-mac.yml`. */
export function updateFeedName(channel: UpdateChannel, platform: Platform): string {
  return `${channel}${FEED_SUFFIXES[platform]}.yml`;
}

/** The path of a version's file below the feeds. electron-updater 6 chooses by its extension, so the name ends the path. */
function filePath(version: string, platform: Platform): string {
  return `${platform}/${version}/${PLATFORM_FILES[platform].fileName}`;
}

/**
 * The update feed of a platform in electron-updater's form (builder-util-runtime, `UpdateInfo`). `beta`: the newest
 * published version that has a file for the platform. `latest`: the newest of these that is no beta; if all are betas,
 * the newest. Addresses are relative to the feed. Throws `NotFound`.
 */
export async function writeUpdateFeed(
  db: Database,
  { channel, platform }: { channel: UpdateChannel; platform: Platform },
): Promise<string> {
  const published = await listReleases(db, { publishedOnly: true });
  const releases = published.filter(({ files }) => files[platform] !== undefined);
  const stable =
    channel === 'latest'
      ? releases.find(({ isBeta, version }) => !isBeta && prerelease(version) === null)
      : undefined;
  const release = stable ?? releases[0];
  const file = release?.files[platform];
  if (release === undefined || file === undefined) {
    throw new DomainError('NotFound', {
      code: 'platform_not_available',
      message: `${PLATFORM_FILES[platform].label} version is not available yet`,
    });
  }
  const { version, releaseNotes, publishedAt, createdAt } = release;
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
  // Loaded with the first feed, because it would delay the start of the process.
  const { stringify } = await import('yaml');
  // js-yaml, which electron-updater reads with, knows the timestamps of YAML 1.1: this version quotes texts like them.
  return stringify(info, { version: '1.1', lineWidth: 0 });
}
