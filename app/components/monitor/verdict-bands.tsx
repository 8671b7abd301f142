import type { ChartBand } from '#shared/monitor/day-chart/day-chart';
import type { Verdict } from '#shared/monitor/checks/verdict';

/** A narrower band would be invisible on a phone. */
const MIN_WIDTH = 3;

/** The width of the chart's coordinate system, and the time that it shows. */
interface Scale {
  width: number;
  durationMs: number;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Places bands, whose times are milliseconds after the start of the chart; clipped to the chart. */
export function placeBands<Band extends Pick<ChartBand, 'start' | 'end'>>(
  bands: readonly Band[],
  { width: chartWidth, durationMs }: Scale,
): (Band & { x: number; width: number })[] {
  const place = (ms: number) => Math.min(chartWidth, Math.max(0, (ms * chartWidth) / durationMs));
  return bands.map((band) => {
    const width = round(Math.max(MIN_WIDTH, place(band.end) - place(band.start)));
    return { ...band, x: round(Math.min(place(band.start), chartWidth - width)), width };
  });
}

/** Returns the path of all bands with a verdict. `top`, `bottom`: y coordinates; `radius`: of the corners. */
export function bandPath(
  bands: readonly ChartBand[],
  verdict: Verdict,
  { top, bottom, radius = 0, ...scale }: Scale & { top: number; bottom: number; radius?: number },
): string {
  return placeBands(
    bands.filter((band) => band.verdict === verdict),
    scale,
  )
    .map(({ x, width }) => {
      if (radius === 0) return `M${x} ${top}h${width}V${bottom}h-${width}z`;
      const rx = Math.min(radius, width / 2);
      const corner = (dx: number, dy: number) => `a${rx} ${radius} 0 0 1 ${dx} ${dy}`;
      const side = round(width - 2 * rx);
      return `M${round(x + rx)} ${top}h${side}${corner(rx, radius)}V${bottom - radius}${corner(-rx, radius)}h-${side}${corner(-rx, -radius)}V${top + radius}${corner(rx, -radius)}z`;
    })
    .join('');
}

const VERDICTS = ['open', 'waiting_room', 'unknown'] as const;

/** Draws bands that stand on `bottom`, with a height and a fill for each verdict. */
export function VerdictBands({
  bands,
  bottom,
  heights,
  fills,
  ...scale
}: Scale & {
  bands: readonly ChartBand[];
  bottom: number;
  heights: Record<Verdict, number>;
  fills: Record<Verdict, string>;
  radius?: number;
}) {
  return VERDICTS.map((verdict) => (
    <path
      key={verdict}
      d={bandPath(bands, verdict, { ...scale, top: bottom - heights[verdict], bottom })}
      className={fills[verdict]}
    />
  ));
}
