import type { UploadsTable } from './site';
import type { UsersTable } from './accounts';

/** A version of the desktop app. */
export interface ReleasesTable {
  id: string;
  /** A semantic version without build metadata (semver.org 2.0.0), such as `1.4.0` or `2.0.0-beta.1`. Unique. */
  version: string;
  /** Markdown, as an admin wrote it. */
  release_notes: string;
  /** The sanitised HTML of the notes, made at each save. */
  release_notes_html: string;
  is_beta: 0 | 1;
  /** 1: members see it (written when it is published); 0: draft or withdrawn. */
  published: 0 | 1;
  /** When it was first published. */
  published_at: string | null;
  created_at: string;
  updated_at: string;
}

/** The file of a release for one platform. Replacing it replaces the row, in one transaction. */
export interface ReleaseFilesTable {
  id: string;
  release_id: ReleasesTable['id'];
  /** Unique per release. */
  platform: 'windows' | 'macos' | 'linux';
  upload_id: UploadsTable['id'];
  /** The uploader's name for the file, cleaned for display. */
  original_name: string;
  /** Bytes. */
  file_size: number;
  /** Hexadecimal, lower case. */
  sha256: string;
  /** Base64, as electron-updater reads it. */
  sha512: string;
  created_at: string;
}

/**
 * An upload of a release file that has not ended. At most one per version and platform. The row is removed when the
 * file is attached, refused or cancelled, or by the sweep when it expires.
 */
export interface ReleaseUploadsTable {
  id: string;
  /** form: one multipart request; resumable: the tus protocol. */
  kind: 'form' | 'resumable';
  version: string;
  platform: ReleaseFilesTable['platform'];
  user_id: UsersTable['id'] | null;
  /** The uploader's name for the file, cleaned for display. */
  original_name: string;
  /**
   * The machine whose staging folder holds the bytes of a resumable upload (`FileStorage.machine`); null for a form, and for
   * uploads that an earlier release began.
   */
  machine: string | null;
  /** Bytes, as announced; null: unknown. */
  file_size: number | null;
  /** JSON: those of `releaseNotes`, `isBeta` and `published` that were sent. */
  fields: string;
  created_at: string;
  /** When bytes last arrived. */
  received_at: string;
}

/**
 * The lock on a resumable upload: one request at a time writes it, stores it or cancels it, in whichever process. A lock
 * whose process has died expires.
 */
export interface ReleaseUploadLocksTable {
  upload_id: ReleaseUploadsTable['id'];
  /** A random id of the holder. */
  holder: string;
  /** The holder renews it while it works. */
  expires_at: string;
  /** 1: another request waits for the lock, so the holder ends as soon as it can. */
  wanted: 0 | 1;
}

/** The first download of a version by a member; later ones change nothing. */
export interface ReleaseDownloadsTable {
  release_id: ReleasesTable['id'];
  user_id: UsersTable['id'];
  platform: ReleaseFilesTable['platform'];
  created_at: string;
}

/**
 * The file that a session last began to download from an address. A client that resumes without If-Range must get the
 * rest of the same file.
 */
export interface ReleaseDownloadStartsTable {
  user_id: UsersTable['id'];
  platform: ReleaseFilesTable['platform'];
  /** The version in the address; empty: the latest version. */
  version: string;
  /** From `listedIdOf`. It may have ended. Unique per member, platform and version. */
  session_id: string;
  sha256: ReleaseFilesTable['sha256'];
  created_at: string;
}
