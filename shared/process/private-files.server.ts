import { chmodSync, statSync } from 'node:fs';

const OWNER_ONLY_FOLDER = 0o700;
/** Removes every permission of the group and of others from new files and folders. */
const OWNER_ONLY_MASK = 0o077;

/** No folder yet; or one of another user, or a disk without file modes: the operator's choice. */
const LEFT_ALONE = ['ENOENT', 'EPERM', 'EROFS', 'ENOTSUP'];

/**
 * Makes the data folder accessible to its owner only, and likewise every file that this process creates from now on. To be
 * called once, at the start of a process. `dataDir`: an absolute path.
 */
export function keepFilesPrivate(dataDir: string): void {
  process.umask(OWNER_ONLY_MASK);
  try {
    if ((statSync(dataDir).mode & 0o777) !== OWNER_ONLY_FOLDER) chmodSync(dataDir, OWNER_ONLY_FOLDER);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!LEFT_ALONE.includes(code)) throw error;
  }
}
