import type { Clock } from '../../clock';
import type { Database } from '../../database/schema';
import type { Verdict } from '../checks/verdict';
import { readDaemonStatus } from '../heartbeat';
import { DEFAULT_MONITORING_HOURS, parseMonitoringHours } from '../monitoring-hours';
import { nextCheckOf } from '../next-check';
import { listWatches, urlOf, type Watch } from './watches';

/** A watch as the API and the command line show it; the names are the API's. */
export interface DescribedWatch {
  id: string;
  slug: string;
  shop: string;
  title: string;
  url: string;
  /** Such as "9-21", in `timeZone`. */
  hours: string;
  timeZone: string;
  intervalSeconds: number;
  running: boolean;
  /** The verdict of the last check; `unknown` before the first. */
  state: Verdict;
  lastCheck: string | null;
  nextCheck: string | null;
}

interface DescribeContext {
  db: Database;
  clock: Clock;
  /** MONITOR_TARGET_URL. */
  targetUrl: string;
}

/** Describes watches with their settings and their state now. */
async function describeWatches(
  { db, clock, targetUrl }: DescribeContext,
  watches: readonly Watch[],
): Promise<DescribedWatch[]> {
  const now = clock.now();
  const { online: daemonOnline } = await readDaemonStatus(db, now);
  return watches.map((watch) => {
    const hours = parseMonitoringHours(watch.hours) ?? DEFAULT_MONITORING_HOURS;
    const { interval_seconds: intervalSeconds, time_zone: timeZone } = watch;
    return {
      id: watch.id,
      slug: watch.slug,
      shop: watch.shop,
      title: watch.title,
      url: urlOf(watch, { targetUrl }),
      hours: `${hours.from}-${hours.to}`,
      timeZone,
      intervalSeconds,
      running: watch.running === 1,
      state: watch.last_verdict ?? 'unknown',
      lastCheck: watch.last_checked_at,
      nextCheck: nextCheckOf(watch, { hours, timeZone, intervalSeconds }, { daemonOnline, now }),
    };
  });
}

/** Describes one watch. */
export async function describeWatch(context: DescribeContext, watch: Watch): Promise<DescribedWatch> {
  const [described] = await describeWatches(context, [watch]);
  if (described === undefined) throw new Error('describeWatches returns one row per watch');
  return described;
}

/** Describes every watch that is not deleted, by slug. */
export async function listDescribedWatches(context: DescribeContext): Promise<DescribedWatch[]> {
  return describeWatches(context, await listWatches(context.db));
}
