import { MINUTE, SECOND, toIso } from '#shared/clock';
import {
  DEFAULT_MONITORING_HOURS,
  describeHours,
  parseMonitoringHours,
} from '#shared/monitor/monitoring-hours';
import { listCheckBands, readMonitorStatus } from '#shared/monitor/read-status.server';
import { readSiteSettings, type SiteSettings } from '#shared/settings/read-settings';
import { STRIP_HOURS, type LiveMonitor } from '~/components/monitor/live-card';
import { serverContext } from '../server/context.server';

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
    serverContext().log.error({ err: error }, 'the news setting could not be read');
    return true;
  }
}

/**
 * The data of the live card. Its time is rounded down to the second, or to the minute while the card shows no running
 * time, so that pages that look the same are the same bytes.
 */
export async function readLiveMonitor(): Promise<LiveMonitor> {
  const { db, clock } = serverContext();
  const second = clock.now() - (clock.now() % SECOND);
  const asOf = { now: () => second };
  const [status, bands] = await Promise.all([
    readMonitorStatus(db, asOf),
    listCheckBands(db, { hours: STRIP_HOURS, clock: asOf }),
  ]);
  const hours = parseMonitoringHours(status.window.hours) ?? DEFAULT_MONITORING_HOURS;
  const isStill = status.alert === null && (!status.scheduler.running || !status.daemon.online);
  const now = toIso(isStill ? second - (second % MINUTE) : second);
  return { status, bands, hoursInWords: describeHours(hours), now };
}
