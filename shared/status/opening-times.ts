import { DateTime } from 'luxon';
import { DAY, fromIso, toIso } from '../clock';
import type { Database } from '../database/schema';
import type { MonitoringHours } from '../monitor/monitoring-hours';
import { lastedSeconds } from './past-alerts';

const OPENING_WEEKS = 12;

/** An hour of the week: weekday 0 is Monday; the hour runs from 0 to 23. */
export interface HourOfWeek {
  weekday: number;
  hour: number;
}

/** When the alerts of watches opened, by weekday and hour of their time zone. */
export interface OpeningTimes {
  /** The weeks that are counted. */
  weeks: number;
  /** IANA name. */
  timeZone: string;
  hours: MonitoringHours;
  /** Openings of each weekday, Monday first, and hour. */
  counts: number[][];
  total: number;
  /** The days of these weeks with at least one check. */
  daysWatched: number;
  /** The median of the lengths that are known; null without any. */
  medianSeconds: number | null;
  /** The current hour in the watch's time zone. */
  now: HourOfWeek;
}

function hourOfWeek(epochMs: number, zone: string): HourOfWeek {
  const { weekday, hour } = DateTime.fromMillis(epochMs, { zone });
  return { weekday: weekday - 1, hour };
}

/** The median of whole numbers, rounded; null without any. */
export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  if (upper === undefined) return null;
  const lower = sorted.length % 2 === 1 ? upper : (sorted[middle - 1] ?? upper);
  return Math.round((lower + upper) / 2);
}

/**
 * Counts the alerts of the watches that opened in the 12 weeks before `now` (epoch ms), without those whose ids are in
 * `hidden`.
 */
export async function readOpeningTimes(
  db: Database,
  {
    watchIds,
    timeZone,
    hours,
    now,
    hidden = [],
  }: {
    watchIds: readonly string[];
    /** IANA name. */
    timeZone: string;
    hours: MonitoringHours;
    now: number;
    hidden?: readonly string[];
  },
): Promise<OpeningTimes> {
  const since = toIso(now - OPENING_WEEKS * 7 * DAY);
  const alerts = await db
    .selectFrom('alerts')
    .select(['status', 'opened_at', 'closed_at', 'close_reason'])
    .where('watch_id', 'in', watchIds)
    .where('opened_at', '>=', since)
    .$if(hidden.length > 0, (query) => query.where('id', 'not in', hidden))
    .execute();
  const { days } = await db
    .selectFrom('check_counts')
    .select((row) => row.fn.count<number>('starts_at').distinct().as('days'))
    .where('watch_id', 'in', watchIds)
    .where('span', '=', 'day')
    .where('starts_at', '>', since)
    .executeTakeFirstOrThrow();
  const counts = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
  for (const { opened_at } of alerts) {
    const { weekday, hour } = hourOfWeek(fromIso(opened_at), timeZone);
    const row = counts[weekday] ?? [];
    row[hour] = (row[hour] ?? 0) + 1;
  }
  return {
    weeks: OPENING_WEEKS,
    timeZone,
    hours,
    counts,
    total: alerts.length,
    daysWatched: Number(days),
    medianSeconds: median(alerts.map(lastedSeconds).filter((seconds) => seconds !== null)),
    now: hourOfWeek(now, timeZone),
  };
}
