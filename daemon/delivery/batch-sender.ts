import pLimit from 'p-limit';
import { SECOND } from '#shared/clock';
import type { Logger } from '#shared/logger.server';

/** Sends the rows of one channel in batches. */
export interface BatchSender {
  /** Sends everything that is due. Resolves when nothing is due; joins a run that is under way. */
  sendDue(): Promise<void>;
  /** Claims no more rows. Resolves when every claimed row is settled. */
  stop(): Promise<void>;
}

interface BatchSenderOptions<Row, Attempt> {
  /** Claims at most `limit` due rows. */
  claim(limit: number): Promise<Row[]>;
  /** Prepares the attempts of claimed rows together. */
  prepare(rows: readonly Row[]): Promise<(row: Row) => Promise<Attempt>>;
  /** Writes the outcomes of attempts, and does not give up while the database is unavailable. */
  settle(attempts: readonly Attempt[]): Promise<void>;
  /** Rows that are claimed and not settled, at most: after a crash so many may be sent again. */
  batch: number;
  /** Attempts at the same time, at most. */
  concurrency: number;
  logger: Logger;
}

/** Attempts that ended wait this long for others, and are settled together. */
const SETTLE_WITHIN_MS = SECOND / 10;
/** At most so many are settled in one transaction, which blocks the event loop for some milliseconds. */
const SETTLE_AT_MOST = 50;

/**
 * Keeps up to `batch` rows claimed: claims more as soon as a quarter of them is settled, so that slow receivers do not
 * delay the others. If a step fails or the process dies, the rows stay in the database and the sweep continues.
 */
export function createBatchSender<Row, Attempt>({
  claim,
  prepare,
  settle,
  batch,
  concurrency,
  logger,
}: BatchSenderOptions<Row, Attempt>): BatchSender {
  const limit = pLimit(concurrency);
  let claimed = 0;
  let stopped = false;
  let run: Promise<void> | null = null;
  let again = false;
  let ended: Attempt[] = [];
  let timer: NodeJS.Timeout | null = null;
  let wake: (() => void) | null = null;

  function release(count: number): void {
    claimed -= count;
    wake?.();
  }

  function settleEnded(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    while (ended.length > 0) {
      const attempts = ended.slice(0, SETTLE_AT_MOST);
      ended = ended.slice(SETTLE_AT_MOST);
      settle(attempts)
        .catch((error: unknown) =>
          logger.error({ err: error }, 'could not settle deliveries; their claims expire'),
        )
        .finally(() => release(attempts.length));
    }
  }

  function addEnded(attempt: Attempt): void {
    ended.push(attempt);
    if (ended.length >= SETTLE_AT_MOST) settleEnded();
    else timer ??= setTimeout(settleEnded, SETTLE_WITHIN_MS);
  }

  /** Resolves when at most `most` rows are claimed and not settled. */
  async function untilClaimed(most: number): Promise<void> {
    while (claimed > most)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }

  async function sendAll(): Promise<void> {
    while (!stopped) {
      await untilClaimed(Math.floor(batch * 0.75));
      const rows = stopped ? [] : await claim(batch - claimed);
      if (rows.length === 0) return;
      claimed += rows.length;
      let attempt: (row: Row) => Promise<Attempt>;
      try {
        attempt = await prepare(rows);
      } catch (error) {
        release(rows.length);
        throw error;
      }
      for (const row of rows)
        void limit(() => attempt(row)).then(addEnded, (error: unknown) => {
          logger.error({ err: error }, 'could not send a delivery; its claim expires');
          release(1);
        });
    }
  }

  /** Repeats when `sendDue` was called meanwhile: its rows may have become due after the last claim. */
  async function sendRepeatedly(): Promise<void> {
    do {
      again = false;
      await sendAll();
    } while (again && !stopped);
  }

  return {
    sendDue() {
      again = true;
      run ??= sendRepeatedly()
        .catch((error: unknown) =>
          logger.warn({ err: error }, 'could not claim deliveries; the sweep retries'),
        )
        .finally(() => (run = null));
      return run;
    },
    async stop() {
      stopped = true;
      wake?.();
      await run;
      await untilClaimed(0);
    },
  };
}
