import type { OpeningTimes } from '#shared/status/opening-times';
import { OpeningGrid, OpeningLegend, openingsNote } from './opening-grid';
import { WHEN } from './status-content';
import {
  busiestDay,
  busiestHours,
  busiestTwoHours,
  hourName,
  shortDuration,
  WEEKDAYS,
  type BusyHour,
} from './status-view';

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

/**
 * When the waiting rooms of a shop opened: the busiest hours in words, and all of them as a grid. Without any the grid is
 * empty, so that nothing moves when the first one opens.
 */
export function OpeningTimesSection({ openings, shop }: { openings: OpeningTimes; shop: string }) {
  return (
    <section id="when" aria-labelledby="when-title" className="scroll-mt-24">
      <h2 id="when-title" className="text-title">
        {WHEN.title}
      </h2>
      <p className="mt-1 wrap-anywhere text-soft">
        {shop}: {openings.total === 0 ? WHEN.none : openingsNote(openings)}
      </p>
      <div className="binder mt-4">
        <div className="grid gap-x-8 gap-y-6 rounded-pocket border border-line bg-surface p-4 sm:p-6 lg:grid-cols-[minmax(0,17rem)_minmax(0,1fr)]">
          <div>
            <h3 className="text-lead leading-tight">Most often</h3>
            <Facts openings={openings} />
          </div>
          <div className="grid content-start gap-3">
            <OpeningGrid openings={openings} shop={shop} />
            <OpeningLegend />
          </div>
        </div>
      </div>
    </section>
  );
}
