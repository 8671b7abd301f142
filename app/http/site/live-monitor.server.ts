import { MINUTE, SECOND, toIso } from '#shared/clock';
import {
  DEFAULT_MONITORING_HOURS,
  describeHours,
  parseMonitoringHours,
} from '#shared/monitor/monitoring-hours';
import { listCheckBands, readMonitorStatus } from '#shared/monitor/read-status.server';
import { STRIP_HOURS, type LiveMonitor } from '~/components/monitor/live-card';
import { serverContext } from '../server/context.server';

/**
 * Everything that the live card shows, as of this second, or of this minute while no time runs on it: a page that would
 * look the same should be the same, byte for byte.
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
