import { SECOND } from '../../../clock';
import { settingsOf } from '../../monitor-settings';
import { isWithinHours, nextWindowStart } from '../../monitoring-hours';
import type { Watch } from '../../watches/watches';
import { readAskedPauseMs, type FinishedCheck } from './check-row';

/** The longest pause between checks after challenges and blocks. */
const MAX_BACKOFF_MS = 150 * SECOND;

type Asked = Pick<FinishedCheck, 'backOffMs' | 'headers'>;

/** Our own pause: doubled after each challenge or block, or as long as the fetching service requests. */
function backOffAfter({ backOffMs }: Pick<Asked, 'backOffMs'>, refusals: number, intervalMs: number): number {
  const doubled =
    refusals === 0 ? 0 : Math.max(intervalMs, Math.min(intervalMs * 2 ** refusals, MAX_BACKOFF_MS));
  return Math.max(doubled, backOffMs ?? 0);
}

/**
 * No scheduled check runs before this time (epoch ms) after a check at `now`; null without a pause. `refusals`: challenges
 * and blocks in a row, this check included; 0 when it was none. What the shop asks for with `Retry-After` counts outside
 * the monitoring hours and ends when they begin: inside them, a waiting room must not be missed.
 */
export function pauseAfter(
  watch: Pick<Watch, 'interval_seconds' | 'hours' | 'time_zone'>,
  asked: Asked,
  { refusals, intervalMs, now }: { refusals: number; intervalMs: number; now: number },
): number | null {
  const ownEnd = now + backOffAfter(asked, refusals, intervalMs);
  const end = Math.max(ownEnd, askedEnd(watch, readAskedPauseMs(asked, now), now));
  return end === now ? null : end;
}

/** When a pause of `askedMs` ends; 0 when it does not count. */
function askedEnd(
  watch: Pick<Watch, 'interval_seconds' | 'hours' | 'time_zone'>,
  askedMs: number,
  now: number,
): number {
  // First, because an alert would wait for the arithmetic of time zones.
  if (askedMs === 0) return 0;
  const { hours, timeZone } = settingsOf(watch);
  if (isWithinHours(now, hours, timeZone)) return 0;
  return Math.min(now + askedMs, nextWindowStart(now, hours, timeZone));
}
