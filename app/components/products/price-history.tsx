import { useId } from 'react';
import { BandMark } from '~/components/ui/bands';
import { CHART_TEXT, ChartFrame, PATH_WIDTH } from '~/components/ui/chart-frame';
import { ChevronIcon } from '~/components/ui/icons';
import { dateAndSecond } from '~/components/time/time-format';
import { CHART, type PriceChart, type StripState } from './chart-model';
import { stateWords } from './product-words';

const dayAndYear = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});

const STRIP = {
  buyable: { className: 'fill-open', name: 'In stock', height: 'high' },
  preorder: { className: 'fill-brand', name: 'Pre-order', height: 'medium' },
  out: { className: 'fill-soft', name: 'Out of stock', height: 'low' },
} as const satisfies Record<StripState, object>;

/** Lines differ in their dashes, not only in colour. */
const LINES = [
  { dash: undefined, className: 'stroke-ink' },
  { dash: '8 4', className: 'stroke-brand' },
  { dash: '2 4', className: 'stroke-ink' },
  { dash: '12 3 2 3', className: 'stroke-brand' },
] as const;

function Drawing({ chart }: { chart: PriceChart }) {
  return (
    <ChartFrame
      height={CHART.height}
      pathHeight={CHART.stripBottom}
      scale={chart.prices}
      labelY={CHART.labelY}
      paths={
        <>
          <path d={chart.outPath} className="fill-sunken" />
          {chart.prices.map(({ y, label: price }) => (
            <path
              key={price}
              d={`M0 ${y}H${PATH_WIDTH}`}
              className="stroke-line"
              strokeDasharray="2 4"
              vectorEffect="non-scaling-stroke"
            />
          ))}
          {(['buyable', 'preorder', 'out'] as const).map((state) => (
            <path key={state} d={chart.strip[state]} className={STRIP[state].className} />
          ))}
          {chart.lines.map(({ retailer, path }, index) => (
            <path
              key={`${retailer} ${index}`}
              d={path}
              fill="none"
              strokeWidth="2.5"
              strokeLinecap="round"
              strokeDasharray={LINES[index]?.dash}
              vectorEffect="non-scaling-stroke"
              className={LINES[index]?.className}
            />
          ))}
        </>
      }
    >
      <g className="fill-surface stroke-live" strokeWidth="2.5">
        {chart.alerts.map(({ place, openedAt }) => (
          <g key={openedAt}>
            <line
              x1={place}
              x2={place}
              y1={CHART.alertY}
              y2={CHART.stripBottom}
              strokeWidth="1.5"
              className="opacity-40"
            />
            <circle cx={place} cy={CHART.alertY} r="5" />
          </g>
        ))}
      </g>
      {chart.ticks.map(({ label, place, onPhone }) => (
        <text
          key={place}
          x={place}
          y={CHART.labelY}
          textAnchor="middle"
          className={`${CHART_TEXT} ${onPhone ? '' : 'max-sm:hidden'}`}
        >
          {label}
        </text>
      ))}
    </ChartFrame>
  );
}

function Legend({ chart }: { chart: PriceChart }) {
  const swatch = 'flex items-center gap-1.5';
  return (
    <ul aria-hidden="true" className="flex flex-wrap gap-x-4 gap-y-1 text-small text-soft">
      {chart.lines.map(({ retailer }, index) => (
        <li key={`${retailer} ${index}`} className={swatch}>
          <svg viewBox="0 0 24 6" width="24" height="6">
            <path
              d="M0 3H24"
              strokeWidth="2.5"
              strokeDasharray={LINES[index]?.dash}
              className={LINES[index]?.className}
            />
          </svg>
          <span className="wrap-anywhere">{retailer}</span>
        </li>
      ))}
      {(['buyable', 'preorder', 'out'] as const)
        .filter((state) => chart.strip[state] !== '')
        .map((state) => (
          <li key={state} className={swatch}>
            <BandMark height={STRIP[state].height} className={STRIP[state].className} />
            {STRIP[state].name}
          </li>
        ))}
      {chart.alerts.length === 0 ? null : (
        <li className={swatch}>
          <svg viewBox="0 0 16 16" width="14" height="14">
            <circle cx="8" cy="8" r="5.5" fill="none" strokeWidth="3" className="stroke-live" />
          </svg>
          Alert
        </li>
      )}
    </ul>
  );
}

