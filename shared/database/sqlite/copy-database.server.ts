import Sqlite from 'better-sqlite3';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DomainError } from '../../errors';
import { openSqlite } from './sqlite-database.server';

/** Pages (of 4 KB) copied between two looks at the signal. */
const PAGES_PER_STEP = 2_000;
/** Left free beside a copy, because web and daemon write while it is made. */
const RESERVE_BYTES = 16 * 1024 ** 2;
/** An unfinished copy: `FILE.PID.partial`, and the journal that SQLite writes beside it. */
const PARTIAL = /\.(\d+)\.partial(?:-journal|-wal|-shm)?$/;

export interface CopyOptions {
  /** Ends the copy; what was written is removed. */
  signal?: AbortSignal;
  /** The bytes that can be written to the file system of a folder. */
  readFreeBytes?: (folder: string) => number;
}

/** Bytes that an unprivileged process can still write to the file system of a folder. */
export function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** The bytes of a database file and its write-ahead log; 0 if it does not exist. */
export function bytesOfDatabase(file: string): number {
  const sizeOf = (path: string): number => (existsSync(path) ? statSync(path).size : 0);
  return sizeOf(file) + sizeOf(`${file}-wal`);
}

const megabytes = (bytes: number): string => `${Math.max(0, Math.ceil(bytes / 1024 ** 2))} MB`;

/** How many bytes are missing for a copy of `bytes` in a folder; 0 if it fits. */
export function missingBytes(folder: string, bytes: number, readFreeBytes = freeBytesOf): number {
  return Math.max(0, bytes + RESERVE_BYTES - readFreeBytes(folder));
}

/** The refusal of a copy that does not fit. `what` begins the sentence, `advice` ends it. */
export function noSpaceFor(
  { what, bytes, missing, folder }: { what: string; bytes: number; missing: number; folder: string },
  advice: string,
): DomainError {
  return new DomainError('Unavailable', {
    code: 'disk_full',
    message: `${what} needs ${megabytes(bytes + RESERVE_BYTES)} in ${folder}, and ${megabytes(missing)} of that are missing. Nothing was changed. ${advice}`,
  });
}

function isAlive(pid: number): boolean {
  // Our own copies are removed when they fail, so this name is of an earlier process with the same number.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Removes the unfinished copies that killed processes left in a folder. */
function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = PARTIAL.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, name), { force: true });
  }
}

/** Writes the content of a file, or the entries of a folder, to the disk. */
export function syncToDisk(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The number of rows of each table. */
function countRows(sqlite: Sqlite.Database): Record<string, number> {
  const names = sqlite
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name")
    .pluck()
    .all() as string[];
  return Object.fromEntries(
    names.map((name) => {
      const quoted = `"${name.replaceAll('"', '""')}"`;
      return [name, sqlite.prepare(`select count(*) from ${quoted}`).pluck().get() as number];
    }),
  );
}

/** What SQLite says about a damaged file (sqlite.org/pragma.html#pragma_integrity_check); null if it is sound. */
export function findDamage(sqlite: Sqlite.Database): string | null {
  const result = sqlite.pragma('integrity_check(1)', { simple: true });
  return result === 'ok' ? null : String(result);
}

/** Throws unless the copy is sound and has these rows. Makes it one file, without a write-ahead log. */
function checkCopy(copy: string, rows: Record<string, number>): void {
  const sqlite = new Sqlite(copy, { fileMustExist: true });
  try {
    sqlite.pragma('journal_mode = DELETE');
    const damage =
      findDamage(sqlite) ??
      (JSON.stringify(countRows(sqlite)) === JSON.stringify(rows)
        ? null
        : 'its rows are not those of the database');
    if (damage !== null)
      throw new DomainError('Unavailable', {
        code: 'copy_damaged',
        message: `The copy is damaged and was removed: ${damage}. Check the disk, and the database with: sqlite3 FILE "pragma integrity_check"`,
      });
  } finally {
    sqlite.close();
  }
}

/**
 * Makes a consistent copy of a live database, readable by its owner only. It is written beside the target, checked, synced
 * to the disk and then renamed. The folder must exist and the target must not. Throws `Unavailable` (`disk_full`,
 * `copy_damaged`); a failed copy leaves nothing, and what a killed process left is removed by the next one.
 */
export async function copyDatabase(
  file: string,
  target: string,
  { signal, readFreeBytes }: CopyOptions = {},
): Promise<void> {
  const folder = dirname(target);
  const bytes = bytesOfDatabase(file);
  removeLeftovers(folder);
  const missing = missingBytes(folder, bytes, readFreeBytes);
  if (missing > 0)
    throw noSpaceFor(
      { what: 'The copy of the database', bytes, missing, folder },
      'Free some space, or choose a folder on another disk.',
    );
  const partial = join(folder, `${basename(target)}.${process.pid}.partial`);
  const source = openSqlite(file);
  try {
    closeSync(openSync(partial, 'wx', 0o600));
    // One read transaction for all steps: otherwise each write of another process restarts the copy (sqlite.org/backup.html).
    source.exec('begin');
    const rows = countRows(source);
    await source.backup(partial, {
      progress() {
        signal?.throwIfAborted();
        return PAGES_PER_STEP;
      },
    });
    source.exec('commit');
    checkCopy(partial, rows);
    signal?.throwIfAborted();
    syncToDisk(partial);
    renameSync(partial, target);
    syncToDisk(folder);
  } finally {
    source.close();
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${partial}${suffix}`, { force: true });
  }
}
