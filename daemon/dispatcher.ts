import pLimit from 'p-limit';
import type { Delivery } from '#shared/alerts/outbox';
import { deliver, sendClaimed, type SenderContext } from '#shared/alerts/send-delivery.server';
import { fromIso } from '#shared/clock';
import type { DueDelivery } from '#shared/queues/catalogue';
import type { Queues } from '#shared/queues/connection.server';
import { enqueueDeliveries } from '#shared/queues/enqueue';

/** Enough for every webhook of one alert at once; the outbox holds whatever is more. */
const SENDS_AT_ONCE = 64;

export interface Dispatcher {
  /** Sends what a transaction has just put into the outbox: what is due now from here, the rest through the queue. */
  dispatch(rows: readonly Delivery[]): void;
  /** Claims and sends one delivery if it is due; the workers' and the sweep's way in. */
  deliverNow(deliveryId: string): Promise<void>;
  /** Gives deliveries to the queue, to be sent at their due time. */
  handOver(due: readonly DueDelivery[]): Promise<boolean>;
  /** Resolves when nothing is being sent. */
  idle(): Promise<void>;
}

/**
 * Sends deliveries from this process. The instant messages of an alert do not take the way through Redis: they are
 * claimed by the transaction that opens the alert and sent the moment it has committed. Everything here may fail or
 * die at any point; the outbox and the sweep bring it to its end.
 */
export function createDispatcher({ sender, queues }: { sender: SenderContext; queues: Queues }): Dispatcher {
  const limit = pLimit(SENDS_AT_ONCE);
  const inFlight = new Set<Promise<void>>();
  const { logger, clock } = sender;

  async function handOver(due: readonly DueDelivery[]): Promise<boolean> {
    if (due.length === 0) return true;
    try {
      await enqueueDeliveries(queues, due, clock.now());
      return true;
    } catch {
      logger.debug({ deliveries: due.length }, 'the queue is away: the sweep will send these');
      return false;
    }
  }

  function run(send: () => Promise<DueDelivery[]>): Promise<void> {
    const work = limit(send)
      .then(async (due) => {
        await handOver(due);
      })
      .catch((error: unknown) => {
        logger.error({ err: error }, 'a delivery could not be processed');
      });
    inFlight.add(work);
    void work.finally(() => inFlight.delete(work));
    return work;
  }

  return {
    dispatch(rows) {
      const now = clock.now();
      const later: DueDelivery[] = [];
      for (const row of rows) {
        if (row.status === 'sending') void run(() => sendClaimed(sender, row));
        else if (fromIso(row.due_at) <= now) void run(() => deliver(sender, row.id));
        else later.push({ id: row.id, attempt: row.attempts + 1, dueAt: fromIso(row.due_at) });
      }
      void handOver(later);
    },
    deliverNow: (deliveryId) => run(() => deliver(sender, deliveryId)),
    handOver,
    async idle() {
      while (inFlight.size > 0) await Promise.allSettled(inFlight);
    },
  };
}
