import type { OutboxQueue } from '#shared/outbox/outboxes';
import { startWorker, type Handlers, type RunningWorker, type WorkerSettings } from './typed-worker';

/** The senders have lower limits. A job ends once all due rows have started. */
const JOB_CONCURRENCY = 64;

/** Sends the rows of an outbox, for its jobs, for the sweep of the loop and at shutdown. */
export interface OutboxRunner<Queue extends OutboxQueue = OutboxQueue> {
  handlers: Handlers<Queue>;
  /** Starts due rows. Called by the loop each second. */
  sweep(): Promise<void>;
  /** Starts nothing more. Resolves when every claimed row is settled. */
  stop(): Promise<void>;
}

/** The runner of each outbox, null while nothing sends its rows. */
export type OutboxRunners = { [Queue in OutboxQueue]: OutboxRunner<Queue> | null };

/** Sends the rows of the outboxes at their due time. A retry is a new job with a due time. */
export function startOutboxWorkers(
  runners: OutboxRunners,
  settings: Omit<WorkerSettings, 'concurrency'>,
): RunningWorker[] {
  function start<Queue extends OutboxQueue>(queue: Queue): RunningWorker[] {
    const runner: OutboxRunner<Queue> | null = runners[queue];
    return runner === null
      ? []
      : [startWorker(queue, runner.handlers, { ...settings, concurrency: JOB_CONCURRENCY })];
  }
  return (Object.keys(runners) as OutboxQueue[]).flatMap(start);
}
