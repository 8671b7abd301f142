import type { UploadsTable } from '../uploads';
import type { ReleasesTable } from './releases';

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
