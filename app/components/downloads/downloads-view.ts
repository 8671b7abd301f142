import { PLATFORM_FILES, type Platform, type Release } from '#shared/releases/release';
import type { Device } from './detect-device';

/** A file that a member can download. */
export interface FileView {
  platform: Platform;
  version: string;
  /** The name under which it is saved. */
  fileName: string;
  /** Bytes. */
  fileSize: number;
  sha256: string;
  /** Its path with the version, so that a link always gives the same file. */
  address: string;
}

/** A version as members see it. */
export interface ReleaseView {
  version: string;
  isBeta: boolean;
  publishedAt: string | null;
  /** Sanitised. */
  notesHtml: string;
  files: Partial<Record<Platform, FileView>>;
}

/** The data of the download widgets. */
export interface Downloads {
  device: Device;
  /** The newest version with a file; null: there is nothing to download. */
  latest: ReleaseView | null;
  /** Versions before the latest one, the newest first. */
  earlier: ReleaseView[];
  /** How many earlier versions the page leaves out. */
  hidden: number;
}

/** Where the page has the card, and where it lists every version. */
export const CARD_ID = 'desktop-app';
export const EVERY_VERSION = `/dashboard?versions=all#${CARD_ID}`;

/** The parts of a release that members see. */
export function showRelease({ version, isBeta, publishedAt, releaseNotesHtml, files }: Release): ReleaseView {
  const shown = Object.values(files).map(({ platform, fileName, fileSize, sha256 }): FileView => {
    const address = `/api/downloads/${platform}?version=${encodeURIComponent(version)}`;
    return { platform, version, fileName, fileSize, sha256, address };
  });
  return {
    version,
    isBeta,
    publishedAt,
    notesHtml: releaseNotesHtml,
    files: Object.fromEntries(shown.map((file) => [file.platform, file])),
  };
}

/** The message that a version has no file for a platform (specification, section 8). */
export function notAvailable(platform: Platform): string {
  return `${PLATFORM_FILES[platform].label} version is not available yet`;
}
