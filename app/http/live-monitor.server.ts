import { toIso } from '#shared/clock';
import {
  DEFAULT_MONITORING_HOURS,
  describeHours,
  parseMonitoringHours,
} from '#shared/monitor/monitoring-hours';
import { listCheckBands, readMonitorStatus } from '#shared/monitor/read-status.server';
import { STRIP_HOURS, type LiveMonitor } from '~/components/monitor/live-card';
import { serverContext } from './server-context.server';

/** Everything that the live card shows. */
export async function readLiveMonitor(): Promise<LiveMonitor> {
  const { db, clock } = serverContext();
  const [status, bands] = await Promise.all([
    readMonitorStatus(db, clock),
    listCheckBands(db, { hours: STRIP_HOURS, clock }),
  ]);
  const hours = parseMonitoringHours(status.window.hours) ?? DEFAULT_MONITORING_HOURS;
  return { status, bands, hoursInWords: describeHours(hours), now: toIso(clock.now()) };
}
