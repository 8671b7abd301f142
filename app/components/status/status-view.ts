import { MINUTE, SECOND } from '#shared/clock';
import { includesHour } from '#shared/hours-of-day';
import type { HourOfWeek, OpeningTimes } from '#shared/status/opening-times';
import type { PublicStatus, PublicWatch } from '#shared/status/read-public-status';
import type { DisplayState } from '~/components/monitor/monitor-view';
import { VERDICT_LABELS } from '~/components/monitor/verdict-labels';
import { clockAndDay, clockMinute } from '~/components/time/time-format';
import { ANSWER } from './status-content';

export const WEEKDAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

/** The state of a watch and its words. */
export interface WatchView {
  state: DisplayState;
  label: string;
  /** Since when, or when the checks start again. */
  detail: string;
}

/** Describes a watch at `nowMs` (epoch ms), in the words of the live card. */
export function describeWatch(watch: PublicWatch, nowMs: number): WatchView {
  const { state, since, watching, resumesAt } = watch;
  const lastSeen = since === null ? '' : ` Last seen at ${clockAndDay(since, nowMs)}.`;
  if (watching === 'offline')
    return { state: 'offline', label: 'Offline', detail: `Checks are interrupted.${lastSeen}` };
  if (state === 'waiting_room')
    return {
      state,
      label: VERDICT_LABELS.waiting_room,
      detail: since === null ? 'We do not know how long' : `Since ${clockAndDay(since, nowMs)}`,
    };
  if (watching === 'paused') return { state: 'paused', label: 'Stopped', detail: 'Monitoring is stopped.' };
  if (watching === 'resting')
    return {
      state: 'resting',
      label: 'Resting',
      detail:
        resumesAt === null ? 'Outside the monitoring hours' : `Back at ${clockAndDay(resumesAt, nowMs)}`,
    };
  if (state === 'open')
    return {
      state,
      label: VERDICT_LABELS.open,
      detail: since === null ? 'No waiting room' : `No waiting room since ${clockAndDay(since, nowMs)}`,
    };
  if (watch.lastCheck === null)
    return { state: 'unknown', label: 'Not checked yet', detail: 'The first check is coming up.' };
  return { state: 'unknown', label: VERDICT_LABELS.unknown, detail: `We could not tell.${lastSeen}` };
}

/** The answer to the question of the page: is a waiting room open? */
export function answerOf({ watches }: PublicStatus): string {
  const open = watches.filter(({ state }) => state === 'waiting_room');
  const [only] = open;
  if (only !== undefined) return open.length === 1 ? ANSWER.open(only.title) : ANSWER.several(open.length);
  const seen = watches.filter(({ state, watching }) => state === 'open' && watching === 'now').length;
  if (seen === 0) return ANSWER.unknown;
  return seen === watches.length ? ANSWER.none : ANSWER.noneSeen;
}

/** Open waiting rooms first, then by title. */
export function sortWatches(watches: readonly PublicWatch[]): PublicWatch[] {
  const rank = ({ state }: PublicWatch) => (state === 'waiting_room' ? 0 : 1);
  return watches.toSorted(
    (one, other) => rank(one) - rank(other) || one.title.localeCompare(other.title, 'en-GB'),
  );
}

/** "39 min", "1 h 05 min", "under a minute" */
export function shortDuration(seconds: number): string {
  const minutes = Math.round((seconds * SECOND) / MINUTE);
  if (minutes < 1) return 'under a minute';
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
});

/** "Thu, 12 Nov 11:57", in UK time */
export function dayAndClock(iso: string): string {
  return `${dayFormat.format(new Date(iso))} ${clockMinute(iso)}`;
}

/** "97.1%"; whole when it is 0 or 100. Rounded down, so that one failed check never shows as 100%. */
export function share({ total, conclusive }: { total: number; conclusive: number }): string {
  const percent = Math.floor((conclusive / total) * 1_000) / 10;
  return `${percent}%`;
}

/** "10:00" */
export function hourName(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}

/** The hours that the grid shows: those of the monitoring, and all others in which a waiting room opened. */
export function shownHours({ counts, hours }: OpeningTimes): number[] {
  return Array.from({ length: 24 }, (_, hour) => hour).filter(
    (hour) => includesHour(hours, hour) || counts.some((day) => (day[hour] ?? 0) > 0),
  );
}

/** An hour of the week and its openings. */
export interface BusyHour extends HourOfWeek {
  count: number;
}

/** The hours of the week with the most openings, the busiest first, each with at least two. */
export function busiestHours({ counts }: OpeningTimes, limit: number): BusyHour[] {
  return counts
    .flatMap((day, weekday) => day.map((count, hour) => ({ weekday, hour, count })))
    .filter(({ count }) => count > 1)
    .toSorted((one, other) => other.count - one.count || one.weekday - other.weekday || one.hour - other.hour)
    .slice(0, limit);
}

/** The two hours of the day in which most waiting rooms opened. */
export function busiestTwoHours({ counts }: OpeningTimes): { from: number; count: number } {
  const byHour = Array.from({ length: 24 }, (_, hour) =>
    counts.reduce((sum, day) => sum + (day[hour] ?? 0), 0),
  );
  let best = { from: 0, count: 0 };
  for (let from = 0; from < 23; from += 1) {
    const count = (byHour[from] ?? 0) + (byHour[from + 1] ?? 0);
    if (count > best.count) best = { from, count };
  }
  return best;
}

/** The weekday on which most waiting rooms opened. */
export function busiestDay({ counts }: OpeningTimes): { weekday: number; count: number } {
  const sums = counts.map((day) => day.reduce((sum, count) => sum + count, 0));
  const count = Math.max(...sums);
  return { weekday: sums.indexOf(count), count };
}

/** The busiest hour of a shop as a sentence. */
export function usually(title: string, { weekday, hour }: HourOfWeek): string {
  return `The waiting room of ${title} opens most often on ${WEEKDAYS[weekday]} between ${hourName(hour)} and ${hourName((hour + 1) % 24)}.`;
}
