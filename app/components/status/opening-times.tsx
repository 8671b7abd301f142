import type { OpeningTimes } from '#shared/status/opening-times';
import { WHEN } from './status-content';
import {
  busiestDay,
  busiestHours,
  busiestTwoHours,
  hourName,
  shortDuration,
  WEEKDAYS,
  type BusyHour,
  shownHours,
} from './status-view';
import { includesHour } from '#shared/hours-of-day';
import { zoneName } from '~/components/time/time-format';

/** The fills of a cell by how close its count is to the highest one. Every cell shows its count as well. */
const FILLS = [
  'bg-live/15',
  'bg-live/30',
  'bg-live/45 font-semibold',
  'bg-live text-surface font-bold',
] as const;

/** The level from 0 to 3 of a count that is at least 1. */
function levelOf(count: number, highest: number): number {
  return count === highest ? 3 : Math.min(2, Math.floor((count / highest) * 3));
}

const NOW_RING = 'outline-2 outline-offset-1 outline-brand';

interface CellProps {
  count: number;
  highest: number;
  watched: boolean;
  isNow: boolean;
}

function Cell({ count, highest, watched, isNow }: CellProps) {
  let fill = 'bg-sunken';
  if (count > 0) fill = FILLS[levelOf(count, highest)] ?? '';
  else if (!watched) fill = 'border border-dashed border-line';
  return (
    <td className={`h-6.5 rounded-[6px] p-0 text-center text-small sm:h-7 ${fill} ${isNow ? NOW_RING : ''}`}>
      {count > 0 ? count : <span className="sr-only">{watched ? '0' : 'not watched'}</span>}
      {isNow ? <span className="sr-only"> (this hour)</span> : null}
    </td>
  );
}

