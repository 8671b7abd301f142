import type { Migration } from 'kysely/migration';
import { existsSync, realpathSync } from 'node:fs';
import type { DatabaseConfig } from '../database-config';
import { dumpServer, restoreServer } from './postgres/backups.server';
import type { Restored } from './restored';
import { SchemaError } from './schema-error';
import { copyDatabase, type CopyOptions } from './sqlite/copy-database.server';
import { restoreDatabase } from './sqlite/restore-database.server';

export type { TableChange } from './compare-databases';

export interface BackupOptions extends CopyOptions {
  /** The variables of the command: PostgreSQL's programs are found by its PATH. */
  environment: Record<string, string | undefined>;
}

/**
 * Writes a consistent copy of a live database to a new file; see `copyDatabase` and `dumpServer`. Throws a `SchemaError` if
 * there is no database.
 */
export async function backUp(
  config: DatabaseConfig,
  target: string,
  { environment, ...options }: BackupOptions,
): Promise<void> {
  if (config.engine === 'postgres') return dumpServer(config.url, target, { environment, ...options });
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

/** Replaces the database by a backup; see `restoreDatabase` and `restoreServer`. */
export async function restoreBackup(
  config: DatabaseConfig,
  { backup, migrations }: { backup: string; migrations: Record<string, Migration> },
  { environment, ...options }: BackupOptions,
): Promise<Restored> {
  if (config.engine === 'postgres')
    return restoreServer({ url: config.url, backup, migrations }, { environment, ...options });
  return restoreDatabase({ file: config.file, backup, migrations }, options);
}
