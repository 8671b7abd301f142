import type { Audience } from '#shared/alerts/webhooks/webhooks';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { MINUTE, SECOND, toIso } from '#shared/clock';
import type { Database } from '#shared/database/schema';
import type { HeadStartMask } from '#shared/monitor/head-start-masks';
import {
  DEFAULT_MONITORING_HOURS,
  describeHours,
  parseMonitoringHours,
} from '#shared/monitor/monitoring-hours';
import { listCheckBands, readMonitorStatus } from '#shared/monitor/read-status.server';
import { readWatch, type Watch } from '#shared/monitor/watches/watches';
import { readSiteSettings, type SiteSettings } from '#shared/settings/read-settings';
import { STRIP_HOURS, type LiveMonitor } from '~/components/monitor/live-card';
import { serverContext } from '~/http/server/context.server';

/** The site's settings, from the loader cache. */
export function siteSettings(): Promise<SiteSettings> {
  const { db, loaderCache } = serverContext();
  return loaderCache.get('settings', () => readSiteSettings(db));
}

/** Whether the news section is shown; true when the setting cannot be read. */
export async function newsIsOn(): Promise<boolean> {
  try {
    return (await siteSettings()).newsEnabled;
  } catch (error) {
    serverContext().outages.failed(error, 'the news setting could not be read');
    return true;
  }
}

/**
 * The data of the live card of a watch, as `audience` may see it. All requests of a second share one read: each open page
 * requests it after each check. Its time is rounded down to the second, or to the minute while the card shows no running
 * time, so that identical pages are identical bytes.
 */
export async function readLiveMonitor(
  audience: Audience,
  watchId: string = DEFAULT_WATCH_ID,
): Promise<LiveMonitor> {
  const { db, pageVersions, loaderCache } = serverContext();
  const watch = await readWatch(db, watchId);
  const { now, status, masks } = await pageVersions.status(audience);
  const second = now - (now % SECOND);
  // Changes with the state of the watch and with its alert; the time of a delivery is at most a second old.
  const version = `${status}|${watch.last_check_id}`;
  return loaderCache.get(`live|${watch.id}|${audience}|${version}|${second}`, () =>
    loadLiveMonitor(db, watch, { second, mask: masks.get(watchId) }),
  );
}

async function loadLiveMonitor(
  db: Database,
  { id: watchId, slug, title: shop, time_zone: timeZone }: Watch,
  { second, mask }: { second: number; mask: HeadStartMask | undefined },
): Promise<LiveMonitor> {
  const asOf = { now: () => second };
  const [status, bands] = await Promise.all([
    readMonitorStatus(db, asOf, watchId, mask),
    listCheckBands(db, { hours: STRIP_HOURS, clock: asOf, watchId, hideAfter: mask?.hideAfter ?? null }),
  ]);
  const hours = parseMonitoringHours(status.window.hours) ?? DEFAULT_MONITORING_HOURS;
  const isStill = status.alert === null && (!status.scheduler.running || !status.daemon.online);
  const now = toIso(isStill ? second - (second % MINUTE) : second);
  return { status, bands, slug, shop, timeZone, hoursInWords: describeHours(hours), now };
}
