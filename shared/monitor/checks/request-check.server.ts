import type { QueueEvents } from 'bullmq';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_WATCH_ID } from '../../brand';
import { SECOND, type Clock } from '../../clock';
import type { Database } from '../../database/connection.server';
import { DomainError } from '../../errors';
import { listenToMonitorQueue, type Queues } from '../../queues/connection.server';
import { enqueueCheck } from '../../queues/enqueue';
import { readDaemonStatus } from '../heartbeat';
import { findCheck, type MonitorCheck } from './checks';

/** The longest wait of a caller; the check continues afterwards. */
const CHECK_WAIT_MS = 25 * SECOND;
const READY_WITHIN_MS = 2 * SECOND;

interface CheckRequestContext {
  db: Database;
  queues: Queues;
  redisUrl: string;
  clock: Clock;
  watchId?: string;
}

function failed(message: string, cause?: unknown): DomainError {
  return new DomainError('Unavailable', { code: 'check_failed', message, cause });
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
 * Requests a check of a watch from the daemon and waits for it. Returns null when it takes longer than 25 s.
 * Concurrent requests share one check. Throws `Unavailable` when Redis or the daemon is offline.
 */
export async function requestCheck({
  db,
  queues,
  redisUrl,
  clock,
  watchId = DEFAULT_WATCH_ID,
}: CheckRequestContext): Promise<MonitorCheck | null> {
  if (!queues.isReady())
    await once(queues.redis, 'ready', { signal: AbortSignal.timeout(READY_WITHIN_MS) }).catch(
      () => undefined,
    );
  const { online } = await readDaemonStatus(db, clock.now());
  if (!online) throw failed('Failed to trigger check: the daemon is not running.');
  if (!queues.isReady()) throw failed('Failed to trigger check: Redis does not answer.');
  const events = listenToMonitorQueue(redisUrl, { prefix: queues.prefix });
  try {
    if (!(await isReadyWithin(events, READY_WITHIN_MS)))
      throw failed('Failed to trigger check: Redis does not answer.');
    const job = await enqueueCheck(queues, { watchId, trigger: 'manual', requestedAt: clock.now() }).catch(
      (error: unknown) => {
        throw failed('Failed to trigger check: Redis does not answer.', error);
      },
    );
    const result: unknown = await job.waitUntilFinished(events, CHECK_WAIT_MS).catch((error: unknown) => {
      // BullMQ reports a timeout only in its message.
      if (error instanceof Error && /timed out/.test(error.message)) return null;
      throw failed('Failed to trigger check: it ended with an error. The daemon’s log says why.', error);
    });
    if (typeof result !== 'object' || result === null || !('checkId' in result)) return null;
    return await findCheck(db, String(result.checkId));
  } finally {
    // Not awaited: if Redis disconnects, BullMQ would wait for its connection forever.
    events.close().catch(() => undefined);
  }
}
