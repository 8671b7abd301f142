import pLimit from 'p-limit';
import type { Clock } from '#shared/clock';
import type { Logger } from '#shared/logger.server';
import type { OutboxSender } from '#shared/outbox/attempt';
import { toDue, type OutboxRow } from '#shared/outbox/outbox';
import type { DueDelivery } from '#shared/queues/catalogue';
import { within } from '../within';

export interface Sender<Row> {
  /** Called after a commit: adds a job for every row and attempts the due ones in this process at once. */
  dispatch(rows: readonly Row[]): void;
  /** Claims and sends one row if it is due and not being sent by this process. Called by the worker and the sweep. */
  send(id: string): Promise<void>;
  /** Whether a row is being sent. */
  isSending(): boolean;
  /** Resolves when no row is being sent. */
  idle(): Promise<void>;
  /**
   * Begins nothing more, and gives back the rows that wait with a claim. Resolves when what had begun has ended and is
   * recorded.
   */
  stop(): Promise<void>;
}

interface SenderOptions<Row> {
  outbox: OutboxSender<Row>;
  /** Adds the rows' jobs. Rejects while Redis is down. */
  enqueue: (due: readonly DueDelivery[]) => Promise<void>;
  /** How many rows are sent at the same time; the others wait. */
  concurrency: number;
  /** Lets slow attempts wait for their answers beside the others; without it, they keep their slots. */
  slow?: SlowAttempts;
  clock: Clock;
  logger: Logger;
}

export interface SlowAttempts {
  /** After this time an attempt leaves its slot to others. */
  afterMs: number;
  /** The most attempts under way, the slow ones included. */
  total: number;
}

/** undici writes a request one turn of the event loop after it is made; serialising the jobs would delay it. */
const ENQUEUE_AFTER_MS = 5;

/**
 * Creates the sender of one outbox for this process. If a step fails or the process dies, the row stays in the database,
 * and its job or the sweep retries.
 */
export function createSender<Row extends OutboxRow>({
  outbox,
  enqueue,
  concurrency,
  slow = { afterMs: Number.POSITIVE_INFINITY, total: concurrency },
  clock,
  logger,
}: SenderOptions<Row>): Sender<Row> {
  const underWay = pLimit({ concurrency: slow.total, rejectOnClear: true });
  const slots = pLimit({ concurrency, rejectOnClear: true });
  const running = new Map<string, Promise<void>>();
  let stopped = false;

  /** Runs an attempt in a slot, and frees the slot when the attempt ends or is slow. */
  function limit<T>(attempt: () => Promise<T>): Promise<T> {
    return underWay(
      () =>
        new Promise<T>((resolve, reject) => {
          const inSlot = async (): Promise<void> => {
            const work = attempt();
            work.then(resolve, reject);
            const ended = work.catch(() => undefined);
            if (Number.isFinite(slow.afterMs)) await within(slow.afterMs, ended);
            else await ended;
          };
          slots(inSlot).catch(reject);
        }),
    );
  }

  /** Waits for its turn; after `stop`, `attempt` only gives back what it has. */
  async function inTurn(attempt: () => Promise<Row[]>): Promise<Row[]> {
    let begun = false;
    try {
      return await limit(() => {
        begun = true;
        return attempt();
      });
    } catch (error) {
      if (begun || !stopped) throw error;
      return attempt();
    }
  }

  function run(id: string, attempt: () => Promise<Row[]>): Promise<void> {
    const current = running.get(id);
    if (current !== undefined) return current;
    const work = (stopped ? attempt() : inTurn(attempt))
      .finally(() => running.delete(id))
      // After `running.delete`, or the row's next attempt would be mistaken for this one.
      .then(dispatch)
      .catch((error: unknown) =>
        logger.error({ err: error, id }, 'could not process an outbox row; the sweep retries'),
      );
    running.set(id, work);
    return work;
  }

  const send = (id: string): Promise<void> => run(id, () => outbox.attempt(id));

  function dispatch(rows: readonly Row[]): void {
    if (rows.length === 0) return;
    const due = rows.map(toDue);
    const now = clock.now();
    for (const [index, row] of rows.entries()) {
      if (row.status === 'sending') void run(row.id, () => outbox.attemptClaimed(row));
      else if ((due[index]?.dueAt ?? now) <= now) void send(row.id);
    }
    setTimeout(() => {
      enqueue(due).catch(() =>
        logger.debug({ rows: rows.length }, 'Redis is down: the sweep sends these rows'),
      );
    }, ENQUEUE_AFTER_MS);
  }

  async function idle(): Promise<void> {
    while (running.size > 0) await Promise.allSettled(running.values());
  }

  return {
    dispatch,
    send,
    isSending: () => running.size > 0,
    idle,
    async stop() {
      stopped = true;
      outbox.stop();
      underWay.clearQueue();
      slots.clearQueue();
      await idle();
    },
  };
}
