import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { MINUTE } from '../../clock';
import { isBusy, isStorageFault } from '../database-errors';
import { isNeeded, runMigrations, type Direction, type MigrationReport } from '../run-migrations';
import { retryWhileBusy } from '../transaction';
import { readAppliedNames } from './applied-names.server';
import { bytesOfDatabase, freeBytesOf, missingBytes, type CopyOptions } from './copy-database.server';
import { enableIncrementalVacuum, needsRewrite } from './free-space';
import { backUpBeforeMigration, removeOldBackups } from './migration-backups.server';
import { openSqliteDatabase } from './sqlite-database.server';

export interface MigrateOptions extends CopyOptions {
  now?: Date;
  /** Whether the database is copied first. Default: true. */
  backUp?: boolean;
}

/** Another process may be migrating the same database, which takes minutes for millions of rows. */
const WAIT_FOR_OTHERS_MS = 5 * MINUTE;

/** See `MigrationReport.vacuumFault`. */
async function tryToEnableIncrementalVacuum(
  file: string,
  readFreeBytes: CopyOptions['readFreeBytes'] = freeBytesOf,
): Promise<string | null> {
  const db = openSqliteDatabase(file);
  try {
    // The new file and the write-ahead log, each as large as the database.
    const bytes = 2 * bytesOfDatabase(file);
    if ((await needsRewrite(db)) && missingBytes(dirname(file), bytes, readFreeBytes) > 0)
      return `the disk has too little space: ${Math.ceil(bytes / 1024 ** 2)} MB are needed`;
    await enableIncrementalVacuum(db);
    return null;
  } catch (error) {
    if (!(error instanceof Error) || (!isBusy(error) && !isStorageFault(error))) throw error;
    return error.message;
  } finally {
    await db.destroy();
  }
}

async function run(
  file: string,
  migrations: Record<string, Migration>,
  direction: Direction,
  { now = new Date(), backUp = true, ...options }: MigrateOptions,
): Promise<MigrationReport> {
  const existed = existsSync(file);
  const db = openSqliteDatabase(file);
  try {
    const applied = readAppliedNames(file);
    if (!isNeeded(direction, applied, migrations)) return { ran: [], backup: null };

    let backup: string | null = null;
    if (backUp && existed && applied.length > 0) backup = await backUpBeforeMigration(file, now, options);

    await retryWhileBusy(() => sql`begin immediate`.execute(db), WAIT_FOR_OTHERS_MS);
    try {
      const ran = await runMigrations(db, migrations, direction);
      removeOldBackups(file);
      return { ran, backup };
    } catch (error) {
      // The migration was rolled back, so the copy equals the database; repeated attempts would fill the disk with copies.
      if (backup !== null) rmSync(backup, { force: true });
      throw error;
    }
  } finally {
    await db.destroy();
  }
}

/**
 * Migrates the file to the latest schema: all or nothing, safe to run repeatedly and concurrently. Throws `Unavailable`
 * (`disk_full`) before anything else when the copy does not fit.
 */
export async function migrateFileToLatest(
  file: string,
  migrations: Record<string, Migration>,
  options: MigrateOptions = {},
): Promise<MigrationReport> {
  const report = await run(file, migrations, 'up', options);
  // SQLite refuses VACUUM inside a transaction. After the migrations it also frees their pages.
  const vacuumFault = await tryToEnableIncrementalVacuum(file, options.readFreeBytes);
  return vacuumFault === null ? report : { ...report, vacuumFault };
}

/** Reverts the newest applied migration. */
export function migrateFileDown(
  file: string,
  migrations: Record<string, Migration>,
  options: MigrateOptions = {},
): Promise<MigrationReport> {
  return run(file, migrations, 'down', options);
}
