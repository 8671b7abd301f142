import type { Job } from 'bullmq';
import { SECOND, type Clock } from '../../../clock';
import type { Database } from '../../../database/connection.server';
import { DomainError } from '../../../errors';
import { becomesReady, listenToMonitorQueue, type Queues } from '../../../queues/connection.server';
import { readDaemonStatus } from '../../heartbeat';

const JOB_WAIT_MS = 25 * SECOND;

export interface DaemonRequestContext {
  db: Database;
  /** Null without Redis, as `redisUrl`. */
  queues: Queues | null;
  redisUrl: string | null;
  clock: Clock;
  /** The longest wait of the caller; the job continues afterwards. Default: 25 s. */
  waitMs?: number;
}

interface DaemonRequest {
  /** Adds the job to the monitor queue. */
  addJob: (queues: Queues) => Promise<Job>;
  /** The code and the beginning of the sentence of a failure. */
  failure: { code: string; sentence: string };
}

/** Whether a call to Redis failed because of the connection, in the words of ioredis. */
function isConnectionFault(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^(?:Command timed out|Connection is closed|Stream isn't writeable)|MaxRetriesPerRequest/.test(
      `${error.name === 'MaxRetriesPerRequestError' ? error.name : error.message}`,
    )
  );
}

/**
 * Adds a job of the monitor queue and waits for its result. Returns null when the job takes longer than `waitMs`. Throws
 * `Unavailable` when Redis or the daemon is offline, or the job fails.
 */
export async function requestFromDaemon(
  { db, queues, redisUrl, clock, waitMs = JOB_WAIT_MS }: DaemonRequestContext,
  { addJob, failure }: DaemonRequest,
): Promise<unknown> {
  const failed = (reason: string, cause?: unknown): DomainError =>
    new DomainError('Unavailable', { code: failure.code, message: `${failure.sentence}: ${reason}`, cause });

  const giveUpAt = performance.now() + waitMs;
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
    return await job
      .waitUntilFinished(events, Math.max(1, giveUpAt - performance.now()))
      .catch((error: unknown) => {
        if (isConnectionFault(error)) throw failed('Redis does not answer.', error);
        // BullMQ reports a timeout only in its message.
        if (error instanceof Error && /timed out/.test(error.message)) return null;
        throw failed('it ended with an error. The daemon’s log says why.', error);
      });
  } finally {
    // Not awaited: if Redis disconnects, BullMQ would wait for its connection forever.
    events.close().catch(() => undefined);
  }
}
