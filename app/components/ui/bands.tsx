/** A narrower band would be invisible on a phone. */
const MIN_WIDTH = 3;

/** A span of a chart, in milliseconds after its start. */
interface Span {
  start: number;
  end: number;
}

/** The width of the chart's coordinate system, and the time that it shows. */
export interface BandScale {
  width: number;
  durationMs: number;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Places the bands of a chart; clipped to it. */
export function placeBands<Band extends Span>(
  bands: readonly Band[],
  { width: chartWidth, durationMs }: BandScale,
): (Band & { x: number; width: number })[] {
  const place = (ms: number) => Math.min(chartWidth, Math.max(0, (ms * chartWidth) / durationMs));
  return bands.map((band) => {
    const width = round(Math.max(MIN_WIDTH, place(band.end) - place(band.start)));
    return { ...band, x: round(Math.min(place(band.start), chartWidth - width)), width };
  });
}

/** Returns the path of bands. `top`, `bottom`: y coordinates; `radius`: of the corners. */
export function bandPath(
  bands: readonly Span[],
  { top, bottom, radius = 0, ...scale }: BandScale & { top: number; bottom: number; radius?: number },
): string {
  return placeBands(bands, scale)
    .map(({ x, width }) => {
      if (radius === 0) return `M${x} ${top}h${width}V${bottom}h-${width}z`;
      const rx = Math.min(radius, width / 2);
      const corner = (dx: number, dy: number) => `a${rx} ${radius} 0 0 1 ${dx} ${dy}`;
      const side = round(width - 2 * rx);
      return `M${round(x + rx)} ${top}h${side}${corner(rx, radius)}V${bottom - radius}${corner(-rx, radius)}h-${side}${corner(-rx, -radius)}V${top + radius}${corner(rx, -radius)}z`;
    })
    .join('');
}

const MARK_HEIGHTS = { high: 12, medium: 7, low: 3 } as const;

/** The mark of a kind of bands in a legend. As in the chart, kinds differ in height as well. */
export function BandMark({ height, className }: { height: keyof typeof MARK_HEIGHTS; className: string }) {
  const pixels = MARK_HEIGHTS[height];
  return (
    <svg viewBox="0 0 10 12" width="10" height="12">
      <rect width="10" y={12 - pixels} height={pixels} className={className} />
    </svg>
  );
}
