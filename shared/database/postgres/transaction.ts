import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { SECOND } from '../../clock';
import type { Schema } from '../schema';
import type { Scope } from '../scope';
import { ConnectionFault } from './connection-fault';
import { SERVER_RUN } from './started-transaction';

/** The key of the lock that every transaction takes, alone or shared: any constant, the same in every release. */
const WRITE_LOCK = 7_305_804_402_566_194_531n;

/** Ends a statement of a transaction. */
const STATEMENT_TIMEOUT_MS = 10 * SECOND;
/**
 * Ends a transaction, and frees its lock, when its process is cut off from the server: well before others give up waiting for
 * the lock.
 */
const IDLE_TIMEOUT_MS = 5 * SECOND;

/** How a transaction begins. */
interface Beginning {
  /** How long it waits for a lock (55P03 then). */
  lockTimeoutMs: number;
  /** Undefined: no other transaction writes at the same time. */
  scope: Scope | undefined;
}

/** The settings of transactions that start inside. Kysely does not pass settings to its driver. */
const beginnings = new AsyncLocalStorage<Beginning>();

/** Runs `work`, which begins a transaction in this way. */
export function beginningWith<Result>(beginning: Beginning, work: () => Promise<Result>): Promise<Result> {
  return beginnings.run(beginning, work);
}

/** The key of the lock of one account or watch. Two that share a key by chance only wait for each other. */
function keyOf(scope: Exclude<Scope, 'statement'>): bigint {
  return createHash('sha256').update(JSON.stringify(scope)).digest().readBigInt64BE();
}

/** The statements that wait for the locks of a transaction, always in the same order. */
function lockStatements(scope: Scope | undefined): string[] {
  if (scope === undefined) return [`select pg_advisory_xact_lock(${WRITE_LOCK})`];
  const shared = `select pg_advisory_xact_lock_shared(${WRITE_LOCK})`;
  return scope === 'statement' ? [shared] : [shared, `select pg_advisory_xact_lock(${keyOf(scope)})`];
}

/**
 * The statements that begin a transaction, in one round trip. Their advisory lock plays the write lock of SQLite: one
 * transaction writes at a time, so what it has read stays true until it commits (read committed: each statement sees what
 * was committed before it). Transactions with scopes share this lock, and do not wait for the answer (see `Scope`). The
 * limits are local to the transaction, because PgBouncer hands the connection on afterwards. The last statement returns a `StartedTransaction`.
 */
export function readBeginning(): { statements: string; awaited: boolean } {
  const { lockTimeoutMs, scope } = beginnings.getStore() ?? {
    lockTimeoutMs: STATEMENT_TIMEOUT_MS,
    scope: undefined,
  };
  const statements = [
    'begin',
    `set local lock_timeout = ${lockTimeoutMs}`,
    `set local idle_in_transaction_session_timeout = ${IDLE_TIMEOUT_MS}`,
    ...lockStatements(scope),
    `set local statement_timeout = ${STATEMENT_TIMEOUT_MS}`,
    `select pg_current_xact_id()::text as id, ${SERVER_RUN} as server_run`,
  ];
  return { statements: statements.join('; '), awaited: scope === undefined };
}

/**
 * Whether repeating a transaction that failed is safe and can help: a deadlock (40P01), a lock timeout (55P03), a server
 * that has become a standby (25006), whose address soon leads to the new primary, or a connection that could not be had or
 * was lost before the commit.
 */
export function canRepeatTransaction(error: unknown): boolean {
  if (error instanceof ConnectionFault) return true;
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return code === '40P01' || code === '55P03' || code === '25006';
}

/** Waits for the write lock in the transaction of the only connection of `db`, without a limit of time. */
export async function takeWriteLock(db: Kysely<Schema>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(WRITE_LOCK)})`.execute(db);
}