/** The openings of 12 weeks by hour and weekday: a table with cells coloured by count, so drawing and table are the same. */
function OpeningGrid({ openings, caption }: { openings: OpeningTimes; caption: string }) {
  const { counts, hours, now } = openings;
  const highest = Math.max(...counts.flat());
  return (
    <table className="w-full table-fixed border-separate border-spacing-[2px] sm:border-spacing-[3px]">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="text-small">
          <th scope="col" className="w-11 p-0 pb-1 text-left font-normal text-soft">
            <span className="sr-only">Hour</span>
          </th>
          {WEEKDAYS.map((name, weekday) => (
            <th
              key={name}
              scope="col"
              className={`p-0 pb-1 max-sm:text-[0.75rem] ${weekday === now.weekday ? 'font-bold text-ink' : 'font-normal text-soft'}`}
            >
              <abbr title={name} className="no-underline">
                {name.slice(0, 3)}
              </abbr>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {shownHours(openings).map((hour) => (
          <tr key={hour}>
            <th
              scope="row"
              className={`p-0 text-left text-small ${hour === now.hour ? 'font-bold text-ink' : 'font-normal text-soft'}`}
            >
              {hourName(hour)}
            </th>
            {WEEKDAYS.map((name, weekday) => (
              <Cell
                key={name}
                count={counts[weekday]?.[hour] ?? 0}
                highest={highest}
                watched={includesHour(hours, hour)}
                isNow={hour === now.hour && weekday === now.weekday}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The legend of the grid. */
function OpeningLegend() {
  return (
    <ul aria-hidden="true" className="flex flex-wrap items-center gap-x-5 gap-y-1 text-small text-soft">
      <li className="flex items-center gap-2">
        {WHEN.legend.few}
        <span className="flex gap-0.5">
          {FILLS.map((fill) => (
            <span key={fill} className={`size-3.5 rounded-[4px] ${fill}`} />
          ))}
        </span>
        {WHEN.legend.many}
      </li>
      <li className="flex items-center gap-2">
        <span className={`size-3 rounded-[4px] bg-sunken ${NOW_RING}`} />
        {WHEN.legend.now}
      </li>
    </ul>
  );
}

/** How long and in which time zone the openings were counted. */
function openingsNote({ daysWatched, total, timeZone, weeks }: OpeningTimes): string {
  const days = weeks * 7;
  return `${total} in the last ${weeks} weeks, by ${zoneName(timeZone)}. Watched on ${Math.min(daysWatched, days)} of ${days} days.`;
}

/** With fewer openings a busiest hour says nothing. */
const MIN_FOR_A_PATTERN = 4;
const LISTED_HOURS = 3;

function percentOf(count: number, total: number): string {
  return `${Math.round((count / total) * 100)}%`;
}

function BusyHours({ hours }: { hours: readonly BusyHour[] }) {
  if (hours.length === 0) return null;
  return (
    <ol className="mt-4 grid gap-2">
      {hours.map(({ weekday, hour, count }) => (
        <li
          key={`${weekday} ${hour}`}
          className="flex items-baseline justify-between gap-3 rounded-control bg-live-wash px-3.5 py-2 text-live"
        >
          <span className="font-[650]">
            {WEEKDAYS[weekday]} {hourName(hour)}–{hourName((hour + 1) % 24)}
          </span>
          <span className="text-small whitespace-nowrap">{count} times</span>
        </li>
      ))}
    </ol>
  );
}

function Fact({ name, value, of }: { name: string; value: string; of: string }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-3 border-t border-line pt-2.5">
      <dt className="text-soft">{name}</dt>
      <dd className="font-semibold">
        {value} <span className="text-small font-normal text-soft">{of}</span>
      </dd>
    </div>
  );
}

function Facts({ openings }: { openings: OpeningTimes }) {
  const { total, medianSeconds } = openings;
  const day = busiestDay(openings);
  const two = busiestTwoHours(openings);
  return (
    <>
      {total < MIN_FOR_A_PATTERN ? (
        <p className="mt-2 text-soft">{WHEN.few}</p>
      ) : (
        <BusyHours hours={busiestHours(openings, LISTED_HOURS)} />
      )}
      <dl className="mt-4 grid gap-2.5">
        {total < MIN_FOR_A_PATTERN ? null : (
          <>
            <Fact
              name="Best two hours"
              value={`${hourName(two.from)}–${hourName((two.from + 2) % 24)}`}
              of={percentOf(two.count, total)}
            />
            <Fact name="Best day" value={WEEKDAYS[day.weekday] ?? ''} of={percentOf(day.count, total)} />
          </>
        )}
        {medianSeconds === null ? null : (
          <Fact name="Usually lasts" value={shortDuration(medianSeconds)} of="median" />
        )}
      </dl>
    </>
  );
}

/** The counted openings in words. */
export interface OpeningWords {
  title: string;
  /** Whose openings: a shop or a product. */
  subject: string;
  none: string;
  caption(subject: string, zone: string): string;
}

/** When the alerts of a shop or a product opened: the busiest hours in words, and all as a grid, empty if there are none. */
export function OpeningTimesSection({ openings, words }: { openings: OpeningTimes; words: OpeningWords }) {
  const { title, subject, none, caption } = words;
  return (
    <section id="when" aria-labelledby="when-title" className="scroll-mt-24">
      <h2 id="when-title" className="text-title">
        {title}
      </h2>
      <p className="mt-1 wrap-anywhere text-soft">
        {subject}: {openings.total === 0 ? none : openingsNote(openings)}
      </p>
      <div className="binder mt-4">
        <div className="grid gap-x-8 gap-y-6 rounded-pocket border border-line bg-surface p-4 sm:p-6 lg:grid-cols-[minmax(0,17rem)_minmax(0,1fr)]">
          <div>
            <h3 className="text-lead leading-tight">Most often</h3>
            <Facts openings={openings} />
          </div>
          <div className="grid content-start gap-3">
            <OpeningGrid openings={openings} caption={caption(subject, zoneName(openings.timeZone))} />
            <OpeningLegend />
          </div>
        </div>
      </div>
    </section>
  );
}
