import { AbortedTransactionError, type DatabaseConnection, type QueryResult } from 'kysely';
import pg from 'pg';
import { storableParameters } from '../storable-parameters';
import { ConnectionFault } from './connection-fault';
import type { StartedTransaction } from './started-transaction';
import type { NamedQuery } from './statement-name';

/**
 * Whether the server can have nothing more to say on a connection: its class 08 and its own end (57P01 to 57P05), or an
 * error without SQLSTATE, which is the driver's: a closed socket or a timeout. A read-only server (25006) may have become
 * a standby, and the address may lead to the new primary.
 */
function endsConnection(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(?:08...|57P0[1-5]|25P03|25006)$/.test(error.code ?? '');
  // Wrong use of the driver, such as a parameter that it cannot send.
  return !(error instanceof TypeError || error instanceof RangeError);
}

/** Whether an error says that the connection is lost, and not that the server refuses a statement. */
function isLoss(error: unknown): boolean {
  return endsConnection(error) && !(error instanceof pg.DatabaseError && error.code === '25006');
}

/** Whether a planned query would now return other columns: plancache.c, `RevalidateCachedQuery`. */
const isStalePlan = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '0A000' && /cached plan/.test(error.message);

/** Wraps the error of a lost connection in a `ConnectionFault`; returns others as they are. */
export function asConnectionFault(error: unknown): unknown {
  return isLoss(error) ? new ConnectionFault(error) : error;
}

/** Returns the state of a transaction, `committed`, `aborted` or null; see `readTransactionState`. */
export type SettleCommit = (transaction: StartedTransaction) => Promise<'committed' | 'aborted'>;

/** A connection that the pool lends for one query or one transaction. */
export class PostgresConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  readonly #settle: SettleCommit;
  readonly #namesStatements: boolean;
  /** The pool must close it, because its state is unknown. */
  #broken = false;
  #transaction: StartedTransaction | null = null;
  /** The beginning of a transaction that was sent and not awaited yet. */
  #beginning: Promise<void> | null = null;

  constructor(
    client: pg.PoolClient,
    { settle, namesStatements }: { settle: SettleCommit; namesStatements: boolean },
  ) {
    this.#client = client;
    this.#settle = settle;
    this.#namesStatements = namesStatements;
  }

  async executeQuery<Row>(query: NamedQuery): Promise<QueryResult<Row>> {
    const answer = this.#sendPlanned(query);
    await this.#begun(answer);
    const { command, rowCount, rows } = await answer;
    return {
      rows: rows as Row[],
      ...(/^(?:INSERT|UPDATE|DELETE|MERGE)$/.test(command) && { numAffectedRows: BigInt(rowCount ?? 0) }),
    };
  }

  // eslint-disable-next-line require-yield
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('the product streams no query');
  }

  /**
   * Begins a transaction with statements whose last one returns a `StartedTransaction`. One round trip, or none with
   * `awaited: false`: the first query is then sent behind them, and fails as they do.
   */
  async begin({ statements, awaited }: { statements: string; awaited: boolean }): Promise<void> {
    this.#beginning = this.#start(statements);
    // A query or the commit throws it.
    this.#beginning.catch(() => undefined);
    if (!awaited) return;
    try {
      await this.#begun();
    } catch (error) {
      // The first statement has begun a transaction, which a lock timeout leaves open: Kysely does not roll it back.
      await this.rollback();
      throw error;
    }
  }

  async #start(statements: string): Promise<void> {
    // The driver returns an array for several statements; its types know single ones only.
    const results = (await this.#send({
      text: statements,
    })) as unknown as pg.QueryResult<StartedTransaction>[];
    this.#transaction = results.at(-1)?.rows[0] ?? null;
  }

  /** Throws the error of a beginning that was not awaited, which is also why the query sent behind it fails. */
  async #begun(behind?: Promise<unknown>): Promise<void> {
    if (this.#beginning === null) return;
    behind?.catch(() => undefined);
    await this.#beginning;
    this.#beginning = null;
  }

  async commit(): Promise<void> {
    await this.#begun();
    // Nothing was sent on a connection that is known to be lost.
    if (this.#broken) throw new ConnectionFault(new Error('the connection was lost before the commit'));
    let command: string;
    try {
      ({ command } = await this.#send({ text: 'commit' }));
    } catch (error) {
      if (!(error instanceof ConnectionFault) || this.#transaction === null) throw error;
      if ((await this.#settle(this.#transaction)) === 'committed') return;
      throw error;
    }
    // The answer to a commit after a statement that failed.
    if (command === 'ROLLBACK') throw new AbortedTransactionError();
  }

  /** Never throws: the error that led here matters, and a connection that cannot roll back is closed, which does. */
  async rollback(): Promise<void> {
    if (this.#broken) return;
    await this.#send({ text: 'rollback' }).catch(() => (this.#broken = true));
  }

  release(): void {
    this.#client.release(this.#broken);
  }

  /** Sends a query under its name. Another release may have migrated its tables since this connection planned it. */
  async #sendPlanned(query: NamedQuery): Promise<pg.QueryResult<object>> {
    const unnamed = { text: query.sql, values: storableParameters(query) as unknown[] };
    const { statementName: name } = query;
    if (name === undefined || !this.#namesStatements) return this.#send(unnamed);
    try {
      return await this.#send({ ...unnamed, name });
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      this.#broken = true;
      // The server has aborted the transaction, which can be repeated on another connection.
      if (this.#transaction !== null || this.#beginning !== null) throw new ConnectionFault(error);
      return this.#send(unnamed);
    }
  }

  async #send(query: pg.QueryConfig): Promise<pg.QueryResult<object>> {
    try {
      return await this.#client.query(query);
    } catch (error) {
      if (endsConnection(error)) this.#broken = true;
      // For a constraint it contains values of the row, such as a mail address, and would be logged.
      if (error instanceof pg.DatabaseError) error.detail = undefined;
      throw asConnectionFault(error);
    }
  }
}
