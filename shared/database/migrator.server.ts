import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration, type MigrationResultSet } from 'kysely/migration';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { openDatabase, openSqlite } from './connection.server';
import { isBusy, isStorageFault } from './database-errors';
import { enableIncrementalVacuum } from './free-space';
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

/** How many backups are kept, newest first. */
export const MAX_BACKUPS = 5;

async function appliedNames(db: Kysely<Schema>): Promise<string[]> {
  const table = await sql<{
    name: string;
  }>`select name from sqlite_master where type = 'table' and name = 'kysely_migration'`.execute(db);
  if (table.rows.length === 0) return [];
  const names = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return names.rows.map((row) => row.name);
}

/**
 * Makes a consistent copy of a live database (sqlite.org/lang_vacuum.html, VACUUM INTO), readable by its owner only.
 * The target must not exist; a failed copy leaves no file.
 */
export function copyDatabase(file: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const sqlite = openSqlite(file);
  try {
    // VACUUM INTO accepts an empty file and keeps its mode.
    closeSync(openSync(target, 'wx', 0o600));
    try {
      sqlite.prepare('vacuum into ?').run(target);
    } catch (error) {
      rmSync(target, { force: true });
      throw error;
    }
  } finally {
    sqlite.close();
  }
}

/** Removes the oldest backups. Their names sort by time. */
function removeOldBackups(file: string): void {
  const folder = join(dirname(file), 'backups');
  if (!existsSync(folder)) return;
  const copies = readdirSync(folder)
    .filter((name) => name.startsWith(`${basename(file)}.before-migration.`))
    .sort()
    .reverse();
  for (const name of copies.slice(MAX_BACKUPS)) rmSync(join(folder, name), { force: true });
}

/** See `MigrationReport.vacuumFault`. */
async function tryToEnableIncrementalVacuum(file: string): Promise<string | null> {
  const db = openDatabase(file);
  try {
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
  now: Date;
}

async function run(
  file: string,
  migrations: Record<string, Migration>,
  { step, isNeeded, now }: Run,
): Promise<MigrationReport> {
  const existed = existsSync(file);
  const db = openDatabase(file);
  try {
    const applied = await appliedNames(db);
    const unknown = applied.filter((name) => !(name in migrations));
    if (unknown.length > 0) throw new NewerSchemaError(unknown);
    if (!isNeeded(applied)) return { ran: [], backup: null };

    let backup: string | null = null;
    if (existed && applied.length > 0) {
      const stamp = now.toISOString().replace(/[:.]/g, '-');
      backup = join(dirname(file), 'backups', `${basename(file)}.before-migration.${stamp}`);
      copyDatabase(file, backup);
    }

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

/** Migrates the file to the latest schema: all or nothing, safe to run repeatedly and concurrently. */
export async function migrateToLatest(
  file: string,
  migrations: Record<string, Migration>,
  now = new Date(),
): Promise<MigrationReport> {
  const report = await run(file, migrations, {
    step: (migrator) => migrator.migrateToLatest(),
    isNeeded: (applied) => applied.length < Object.keys(migrations).length,
    now,
  });
  // SQLite refuses VACUUM inside a transaction; run after the migrations, it also frees their pages.
  const vacuumFault = await tryToEnableIncrementalVacuum(file);
  return vacuumFault === null ? report : { ...report, vacuumFault };
}

/** Reverts the newest applied migration. */
export function migrateDown(
  file: string,
  migrations: Record<string, Migration>,
  now = new Date(),
): Promise<MigrationReport> {
  return run(file, migrations, {
    step: (migrator) => migrator.migrateDown(),
    isNeeded: (applied) => applied.length > 0,
    now,
  });
}
