import { DelayedError } from 'bullmq';
import pLimit, { type LimitFunction } from 'p-limit';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { judgeStored } from '../judge-stored';
import { runCheck, type CheckerContext } from '../run-check';
import { startWorker, type RunningWorker, type WorkerSettings } from './typed-worker';

/** Far more than there are watches: a job that waits for its own watch must not delay another watch. */
const JOBS_AT_ONCE = 64;

/**
 * Runs checks, one at a time per watch. `signal` aborts the running checks at shutdown. An aborted check goes back to the
 * queue, unless it is a scheduled one. Jobs return the check's id or why it was skipped.
 */
export function startMonitorWorker(
  checker: CheckerContext,
  signal: AbortSignal,
  settings: Omit<WorkerSettings, 'concurrency'>,
): RunningWorker {
  const limits = new Map<string, LimitFunction>();
  const limitOf = (watchId: string): LimitFunction => {
    const limit = limits.get(watchId) ?? pLimit(1);
    limits.set(watchId, limit);
    return limit;
  };

  return startWorker(
    'monitor',
    {
      check: async ({ payload, job, token }) => {
        const { watchId = DEFAULT_WATCH_ID, trigger, requestedAt = job.timestamp } = payload;
        try {
          return await limitOf(watchId)(() => {
            signal.throwIfAborted();
            return runCheck(checker, { watchId, trigger, requestedAt, signal });
          });
        } catch (error) {
          if (signal.aborted && trigger !== 'schedule') {
            await job.moveToDelayed(Date.now(), token);
            throw new DelayedError();
          }
          if (signal.aborted) return { skipped: 'the daemon is stopping' };
          throw error;
        }
      },
      judge: async ({ payload }) => ({ judgement: await judgeStored(checker.db, payload.checkId) }),
    },
    { ...settings, concurrency: JOBS_AT_ONCE },
  );
}
