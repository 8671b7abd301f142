import type { ReleaseFilesTable } from './release-files';
import type { ReleasesTable } from './releases';
import type { UsersTable } from '../accounts/users';

/** The first download of a version by a member; later ones change nothing. */
export interface ReleaseDownloadsTable {
  release_id: ReleasesTable['id'];
  user_id: UsersTable['id'];
  platform: ReleaseFilesTable['platform'];
  created_at: string;
}
