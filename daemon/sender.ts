import pLimit from 'p-limit';
import type { Clock } from '#shared/clock';
import type { Logger } from '#shared/logger.server';
import type { OutboxSender } from '#shared/outbox/attempt';
import { toDue, type OutboxRow } from '#shared/outbox/outbox';
import type { DueDelivery } from '#shared/queues/catalogue';

export interface Sender<Row> {
  /** After a commit: every row that waits becomes a job, and this process attempts what is due at once. */
  dispatch(rows: readonly Row[]): void;
  /** Claims and sends one row if it is due and this process is not sending it already. For the worker and the sweep. */
  send(id: string): Promise<void>;
  /** Resolves when nothing is being sent. */
  idle(): Promise<void>;
}

interface SenderOptions<Row> {
  outbox: OutboxSender<Row>;
  /** Adds the rows' jobs. Rejects while Redis is away. */
  enqueue: (due: readonly DueDelivery[]) => Promise<void>;
  /** The outbox holds what is more. */
  atOnce: number;
  clock: Clock;
  logger: Logger;
}

/**
 * Sends the rows of one outbox from this process. Each step may fail, and the process may die at any point: the row stays
 * in the database, and its job or the sweep tries again.
 */
export function createSender<Row extends OutboxRow>({
  outbox,
  enqueue,
  atOnce,
  clock,
  logger,
}: SenderOptions<Row>): Sender<Row> {
  const limit = pLimit(atOnce);
  const running = new Map<string, Promise<void>>();

  function run(id: string, attempt: () => Promise<Row[]>): Promise<void> {
    const current = running.get(id);
    if (current !== undefined) return current;
    const work = limit(attempt)
      .finally(() => running.delete(id))
      // Not before: the row's next attempt would be taken for this one.
      .then(dispatch)
      .catch((error: unknown) =>
        logger.error({ err: error, id }, 'an outbox row could not be processed; the sweep tries again'),
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
    // After the requests of the attempts are on their way: packing jobs would delay them.
    setImmediate(() => {
      enqueue(due).catch(() =>
        logger.debug({ rows: rows.length }, 'the queue is away: the sweep will send these'),
      );
    });
  }

  return {
    dispatch,
    send,
    async idle() {
      while (running.size > 0) await Promise.allSettled(running.values());
    },
  };
}
