import { sql } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import type { Database } from './schema';
import { NewerSchemaError } from './schema-error';

export type Direction = 'up' | 'down';

export interface MigrationReport {
  /** Names of the migrations that ran, in order. */
  ran: string[];
  /** The backup made before the first of them; null for a new database, and for PostgreSQL. */
  backup: string | null;
  /** What else an operator should know about the way back; absent if there is nothing. */
  note?: string;
  /** Why incremental vacuum could not be enabled. The next call tries again; everything else works without it. */
  vacuumFault?: string;
}

/** Whether there is something to migrate. Throws `NewerSchemaError` for a database of a newer release. */
export function isNeeded(
  direction: Direction,
  applied: readonly string[],
  migrations: Record<string, Migration>,
): boolean {
  const unknown = applied.filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length > 0) throw new NewerSchemaError(unknown);
  return direction === 'up' ? applied.length < Object.keys(migrations).length : applied.length > 0;
}

/**
 * Runs the migrations, or reverts the newest, in the transaction that the only connection of `db` has begun, and ends it:
 * Kysely's migrator neither locks against a second one on every engine nor rolls everything back. Returns the names of
 * those that ran. Throws after a rollback.
 */
export async function runMigrations(
  db: Database,
  migrations: Record<string, Migration>,
  direction: Direction,
): Promise<string[]> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    disableTransactions: true,
  });
  const { error, results } = await (direction === 'up' ? migrator.migrateToLatest() : migrator.migrateDown());
  if (error !== undefined) {
    // On a full disk SQLite has rolled back already; report the original error.
    await sql`rollback`.execute(db).catch(() => undefined);
    throw error;
  }
  await sql`commit`.execute(db);
  return (results ?? [])
    .filter((result) => result.status === 'Success')
    .map((result) => result.migrationName);
}
