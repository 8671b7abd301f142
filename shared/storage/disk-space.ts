import { DomainError } from '../errors';
import type { FileStorage } from './storage';

/** Kept free, because the database, its copies and Redis are on the same disk. */
const RESERVED_BYTES = 512 * 1024 ** 2;

/** While a file arrives, the free space is checked each time this many bytes are written. */
export const SPACE_CHECK_BYTES = 64 * 1024 ** 2;

/** The refusal of a file for which the disk has no space. */
export function storageFull(cause?: unknown): DomainError {
  return new DomainError('Unavailable', {
    code: 'storage_full',
    message:
      'There is not enough free space to store this file. Free some space on the server, then try again.',
    cause,
  });
}

/** Throws `Unavailable` (`storage_full`) when a file of `bytes` would not leave the reserve free. Call it before reading. */
export async function requireSpace(storage: Pick<FileStorage, 'freeBytes'>, bytes: number): Promise<void> {
  if ((await storage.freeBytes()) - RESERVED_BYTES < bytes) throw storageFull();
}
