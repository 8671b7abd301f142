import Sqlite from 'better-sqlite3';
import { CompiledQuery, Kysely, SqliteDialect, SqliteDriver, type DatabaseConnection } from 'kysely';
import { mkdirSync, chmodSync, closeSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isBusy } from './database-errors';
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
  readonly #sqlite: Sqlite.Database;

  constructor(sqlite: Sqlite.Database) {
    super({ database: sqlite });
    this.#sqlite = sqlite;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  /**
   * A full or failing disk makes SQLite roll back by itself (sqlite.org/lang_transaction.html, section 3.1); asking
   * again is an error, which would hide the reason.
   */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#sqlite.inTransaction) await super.rollbackTransaction(connection);
  }
}

class ImmediateSqliteDialect extends SqliteDialect {
  readonly #sqlite: Sqlite.Database;

  constructor(sqlite: Sqlite.Database) {
    super({ database: sqlite });
    this.#sqlite = sqlite;
  }

  override createDriver(): ImmediateSqliteDriver {
    return new ImmediateSqliteDriver(this.#sqlite);
  }
}

/**
 * Lets a new file give back what deleted rows leave free. The setting counts for a file without tables only
 * (sqlite.org/pragma.html#pragma_auto_vacuum); `enableIncrementalVacuum` rewrites older ones.
 */
function setAutoVacuum(sqlite: Sqlite.Database): void {
  if (sqlite.pragma('page_count', { simple: true }) !== 0) return;
  try {
    sqlite.pragma('auto_vacuum = INCREMENTAL');
  } catch (error) {
    // Another process creates the same file at this moment, and has set it.
    if (!isBusy(error)) throw error;
  }
}

/** Opens the SQLite file with the settings that every process shares; creates file and folder when missing. */
export function openSqlite(file: string): Sqlite.Database {
  mkdirSync(dirname(file), { recursive: true });
  makeDatabasePrivate(file);
  const sqlite = new Sqlite(file, { timeout: LOCK_WAIT_MS });
  setAutoVacuum(sqlite);
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('synchronous = NORMAL');
  sqlite.pragma('foreign_keys = ON');
  // What a row held is overwritten where that costs no extra write (sqlite.org/pragma.html#pragma_secure_delete).
  sqlite.pragma('secure_delete = FAST');
  return sqlite;
}

/** More than the product's distinct statements; lists of ids make a few more. */
const STATEMENTS_KEPT = 500;

/** Kysely prepares every query anew; the same text is compiled by SQLite only once. */
function keepStatements(sqlite: Sqlite.Database): Sqlite.Database {
  const prepare = sqlite.prepare.bind(sqlite);
  const kept = new Map<string, Sqlite.Statement>();
  sqlite.prepare = ((source: string) => {
    let statement = kept.get(source);
    if (statement === undefined) {
      statement = prepare(source);
      if (kept.size >= STATEMENTS_KEPT) kept.clear();
      kept.set(source, statement);
    }
    return statement;
  }) as typeof sqlite.prepare;
  return sqlite;
}

/** Opens the database at an absolute path. The caller ends it with `destroy()`. */
export function openDatabase(file: string): Database {
  return new Kysely<Schema>({
    dialect: new ImmediateSqliteDialect(keepStatements(openSqlite(file))),
  });
}

/** Only the account that runs the product reads its database. */
const OWNER_ONLY = 0o600;

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function restrict(file: string): void {
  try {
    if ((statSync(file).mode & 0o777) !== OWNER_ONLY) chmodSync(file, OWNER_ONLY);
  } catch (error) {
    // A file of another account, or on a disk without modes, is the operator's own arrangement.
    if (!['ENOENT', 'EPERM', 'EROFS', 'ENOTSUP'].includes(codeOf(error))) throw error;
  }
}

/**
 * Creates a database file readable by its owner only, or restricts an existing one and its -wal and -shm files. SQLite
 * creates those two with the mode of the database (sqlite.org/src, os_unix.c, findCreateFileMode).
 */
export function makeDatabasePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'ax', OWNER_ONLY));
  } catch (error) {
    // A read-only disk: SQLite opens what is there or says why it cannot.
    if (!['EEXIST', 'EACCES', 'EROFS'].includes(codeOf(error))) throw error;
  }
  for (const name of [file, `${file}-wal`, `${file}-shm`]) restrict(name);
}
