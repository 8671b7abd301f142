import pLimit from 'p-limit';
import { setTimeout as sleep } from 'node:timers/promises';
import { exponentialBackoffMs } from '../backoff';
import { SECOND } from '../clock';
import { isBusy, isStorageFault, isUnknownCommit } from './database-errors';

const FIRST_WAIT_MS = SECOND / 10;
const MAX_WAIT_MS = SECOND;

/** Retries writes until the database accepts them. */
export interface WriteRetrier {
  /**
   * Runs `write` until it commits, retrying while the database is locked, away, full or read-only, and when it is unknown
   * whether it has committed: `write` must do nothing the second time. Rejects with other errors.
   */
  untilWritten<T>(write: () => Promise<T>): Promise<T>;
  /** The number of failed writes that are being retried. */
  waiting(): number;
}

/** `onWait` is called once, with the error, for each write whose first attempt failed. */
export function createWriteRetrier({ onWait }: { onWait: (error: unknown) => void }): WriteRetrier {
  // One retry at a time: each attempt on a locked database blocks the event loop (see `openSqlite`).
  const oneAtATime = pLimit(1);
  let waiting = 0;

  function rethrowUnlessUnwritable(error: unknown): void {
    if (!isBusy(error) && !isStorageFault(error) && !isUnknownCommit(error)) throw error;
  }

  async function repeat<T>(write: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await write();
      } catch (error) {
        rethrowUnlessUnwritable(error);
      }
      await sleep(exponentialBackoffMs({ attempt, firstMs: FIRST_WAIT_MS, maxMs: MAX_WAIT_MS }));
    }
  }

  return {
    async untilWritten(write) {
      try {
        return await write();
      } catch (error) {
        rethrowUnlessUnwritable(error);
        onWait(error);
      }
      waiting += 1;
      try {
        return await oneAtATime(() => repeat(write));
      } finally {
        waiting -= 1;
      }
    },
    waiting: () => waiting,
  };
}
