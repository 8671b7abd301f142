import Sqlite from 'better-sqlite3';
import { CompiledQuery, Kysely, SqliteDialect, SqliteDriver, type DatabaseConnection, type SqliteDialectConfig } from 'kysely';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Schema } from './schema';

export type Database = Kysely<Schema>;

/**
 * better-sqlite3 waits for a lock by blocking the event loop, so one wait is short;
 * `inTransaction` repeats the whole transaction without blocking.
 */
const LOCK_WAIT_MS = 100;

/**
 * Takes the write lock first. A plain `begin` reads, and then fails at its first write when another
 * process wrote in between (sqlite.org/lang_transaction.html, section 2.2).
 */
class ImmediateSqliteDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

class ImmediateSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;

  constructor(config: SqliteDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): ImmediateSqliteDriver {
    return new ImmediateSqliteDriver(this.#config);
  }
}

/** Opens the SQLite file with the settings that every process shares; creates file and folder when missing. */
export function openSqlite(file: string): Sqlite.Database {
  mkdirSync(dirname(file), { recursive: true });
  const sqlite = new Sqlite(file, { timeout: LOCK_WAIT_MS });
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('synchronous = NORMAL');
  sqlite.pragma('foreign_keys = ON');
  return sqlite;
}

/** Opens the database at an absolute path. The caller ends it with `destroy()`. */
export function openDatabase(file: string): Database {
  return new Kysely<Schema>({ dialect: new ImmediateSqliteDialect({ database: openSqlite(file) }) });
}
