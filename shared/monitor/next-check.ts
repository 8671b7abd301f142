import { fromIso, isPast, SECOND, toIso } from '../clock';
import type { MonitorSettings } from './monitor-settings';
import { isWithinHours, nextWindowStart, windowStart } from './monitoring-hours';
import type { Watch } from './watches/watches';

type Timing = Pick<MonitorSettings, 'intervalSeconds' | 'hours' | 'timeZone'>;
type LastCheck = Pick<Watch, 'running' | 'last_checked_at' | 'not_before'> &
  Partial<Pick<Watch, 'next_check_at'>>;

/** A scheduled check waits a random time up to this (ms), so that requests do not arrive at exact intervals. */
export function largestJitterMs(intervalSeconds: number): number {
  return Math.min((intervalSeconds * SECOND) / 20, 2 * SECOND);
}

/** The last check (epoch ms); null before the first, and when the clock was set back since. */
function lastCheckOf({ last_checked_at: at }: LastCheck, now: number): number | null {
  return at !== null && isPast(fromIso(at), now) ? fromIso(at) : null;
}

/**
 * The end (epoch ms) of the pause after a challenge, a block or a request of the shop; 0 without one. A pause that was
 * begun in the future does not count: the clock was set back since.
 */
export function pauseEnd(watch: LastCheck, now: number): number {
  if (watch.not_before === null) return 0;
  if (watch.last_checked_at !== null && lastCheckOf(watch, now) === null) return 0;
  return fromIso(watch.not_before);
}

/** When the next scheduled check of a watch is due (ISO), jitter included. Null while stopped or the daemon is offline. */
export function nextCheckOf(
  watch: LastCheck,
  { intervalSeconds, hours, timeZone }: Timing,
  { daemonOnline, now }: { daemonOnline: boolean; now: number },
): string | null {
  if (watch.running === 0 || !daemonOnline) return null;
  const lastAt = lastCheckOf(watch, now);
  const due = lastAt === null ? now : lastAt + intervalSeconds * SECOND;
  // The next check of a product is in its row.
  const planned = Math.max(
    now,
    watch.next_check_at == null ? due : fromIso(watch.next_check_at),
    pauseEnd(watch, now),
  );
  const latest = planned + largestJitterMs(intervalSeconds);
  const isMade = [planned, latest].every((time) => isWithinHours(time, hours, timeZone));
  return toIso(isMade ? planned : nextWindowStart(planned, hours, timeZone));
}

/** The start of the monitoring window (epoch ms) when its first check is due without waiting for the interval; else null. */
export function dueOpening(
  watch: LastCheck,
  { intervalSeconds, hours, timeZone }: Timing,
  now: number,
): number | null {
  if (watch.running === 0 || pauseEnd(watch, now) > now) return null;
  const intervalMs = intervalSeconds * SECOND;
  const lastAt = lastCheckOf(watch, now);
  // Before the window is computed, which is slow for 200 watches.
  if (lastAt !== null && now - lastAt < intervalMs) return null;
  const start = windowStart(now, hours, timeZone);
  if (start === null || start === 0 || now - start >= intervalMs) return null;
  return lastAt === null || lastAt < start ? start : null;
}
