import { deliveryOutbox } from '#shared/alerts/deliveries/deliveries';
import { paymentEventOutbox } from '#shared/billing/payment-events';
import type { Database } from '#shared/database/connection.server';
import type { Logger } from '#shared/logger.server';
import { mailOutbox } from '#shared/mail/mails';
import { memberOutbox } from '#shared/member-alerts/member-outbox';
import { freeLeasesOf } from '#shared/monitor/checks/check-lease';
import { listDeadDaemons, type DaemonInstance } from '#shared/monitor/heartbeat';

/** Releases the claims and the check lease of dead daemons, so that their work continues before these expire. */
export async function reclaimFromDeadDaemons(
  db: Database,
  instance: DaemonInstance,
  now: number,
  logger: Logger,
): Promise<void> {
  const dead = await listDeadDaemons(db, instance);
  const released = await deliveryOutbox.release(db, { owners: dead, now });
  const mails = await mailOutbox.release(db, { owners: dead, now });
  const paymentEvents = await paymentEventOutbox.release(db, { owners: dead, now });
  const memberAlerts = await memberOutbox.release(db, { owners: dead, now });
  await freeLeasesOf(db, dead);
  if (released + mails + paymentEvents + memberAlerts > 0)
    logger.warn(
      { deliveries: released, mails, paymentEvents, memberAlerts },
      'reclaimed deliveries of a daemon that died',
    );
}
