import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

/** Only the account that runs the product reads its database. */
const OWNER_ONLY = 0o600;

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function restrict(file: string): void {
  try {
    if ((statSync(file).mode & 0o777) !== OWNER_ONLY) chmodSync(file, OWNER_ONLY);
  } catch (error) {
    // A file of another account, or on a disk without modes, is the operator's own arrangement.
    if (!['ENOENT', 'EPERM', 'EROFS', 'ENOTSUP'].includes(codeOf(error))) throw error;
  }
}

/**
 * Creates a database file readable by its owner only, or restricts an existing one and its -wal and -shm files. SQLite
 * creates those two with the mode of the database (sqlite.org/src, os_unix.c, findCreateFileMode).
 */
export function makeDatabasePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'ax', OWNER_ONLY));
  } catch (error) {
    // A read-only disk: SQLite opens what is there or says why it cannot.
    if (!['EEXIST', 'EACCES', 'EROFS'].includes(codeOf(error))) throw error;
  }
  for (const name of [file, `${file}-wal`, `${file}-shm`]) restrict(name);
}
