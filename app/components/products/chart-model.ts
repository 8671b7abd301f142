import type { Money } from '#shared/money';
import { DAY, HOUR, MINUTE } from '#shared/clock';
import type { PriceHistory, PriceRun } from '#shared/products/reading/price-history';
import { clockMinute } from '~/components/time/time-format';
import { bandPath } from '~/components/ui/bands';
import { PATH_WIDTH } from '~/components/ui/chart-frame';
import { priceWords } from './product-words';

/** The heights of the drawing in CSS pixels, from top to bottom. */
export const CHART = {
  height: 226,
  /** The lane of the alerts. */
  alertY: 10,
  plotTop: 30,
  plotBottom: 160,
  stripTop: 172,
  stripBottom: 196,
  labelY: 216,
} as const;

/** More lines could not be told apart. */
const MAX_LINES = 4;
const MAX_MARKS = 60;
/** More rows would make the page too large for a phone. */
const MAX_ROWS = 60;

/** A drawing of a shorter time would show nothing but an axis. */
const SHORTEST_MS = HOUR;
/** The last check counts until now, unless it is older than this: a product in stock is checked every few minutes. */
const HOLDS_MS = 30 * MINUTE;

/** The states of the strip below the prices: the higher, the better. */
export type StripState = 'buyable' | 'preorder' | 'out';

/** A change of an offer, for the table. */
export interface ChartRow {
  at: string;
  retailer: string;
  state: PriceRun['state'];
  detail: PriceRun['detail'];
  price: string;
}

/** The drawing of a price history, ready to be rendered. Places are shares of the width, such as "12.5%". */
export interface PriceChart {
  from: string;
  to: string;
  /** Whether we have looked for too short a time for a drawing. */
  isShort: boolean;
  /** One per offer with a price, the leading one first. */
  lines: { retailer: string; path: string }[];
  /** Areas by state, between `stripTop` and `stripBottom`. */
  strip: Record<StripState, string>;
  /** The times without any stock, over the height of the plot. */
  outPath: string;
  prices: { y: number; label: string }[];
  ticks: { place: string; label: string; onPhone: boolean }[];
  alerts: { place: string; openedAt: string }[];
  /** The newest changes, newest first, and how many there are. */
  rows: ChartRow[];
  changes: number;
  lowest: string | null;
  highest: string | null;
  lowestForDays: number | null;
}

const round = (value: number): number => Math.round(value * 10) / 10;

const stripStateOf = ({ state }: PriceRun): StripState =>
  state === 'out_of_stock' ? 'out' : state === 'preorder' ? 'preorder' : 'buyable';

const STRIP_HEIGHTS: Record<StripState, number> = { buyable: 24, preorder: 14, out: 4 };

/** The scale of the prices: some space above and below, at least a twentieth of the price. */
function scaleOf(lowest: number, highest: number): (amount: number) => number {
  const space = Math.max((highest - lowest) * 0.12, highest * 0.05, 1);
  const from = Math.max(0, lowest - space);
  const to = highest + space;
  return (amount) =>
    round(CHART.plotBottom - ((amount - from) / (to - from)) * (CHART.plotBottom - CHART.plotTop));
}

/** A line of steps through the prices of one offer: a gap where there is no price, or no check was made. */
function stepPath(
  runs: readonly PriceRun[],
  currency: string,
  xOf: (iso: string) => number,
  yOf: (amount: number) => number,
): string {
  let path = '';
  let end: string | null = null;
  let lastY: number | null = null;
  for (const { price, from, to } of runs) {
    if (price === null || price.currency !== currency) {
      end = null;
      continue;
    }
    const y = yOf(price.amount);
    if (end !== from) path += `M${xOf(from)} ${y}`;
    else if (y !== lastY) path += `V${y}`;
    path += `H${xOf(to)}`;
    end = to;
    lastY = y;
  }
  return path;
}

/** The best state of all offers over time, in spans that do not overlap. */
function bestStates(
  runs: readonly PriceRun[],
  fromIso: string,
): { state: StripState; from: string; to: string }[] {
  const rank: readonly StripState[] = ['out', 'preorder', 'buyable'];
  const edges = [...new Set(runs.flatMap(({ from, to }) => [from, to]))].toSorted();
  const spans: { state: StripState; from: string; to: string }[] = [];
  const open = new Set<PriceRun>();
  const starts = runs.toSorted((one, other) => (one.from < other.from ? -1 : 1));
  let next = 0;
  for (const [index, edge] of edges.entries()) {
    const end = edges[index + 1];
    if (end === undefined) break;
    for (let run = starts[next]; run !== undefined && run.from <= edge; run = starts[++next]) open.add(run);
    for (const run of open) if (run.to <= edge) open.delete(run);
    if (end <= fromIso || open.size === 0) continue;
    const best = Math.max(...[...open].map((run) => rank.indexOf(stripStateOf(run))));
    const state = rank[best] ?? 'out';
    const last = spans.at(-1);
    if (last?.state === state && last.to === edge) last.to = end;
    else spans.push({ state, from: edge < fromIso ? fromIso : edge, to: end });
  }
  return spans;
}

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  day: 'numeric',
  month: 'short',
});

