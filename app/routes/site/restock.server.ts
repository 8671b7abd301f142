import { notifiedTimes } from '#shared/alerts/head-start';
import { listRecentAlerts } from '#shared/alerts/list-alerts';
import type { Audience } from '#shared/alerts/webhooks/webhooks';
import { readMasks } from '#shared/monitor/head-start-masks';
import type { LastAlert, WatchedRoom } from '~/components/restock/waiting-room-view';
import { readLiveMonitor } from './site-state.server';
import { serverContext } from '../../http/server/context.server';

/** The newest alert of a watch that `audience` may see; null without any. */
async function readLastAlert(audience: Audience, watchId: string): Promise<LastAlert | null> {
  const { db, clock } = serverContext();
  const mask = (await readMasks(db, { now: clock.now(), audience })).get(watchId);
  const [alert] = await listRecentAlerts(db, { limit: 1, watchId, hidden: mask?.hiddenAlerts ?? [] });
  if (alert === undefined) return null;
  const { status, openedAt, closedAt, lastSeenAt, closeReason, deliveries } = alert;
  const free = deliveries.find(({ audience: receiver }) => receiver === 'free')?.status;
  return {
    status,
    openedAt,
    closedAt,
    lastSeenAt,
    closeReason,
    notified: notifiedTimes(deliveries),
    free: free === 'pending' || free === 'cancelled' ? free : null,
  };
}

/** Reads the state of a watch's waiting room as `audience` may see it. */
export async function readWatchedRoom(audience: Audience, watchId: string): Promise<WatchedRoom> {
  const [live, lastAlert] = await Promise.all([
    readLiveMonitor(audience, watchId),
    readLastAlert(audience, watchId),
  ]);
  return { live, lastAlert, now: live.now };
}
