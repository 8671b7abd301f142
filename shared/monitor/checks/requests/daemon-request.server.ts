import type { Job } from 'bullmq';
import { SECOND, type Clock } from '../../../clock';
import type { Database } from '../../../database/schema';
import { DomainError } from '../../../errors';
import {
  becomesReady,
  listenToMonitorQueue,
  newestMonitorEvent,
  type Queues,
} from '../../../queues/connection.server';
import { readDaemonStatus } from '../../heartbeat';
import { DEFAULT_WATCH_ID } from '../../../brand';
import { enqueueCheck, enqueueJudgement, enqueuePreview } from '../../../queues/enqueue';
import { findCheck, type MonitorCheck } from '../reading/checks';
import { hasStoredPage } from '../stored-body.server';
import { judgementSchema, type Judgement } from '../verdict';

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

/** Whether a call to Redis failed because of the connection, by ioredis's message. */
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
async function requestFromDaemon(
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
  const noAnswer = (error: unknown): never => {
    throw failed('Redis does not answer.', error);
  };
  // Before the job is added, because it may end before the events are read.
  const since = await newestMonitorEvent(queues).catch(noAnswer);
  const events = await listenToMonitorQueue(redisUrl, { prefix: queues.prefix, since });
  let connected = false;
  void events.waitUntilReady().then(
    () => (connected = true),
    // Closed before it was ready: the caller already has its answer.
    () => undefined,
  );
  try {
    if (!(await becomesReady(() => connected))) throw failed('Redis does not answer.');
    const job = await addJob(queues).catch(noAnswer);
    return await job
      .waitUntilFinished(events, Math.max(1, giveUpAt - performance.now()))
      .catch((error: unknown) => {
        if (isConnectionFault(error)) throw failed('Redis does not answer.', error);
        // BullMQ reports a timeout only in its message.
        if (error instanceof Error && /timed out/.test(error.message)) return null;
        throw failed('it failed. See the daemon’s log for the reason.', error);
      });
  } finally {
    // Not awaited: if Redis disconnects, BullMQ would wait for its connection forever.
    events.close().catch(() => undefined);
  }
}

/**
 * Requests a check of a watch from the daemon and waits for it. Returns null when it takes longer than `waitMs`.
 * Concurrent requests share one check. Throws `Unavailable` when Redis or the daemon is offline.
 */
export async function requestCheck({
  watchId = DEFAULT_WATCH_ID,
  ...context
}: DaemonRequestContext & { watchId?: string }): Promise<MonitorCheck | null> {
  const { db, clock } = context;
  const result = await requestFromDaemon(context, {
    addJob: (queues) => enqueueCheck(queues, { watchId, trigger: 'manual', requestedAt: clock.now() }),
    failure: { code: 'check_failed', sentence: 'Failed to trigger check' },
  });
  if (typeof result !== 'object' || result === null || !('checkId' in result)) return null;
  return findCheck(db, String(result.checkId));
}

const FAILURE = { code: 'judgement_failed', sentence: 'Failed to judge the page' };

/**
 * Has the daemon judge the stored page of a check with today's rules, and waits for the result; nothing is stored. Only
 * the first 100 KB of a page are stored, so a longer one is judged by these. Null when the page is no longer stored.
 * Throws `NotFound` for an unknown check and `Unavailable` while Redis or the daemon is offline.
 */
export async function requestJudgement(
  context: DaemonRequestContext,
  { checkId }: { checkId: string },
): Promise<Judgement | null> {
  const stored = await hasStoredPage(context.db, checkId);
  if (stored === null)
    throw new DomainError('NotFound', { code: 'unknown_check', message: 'There is no check with this id.' });
  if (!stored) return null;
  const result = await requestFromDaemon(context, {
    addJob: (queues) => enqueueJudgement(queues, { checkId }),
    failure: FAILURE,
  });
  if (typeof result === 'object' && result !== null && 'judgement' in result)
    return judgementSchema.nullable().parse(result.judgement);
  throw new DomainError('Unavailable', {
    code: FAILURE.code,
    message: `${FAILURE.sentence}: the daemon did not answer in time.`,
  });
}

/**
 * Has the daemon fetch and judge the page of a preview, and waits. The result is in the preview's row, but may be missing
 * after `waitMs`. Throws `Unavailable` when Redis or the daemon is offline, or the job fails.
 */
export async function requestPreview(context: DaemonRequestContext, previewId: string): Promise<void> {
  await requestFromDaemon(context, {
    addJob: (queues) => enqueuePreview(queues, previewId),
    failure: { code: 'preview_failed', sentence: 'Failed to look at the page' },
  });
}
