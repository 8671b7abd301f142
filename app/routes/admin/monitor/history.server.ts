import { toIso } from '#shared/clock';
import type { Watch } from '#shared/monitor/watches';
import type { WatchHistory } from '~/components/monitor/watch-history';
import { serverContext } from '~/http/server/context.server';
import { readRecentActivity } from './recent-activity.server';

/**
 * The checks of the last day of a watch. `request`: of the screen, or of its history as JSON with the same query; `path`:
 * the address of the screen.
 */
export async function readHistory(request: Request, watch: Watch, path: string): Promise<WatchHistory> {
  return {
    activity: await readRecentActivity(request, watch, path),
    now: toIso(serverContext().clock.now()),
  };
}
