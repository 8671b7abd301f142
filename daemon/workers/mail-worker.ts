import type { MailDispatcher } from '../mail-dispatcher';
import { startWorker, type RunningWorker, type WorkerSettings } from './typed-worker';

const MAILS_AT_ONCE = 8;

/** Sends mails at their due time. Retries are new jobs with their own due time, planned by the outcome. */
export function startMailWorker(
  dispatcher: MailDispatcher,
  settings: Omit<WorkerSettings, 'concurrency'>,
): RunningWorker {
  return startWorker(
    'mail',
    { send: ({ payload }) => dispatcher.sendNow(payload.mailId) },
    { ...settings, concurrency: MAILS_AT_ONCE },
  );
}
