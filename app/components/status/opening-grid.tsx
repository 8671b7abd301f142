import { includesHour } from '#shared/monitor/hours-of-day';
import type { OpeningTimes } from '#shared/status/opening-times';
import { WHEN } from './status-content';
import { zoneName } from '~/components/time/time-format';
import { hourName, shownHours, WEEKDAYS } from './status-view';

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
export function OpeningGrid({ openings, shop }: { openings: OpeningTimes; shop: string }) {
  const { counts, hours, now, timeZone } = openings;
  const highest = Math.max(...counts.flat());
  return (
    <table className="w-full table-fixed border-separate border-spacing-[2px] sm:border-spacing-[3px]">
      <caption className="sr-only">{WHEN.caption(shop, zoneName(timeZone))}</caption>
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
export function OpeningLegend() {
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
export function openingsNote({ daysWatched, total, timeZone, weeks }: OpeningTimes): string {
  const days = weeks * 7;
  return `${total} in the last ${weeks} weeks, by ${zoneName(timeZone)}. Watched on ${Math.min(daysWatched, days)} of ${days} days.`;
}
