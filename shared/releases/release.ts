/** The platforms of the desktop app, in the order in which they are listed. */
export const PLATFORMS = ['windows', 'macos', 'linux'] as const;

export type Platform = (typeof PLATFORMS)[number];

/** Per platform: the name that people read, and the download's name, extension and media type. */
export const PLATFORM_FILES = {
  windows: {
    label: 'Windows',
    fileName: 'packwatch-windows.exe',
    extension: '.exe',
    mediaType: 'application/vnd.microsoft.portable-executable',
  },
  macos: {
    label: 'macOS',
    fileName: 'packwatch-macos.dmg',
    extension: '.dmg',
    mediaType: 'application/x-apple-diskimage',
  },
  linux: {
    label: 'Linux',
    fileName: 'packwatch-linux.AppImage',
    extension: '.AppImage',
    mediaType: 'application/vnd.appimage',
  },
} as const satisfies Record<Platform, unknown>;

/** The largest file of a release: 2 GB. */
export const RELEASE_FILE_LIMIT_BYTES = 2 * 1024 ** 3;

/** The longest version, in characters. */
export const VERSION_LIMIT = 64;

/** The longest release notes, in characters of Markdown. */
export const RELEASE_NOTES_LIMIT = 20_000;

/** The path of a download, from the site's root. `version`: default is the latest version. */
export function downloadPath(platform: Platform, version?: string): string {
  return `/api/downloads/${platform}${version === undefined ? '' : `?version=${encodeURIComponent(version)}`}`;
}

export interface ReleaseFile {
  platform: Platform;
  /** The name of the download, such as `packwatch-windows.exe`. */
  fileName: string;
  /** Bytes. */
  fileSize: number;
  /** Hexadecimal, lower case. */
  sha256: string;
  /** Base64. */
  sha512: string;
  uploadId: string;
  createdAt: string;
}

/** A version of the desktop app with its files. */
export interface Release {
  id: string;
  version: string;
  /** Markdown. */
  releaseNotes: string;
  /** Sanitised. */
  releaseNotesHtml: string;
  isBeta: boolean;
  published: boolean;
  /** When it was first published. */
  publishedAt: string | null;
  createdAt: string;
  updatedAt: string;
  files: Partial<Record<Platform, ReleaseFile>>;
}

/** The fields to change of a release. Absent ones stay unchanged. */
export interface ReleaseChanges {
  version?: string;
  /** Markdown. */
  releaseNotes?: string;
  isBeta?: boolean;
  /** False withdraws it: members no longer see it. */
  published?: boolean;
}
