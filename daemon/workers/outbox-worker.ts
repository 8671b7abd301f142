import type { MailLanes } from '../delivery/mail-lanes';
import type { Sender } from '../delivery/sender';
import { startWorker, type RunningWorker, type WorkerSettings } from './typed-worker';

/** The sender has a lower limit. */
const JOB_CONCURRENCY = 64;

/** Sends deliveries at their due time. A retry is a new job with its own due time. */
export function startAlertsWorker(
  deliveries: Pick<Sender<never>, 'send'>,
  settings: Omit<WorkerSettings, 'concurrency'>,
): RunningWorker {
  return startWorker(
    'alerts',
    { deliver: ({ payload }) => deliveries.send(payload.deliveryId) },
    { ...settings, concurrency: JOB_CONCURRENCY },
  );
}

/** Sends mails at their due time. A retry is a new job with its own due time. */
export function startMailWorker(
  mails: Pick<MailLanes, 'send'>,
  settings: Omit<WorkerSettings, 'concurrency'>,
): RunningWorker {
  return startWorker(
    'mail',
    {
      // Not awaited: a job that waits for its turn would keep the job of a sign-in code from being taken.
      async send({ payload }) {
        void mails.send(payload.mailId);
      },
    },
    { ...settings, concurrency: JOB_CONCURRENCY },
  );
}

/** Applies Stripe's events as they arrive. A retry is a new job with its own due time. */
export function startPaymentsWorker(
  events: Pick<Sender<never>, 'send'>,
  settings: Omit<WorkerSettings, 'concurrency'>,
): RunningWorker {
  return startWorker(
    'payments',
    { apply: ({ payload }) => events.send(payload.eventId) },
    { ...settings, concurrency: JOB_CONCURRENCY },
  );
}
