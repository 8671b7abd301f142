import { MINUTE } from '#shared/clock';
import type { JobName } from '#shared/queues/catalogue';
import type { Housekeeping } from '../housekeeping';
import { startWorker, type Handlers, type RunningWorker, type WorkerSettings } from './typed-worker';

type Task = JobName<'housekeeping'>;

/** Far more than any task needs. A task that never ends must not prevent its next run for ever. */
const TASK_LIMIT_MS = 15 * MINUTE;

/** Runs the housekeeping jobs side by side: a slow one delays no other, and one that still runs is not started again. */
export function startHousekeepingWorker(
  housekeeping: Housekeeping,
  settings: Omit<WorkerSettings, 'concurrency'>,
): RunningWorker {
  const running = new Map<Task, number>();

  async function runOnce(task: Task): Promise<void> {
    const startedAt = running.get(task);
    const now = performance.now();
    if (startedAt !== undefined) {
      if (now - startedAt < TASK_LIMIT_MS) return;
      settings.logger.error({ task }, 'a housekeeping task hangs: starting it again');
    }
    running.set(task, now);
    try {
      await housekeeping[task]();
    } finally {
      if (running.get(task) === now) running.delete(task);
    }
  }

  const handlers: Handlers<'housekeeping'> = {
    retention: () => runOnce('retention'),
    uploads: () => runOnce('uploads'),
    deletions: () => runOnce('deletions'),
    shareImages: () => runOnce('shareImages'),
    sourceTrust: () => runOnce('sourceTrust'),
    reconcile: () => runOnce('reconcile'),
    reconcileAll: () => runOnce('reconcileAll'),
    compareRoles: () => runOnce('compareRoles'),
  };
  // With room for the jobs that end at once because their task still runs.
  const concurrency = 2 * Object.keys(handlers).length;
  return startWorker('housekeeping', handlers, { ...settings, concurrency });
}
