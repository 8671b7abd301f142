import { listRecentAlerts } from '#shared/alerts/list-alerts';
import type { WatchedRoom } from '~/components/restock/waiting-room-view';
import { readLiveMonitor } from '../../http/site/site-state.server';
import { loadOptional } from '../../http/server/failures.server';
import { serverContext } from '../../http/server/context.server';

/** What is stored of the watched shop's waiting room. A part that cannot be read is null, which is logged. */
export async function readWatchedRoom(): Promise<WatchedRoom> {
  const [live, alerts] = await Promise.all([
    loadOptional(readLiveMonitor),
    loadOptional(() => listRecentAlerts(serverContext().db, { limit: 1 })),
  ]);
  // Without the alerts it is not known whether there has been one.
  const [alert] = alerts ?? [];
  if (alert === undefined) return { live: alerts === null ? null : live, lastAlert: null };
  const { status, openedAt, closedAt } = alert;
  return { live, lastAlert: { status, openedAt, closedAt } };
}
