import type { OutboxQueue } from '#shared/outbox/outboxes';
import { startWorker, type Handlers, type RunningWorker, type WorkerSettings } from './typed-worker';

/** The senders have lower limits. A job ends once what is due has begun. */
const JOB_CONCURRENCY = 64;

/** What sends the rows of an outbox: the handlers of its jobs, the sweep of the loop, and the end. */
export interface OutboxRunner<Queue extends OutboxQueue = OutboxQueue> {
  queue: Queue;
  handlers: Handlers<Queue>;
  /** Begins what is due. Called by the loop each second. */
  sweep(): Promise<void>;
  /** Begins nothing more. Resolves when every claimed row is settled. */
  stop(): Promise<void>;
}

/** Sends the rows of an outbox at their due time. A retry is a new job with its own due time. */
export function startOutboxWorker<Queue extends OutboxQueue>(
  { queue, handlers }: OutboxRunner<Queue>,
  settings: Omit<WorkerSettings, 'concurrency'>,
): RunningWorker {
  return startWorker(queue, handlers, { ...settings, concurrency: JOB_CONCURRENCY });
}
