import Sqlite from 'better-sqlite3';
import type { Migration } from 'kysely/migration';
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DomainError } from '../../errors';
import { compareDatabases, type TableChange } from './compare-databases';
import {
  bytesOfDatabase,
  findDamage,
  missingBytes,
  noSpaceFor,
  syncToDisk,
  type CopyOptions,
} from './copy-database.server';
import { isBusy } from '../database-errors';
import { migrateFileToLatest } from './migrator.server';
import { readAppliedNames } from './applied-names.server';

export interface Restored {
  /** Where the replaced database is; null if there was none. */
  replaced: string | null;
  /** Why the replaced database could not be compared with the backup, or null. */
  damage: string | null;
  /** What the backup lacks of the replaced database; empty without one or if that is damaged. */
  changes: TableChange[];
  /** Migrations that the backup needed. */
  ran: string[];
}

const MAGIC = 'SQLite format 3\0';
const FILES = ['', '-wal', '-shm', '-journal'] as const;

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
function isSqlite(file: string): boolean {
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
function requireUnused(file: string): string | null {
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
      message: `${processes} the database ${file} open. Stop web and daemon, then restore again. Nothing was changed.`,
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

/** Throws unless the copy of the backup is sound, ours, and not of a newer release. */
function requireOurs(copy: string, backup: string, migrations: Record<string, Migration>): void {
  const refuse = (code: string, message: string): never => {
    throw new DomainError('Invalid', { code, message: `${message} Nothing was changed.` });
  };
  let damage: string | null;
  let applied: string[] = [];
  try {
    const sqlite = new Sqlite(copy, { fileMustExist: true });
    try {
      damage = findDamage(sqlite);
    } finally {
      sqlite.close();
    }
    applied = readAppliedNames(copy);
  } catch (error) {
    damage = error instanceof Error ? error.message : String(error);
  }
  if (damage !== null) refuse('backup_damaged', `${backup} is damaged (${damage}): restore another backup.`);
  const unknown = applied.filter((name) => !Object.hasOwn(migrations, name));
  if (applied.length === 0 || unknown.length === applied.length)
    refuse('not_our_database', `${backup} is an SQLite database, but not one of this product.`);
  if (unknown.length > 0)
    refuse(
      'backup_newer',
      `${backup} is of a newer release: it knows ${unknown.join(', ')}. Install that release, or restore an older backup.`,
    );
}

function removeFiles(file: string): void {
  for (const suffix of FILES) rmSync(`${file}${suffix}`, { force: true });
}

/** Puts `copy` in the place of the database. What it replaces is kept beside, with its write-ahead log. */
function swap(file: string, copy: string, replaced: string): void {
  const moved: (() => void)[] = [];
  const move = (from: string, to: string): void => {
    if (!existsSync(from)) return;
    renameSync(from, to);
    moved.push(() => renameSync(to, from));
  };
  try {
    for (const suffix of ['', '-wal', '-journal']) move(`${file}${suffix}`, `${replaced}${suffix}`);
    // An index into the write-ahead log, which SQLite makes again.
    rmSync(`${file}-shm`, { force: true });
    renameSync(copy, file);
  } catch (error) {
    for (const undo of moved.toReversed()) undo();
    throw error;
  }
  syncToDisk(dirname(file));
}

/**
 * Replaces the database by a backup, migrated to this release. Everything that can fail is done on a copy first, beside the
 * database, which is renamed at the end. Throws `Conflict` (`database_in_use`), `Invalid` (`not_a_database`,
 * `not_our_database`, `backup_damaged`, `backup_newer`) and `Unavailable` (`disk_full`); then nothing was changed.
 */
export async function restoreDatabase(
  { file, backup, migrations }: { file: string; backup: string; migrations: Record<string, Migration> },
  { now = new Date(), signal, readFreeBytes }: CopyOptions & { now?: Date } = {},
): Promise<Restored> {
  if (existsSync(file)) requireUnused(file);
  if (!isSqlite(backup))
    throw new DomainError('Invalid', {
      code: 'not_a_database',
      message: `${backup} is not an SQLite database. Nothing was changed.`,
    });
  const folder = dirname(file);
  const bytes = bytesOfDatabase(backup);
  const missing = missingBytes(folder, bytes, readFreeBytes);
  if (missing > 0)
    throw noSpaceFor(
      { what: 'The restored database', bytes, missing, folder },
      'The replaced database is kept beside it. Free some space, or enlarge the disk.',
    );
  const copy = join(folder, `${basename(file)}.restoring`);
  removeFiles(copy);
  try {
    for (const suffix of ['', '-wal'])
      if (existsSync(`${backup}${suffix}`)) copyFileSync(`${backup}${suffix}`, `${copy}${suffix}`);
    requireOurs(copy, backup, migrations);
    signal?.throwIfAborted();
    const { ran } = await migrateFileToLatest(copy, migrations, { backUp: false, readFreeBytes });
    signal?.throwIfAborted();
    const existed = existsSync(file);
    // Checked again: a process may have started since.
    const damage = existed ? requireUnused(file) : null;
    const changes = existed && damage === null ? compareDatabases(copy, file) : [];
    const stamp = now.toISOString().replace(/[:.]/g, '-');
    const replaced = existed ? `${file}.replaced-${stamp}` : null;
    syncToDisk(copy);
    swap(file, copy, replaced ?? `${file}.replaced-${stamp}`);
    return { replaced, damage, changes, ran };
  } finally {
    removeFiles(copy);
  }
}
