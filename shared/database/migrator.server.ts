import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration, type MigrationResultSet } from 'kysely/migration';
import { existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { openDatabase } from './connection.server';
import { bytesOfDatabase, freeBytesOf, missingBytes, type CopyOptions } from './copy-database.server';
import { isBusy, isStorageFault } from './database-errors';
import { enableIncrementalVacuum, needsRewrite } from './free-space';
import { backUpBeforeMigration, removeOldBackups } from './migration-backups.server';
import type { Schema } from './schema';
import { NewerSchemaError } from './schema-state.server';
import { retryWhileBusy } from './transaction';

export interface MigrationReport {
  /** Names of the migrations that ran, in order. */
  ran: string[];
  /** The backup made before the first of them; null for a new database. */
  backup: string | null;
  /** Why incremental vacuum could not be enabled. The next call tries again; everything else works without it. */
  vacuumFault?: string;
}

async function appliedNames(db: Kysely<Schema>): Promise<string[]> {
  const table = await sql<{
    name: string;
  }>`select name from sqlite_master where type = 'table' and name = 'kysely_migration'`.execute(db);
  if (table.rows.length === 0) return [];
  const names = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return names.rows.map((row) => row.name);
}

/** See `MigrationReport.vacuumFault`. */
async function tryToEnableIncrementalVacuum(
  file: string,
  readFreeBytes: CopyOptions['readFreeBytes'] = freeBytesOf,
): Promise<string | null> {
  const db = openDatabase(file);
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

interface Run {
  step(migrator: Migrator): Promise<MigrationResultSet>;
  /** Whether there is something to do. `applied`: the names of the applied migrations. */
  isNeeded(applied: readonly string[]): boolean;
}

export interface MigrateOptions extends CopyOptions {
  now?: Date;
  /** Whether the database is copied first. Default: true. */
  backUp?: boolean;
}

async function run(
  file: string,
  migrations: Record<string, Migration>,
  { step, isNeeded }: Run,
  { now = new Date(), backUp = true, ...options }: MigrateOptions,
): Promise<MigrationReport> {
  const existed = existsSync(file);
  const db = openDatabase(file);
  try {
    const applied = await appliedNames(db);
    const unknown = applied.filter((name) => !(name in migrations));
    if (unknown.length > 0) throw new NewerSchemaError(unknown);
    if (!isNeeded(applied)) return { ran: [], backup: null };

    let backup: string | null = null;
    if (backUp && existed && applied.length > 0) backup = await backUpBeforeMigration(file, now, options);

    // Kysely's migrator neither locks against a second migrator nor rolls everything back; one transaction does both.
    const migrator = new Migrator({
      db,
      provider: { getMigrations: async () => migrations },
      disableTransactions: true,
    });
    await retryWhileBusy(() => sql`begin immediate`.execute(db));
    const { error, results } = await step(migrator);
    if (error !== undefined) {
      // On a full disk SQLite has rolled back already; report the original error.
      await sql`rollback`.execute(db).catch(() => undefined);
      // The migration was rolled back, so the copy equals the database; repeated attempts would fill the disk with copies.
      if (backup !== null) rmSync(backup, { force: true });
      throw error;
    }
    await sql`commit`.execute(db);
    removeOldBackups(file);
    return {
      ran: (results ?? [])
        .filter((result) => result.status === 'Success')
        .map((result) => result.migrationName),
      backup,
    };
  } finally {
    await db.destroy();
  }
}

/**
 * Migrates the file to the latest schema: all or nothing, safe to run repeatedly and concurrently. Throws `Unavailable`
 * (`disk_full`) before anything else when the copy does not fit.
 */
export async function migrateToLatest(
  file: string,
  migrations: Record<string, Migration>,
  options: MigrateOptions = {},
): Promise<MigrationReport> {
  const report = await run(
    file,
    migrations,
    {
      step: (migrator) => migrator.migrateToLatest(),
      isNeeded: (applied) => applied.length < Object.keys(migrations).length,
    },
    options,
  );
  // SQLite refuses VACUUM inside a transaction; run after the migrations, it also frees their pages.
  const vacuumFault = await tryToEnableIncrementalVacuum(file, options.readFreeBytes);
  return vacuumFault === null ? report : { ...report, vacuumFault };
}

/** Reverts the newest applied migration. */
export function migrateDown(
  file: string,
  migrations: Record<string, Migration>,
  options: MigrateOptions = {},
): Promise<MigrationReport> {
  return run(
    file,
    migrations,
    { step: (migrator) => migrator.migrateDown(), isNeeded: (applied) => applied.length > 0 },
    options,
  );
}
