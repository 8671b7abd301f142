import { toIso } from '#shared/clock';
import { readDayChart } from '#shared/monitor/day-chart/read-day-chart';
import type { Watch } from '#shared/monitor/watches/watches';
import type { WatchHistory } from '~/components/monitor/watch-history';
import { serverContext } from '~/http/server/context.server';
import { readRecentActivity } from './recent-activity.server';

/**
 * The checks of the last day of a watch. `request`: of the screen, or of its history as JSON with the same query; `path`:
 * the address of the screen.
 */
export async function readHistory(request: Request, watch: Watch, path: string): Promise<WatchHistory> {
  const { db, clock } = serverContext();
  const [chart, activity] = await Promise.all([
    readDayChart(db, { clock, watchId: watch.id }),
    readRecentActivity(request, watch, path),
  ]);
  return { slug: watch.slug, chart, activity, now: toIso(clock.now()) };
}
