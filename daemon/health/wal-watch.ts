import { stat } from 'node:fs/promises';
import { MINUTE } from '#shared/clock';
import type { Logger } from '#shared/logger.server';
import { LOG_SIZE_LIMIT_BYTES } from '#shared/database/connection.server';

/** Twice the size to which SQLite truncates it: a program keeps an old state of the database open. */
const LARGE_BYTES = 2 * LOG_SIZE_LIMIT_BYTES;
const REPEAT_AFTER_MS = 30 * MINUTE;

export interface WalWatch {
  /** The size of the write-ahead log in bytes; 0 if there is none. */
  readBytes(): Promise<number>;
  /** Why the log is too large, in a sentence for an operator, or null. Logs it, at most every half hour. */
  findFault(): Promise<string | null>;
}

/**
 * Watches the size of the database's write-ahead log. It grows without limit while a program, such as a forgotten `sqlite3`,
 * holds a read transaction (sqlite.org/wal.html, section 6, "Avoiding excessively large WAL files").
 */
export function createWalWatch({ databaseFile, logger }: { databaseFile: string; logger: Logger }): WalWatch {
  let loggedAt: number | null = null;

  async function readBytes(): Promise<number> {
    try {
      return (await stat(`${databaseFile}-wal`)).size;
    } catch {
      return 0;
    }
  }

  return {
    readBytes,
    async findFault() {
      const bytes = await readBytes();
      if (bytes < LARGE_BYTES) {
        loggedAt = null;
        return null;
      }
      const fault = `The write-ahead log of the database has ${Math.round(bytes / 1024 ** 2)} MB and cannot shrink: a program keeps the database open for reading. End it, such as an open sqlite3 (lsof ${databaseFile} lists them), before the disk is full.`;
      if (loggedAt === null || performance.now() - loggedAt > REPEAT_AFTER_MS) {
        loggedAt = performance.now();
        logger.warn({ bytes }, fault);
      }
      return fault;
    },
  };
}
