import { Link } from '~/components/ui/button';
import type { PublicWatch } from '#shared/status/read-public-status';
import { StatePill } from '~/components/monitor/state-pill';
import { NOW } from './status-content';
import { describeWatch, share, sortWatches } from './status-view';

/** The rest of the list is behind a disclosure. */
const SHOWN = 8;

function health({ day, ninetyDays }: PublicWatch['checks']): string {
  const of = (checks: typeof day) => (checks.total === 0 ? 'none' : share(checks));
  return `Conclusive: ${of(day)} today, ${of(ninetyDays)} in 90 days`;
}

function Row({ watch, nowMs, selected }: { watch: PublicWatch; nowMs: number; selected: boolean }) {
  const { state, label, detail } = describeWatch(watch, nowMs);
  return (
    <li className="grid items-center gap-x-5 gap-y-1.5 py-3 sm:grid-cols-[11rem_minmax(0,1fr)]">
      <p>
        <StatePill state={state} label={label} />
      </p>
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <Link
            to={`/status?watch=${watch.slug}`}
            prefetch="intent"
            aria-current={selected ? 'true' : undefined}
            className="font-semibold underline-offset-4 hover:underline [overflow-wrap:anywhere]"
          >
            {watch.title}
          </Link>
          <span className="text-soft">{detail}</span>
        </p>
        <p className="text-small text-soft">{health(watch.checks)}</p>
      </div>
    </li>
  );
}

interface WatchListProps {
  watches: readonly PublicWatch[];
  /** The slug of the watch whose opening times are shown. */
  selected: string;
  nowMs: number;
}

/** Every watch, open waiting rooms first. Each leads to its opening times. */
export function WatchList({ watches, selected, nowMs }: WatchListProps) {
  const sorted = sortWatches(watches);
  const rows = (part: readonly PublicWatch[]) =>
    part.map((watch) => (
      <Row key={watch.slug} watch={watch} nowMs={nowMs} selected={watch.slug === selected} />
    ));
  const rest = sorted.slice(SHOWN);
  return (
    <section aria-labelledby="watches-title">
      <h2 id="watches-title" className="text-title">
        {NOW.others}
      </h2>
      <ul className="mt-3 divide-y divide-line border-y border-line">{rows(sorted.slice(0, SHOWN))}</ul>
      {rest.length === 0 ? null : (
        <details className="mt-2">
          <summary className="min-h-11 cursor-pointer py-2.5 font-semibold">{NOW.more(rest.length)}</summary>
          <ul className="divide-y divide-line border-y border-line">{rows(rest)}</ul>
        </details>
      )}
    </section>
  );
}
