import { DAY, HOUR, MINUTE } from '../../clock';
import { SLOW_MS } from '../checks/check-flags';
import type { Verdict } from '../checks/verdict';
import type { ChartBand, ChartBuckets, CheckTotals, DayChart } from './day-chart';

/** About one pixel wide on a phone. */
const BUCKET_MS = 5 * MINUTE;
/** The first bucket and the last one are only partly within the 24 hours. */
const BUCKETS = DAY / BUCKET_MS + 1;
/** More bands would be narrower than a pixel on a phone, and their data larger than the page. */
const MAX_BANDS = 120;
/** Single checks may be lost, or postponed after a challenge, without a gap. */
const INTERVALS_PER_GAP = 3;

/** In a bucket with several verdicts, the highest is shown. */
const NOTABILITY: Record<Verdict, number> = { waiting_room: 3, unknown: 2, open: 1 };

export interface ChartCheck {
  /** Epoch ms. */
  at: number;
  verdict: Verdict;
  responseMs: number;
}

/** The span of the chart at `nowMs` (epoch ms), and its longest time between two checks without a gap. */
export function chartSpan(
  nowMs: number,
  intervalMs: number,
): Pick<DayChart, 'fromMs' | 'toMs' | 'nowMs' | 'bucketMs' | 'gapMs'> {
  const fromMs = Math.floor((nowMs - DAY) / BUCKET_MS) * BUCKET_MS;
  const gapMs = Math.max(INTERVALS_PER_GAP * intervalMs, BUCKET_MS);
  return { fromMs, toMs: fromMs + BUCKETS * BUCKET_MS, nowMs, bucketMs: BUCKET_MS, gapMs };
}

function median(sorted: readonly number[]): number | null {
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  if (upper === undefined) return null;
  return sorted.length % 2 === 1 ? upper : Math.round(((sorted[middle - 1] ?? upper) + upper) / 2);
}

function totalsOf(checks: readonly ChartCheck[]): CheckTotals & { fastestMs: number | null } {
  const counts = { open: 0, waiting_room: 0, unknown: 0 };
  for (const { verdict } of checks) counts[verdict] += 1;
  const sorted = checks.map(({ responseMs }) => responseMs).sort((a, b) => a - b);
  return {
    ...counts,
    fastestMs: sorted[0] ?? null,
    medianMs: median(sorted),
    slowestMs: sorted.at(-1) ?? null,
  };
}

/** The checks by the number of the bucket or hour that contains them. */
function groupBy(checks: readonly ChartCheck[], numberOf: (at: number) => number): Map<number, ChartCheck[]> {
  const groups = new Map<number, ChartCheck[]>();
  for (const check of checks) {
    const group = groups.get(numberOf(check.at));
    if (group === undefined) groups.set(numberOf(check.at), [check]);
    else group.push(check);
  }
  return groups;
}

type Span = Pick<DayChart, 'fromMs' | 'toMs' | 'nowMs' | 'gapMs'>;

function exactBands(checks: readonly ChartCheck[], { fromMs, nowMs, gapMs }: Span): ChartBand[] {
  const bands: ChartBand[] = [];
  for (const [index, { at, verdict }] of checks.entries()) {
    const nextAt = checks[index + 1]?.at ?? nowMs;
    const end = (nextAt - at <= gapMs ? nextAt : at) - fromMs;
    if (end < 0) continue;
    const start = Math.max(0, at - fromMs);
    const last = bands.at(-1);
    if (last?.verdict === verdict && last.end === start) last.end = end;
    else bands.push({ start, end, verdict });
  }
  return bands;
}

/** One band per bucket with its most notable verdict; equal neighbours are merged. */
function coarseBands(exact: readonly ChartBand[]): ChartBand[] {
  const shown = Array.from({ length: BUCKETS }, (): Verdict | null => null);
  for (const { start, end, verdict } of exact) {
    const first = Math.floor(start / BUCKET_MS);
    const last = Math.max(first, Math.ceil(end / BUCKET_MS) - 1);
    for (let index = first; index <= last && index < BUCKETS; index += 1) {
      const before = shown[index] ?? null;
      if (before === null || NOTABILITY[verdict] > NOTABILITY[before]) shown[index] = verdict;
    }
  }
  const bands: ChartBand[] = [];
  for (const [index, verdict] of shown.entries()) {
    if (verdict === null) continue;
    const start = index * BUCKET_MS;
    const last = bands.at(-1);
    if (last?.verdict === verdict && last.end === start) last.end += BUCKET_MS;
    else bands.push({ start, end: start + BUCKET_MS, verdict });
  }
  return bands;
}

function bucketsOf(checks: readonly ChartCheck[], fromMs: number): ChartBuckets {
  const groups = groupBy(checks, (at) => Math.floor((at - fromMs) / BUCKET_MS));
  const totals = Array.from({ length: BUCKETS }, (_unused, index) => totalsOf(groups.get(index) ?? []));
  return {
    open: totals.map(({ open }) => open),
    waiting_room: totals.map(({ waiting_room }) => waiting_room),
    unknown: totals.map(({ unknown }) => unknown),
    fastestMs: totals.map(({ fastestMs }) => fastestMs),
    medianMs: totals.map(({ medianMs }) => medianMs),
    slowestMs: totals.map(({ slowestMs }) => slowestMs),
  };
}

/** Reduces the checks of a day, oldest first, to the chart. Earlier ones may come first: they tell how the day begins. */
export function reduceChecks(
  checks: readonly ChartCheck[],
  span: Span,
): Pick<DayChart, 'bands' | 'bandsAreExact' | 'buckets' | 'hours' | 'totals'> {
  const { fromMs, toMs } = span;
  const shown = checks.filter(({ at }) => at >= fromMs && at < toMs);
  const exact = exactBands(checks, span);
  const bandsAreExact = exact.length <= MAX_BANDS;
  const hours = groupBy(shown, (at) => Math.floor(at / HOUR));
  const { fastestMs: _, ...totals } = totalsOf(shown);
  return {
    bands: bandsAreExact ? exact : coarseBands(exact),
    bandsAreExact,
    buckets: bucketsOf(shown, fromMs),
    hours: [...hours].map(([hour, group]) => {
      const { fastestMs: _unused, ...values } = totalsOf(group);
      return { startMs: hour * HOUR, ...values };
    }),
    totals: { ...totals, slow: shown.filter(({ responseMs }) => responseMs > SLOW_MS).length },
  };
}
