import Sqlite from 'better-sqlite3';
import { existsSync } from 'node:fs';

/** The database schema is not that of this release. Nothing was changed. */
export class SchemaError extends Error {
  override name = 'SchemaError';
  readonly code: 'database_missing' | 'database_unmigrated' | 'database_newer';

  constructor(code: SchemaError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** A newer release has migrated the database. */
export class NewerSchemaError extends SchemaError {
  override name = 'NewerSchemaError';

  constructor(names: readonly string[]) {
    super(
      'database_newer',
      `The database knows migrations that this release does not: ${names.join(', ')}. Start the newer release, or restore the backup made before it.`,
    );
  }
}

/** The names of the migrations that a database has; none if it is not a Packwatch database. */
export function readAppliedNames(file: string): string[] {
  const sqlite = new Sqlite(file, { fileMustExist: true });
  try {
    const table = sqlite
      .prepare("select name from sqlite_master where type = 'table' and name = 'kysely_migration'")
      .get();
    if (table === undefined) return [];
    return sqlite.prepare('select name from kysely_migration').pluck().all() as string[];
  } finally {
    sqlite.close();
  }
}

/**
 * Throws a `SchemaError` unless the file exists and has exactly these migrations. Call it before opening the
 * database: `openDatabase` would create a missing file, and queries on an older schema would fail at random places.
 */
export function requireCurrentSchema(file: string, migrationNames: readonly string[]): void {
  if (!existsSync(file))
    throw new SchemaError('database_missing', `There is no database at ${file} yet. Run: npm run migrate`);
  const applied = readAppliedNames(file);
  const unknown = applied.filter((name) => !migrationNames.includes(name));
  if (unknown.length > 0) throw new NewerSchemaError(unknown);
  if (applied.length < migrationNames.length)
    throw new SchemaError(
      'database_unmigrated',
      `The database at ${file} is older than this release. Run: npm run migrate`,
    );
}
