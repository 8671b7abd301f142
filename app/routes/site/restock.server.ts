import { listRecentAlerts } from '#shared/alerts/list-alerts';
import type { WatchedRoom } from '~/components/restock/waiting-room-view';
import { readLiveMonitor } from '../../http/site/site-state.server';
import { loadOptional } from '../../http/server/failures.server';
import { serverContext } from '../../http/server/context.server';

/** The state of the watched shop's waiting room. A part that cannot be read is logged and null. */
export async function readWatchedRoom(): Promise<WatchedRoom> {
  const [live, alerts] = await Promise.all([
    loadOptional(readLiveMonitor),
    loadOptional(() => listRecentAlerts(serverContext().db, { limit: 1 })),
  ]);
  // If the alerts cannot be read, the live state is dropped too: it alone would suggest that there was no alert.
  const [alert] = alerts ?? [];
  if (alert === undefined) return { live: alerts === null ? null : live, lastAlert: null };
  const { status, openedAt, closedAt } = alert;
  return { live, lastAlert: { status, openedAt, closedAt } };
}
