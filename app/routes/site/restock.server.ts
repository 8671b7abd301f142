import { notifiedTimes } from '#shared/alerts/head-start';
import { listRecentAlerts } from '#shared/alerts/list-alerts';
import type { LastAlert, WatchedRoom } from '~/components/restock/waiting-room-view';
import { readLiveMonitor } from '../../http/site/site-state.server';
import { loadOptional } from '../../http/server/failures.server';
import { serverContext } from '../../http/server/context.server';

/** The newest alert of a watch; undefined without any. */
async function readLastAlert(watchId: string): Promise<LastAlert | undefined> {
  const [alert] = await listRecentAlerts(serverContext().db, { limit: 1, watchId });
  if (alert === undefined) return undefined;
  const { status, openedAt, closedAt, lastSeenAt, closeReason, deliveries } = alert;
  const free = deliveries.find(({ audience }) => audience === 'free')?.status;
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

/** The state of a watch's waiting room. A part that cannot be read is logged and null. */
export async function readWatchedRoom(watchId: string): Promise<WatchedRoom> {
  const [live, lastAlert] = await Promise.all([
    loadOptional(() => readLiveMonitor(watchId)),
    loadOptional(() => readLastAlert(watchId)),
  ]);
  // If the alerts cannot be read, the live state is dropped too: it alone would suggest that there was no alert.
  return lastAlert === null ? { live: null, lastAlert: null } : { live, lastAlert: lastAlert ?? null };
}
