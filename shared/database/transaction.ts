import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE, SECOND, type Clock } from '../clock';
import { isBusy, isUnknownCommit, isUnreachable } from './database-errors';
import { ConnectionFault } from './postgres/connection-fault';
import { isPostgres } from './postgres/is-postgres';
import { beginningWith, canRepeatTransaction } from './postgres/transaction';
import type { Database, Transaction } from './schema';
import { noteScope, requireScope, type Scope } from './scope';

/** The context of most rules that write. */
export interface WriteContext {
  db: Database;
  clock: Clock;
}

/** How long a writer waits for another process's transaction before it gives up. */
const GIVE_UP_AFTER_MS = 10 * SECOND;
/** A server that restarts or fails over is back within this time. */
const RETURNS_WITHIN_MS = MINUTE;

async function retryWhile<T>(
  canHelp: (error: unknown) => boolean,
  attempt: () => Promise<T>,
  giveUpAfterMs: number,
  stop?: AbortSignal,
): Promise<T> {
  const giveUpAt = performance.now() + giveUpAfterMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!canHelp(error) || stop?.aborted === true || performance.now() >= giveUpAt) throw error;
      await sleep(5 + Math.random() * 45);
    }
  }
}

/**
 * Repeats `attempt` while another process holds the write lock, by default for up to ten seconds. Throws other
 * errors.
 */
export function retryWhileBusy<T>(attempt: () => Promise<T>, giveUpAfterMs = GIVE_UP_AFTER_MS): Promise<T> {
  return retryWhile(isBusy, attempt, giveUpAfterMs);
}

/**
 * Repeats `attempt` while the database server cannot be reached, or cannot tell whether a commit holds, for up to a minute and
 * until `stop` aborts. `attempt` must change nothing the second time. Throws other errors, and every error of SQLite.
 */
export function retryWhileAway<T>(attempt: () => Promise<T>, stop?: AbortSignal): Promise<T> {
  const isAway = (error: unknown): boolean => isUnreachable(error) || isUnknownCommit(error);
  return retryWhile(isAway, attempt, RETURNS_WITHIN_MS, stop);
}

/**
 * Runs `work` in a write transaction; inside another transaction it joins that one. One transaction writes at a time, of
 * all processes; on PostgreSQL, those with a `scope` run side by side. `work` must await only the given transaction and may run more than once: while another process holds the
 * write lock, and when PostgreSQL cannot be reached or its connection is lost before the commit, the whole transaction is
 * retried for up to ten seconds (`giveUpAfterMs`). Other errors roll back and are thrown. `isCommitted` is asked when the
 * server cannot tell whether a commit holds: whether a row of the result is there that only this transaction writes. Without
 * it such a commit throws an `UnknownCommitError`.
 */
export async function inTransaction<T>(
  db: Database,
  work: (trx: Transaction) => Promise<T>,
  scope?: Scope,
  {
    giveUpAfterMs = GIVE_UP_AFTER_MS,
    isCommitted,
  }: { giveUpAfterMs?: number; isCommitted?: (result: T) => Promise<boolean> } = {},
): Promise<T> {
  if (db.isTransaction) {
    requireScope(db, scope);
    return work(db as Transaction);
  }
  const results: T[] = [];
  const run = () =>
    db.transaction().execute(async (trx) => {
      if (scope !== undefined) noteScope(trx, scope);
      const result = await work(trx);
      results[0] = result;
      return result;
    });
  if (!isPostgres(db)) return retryWhile(isBusy, run, giveUpAfterMs);

  async function runAndSettle(): Promise<T> {
    try {
      return await beginningWith({ lockTimeoutMs: giveUpAfterMs, scope }, run);
    } catch (error) {
      if (isCommitted === undefined || !isUnknownCommit(error)) throw error;
      const result = results[0] as T;
      if (await retryWhileBusy(() => isCommitted(result))) return result;
      // Nothing was committed: it can be repeated.
      throw new ConnectionFault(error);
    }
  }
  return retryWhile(canRepeatTransaction, runAndSettle, giveUpAfterMs);
}

/** Runs a transaction of one statement that repeats its condition: on PostgreSQL it waits for no other scope. */
export function inStatement<T>(
  db: Database,
  work: (trx: Transaction) => Promise<T>,
  options?: { giveUpAfterMs?: number },
): Promise<T> {
  return inTransaction(db, work, 'statement', options);
}
