import { readdir, stat } from 'node:fs/promises';
import { DomainError } from '../errors';
import { storageFull } from './disk-space';

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

/** Runs work on the disk and turns a system error into `Unavailable`. */
export async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === 'ENOSPC' || error.code === 'EDQUOT') throw storageFull(error);
    throw new DomainError('Unavailable', {
      code: 'storage_unavailable',
      message: 'Files cannot be stored right now. Please try again later.',
      cause: error,
    });
  }
}

/** Whether a system call found no file. */
export function isMissing(error: unknown): boolean {
  return isSystemError(error) && error.code === 'ENOENT';
}

/** The entries of a folder; none if it does not exist. */
export async function listEntries(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** When a file was last written (epoch ms); null if it no longer exists. */
export async function findModifiedMs(path: string): Promise<number | null> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
