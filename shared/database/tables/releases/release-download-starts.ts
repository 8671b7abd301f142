import type { ReleaseFilesTable } from './release-files';
import type { UsersTable } from '../accounts/users';

/**
 * Of which file a member last got the first byte at an address, in each session. A client that then asks for the rest, without If-Range,
 * must get it of that same file.
 */
export interface ReleaseDownloadStartsTable {
  user_id: UsersTable['id'];
  platform: ReleaseFilesTable['platform'];
  /** As the address names it; empty: the latest version. */
  version: string;
  /** As `listedIdOf` tells it. It may have ended. Unique per member, platform and version. */
  session_id: string;
  /** Of the file. */
  sha256: ReleaseFilesTable['sha256'];
  created_at: string;
}
