import {
  HandleEmptyInListsPlugin,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  replaceWithNoncontingentExpression,
  type Dialect,
  type Driver,
} from 'kysely';
import type pg from 'pg';
import { MINUTE, SECOND } from '../../clock';
import type { Schema } from '../schema';
import type { PostgresConnection } from './postgres-connection';
import type { PostgresPool } from './postgres-pool.server';
import { readServerAddress } from './server-address';
import { readBeginning } from './transaction';

/** The name of our connections at the server (`pg_stat_activity`). */
export const APPLICATION_NAME = 'packwatch';

/** Connections of one process at most. */
const MAX_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 5 * SECOND;
/**
 * How long the pool keeps an idle connection. A new one costs the server a process, its caches and the plans of our
 * statements, just when a burst begins.
 */
const IDLE_TIMEOUT_MS = 10 * MINUTE;
/** After this time without data the system asks the server whether it is there; it closes a dead connection 10 s later. */
const KEEP_ALIVE_DELAY_MS = 10 * SECOND;
/** How long a query waits for its answer: longer than the server's own limits of a transaction. */
const QUERY_TIMEOUT_MS = 15 * SECOND;

/** Loads `pg` at the first query: a process with SQLite never needs it. */
class PostgresDriver implements Driver {
  readonly #loadPool: () => Promise<PostgresPool>;
  #pool: PostgresPool | null = null;

  constructor(config: pg.PoolConfig, namesStatements: boolean) {
    this.#loadPool = async () => {
      const { PostgresPool: Pool } = await import('./postgres-pool.server');
      return new Pool(config, { namesStatements });
    };
  }

  async init(): Promise<void> {
    this.#pool = await this.#loadPool();
  }

  async acquireConnection(): Promise<PostgresConnection> {
    if (this.#pool === null) throw new Error('Kysely initialises a driver before it uses it');
    return this.#pool.acquire();
  }

  beginTransaction(connection: PostgresConnection): Promise<void> {
    return connection.begin(readBeginning());
  }

  commitTransaction(connection: PostgresConnection): Promise<void> {
    return connection.commit();
  }

  rollbackTransaction(connection: PostgresConnection): Promise<void> {
    return connection.rollback();
  }

  async releaseConnection(connection: PostgresConnection): Promise<void> {
    connection.release();
  }

  async destroy(): Promise<void> {
    await this.#pool?.end();
  }
}

class PostgresDialect implements Dialect {
  readonly #config: pg.PoolConfig;
  readonly #namesStatements: boolean;

  constructor(config: pg.PoolConfig, namesStatements: boolean) {
    this.#config = config;
    this.#namesStatements = namesStatements;
  }

  createAdapter = () => new PostgresAdapter();
  createDriver = () => new PostgresDriver(this.#config, this.#namesStatements);
  createQueryCompiler = () => new PostgresQueryCompiler();
  createIntrospector = (db: Kysely<unknown>) => new PostgresIntrospector(db);
}

/**
 * Opens a pool of connections to a PostgreSQL database. The caller ends it with `destroy()`. `maxConnections`: of one,
 * all queries use the same. `queryTimeoutMs`: 0 for queries that may take any time.
 */
export function openPostgresDatabase(
  url: string,
  { maxConnections = MAX_CONNECTIONS, queryTimeoutMs = QUERY_TIMEOUT_MS } = {},
): Kysely<Schema> {
  const { address, namesStatements } = readServerAddress(url);
  const config: pg.PoolConfig = {
    connectionString: address,
    application_name: APPLICATION_NAME,
    max: maxConnections,
    // A process that does nothing stays connected, so that others see that it runs (`requireUnusedServer`).
    min: 1,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    // A transaction's first query does not wait for the answer to its beginning.
    pipeline: true,
  };
  return new Kysely<Schema>({
    dialect: new PostgresDialect(config, namesStatements),
    // SQLite takes `in ()` and finds nothing in it; PostgreSQL has no such list.
    plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
  });
}
