import pg from 'pg';
import { asConnectionFault, PostgresConnection } from './postgres-connection';
import { settleCommit } from './settle-commit';

/** By type (pg_type.dat): what the columns and expressions of SQLite give as well. */
const PARSERS = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.NUMERIC, Number],
  [pg.types.builtins.BOOL, (text) => (text === 't' ? 1 : 0)],
]);

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    PARSERS.get(oid) ??
    pg.types.getTypeParser(oid, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
};

/** The connections of a database. */
export class PostgresPool {
  readonly #config: pg.PoolConfig;
  readonly #namesStatements: boolean;
  readonly #pool: pg.Pool;

  /** `namesStatements`: whether the server keeps statements by their names. */
  constructor(config: pg.PoolConfig, { namesStatements }: { namesStatements: boolean }) {
    this.#config = { ...config, types };
    this.#namesStatements = namesStatements;
    this.#pool = new pg.Pool(this.#config);
    // Without a listener, the loss of a connection ends the process (node-postgres.com/apis/client#error). The pool
    // removes the lost one, and a query that was running on it fails.
    this.#pool.on('error', () => undefined);
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /** Lends a connection until its `release`; connects if none is free. */
  async acquire(): Promise<PostgresConnection> {
    try {
      const client = await this.#pool.connect();
      return new PostgresConnection(client, {
        settle: (transaction) => settleCommit(this.#config, transaction),
        namesStatements: this.#namesStatements,
      });
    } catch (error) {
      throw asConnectionFault(error);
    }
  }

  /** Closes all connections. */
  end(): Promise<void> {
    return this.#pool.end();
  }
}
