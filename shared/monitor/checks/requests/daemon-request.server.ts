import type { Job } from 'bullmq';
import { SECOND, type Clock } from '../../../clock';
import type { Database } from '../../../database/connection.server';
import { DomainError } from '../../../errors';
import { becomesReady, listenToMonitorQueue, type Queues } from '../../../queues/connection.server';
import { readDaemonStatus } from '../../heartbeat';

/** The longest wait of a caller; the job continues afterwards. */
const JOB_WAIT_MS = 25 * SECOND;

export interface DaemonRequestContext {
  db: Database;
  /** Null without Redis, as `redisUrl`. */
  queues: Queues | null;
  redisUrl: string | null;
  clock: Clock;
}

interface DaemonRequest {
  /** Adds the job to the monitor queue. */
  addJob: (queues: Queues) => Promise<Job>;
  /** The code and the beginning of the sentence of a failure. */
  failure: { code: string; sentence: string };
}

/**
 * Adds a job of the monitor queue and waits for its result. Returns null when the job takes longer than 25 s. Throws
 * `Unavailable` when Redis or the daemon is offline, or the job fails.
 */
export async function requestFromDaemon(
  { db, queues, redisUrl, clock }: DaemonRequestContext,
  { addJob, failure }: DaemonRequest,
): Promise<unknown> {
  const failed = (reason: string, cause?: unknown): DomainError =>
    new DomainError('Unavailable', { code: failure.code, message: `${failure.sentence}: ${reason}`, cause });

  if (queues === null || redisUrl === null) throw failed('no Redis is set up.');
  const redisIsReady = await becomesReady(queues.isReady);
  const { online } = await readDaemonStatus(db, clock.now());
  if (!online) throw failed('the daemon is not running.');
  if (!redisIsReady) throw failed('Redis does not answer.');
  const events = listenToMonitorQueue(redisUrl, { prefix: queues.prefix });
  let connected = false;
  void events.waitUntilReady().then(
    () => (connected = true),
    // Closed before it was ready: the caller has its answer already.
    () => undefined,
  );
  try {
    if (!(await becomesReady(() => connected))) throw failed('Redis does not answer.');
    const job = await addJob(queues).catch((error: unknown) => {
      throw failed('Redis does not answer.', error);
    });
    return await job.waitUntilFinished(events, JOB_WAIT_MS).catch((error: unknown) => {
      // BullMQ reports a timeout only in its message.
      if (error instanceof Error && /timed out/.test(error.message)) return null;
      throw failed('it ended with an error. The daemon’s log says why.', error);
    });
  } finally {
    // Not awaited: if Redis disconnects, BullMQ would wait for its connection forever.
    events.close().catch(() => undefined);
  }
}