/** The chart as text: each change, newest first. */
function Table({ chart }: { chart: PriceChart }) {
  const cell = 'py-1.5 pr-3 last:pr-0';
  const several = new Set(chart.rows.map(({ retailer }) => retailer)).size > 1;
  return (
    <details className="group">
      <summary className="flex min-h-11 w-fit cursor-pointer list-none items-center gap-2 font-semibold text-brand [&::-webkit-details-marker]:hidden">
        {chart.isShort ? 'What we have seen, as a table' : 'The chart as a table'}
        <span className="transition group-open:rotate-180">
          <ChevronIcon />
        </span>
      </summary>
      <div
        className="max-h-96 overflow-auto"
        role="region"
        aria-label="Changes of price and state"
        tabIndex={0}
      >
        <table className="w-full text-left text-small">
          <caption className="sr-only">Each change of the price or the state, newest first, UK time</caption>
          <thead className="text-soft">
            <tr className="border-b border-line">
              <th scope="col" className={`${cell} font-normal`}>
                From
              </th>
              {several ? (
                <th scope="col" className={`${cell} font-normal`}>
                  Retailer
                </th>
              ) : null}
              <th scope="col" className={`${cell} font-normal`}>
                State
              </th>
              <th scope="col" className={`${cell} text-right font-normal`}>
                Price
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {chart.rows.map(({ at, retailer, state, detail, price }, index) => (
              <tr key={`${at} ${index}`}>
                <th scope="row" className={`${cell} font-semibold`}>
                  <time dateTime={at}>{dateAndSecond(at)}</time>
                </th>
                {several ? <td className={`${cell} wrap-anywhere`}>{retailer}</td> : null}
                <td className={cell}>{stateWords(state, detail)}</td>
                <td className={`${cell} text-right whitespace-nowrap`}>{price}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {chart.changes > chart.rows.length ? (
        <p className="mt-2 text-small text-soft">
          These are the newest {chart.rows.length} of {chart.changes} changes.
        </p>
      ) : null}
    </details>
  );
}

/** One sentence about the prices. */
function summary({ from, lowest, highest, lines }: PriceChart): string {
  const since = dayAndYear.format(new Date(from));
  if (lowest === null || lines.length === 0) return `No price was seen since ${since}.`;
  if (lowest === highest) return `Always ${lowest} since ${since}.`;
  return `Between ${lowest} and ${highest ?? lowest} since ${since}.`;
}

/** A price history as a chart with its table. */
export function PriceHistoryFigure({ chart, name }: { chart: PriceChart; name: string }) {
  const id = useId();
  return (
    <figure aria-labelledby={id} className="grid gap-3">
      <figcaption id={id}>
        <span className="sr-only">{name}. </span>
        {summary(chart)}
      </figcaption>
      {chart.isShort ? (
        <p className="text-small text-soft">The chart starts after an hour of checks.</p>
      ) : (
        <>
          <Drawing chart={chart} />
          <Legend chart={chart} />
        </>
      )}
      <Table chart={chart} />
    </figure>
  );
}

/** The variants' prices, for members with Pro. */
export interface VariantPrices {
  retailer: string;
  name: string;
  now: string;
  lowest: string;
  highest: string;
}

/** The prices of all variants over time, as a table. */
export function VariantPriceTable({ rows }: { rows: readonly VariantPrices[] }) {
  if (rows.length === 0) return null;
  const cell = 'py-1.5 pr-3 last:pr-0';
  return (
    <div className="overflow-x-auto" role="region" aria-label="Prices of the variants" tabIndex={0}>
      <table className="w-full text-left text-small">
        <caption className="pb-1 text-left font-semibold">Prices of the variants</caption>
        <thead className="text-soft">
          <tr className="border-b border-line">
            {['Variant', 'Retailer', 'Now', 'Lowest', 'Highest'].map((name) => (
              <th key={name} scope="col" className={`${cell} font-normal`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(({ retailer, name, now, lowest, highest }) => (
            <tr key={`${retailer} ${name}`}>
              <th scope="row" className={`${cell} font-semibold wrap-anywhere`}>
                {name}
              </th>
              <td className={`${cell} wrap-anywhere`}>{retailer}</td>
              <td className={cell}>{now}</td>
              <td className={cell}>{lowest}</td>
              <td className={cell}>{highest}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
