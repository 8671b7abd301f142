import { DateTime } from 'luxon';

/** The time zone of the first shop: UTC in winter, one hour ahead in summer. */
export const SHOP_ZONE = 'Europe/London';

/** Whole hours of the shop's day, half-open: 9–21 is 09:00:00.000 to 20:59:59.999. */
export interface MonitoringHours {
  from: number;
  to: number;
}

export const DEFAULT_MONITORING_HOURS: MonitoringHours = { from: 9, to: 21 };

/** Parses "9-21". Null for an invalid window: from 0–23, to at most 24, from before to. */
export function parseMonitoringHours(text: string): MonitoringHours | null {
  const match = /^(\d{1,2})-(\d{1,2})$/.exec(text.trim());
  if (match === null) return null;
  const from = Number(match[1]);
  const to = Number(match[2]);
  return from < to && to <= 24 ? { from, to } : null;
}

const isAllDay = ({ from, to }: MonitoringHours): boolean => from === 0 && to === 24;

/** Whether an instant (epoch ms) lies within the hours of its day, in the shop's time zone. */
export function isWithinHours(epochMs: number, hours: MonitoringHours, zone: string = SHOP_ZONE): boolean {
  const { hour } = DateTime.fromMillis(epochMs, { zone });
  return hour >= hours.from && hour < hours.to;
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
  if (!isWithinHours(epochMs, hours, zone)) return null;
  if (isAllDay(hours)) return 0;
  return DateTime.fromMillis(epochMs, { zone }).startOf('day').set({ hour: hours.from }).toMillis();
}

/** The next instant (epoch ms) at which the window opens; strictly after `epochMs`. */
export function nextWindowStart(epochMs: number, hours: MonitoringHours, zone: string = SHOP_ZONE): number {
  const today = DateTime.fromMillis(epochMs, { zone }).startOf('day');
  const start = today.set({ hour: hours.from }).toMillis();
  return start > epochMs ? start : today.plus({ days: 1 }).set({ hour: hours.from }).toMillis();
}

/** The hours as text, such as "9am to 9pm". */
export function describeHours(hours: MonitoringHours): string {
  const formatHour = (hour: number): string => {
    if (hour === 0 || hour === 24) return 'midnight';
    if (hour === 12) return 'noon';
    return hour < 12 ? `${hour}am` : `${hour - 12}pm`;
  };
  return isAllDay(hours) ? 'all day' : `${formatHour(hours.from)} to ${formatHour(hours.to)}`;
}
