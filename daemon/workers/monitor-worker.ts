import { DelayedError } from 'bullmq';
import { runCheck, type CheckerContext } from '../run-check';
import { startWorker, type RunningWorker, type WorkerSettings } from './typed-worker';

/**
 * Runs checks, one at a time. `signal` ends the one that runs at shutdown; a check that somebody waits for is handed
 * back to the queue then, a scheduled one is due again soon anyway. Jobs return the check's id or why it was skipped.
 */
export function startMonitorWorker(
  checker: CheckerContext,
  signal: AbortSignal,
  settings: Omit<WorkerSettings, 'concurrency'>,
): RunningWorker {
  return startWorker(
    'monitor',
    {
      check: async ({ payload, job, token }) => {
        try {
          return await runCheck(checker, {
            trigger: payload.trigger,
            requestedAt: payload.requestedAt ?? job.timestamp,
            signal,
          });
        } catch (error) {
          if (signal.aborted && payload.trigger !== 'schedule') {
            await job.moveToDelayed(Date.now(), token);
            throw new DelayedError();
          }
          if (signal.aborted) return { skipped: 'the daemon is stopping' };
          throw error;
        }
      },
    },
    { ...settings, concurrency: 1 },
  );
}
