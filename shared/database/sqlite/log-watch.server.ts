import { MINUTE } from '../../clock';
import type { Logger } from '../../logger.server';
import { describeLogSize, readLogBytes } from './log-size';

const REPEAT_AFTER_MS = 30 * MINUTE;

/**
 * Watches the size of the database's write-ahead log. It grows without limit while a program, such as a forgotten `sqlite3`,
 * holds a read transaction (sqlite.org/wal.html, section 6, "Avoiding excessively large WAL files").
 */
export function createLogWatch({ file, logger }: { file: string; logger: Logger }) {
  let loggedAt: number | null = null;
  const readBytes = (): Promise<number> => readLogBytes(file);

  return {
    /** The size of the write-ahead log in bytes; 0 if there is none. */
    readBytes,
    /** Why the log is too large, in a sentence for an operator, or null. Logs it, at most every half hour. */
    async findFault() {
      const bytes = await readBytes();
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
  };
}
