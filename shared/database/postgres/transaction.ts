import { AsyncLocalStorage } from 'node:async_hooks';
import { sql, type Kysely } from 'kysely';
import { SECOND } from '../../clock';
import type { Schema } from '../schema';
import { ConnectionFault } from './connection-fault';

/** The key of the lock that every transaction takes: any constant, the same in every release. */
const WRITE_LOCK = 7_305_804_402_566_194_531n;

/** Ends a statement of a transaction. */
const STATEMENT_TIMEOUT_MS = 10 * SECOND;
/** Ends a transaction, and frees its lock, when its process is cut off from the server. */
const IDLE_TIMEOUT_MS = 15 * SECOND;

/** How long the transactions that begin inside wait for the write lock. Kysely hands no such setting to its driver. */
const lockTimeout = new AsyncLocalStorage<number>();

/** Runs `work`; transactions that it begins wait at most `ms` for a lock (55P03 then). */
export function withLockTimeout<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
  return lockTimeout.run(ms, work);
}

/**
 * The statements that begin a transaction, in one round trip. Its advisory lock plays the write lock of SQLite: one
 * transaction writes at a time, so what it has read stays true until it commits (read committed: each statement sees what
 * was committed before it). The limits are local to the transaction, because PgBouncer hands the connection on afterwards.
 * The id tells `pg_xact_status` apart a commit whose answer was lost.
 */
export function beginStatements(): string {
  const lockTimeoutMs = lockTimeout.getStore() ?? STATEMENT_TIMEOUT_MS;
  return [
    'begin',
    `set local lock_timeout = ${lockTimeoutMs}`,
    `set local idle_in_transaction_session_timeout = ${IDLE_TIMEOUT_MS}`,
    `select pg_advisory_xact_lock(${WRITE_LOCK})`,
    `set local statement_timeout = ${STATEMENT_TIMEOUT_MS}`,
    'select pg_current_xact_id()::text as transaction_id',
  ].join('; ');
}

/**
 * Whether repeating a transaction that failed is safe and can help: a deadlock (40P01), a lock timeout (55P03), or a
 * connection that could not be had or was lost before the commit.
 */
export function canRepeatTransaction(error: unknown): boolean {
  if (error instanceof ConnectionFault) return true;
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return code === '40P01' || code === '55P03';
}

/** Waits for the write lock in the transaction of the only connection of `db`, without a limit of time. */
export async function takeWriteLock(db: Kysely<Schema>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(WRITE_LOCK)})`.execute(db);
}
