import type { Sender } from '../sender';
import { startWorker, type RunningWorker, type WorkerSettings } from './typed-worker';

/** The sender limits how many of them send at once. */
const JOBS_AT_ONCE = 64;

/** Sends deliveries at their due time. A retry is a new job with its own due time, added by the outcome. */
export function startAlertsWorker(
  deliveries: Pick<Sender<never>, 'send'>,
  settings: Omit<WorkerSettings, 'concurrency'>,
): RunningWorker {
  return startWorker(
    'alerts',
    { deliver: ({ payload }) => deliveries.send(payload.deliveryId) },
    { ...settings, concurrency: JOBS_AT_ONCE },
  );
}

/** Sends mails at their due time, in the same way. */
export function startMailWorker(
  mails: Pick<Sender<never>, 'send'>,
  settings: Omit<WorkerSettings, 'concurrency'>,
): RunningWorker {
  return startWorker(
    'mail',
    { send: ({ payload }) => mails.send(payload.mailId) },
    { ...settings, concurrency: JOBS_AT_ONCE },
  );
}
