import type { Database } from '#shared/database/schema';
import type { Logger } from '#shared/logger.server';
import { freeLeasesOf } from '#shared/monitor/checks/check-lease';
import { listDeadDaemons, type DaemonInstance } from '#shared/monitor/heartbeat';
import { OUTBOXES } from '#shared/outbox/outboxes';

/** Releases the claims, the check leases and the turns of dead daemons, so that their work continues before these expire. */
export async function reclaimFromDeadDaemons(
  db: Database,
  instance: DaemonInstance,
  now: number,
  logger: Logger,
): Promise<void> {
  const dead = await listDeadDaemons(db, instance);
  const released: Record<string, number> = {};
  for (const [queue, outbox] of Object.entries(OUTBOXES)) {
    const count = await outbox.release(db, { owners: dead, now });
    if (count > 0) released[queue] = count;
  }
  await freeLeasesOf(db, dead);
  if (Object.keys(released).length > 0) logger.warn(released, 'reclaimed deliveries of a daemon that died');
}
