import Sqlite from 'better-sqlite3';
import { closeSync, existsSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import { DomainError } from '../../errors';
import { isBusy } from '../database-errors';

const MAGIC = 'SQLite format 3\0';
/** What follows the name of a database in the names of its files. */
export const FILES = ['', '-wal', '-shm', '-journal'] as const;

/** The ids of the processes that have one of the database's files open, where the system tells (proc(5)). */
function listUsers(file: string): number[] {
  const names = new Set(FILES.map((suffix) => `${file}${suffix}`));
  const opens = (pid: string): boolean => {
    try {
      return readdirSync(`/proc/${pid}/fd`).some((descriptor) => {
        try {
          return names.has(readlinkSync(`/proc/${pid}/fd/${descriptor}`));
        } catch {
          return false;
        }
      });
    } catch {
      // Ended, or of another user.
      return false;
    }
  };
  if (!existsSync('/proc/self/fd')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid && opens(name))
    .map(Number);
}

/** Whether a file begins as an SQLite database does (sqlite.org/fileformat2.html, section 1.3). */
export function isSqlite(file: string): boolean {
  const head = Buffer.alloc(MAGIC.length);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, head, 0, head.length, 0);
  } finally {
    closeSync(descriptor);
  }
  return head.toString('latin1') === MAGIC;
}

/**
 * Throws `Conflict` (`database_in_use`) while a process has the database open: each connection holds a lock as long as it
 * lives, which excludes the exclusive one (sqlite.org/wal.html, section 9). Returns why the database cannot be opened at all,
 * or null.
 */
export function requireUnusedFile(file: string): string | null {
  const users = listUsers(file);
  const refuse = (): never => {
    const processes =
      users.length === 0
        ? 'A process has'
        : users.length === 1
          ? `Process ${users[0]} has`
          : `Processes ${users.join(' and ')} have`;
    throw new DomainError('Conflict', {
      code: 'database_in_use',
      message: `${processes} the database ${file} open. Stop web and daemon, then try again. Nothing was changed.`,
    });
  };
  if (users.length > 0) refuse();
  // SQLite would remove the write-ahead log of such a file.
  if (!isSqlite(file)) return 'the file is not a database';
  let sqlite: Sqlite.Database | undefined;
  try {
    sqlite = new Sqlite(file, { timeout: 200 });
    sqlite.pragma('locking_mode = EXCLUSIVE');
    sqlite.exec('begin exclusive; rollback');
    return null;
  } catch (error) {
    if (isBusy(error)) refuse();
    return error instanceof Error ? error.message : String(error);
  } finally {
    sqlite?.close();
  }
}
