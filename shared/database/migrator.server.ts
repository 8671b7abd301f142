import type { Migration } from 'kysely/migration';
import type { DatabaseConfig } from '../database-config';
import { migrateServer, refuseMigrateDown } from './postgres/migrator.server';
import type { MigrationReport } from './run-migrations';
import { migrateFileDown, migrateFileToLatest, type MigrateOptions } from './sqlite/migrator.server';

/**
 * Migrates the database to the latest schema: all or nothing, safe to run repeatedly and concurrently. The options concern
 * the copy that is made of an SQLite file before; throws `Unavailable` (`disk_full`) before anything else when it does not
 * fit.
 */
export function migrateToLatest(
  config: DatabaseConfig,
  migrations: Record<string, Migration>,
  options: MigrateOptions = {},
): Promise<MigrationReport> {
  return config.engine === 'sqlite'
    ? migrateFileToLatest(config.file, migrations, options)
    : migrateServer(config.url, migrations);
}

/** Reverts the newest applied migration. Throws `Invalid` (`no_way_back`) for PostgreSQL. */
export async function migrateDown(
  config: DatabaseConfig,
  migrations: Record<string, Migration>,
  options: MigrateOptions = {},
): Promise<MigrationReport> {
  return config.engine === 'sqlite' ? migrateFileDown(config.file, migrations, options) : refuseMigrateDown();
}
