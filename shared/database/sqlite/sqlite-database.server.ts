import Sqlite from 'better-sqlite3';
import {
  CompiledQuery,
  Kysely,
  SqliteDialect,
  SqliteDriver,
  SqliteQueryCompiler,
  type DatabaseConnection,
} from 'kysely';
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { SECOND } from '../../clock';
import { codeOf, isBusy } from '../database-errors';
import { storableParameters } from '../storable-parameters';
import type { Schema } from '../schema';

/** better-sqlite3 blocks the event loop while it waits, so one wait is short; `inTransaction` retries without blocking. */
const LOCK_WAIT_MS = 100;
/** A process that opens the database has nothing else to do yet: it waits for another one that creates the file. */
const OPEN_WAIT_MS = 30 * SECOND;
const OPEN_RETRY_MS = 20;

/** Takes the write lock first: after a plain `begin` a first write can fail (sqlite.org/lang_transaction.html, 2.2). */
class ImmediateSqliteDriver extends SqliteDriver {
  readonly #sqlite: Sqlite.Database;
  #connection: DatabaseConnection | null = null;

  constructor(sqlite: Sqlite.Database) {
    super({ database: sqlite });
    this.#sqlite = sqlite;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#connection === null) {
      const connection = await super.acquireConnection();
      const execute = connection.executeQuery.bind(connection);
      connection.executeQuery = (query) => {
        const parameters = storableParameters(query);
        return execute(parameters === query.parameters ? query : { ...query, parameters });
      };
      this.#connection = connection;
    }
    return this.#connection;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  /** SQLite itself rolls back on a failing disk (lang_transaction.html, 3.1); a second rollback would hide the error. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#sqlite.inTransaction) await super.rollbackTransaction(connection);
  }
}

/**
 * Writes `+?` for `?`, so that SQLite plans a cached statement once. After an execution better-sqlite3 clears the
 * bindings, and SQLite then plans again every statement whose plan a bound value could have changed: most joins and
 * sorted lists (sqlite.org/c3ref/prepare.html). It does not look at values behind the unary plus, which changes none
 * (sqlite.org/lang_expr.html#operators). So a query that needs a partial index spells out the condition of that index.
 */
class PlanOnceCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?';
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

  override createQueryCompiler(): PlanOnceCompiler {
    return new PlanOnceCompiler();
  }
}

/**
 * Enables incremental vacuum on a new file. The setting works only before the first table is created
 * (sqlite.org/pragma.html#pragma_auto_vacuum); `enableIncrementalVacuum` rewrites older files.
 */
function setAutoVacuum(sqlite: Sqlite.Database): void {
  if (sqlite.pragma('page_count', { simple: true }) !== 0) return;
  try {
    sqlite.pragma('auto_vacuum = INCREMENTAL');
  } catch (error) {
    // Another process is creating the same file and sets it.
    if (!isBusy(error)) throw error;
  }
}

/** SQLite truncates the write-ahead log to this size after a checkpoint. The daemon reports a log of twice the size. */
export const LOG_SIZE_LIMIT_BYTES = 64 * 1024 ** 2;

/**
 * Switches a file to the write-ahead log, which needs a moment without other writers. SQLite does not wait for it, whatever
 * `busy_timeout` says, because the switch has begun to read (sqlite.org/c3ref/busy_handler.html).
 */
function useWriteAheadLog(sqlite: Sqlite.Database): void {
  const giveUpAt = performance.now() + OPEN_WAIT_MS;
  for (;;) {
    try {
      sqlite.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() >= giveUpAt) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, OPEN_RETRY_MS);
    }
  }
}

/**
 * Opens the SQLite file with the settings that every process shares; creates file and folder when missing. Waits for up to 30
 * seconds, without yielding, while another process creates the file.
 */
export function openSqlite(file: string): Sqlite.Database {
  mkdirSync(dirname(file), { recursive: true });
  makeDatabasePrivate(file);
  const sqlite = new Sqlite(file, { timeout: LOCK_WAIT_MS });
  setAutoVacuum(sqlite);
  useWriteAheadLog(sqlite);
  sqlite.pragma('synchronous = NORMAL');
  // In pages of 4 KiB. The commit that passes this size waits for the disk. While the daemon runs, the log stays smaller
  // (checkpoint.ts).
  sqlite.pragma('wal_autocheckpoint = 4000');
  sqlite.pragma(`journal_size_limit = ${LOG_SIZE_LIMIT_BYTES}`);
  sqlite.pragma('foreign_keys = ON');
  // Overwrites deleted data, also in pages that become free (sqlite.org/pragma.html#pragma_secure_delete).
  sqlite.pragma('secure_delete = ON');
  return sqlite;
}

/** More than the product's distinct statements, including lists of ids of several lengths. */
const MAX_STATEMENTS = 500;

/** Caches prepared statements by their text, because Kysely prepares every query again. */
function cacheStatements(sqlite: Sqlite.Database): Sqlite.Database {
  const prepare = sqlite.prepare.bind(sqlite);
  const statements = new Map<string, Sqlite.Statement>();
  sqlite.prepare = ((source: string) => {
    let statement = statements.get(source);
    if (statement === undefined) {
      statement = prepare(source);
      if (statements.size >= MAX_STATEMENTS) statements.clear();
      statements.set(source, statement);
    }
    return statement;
  }) as typeof sqlite.prepare;
  return sqlite;
}

/** Opens the database at an absolute path. The caller ends it with `destroy()`. */
export function openSqliteDatabase(file: string): Kysely<Schema> {
  return new Kysely<Schema>({
    dialect: new ImmediateSqliteDialect(cacheStatements(openSqlite(file))),
  });
}

/** Only the process's own user may read the database. */
const OWNER_ONLY = 0o600;

function restrict(file: string): void {
  try {
    if ((statSync(file).mode & 0o777) !== OWNER_ONLY) chmodSync(file, OWNER_ONLY);
  } catch (error) {
    // Accept a file of another user, or a disk without file modes: the operator's choice.
    if (!['ENOENT', 'EPERM', 'EROFS', 'ENOTSUP'].includes(codeOf(error))) throw error;
  }
}

/**
 * Creates a database file readable by its owner only, or restricts an existing one and its -wal and -shm files. SQLite
 * creates those two with the mode of the database (sqlite.org/src, os_unix.c, findCreateFileMode).
 */
function makeDatabasePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'ax', OWNER_ONLY));
  } catch (error) {
    // On a read-only disk SQLite opens the existing file or reports why it cannot.
    if (!['EEXIST', 'EACCES', 'EROFS'].includes(codeOf(error))) throw error;
  }
  for (const name of [file, `${file}-wal`, `${file}-shm`]) restrict(name);
}
