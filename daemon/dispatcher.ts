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
  /** Claims and sends one delivery if it is due and not in hand already; the workers' and the sweep's way in. */
  deliverNow(deliveryId: string): Promise<void>;
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
  const inHand = new Map<string, Promise<void>>();
  const { logger, clock } = sender;

  /** The queue wakes a worker at the due time. While it is away the sweep does, up to a second later. */
  async function handOver(due: readonly DueDelivery[]): Promise<void> {
    if (due.length === 0) return;
    try {
      await enqueueDeliveries(queues, due, clock.now());
    } catch {
      logger.debug({ deliveries: due.length }, 'the queue is away: the sweep will send these');
    }
  }

  function run(deliveryId: string, send: () => Promise<DueDelivery[]>): Promise<void> {
    const running = inHand.get(deliveryId);
    if (running !== undefined) return running;
    const work = limit(send)
      .then((due) => {
        // Only now may the delivery's next attempt find its way in.
        inHand.delete(deliveryId);
        return handOver(due);
      })
      .catch((error: unknown) => {
        inHand.delete(deliveryId);
        logger.error({ err: error, deliveryId }, 'a delivery could not be processed; the sweep tries again');
      });
    inHand.set(deliveryId, work);
    return work;
  }

  return {
    dispatch(rows) {
      const now = clock.now();
      const later: DueDelivery[] = [];
      for (const row of rows) {
        if (row.status === 'sending') void run(row.id, () => sendClaimed(sender, row));
        else if (fromIso(row.due_at) <= now) void run(row.id, () => deliver(sender, row.id));
        else later.push({ id: row.id, attempt: row.attempts + 1, dueAt: fromIso(row.due_at) });
      }
      void handOver(later);
    },
    deliverNow: (deliveryId) => run(deliveryId, () => deliver(sender, deliveryId)),
    async idle() {
      while (inHand.size > 0) await Promise.allSettled(inHand.values());
    },
  };
}
