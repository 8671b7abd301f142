import type { UsersTable } from '../accounts/users';
import type { ReleaseFilesTable } from './release-files';

/**
 * The file of which a member last got the first byte at an address, per session. A client that requests the rest
 * without If-Range must get the rest of the same file.
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
