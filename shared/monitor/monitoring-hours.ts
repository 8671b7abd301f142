import { DateTime } from 'luxon';
import { describeHour, includesHour, type MonitoringHours } from '../hours-of-day';
import { isWithinHours as isWithinZonedHours, SEARCHED_DAYS, startOfHour } from '../zoned-hours';

export type { MonitoringHours } from '../hours-of-day';

/** The time zone of the first shop: UTC in winter, one hour ahead in summer. */
export const SHOP_ZONE = 'Europe/London';

export const DEFAULT_MONITORING_HOURS: MonitoringHours = { from: 9, to: 21 };

/** The sentence for hours that `parseMonitoringHours` refuses. */
export const HOURS_RULE =
  'The hours are two whole hours that differ, such as 9-21 or, over midnight, 20-2; 0-24 is all day.';

/**
 * Parses "9-21". Null for an invalid window: the start is from 0 to 23, the end from 0 to 24 (0 is read as
 * 24). Equal hours are refused, because they could mean no hour or all of them.
 */
export function parseMonitoringHours(text: string): MonitoringHours | null {
  const match = /^(\d{1,2})-(\d{1,2})$/.exec(text.trim());
  if (match === null) return null;
  const from = Number(match[1]);
  const to = Number(match[2]);
  return from <= 23 && to <= 24 && from !== to ? { from, to: to === 0 ? 24 : to } : null;
}

const isAllDay = ({ from, to }: MonitoringHours): boolean => from === 0 && to === 24;

/** Whether an instant (epoch ms) lies within the hours of its day, in the shop's time zone. */
export function isWithinHours(epochMs: number, hours: MonitoringHours, zone: string = SHOP_ZONE): boolean {
  return isWithinZonedHours(epochMs, hours, zone);
}

/**
 * The start (epoch ms) of the monitoring window that contains `epochMs`; null outside the hours. On the days of a
 * clock change this is the wall-clock hour, not a fixed distance from midnight. All-day monitoring has one window
 * without a start: 0.
 */
export function windowStart(
  epochMs: number,
  hours: MonitoringHours,
  zone: string = SHOP_ZONE,
): number | null {
  const at = DateTime.fromMillis(epochMs, { zone });
  if (!includesHour(hours, at.hour)) return null;
  if (isAllDay(hours)) return 0;
  return startOfHour(at.hour >= hours.from ? at : at.minus({ days: 1 }), hours.from);
}

/**
 * The next instant (epoch ms) at which the window opens; strictly after `epochMs`. It lies within the hours: a day on which
 * the clock is set forward over the whole window has none.
 */
export function nextWindowStart(epochMs: number, hours: MonitoringHours, zone: string = SHOP_ZONE): number {
  const today = DateTime.fromMillis(epochMs, { zone });
  for (let days = 0; days < SEARCHED_DAYS; days += 1) {
    const start = startOfHour(today.plus({ days }), hours.from);
    if (start > epochMs && isWithinHours(start, hours, zone)) return start;
  }
  throw new Error(`no monitoring window within ${SEARCHED_DAYS} days`);
}

/** The hours as text, such as "9am to 9pm". */
export function describeHours(hours: MonitoringHours): string {
  return isAllDay(hours) ? 'all day' : `${describeHour(hours.from)} to ${describeHour(hours.to)}`;
}
