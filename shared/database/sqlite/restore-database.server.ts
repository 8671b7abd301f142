import Sqlite from 'better-sqlite3';
import type { Migration } from 'kysely/migration';
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DomainError } from '../../errors';
import { compareDatabases, type TableChange } from '../compare-databases';
import { requireOurMigrations, type Restored } from '../restored';
import {
  bytesOfDatabase,
  findDamage,
  missingBytes,
  noSpaceFor,
  syncToDisk,
  type CopyOptions,
} from './copy-database.server';
import { migrateFileToLatest } from './migrator.server';
import { readAppliedNames } from './applied-names.server';
import { FILES, isSqlite, requireUnusedFile } from './require-unused.server';

/** Throws unless the copy of the backup is sound, ours, and not of a newer release. */
function requireOurs(copy: string, backup: string, migrations: Record<string, Migration>): void {
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
  if (damage !== null)
    throw new DomainError('Invalid', {
      code: 'backup_damaged',
      message: `${backup} is damaged (${damage}): restore another backup. Nothing was changed.`,
    });
  requireOurMigrations(backup, applied, migrations);
}

function compareFiles(restored: string, replaced: string): Promise<TableChange[]> {
  const sqlite = new Sqlite(restored, { fileMustExist: true });
  sqlite.prepare('attach ? as replaced').run(replaced);
  return compareDatabases({
    restored: 'main',
    replaced: 'replaced',
    hasTable: async (schema, table) =>
      sqlite.prepare(`select 1 from ${schema}.sqlite_master where type = 'table' and name = ?`).get(table) !==
      undefined,
    readValue: async (query) => sqlite.prepare(query).pluck().get(),
  }).finally(() => sqlite.close());
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
  if (existsSync(file)) requireUnusedFile(file);
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
    const damage = existed ? requireUnusedFile(file) : null;
    const changes = existed && damage === null ? await compareFiles(copy, file) : [];
    const stamp = now.toISOString().replace(/[:.]/g, '-');
    const replaced = existed ? `${file}.replaced-${stamp}` : null;
    syncToDisk(copy);
    swap(file, copy, replaced ?? `${file}.replaced-${stamp}`);
    return { replaced, damage, changes, ran };
  } finally {
    removeFiles(copy);
  }
}
