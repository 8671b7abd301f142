import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { MINUTE } from '../clock';
import type { DatabaseConfig } from '../database-config';
import type { Logger } from '../logger.server';
import { describeLogSize, readLogBytes } from './sqlite/log-size';

const REPEAT_AFTER_MS = 30 * MINUTE;

/** The disk state of the database, as the daemon sees it. */
export interface DiskWatch {
  /** The size of SQLite's write-ahead log in bytes; 0 if there is none. */
  readLogBytes(): Promise<number>;
  /** Why the log is too large, in a sentence for an operator, or null. Logs it, at most every half hour. */
  findLogFault(): Promise<string | null>;
  /** Bytes that this process can still write to the file system of the database; infinite on another machine. */
  readFreeBytes(): Promise<number>;
}

/**
 * Watches the disk of an SQLite file. Its write-ahead log grows without limit while a program, such as a forgotten
 * `sqlite3`, holds a read transaction (sqlite.org/wal.html, section 6, "Avoiding excessively large WAL files"). The disk of a
 * PostgreSQL server is watched by its operator.
 */
export function createDiskWatch(config: DatabaseConfig, logger: Logger): DiskWatch {
  if (config.engine === 'postgres')
    return {
      readLogBytes: () => Promise.resolve(0),
      findLogFault: () => Promise.resolve(null),
      readFreeBytes: () => Promise.resolve(Number.POSITIVE_INFINITY),
    };
  const { file } = config;
  let loggedAt: number | null = null;
  return {
    readLogBytes: () => readLogBytes(file),
    async findLogFault() {
      const bytes = await readLogBytes(file);
      const fault = describeLogSize(file, bytes);
      if (fault === null) {
        if (loggedAt !== null) logger.info({ bytes }, 'the write-ahead log of the database has shrunk');
        loggedAt = null;
      } else if (loggedAt === null || performance.now() - loggedAt > REPEAT_AFTER_MS) {
        loggedAt = performance.now();
        logger.warn({ bytes }, fault);
      }
      return fault;
    },
    async readFreeBytes() {
      const { bavail, bsize } = await statfs(dirname(file));
      return bavail * bsize;
    },
  };
}
