import type { Kysely, Transaction } from 'kysely';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND, type Clock } from '../clock';
import { isBusy } from './database-errors';
import type { Schema } from './schema';

/** What most rules that write need. */
export interface WriteContext {
  db: Kysely<Schema>;
  clock: Clock;
}

/** How long a writer waits for another process's transaction before it gives up. */
const GIVE_UP_AFTER_MS = 10 * SECOND;

/**
 * Repeats `attempt` while another process holds the write lock, by default for up to ten seconds. Throws other
 * errors.
 */
export async function retryWhileBusy<T>(
  attempt: () => Promise<T>,
  giveUpAfterMs = GIVE_UP_AFTER_MS,
): Promise<T> {
  const giveUpAt = performance.now() + giveUpAfterMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= giveUpAt) throw error;
      await sleep(5 + Math.random() * 45);
    }
  }
}

/**
 * Runs `work` in a write transaction; inside another transaction it joins that one. `work` must await only the given
 * transaction and may run more than once: while another process holds the write lock, the whole transaction is
 * retried for up to ten seconds. Other errors roll back and are thrown.
 */
export async function inTransaction<T>(
  db: Kysely<Schema>,
  work: (trx: Transaction<Schema>) => Promise<T>,
): Promise<T> {
  if (db.isTransaction) return work(db as Transaction<Schema>);
  return retryWhileBusy(() => db.transaction().execute(work));
}
