import { existsSync } from 'node:fs';
import type { DatabaseConfig } from '../database-config';
import { describeDatabase } from './describe-database';
import { readServerNames } from './postgres/applied-names.server';
import { NewerSchemaError, SchemaError } from './schema-error';
import { readAppliedNames } from './sqlite/applied-names.server';

/** The names of the applied migrations; null if the SQLite file does not exist. */
async function readNames(config: DatabaseConfig): Promise<string[] | null> {
  if (config.engine === 'postgres') return readServerNames(config.url);
  return existsSync(config.file) ? readAppliedNames(config.file) : null;
}

/**
 * Throws a `SchemaError` unless the database exists and has exactly these migrations. Call it before `openDatabase`, which
 * would create a missing file, and queries on an older schema would fail at random places.
 */
export async function requireCurrentSchema(
  config: DatabaseConfig,
  migrationNames: readonly string[],
): Promise<void> {
  const applied = await readNames(config);
  if (applied === null)
    throw new SchemaError(
      'database_missing',
      `There is no database at ${describeDatabase(config)} yet. Run: npm run migrate`,
    );
  const unknown = applied.filter((name) => !migrationNames.includes(name));
  if (unknown.length > 0) throw new NewerSchemaError(unknown);
  if (applied.length < migrationNames.length)
    throw new SchemaError(
      'database_unmigrated',
      `The database at ${describeDatabase(config)} is older than this release. Run: npm run migrate`,
    );
}
