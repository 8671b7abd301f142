import { DelayedError } from 'bullmq';
import pLimit, { type LimitFunction } from 'p-limit';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { readStoredAnswer } from '#shared/monitor/checks/reading/stored-answer.server';
import { lookAtPage } from '../checks/look-at-page';

import type { CheckerContext } from '../checks/checker-context';
import { runCheck, type CheckRequest, type CheckResult } from '../checks/run-check';
import { startWorker, type RunningWorker, type WorkerSettings } from './typed-worker';
import { setTimeout as sleep } from 'node:timers/promises';

interface Throttle {
  /** Resolves when the interval since the previous call has passed. Rejects when `signal` aborts. */
  next(signal: AbortSignal): Promise<void>;
}

/** Spaces the starts of work: calls take turns, `everyMs` apart. */
function createThrottle(everyMs: number): Throttle {
  let nextTurn = 0;
  return {
    async next(signal) {
      const now = performance.now();
      const turn = Math.max(now, nextTurn);
      nextTurn = turn + everyMs;
      if (turn > now) await sleep(turn - now, undefined, { signal });
    },
  };
}

/** Far more than 200 watches need, because a job that waits for its watch or shop must not delay another watch. */
const JOB_CONCURRENCY = 1_000;
/**
 * Scheduled checks start this far apart. After a pause of the daemon all checks are due together, and judging their pages
 * one by one would delay alerts. 200 watches at 15 s start 75 ms apart on average.
 */
const START_EVERY_MS = 25;

/**
 * Runs checks, one at a time per watch. `signal` aborts the running checks at shutdown. An aborted check goes back to the
 * queue, unless it is a scheduled one. Jobs return the check's id or why it was skipped.
 */
export function startMonitorWorker(
  checker: CheckerContext,
  signal: AbortSignal,
  settings: Omit<WorkerSettings, 'concurrency'>,
): RunningWorker {
  const throttle = createThrottle(START_EVERY_MS);
  const limits = new Map<string, LimitFunction>();
  const limitOf = (watchId: string): LimitFunction => {
    const limit = limits.get(watchId) ?? pLimit(1);
    limits.set(watchId, limit);
    return limit;
  };

  async function check({ watchId, ...request }: CheckRequest): Promise<CheckResult> {
    const limit = limitOf(watchId);
    // Otherwise the jobs of a shop that is slower than its interval would pile up.
    if (request.trigger === 'schedule' && limit.activeCount + limit.pendingCount > 0)
      return { skipped: 'another check is running' };
    try {
      return await limit(async () => {
        signal.throwIfAborted();
        if (request.trigger === 'schedule') await throttle.next(signal);
        return runCheck(checker, { watchId, ...request });
      });
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) limits.delete(watchId);
    }
  }

  return startWorker(
    'monitor',
    {
      check: async ({ payload, job, token }) => {
        const { watchId = DEFAULT_WATCH_ID, trigger, requestedAt = job.timestamp } = payload;
        try {
          return await check({ watchId, trigger, requestedAt, signal });
        } catch (error) {
          if (signal.aborted && trigger !== 'schedule') {
            await job.moveToDelayed(Date.now(), token);
            throw new DelayedError();
          }
          if (signal.aborted) return { skipped: 'the daemon is stopping' };
          throw error;
        }
      },
      judge: async ({ payload }) => {
        const page = await readStoredAnswer(checker.db, payload.checkId);
        return { judgement: page === null ? null : await checker.judge(page) };
      },
      preview: async ({ payload }) => {
        await lookAtPage(checker, { previewId: payload.previewId, signal });
        return {};
      },
    },
    { ...settings, concurrency: JOB_CONCURRENCY },
  );
}
