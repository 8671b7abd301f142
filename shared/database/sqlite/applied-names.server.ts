import Sqlite from 'better-sqlite3';

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
