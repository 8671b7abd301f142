import type { DayChart as DayChartData } from '#shared/monitor/day-chart/day-chart';
import { DayChart } from './day-chart/day-chart';
import { RecentActivity, type RecentActivityPage } from './recent-activity';

/** The checks of the last day of a watch. */
export interface WatchHistory {
  slug: string;
  /** Null for a product. */
  chart: DayChartData | null;
  activity: RecentActivityPage;
  /** The server's time when it read them (ISO-8601). */
  now: string;
}

/** The last 24 hours of a watch. `history`: null if it could not be read; `path`: the address of the screen. */
export function WatchHistoryPanel({ history, path }: { history: WatchHistory | null; path: string }) {
  return (
    <>
      {history === null || history.chart === null ? null : (
        // Its table scrolls in its own box: it must not widen the page.
        <div className="min-w-0">
          <DayChart chart={history.chart} slug={history.slug} />
        </div>
      )}
      <RecentActivity activity={history?.activity ?? null} path={path} />
    </>
  );
}
