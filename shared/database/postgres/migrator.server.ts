import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { DomainError } from '../../errors';
import { isNeeded, runMigrations, type MigrationReport } from '../run-migrations';
import { listAppliedNames } from './applied-names.server';
import { openPostgresDatabase } from './postgres-database.server';
import { takeWriteLock } from './transaction';

const NO_COPY =
  'The database on the server was not copied before. The way back is your last backup: run "npm run backup -- FILE" before each migration.';

/** Migrates the database to the latest schema in one transaction that excludes other writers. */
export async function migrateServer(
  url: string,
  migrations: Record<string, Migration>,
): Promise<MigrationReport> {
  // One connection, so that all statements share one transaction. No timeout: a migration may be slow.
  const db = openPostgresDatabase(url, { maxConnections: 1, queryTimeoutMs: 0 });
  try {
    const applied = await listAppliedNames(db);
    if (!isNeeded('up', applied, migrations)) return { ran: [], backup: null };
    await sql`begin`.execute(db);
    await takeWriteLock(db);
    const ran = await runMigrations(db, migrations, 'up');
    return { ran, backup: null, ...(applied.length > 0 && { note: NO_COPY }) };
  } finally {
    await db.destroy();
  }
}

export function refuseMigrateDown(): never {
  throw new DomainError('Invalid', {
    code: 'no_way_back',
    message:
      'Migrations of a PostgreSQL database are not reverted: restore the backup that you made before the migration.',
  });
}
