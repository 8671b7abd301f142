import type { Migration } from 'kysely/migration';
import { existsSync, realpathSync } from 'node:fs';
import type { DatabaseConfig } from '../database-config';
import { DomainError } from '../errors';
import { SchemaError } from './schema-error';
import { copyDatabase, type CopyOptions } from './sqlite/copy-database.server';
import { restoreDatabase, type Restored } from './sqlite/restore-database.server';

export type { TableChange } from './sqlite/compare-databases';

function refuse(message: string): never {
  throw new DomainError('Invalid', { code: 'not_sqlite', message });
}

/**
 * Writes a consistent copy of a live database to a new file; see `copyDatabase`. Throws a `SchemaError` if there is no
 * database, and `Invalid` (`not_sqlite`) for PostgreSQL.
 */
export async function backUp(config: DatabaseConfig, target: string, options: CopyOptions): Promise<void> {
  if (config.engine === 'postgres')
    refuse('The database is on a PostgreSQL server: back it up with "pg_dump --format=custom".');
  if (!existsSync(config.file))
    throw new SchemaError('database_missing', `There is no database at ${config.file} yet.`);
  // No schema check: a database that this release cannot use also needs a backup.
  await copyDatabase(config.file, target, options);
}

/** Whether a path leads to the file of the database itself. */
export function isOwnFile(config: DatabaseConfig, path: string): boolean {
  return (
    config.engine === 'sqlite' && existsSync(config.file) && realpathSync(config.file) === realpathSync(path)
  );
}

/** Replaces the database by a backup; see `restoreDatabase`. Throws `Invalid` (`not_sqlite`) for PostgreSQL. */
export async function restoreBackup(
  config: DatabaseConfig,
  { backup, migrations }: { backup: string; migrations: Record<string, Migration> },
  options: CopyOptions,
): Promise<Restored> {
  if (config.engine === 'postgres')
    refuse('The database is on a PostgreSQL server: restore it with "pg_restore".');
  return restoreDatabase({ file: config.file, backup, migrations }, options);
}
