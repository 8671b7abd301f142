import type { Housekeeping } from '../housekeeping';
import { startWorker, type RunningWorker, type WorkerSettings } from './typed-worker';

/** Runs the housekeeping jobs, one at a time. */
export function startHousekeepingWorker(
  housekeeping: Housekeeping,
  settings: Omit<WorkerSettings, 'concurrency'>,
): RunningWorker {
  return startWorker(
    'housekeeping',
    {
      retention: () => housekeeping.retention(),
      uploads: () => housekeeping.uploads(),
      storage: () => housekeeping.storage(),
      reconcile: () => housekeeping.reconcile(),
      reconcileAll: () => housekeeping.reconcileAll(),
    },
    { ...settings, concurrency: 1 },
  );
}
