import { fromIso, SECOND, toIso } from '../clock';
import type { MonitorSettings } from './monitor-settings';
import { isWithinHours, nextWindowStart } from './monitoring-hours';
import type { Watch } from './watches/watches';

/** When the next scheduled check of a watch is due (ISO); null while it is stopped or the daemon is offline. */
export function nextCheckOf(
  watch: Pick<Watch, 'running' | 'last_checked_at' | 'not_before'>,
  { intervalSeconds, hours, timeZone }: Pick<MonitorSettings, 'intervalSeconds' | 'hours' | 'timeZone'>,
  { daemonOnline, now }: { daemonOnline: boolean; now: number },
): string | null {
  if (watch.running === 0 || !daemonOnline) return null;
  const planned = Math.max(
    now,
    watch.last_checked_at === null ? now : fromIso(watch.last_checked_at) + intervalSeconds * SECOND,
    watch.not_before === null ? 0 : fromIso(watch.not_before),
  );
  return toIso(isWithinHours(planned, hours, timeZone) ? planned : nextWindowStart(planned, hours, timeZone));
}
