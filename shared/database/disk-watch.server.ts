import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DatabaseConfig } from '../database-config';
import type { Logger } from '../logger.server';
import { createLogWatch } from './sqlite/log-watch.server';

/** What a daemon can see of the disk of its database. */
export interface DiskWatch {
  /** The size of SQLite's write-ahead log in bytes; 0 if there is none. */
  readLogBytes(): Promise<number>;
  /** Why the log is too large, in a sentence for an operator, or null. Logs it, at most every half hour. */
  findLogFault(): Promise<string | null>;
  /** Bytes that this process can still write to the file system of the database; infinite on another machine. */
  readFreeBytes(): Promise<number>;
}

/** Watches the disk of an SQLite file. The disk of a PostgreSQL server is watched by its operator. */
export function createDiskWatch(config: DatabaseConfig, logger: Logger): DiskWatch {
  if (config.engine === 'postgres')
    return {
      readLogBytes: () => Promise.resolve(0),
      findLogFault: () => Promise.resolve(null),
      readFreeBytes: () => Promise.resolve(Number.POSITIVE_INFINITY),
    };
  const { file } = config;
  const log = createLogWatch({ file, logger });
  return {
    readLogBytes: log.readBytes,
    findLogFault: log.findFault,
    async readFreeBytes() {
      const { bavail, bsize } = await statfs(dirname(file));
      return bavail * bsize;
    },
  };
}
