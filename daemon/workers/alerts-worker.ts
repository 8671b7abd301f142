import type { Dispatcher } from '../dispatcher';
import { startWorker, type RunningWorker, type WorkerSettings } from './typed-worker';

const DELIVERIES_AT_ONCE = 64;

/** Sends deliveries at their due time. Retries are new jobs with their own due time, planned by the outcome. */
export function startAlertsWorker(
  dispatcher: Dispatcher,
  settings: Omit<WorkerSettings, 'concurrency'>,
): RunningWorker {
  return startWorker(
    'alerts',
    { deliver: ({ payload }) => dispatcher.deliverNow(payload.deliveryId) },
    { ...settings, concurrency: DELIVERIES_AT_ONCE },
  );
}
