import type { DayChart } from '#shared/monitor/day-chart/day-chart';
import type { Verdict } from '#shared/monitor/checks/verdict';
import { PATH_WIDTH } from '~/components/ui/chart-frame';

/** The heights of the drawing in CSS pixels, from top to bottom. */
export const CHART = {
  height: 226,
  /** The lane of the alerts. */
  alertY: 10,
  plotTop: 24,
  plotBottom: 160,
  stripTop: 168,
  stripBottom: 198,
  labelY: 217,
} as const;

/** In the strip, verdicts differ in height as well, so that the chart is readable without colour. */
export const STRIP_HEIGHT: Record<Verdict, number> = { waiting_room: 30, open: 16, unknown: 7 };

/** The response-time scale is logarithmic: usual answers take some 100 ms, the slowest 45 s. */
const FASTEST_MS = 50;
const SLOWEST_MS = 60_000;

/** Returns the y coordinate of a response time (ms). */
export function responseY(ms: number): number {
  const clamped = Math.min(SLOWEST_MS, Math.max(FASTEST_MS, ms));
  const share = Math.log(clamped / FASTEST_MS) / Math.log(SLOWEST_MS / FASTEST_MS);
  return round(CHART.plotBottom - share * (CHART.plotBottom - CHART.plotTop));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

type Span = Pick<DayChart, 'fromMs' | 'toMs'>;

/** Returns the place of a time (epoch ms) as a share of the width, such as "12.5%"; clipped to the chart. */
export function placeOf(atMs: number, { fromMs, toMs }: Span): string {
  const share = Math.min(1, Math.max(0, (atMs - fromMs) / (toMs - fromMs)));
  return `${Math.round(share * 10_000) / 100}%`;
}

type Values = readonly (number | null)[];

/** The buckets with checks, in runs without a gap. */
function runsOf(values: Values, { bucketMs, gapMs }: Pick<DayChart, 'bucketMs' | 'gapMs'>): number[][] {
  const runs: number[][] = [];
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    const run = runs.at(-1);
    const before = run?.at(-1);
    if (run !== undefined && before !== undefined && (index - before) * bucketMs <= gapMs + bucketMs)
      run.push(index);
    else runs.push([index]);
  }
  return runs;
}

/** Returns the path of a line through the buckets' values (ms). A bucket without neighbours becomes a dot. */
export function linePath(values: Values, chart: Pick<DayChart, 'bucketMs' | 'gapMs'>): string {
  const step = PATH_WIDTH / values.length;
  return runsOf(values, chart)
    .map((run) => {
      const points = run.map((index) => `${round((index + 0.5) * step)} ${responseY(values[index] ?? 0)}`);
      // A path of length zero is drawn as its round line cap.
      return points.length === 1 ? `M${points[0]}h0` : `M${points.join('L')}`;
    })
    .join('');
}

/** Returns the path of the area between the fastest and the slowest response of each bucket. */
export function rangePath(
  { fastestMs, slowestMs }: { fastestMs: Values; slowestMs: Values },
  chart: Pick<DayChart, 'bucketMs' | 'gapMs'>,
): string {
  const step = PATH_WIDTH / slowestMs.length;
  return runsOf(slowestMs, chart)
    .filter((run) => run.length > 1)
    .map((run) => {
      const point = (index: number, values: Values) =>
        `${round((index + 0.5) * step)} ${responseY(values[index] ?? 0)}`;
      const upper = run.map((index) => point(index, slowestMs));
      const lower = run.toReversed().map((index) => point(index, fastestMs));
      return `M${[...upper, ...lower].join('L')}z`;
    })
    .join('');
}

/** Returns the bucket at a share (0 to 1) of the chart's width. */
export function bucketAt(share: number, buckets: number): number {
  return Math.min(buckets - 1, Math.max(0, Math.floor(share * buckets)));
}
