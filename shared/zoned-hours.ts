import { DateTime } from 'luxon';
import { z } from 'zod';
import { MINUTE } from './clock';
import { includesHour } from './hours-of-day';

/** Clock changes and offsets to UTC are multiples of this. */
export const OFFSET_UNIT_MS = 15 * MINUTE;
/** More days than a clock change can leave without a window. */
export const SEARCHED_DAYS = 4;

const ZONE_RULE = 'Please enter a time zone such as Europe/London.';

/** Whether the platform knows an IANA time zone; offsets such as "+01:00" do not count. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z_]+(\/[\w+-]+)*$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** A time zone by its IANA name. */
export const timeZoneField = z
  .string(ZONE_RULE)
  .trim()
  .max(64, ZONE_RULE)
  .refine(isTimeZone, ZONE_RULE)
  .describe('The IANA name.');

/** Whether an instant (epoch ms) lies within the hours of its day, in a time zone. */
export function isWithinHours(epochMs: number, hours: { from: number; to: number }, zone: string): boolean {
  return includesHour(hours, DateTime.fromMillis(epochMs, { zone }).hour);
}

/**
 * The instant (epoch ms) at which an hour of a day begins: the first of the two when the clock is set back over it, and the
 * end of the gap when the clock is set forward over it.
 */
export function startOfHour(day: DateTime, hour: number): number {
  let start = day.startOf('day').set({ hour }).toMillis();
  const hourBefore = (): number => DateTime.fromMillis(start - 1, { zone: day.zone }).hour;
  while (hourBefore() === hour) start -= OFFSET_UNIT_MS;
  return start;
}

/** The end (epoch ms) of the window that contains `epochMs`; null outside the hours. The end lies outside them. */
export function windowEnd(epochMs: number, hours: { from: number; to: number }, zone: string): number | null {
  const today = DateTime.fromMillis(epochMs, { zone });
  if (!includesHour(hours, today.hour)) return null;
  for (let days = 0; days < SEARCHED_DAYS; days += 1) {
    const end = startOfHour(today.plus({ days }), hours.to);
    if (end > epochMs && !isWithinHours(end, hours, zone)) return end;
  }
  throw new Error(`the hours do not end within ${SEARCHED_DAYS} days`);
}