/** The days to label, or the times of a short span: at most five, evenly spaced, none at an edge. */
function ticksOf(fromMs: number, toMs: number): PriceChart['ticks'] {
  const span = toMs - fromMs;
  const isLong = span >= 2 * DAY;
  // At least a day apart, so that no day is named twice.
  const count = isLong ? Math.min(5, Math.floor(span / DAY) - 1) : 3;
  return Array.from({ length: count }, (_, index) => {
    const share = (index + 1) / (count + 1);
    const at = new Date(fromMs + share * span);
    return {
      label: isLong ? dayFormat.format(at) : clockMinute(at.toISOString()),
      place: `${round(share * 100)}%`,
      onPhone: count < 4 || index % 2 === 0,
    };
  });
}

/** Runs, oldest first, of which the newest of each offer lasts until now if it was seen a short time ago. */
function untilNow(runs: readonly PriceRun[], nowIso: string): PriceRun[] {
  const newest = new Map(runs.map((run) => [run.watchId, run]));
  return runs.map((run) =>
    newest.get(run.watchId) === run && Date.parse(nowIso) - Date.parse(run.to) <= HOLDS_MS
      ? { ...run, to: nowIso }
      : run,
  );
}

/**
 * Draws a price history. `offers`: the retailers of the runs, the leading one first; `alerts`: when each opened (ISO-8601).
 */
export function drawPriceHistory(
  history: PriceHistory,
  { offers, alerts }: { offers: readonly { watchId: string; retailer: string }[]; alerts: readonly string[] },
): PriceChart {
  const { from, to, lowest, highest, lowestForDays } = history;
  const runs = untilNow(history.runs, history.to);
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  const shareOf = (iso: string) =>
    Math.min(1, Math.max(0, (Date.parse(iso) - fromMs) / Math.max(1, toMs - fromMs)));
  const xOf = (iso: string) => round(shareOf(iso) * PATH_WIDTH);
  const yOf = scaleOf(lowest?.amount ?? 0, highest?.amount ?? 0);
  const states = bestStates(runs, from);
  const bandsOf = (state: StripState, area: { top: number; bottom: number }) =>
    bandPath(
      states
        .filter((span) => span.state === state)
        .map((span) => ({ start: Date.parse(span.from) - fromMs, end: Date.parse(span.to) - fromMs })),
      { width: PATH_WIDTH, durationMs: Math.max(1, toMs - fromMs), ...area },
    );
  const stripOf = (state: StripState) =>
    bandsOf(state, { top: CHART.stripBottom - STRIP_HEIGHTS[state], bottom: CHART.stripBottom });
  const nameOf = new Map(offers.map(({ watchId, retailer }) => [watchId, retailer]));
  const money = (amount: Money | null) => (amount === null ? null : priceWords(amount));
  const marked = [highest, lowest].filter((price) => price !== null);
  return {
    from,
    to,
    isShort: toMs - fromMs < SHORTEST_MS,
    lines: offers
      .map(({ watchId, retailer }) => ({
        retailer,
        path: stepPath(
          runs.filter((run) => run.watchId === watchId),
          lowest?.currency ?? '',
          xOf,
          yOf,
        ),
      }))
      .filter(({ path }) => path !== '')
      .slice(0, MAX_LINES),
    strip: { buyable: stripOf('buyable'), preorder: stripOf('preorder'), out: stripOf('out') },
    outPath: bandsOf('out', { top: CHART.plotTop - 8, bottom: CHART.plotBottom }),
    prices: marked
      .filter((price, index) => marked.findIndex(({ amount }) => amount === price.amount) === index)
      .map((price) => ({ y: yOf(price.amount), label: priceWords(price) })),
    ticks: ticksOf(fromMs, toMs),
    alerts: alerts
      .filter((openedAt) => openedAt >= from)
      .slice(0, MAX_MARKS)
      .map((openedAt) => ({ place: `${round(shareOf(openedAt) * 100)}%`, openedAt })),
    rows: runs
      .slice(-MAX_ROWS)
      .toReversed()
      .map(({ from: at, watchId, state, detail, price }) => ({
        at,
        retailer: nameOf.get(watchId) ?? '',
        state,
        detail,
        price: priceWords(price),
      })),
    changes: runs.length,
    lowest: money(lowest),
    highest: money(highest),
    lowestForDays,
  };
}
