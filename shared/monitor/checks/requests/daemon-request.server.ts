import type { Job, QueueEvents } from 'bullmq';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND, type Clock } from '../../../clock';
import type { Database } from '../../../database/connection.server';
import { DomainError } from '../../../errors';
import { listenToMonitorQueue, type Queues } from '../../../queues/connection.server';
import { readDaemonStatus } from '../../heartbeat';

/** The longest wait of a caller; the job continues afterwards. */
const JOB_WAIT_MS = 25 * SECOND;
const READY_WITHIN_MS = 2 * SECOND;

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

/** A hanging Redis accepts connections and never answers. */
async function isReadyWithin(events: QueueEvents, ms: number): Promise<boolean> {
  const waiting = new AbortController();
  const late = sleep(ms, false, { signal: waiting.signal }).catch(() => false);
  try {
    return await Promise.race([events.waitUntilReady().then(() => true), late]);
  } finally {
    waiting.abort();
  }
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
  if (!queues.isReady())
    await once(queues.redis, 'ready', { signal: AbortSignal.timeout(READY_WITHIN_MS) }).catch(
      () => undefined,
    );
  const { online } = await readDaemonStatus(db, clock.now());
  if (!online) throw failed('the daemon is not running.');
  if (!queues.isReady()) throw failed('Redis does not answer.');
  const events = listenToMonitorQueue(redisUrl, { prefix: queues.prefix });
  try {
    if (!(await isReadyWithin(events, READY_WITHIN_MS))) throw failed('Redis does not answer.');
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
