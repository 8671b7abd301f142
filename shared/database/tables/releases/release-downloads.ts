import type { UsersTable } from '../accounts/users';
import type { ReleaseFilesTable } from './release-files';
import type { ReleasesTable } from './releases';

/** The first download of a version by a member; later ones change nothing. */
export interface ReleaseDownloadsTable {
  release_id: ReleasesTable['id'];
  user_id: UsersTable['id'];
  platform: ReleaseFilesTable['platform'];
  created_at: string;
}
