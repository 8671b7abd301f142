import type { UsersTable } from '../accounts/users';
import type { ReleaseFilesTable } from './release-files';

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
  /** Bytes, as announced; null: unknown. */
  file_size: number | null;
  /** JSON: those of `releaseNotes`, `isBeta` and `published` that were sent. */
  fields: string;
  created_at: string;
  /** When bytes last arrived. */
  received_at: string;
}
