import type { CheckBand } from '#shared/monitor/read-status.server';
import { VERDICT_LABELS } from './monitor-view';
import { clockMinute } from '../time/time-format';

/** The chart's coordinate system; it is stretched to the card's width. */
export const STRIP = { width: 400, height: 64 } as const;

/** Bands differ in height as well, so that the chart is readable without colour. */
const SHAPES: Record<CheckBand['verdict'], { top: number; height: number }> = {
  waiting_room: { top: 6, height: 52 },
  open: { top: 30, height: 28 },
  unknown: { top: 46, height: 12 },
};

/** Narrower bands would be invisible. */
const MIN_WIDTH = 3;

export interface StripBand {
  verdict: CheckBand['verdict'];
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Merges adjacent bands with the same verdict. */
function merged(bands: readonly CheckBand[]): CheckBand[] {
  const result: CheckBand[] = [];
  for (const band of bands) {
    const last = result.at(-1);
    if (last?.verdict === band.verdict && Date.parse(band.from) <= Date.parse(last.to))
      result[result.length - 1] = { ...last, to: band.to };
    else result.push(band);
  }
  return result;
}

/** Lays out bands between two times (epoch ms), from left to right. */
export function layOutStrip(bands: readonly CheckBand[], fromMs: number, toMs: number): StripBand[] {
  const scale = STRIP.width / (toMs - fromMs);
  const place = (iso: string) => Math.min(STRIP.width, Math.max(0, (Date.parse(iso) - fromMs) * scale));
  return merged(bands).map(({ from, to, verdict }) => {
    const { top, height } = SHAPES[verdict];
    const start = place(from);
    const width = Math.max(MIN_WIDTH, place(to) - start);
    const x = Math.min(start, STRIP.width - width);
    return { verdict, x: round(x), y: top, width: round(width), height };
  });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

const nameOf = (verdict: CheckBand['verdict']) => VERDICT_LABELS[verdict].toLowerCase();

/** A description of more spans than this is only a summary. */
const MAX_LISTED_SPANS = 6;

/** Describes the chart for screen readers. */
export function describeStrip(bands: readonly CheckBand[]): string {
  const spans = merged(bands);
  if (spans.length === 0) return 'No checks of the shop in the last 12 hours.';
  const rooms = spans.filter(({ verdict }) => verdict === 'waiting_room').length;
  if (spans.length > MAX_LISTED_SPANS) {
    const last = spans.at(-1);
    return `The last 12 hours in ${spans.length} spans: the waiting room was up ${rooms === 1 ? 'once' : `${rooms} times`}; at the end, ${nameOf(last?.verdict ?? 'unknown')}.`;
  }
  const sentences = spans.map(
    ({ from, to, verdict }) => `${nameOf(verdict)} from ${clockMinute(from)} to ${clockMinute(to)}`,
  );
  return `The last 12 hours: ${sentences.join('; ')}.`;
}

const FILLS: Record<CheckBand['verdict'], string> = {
  open: 'fill-open opacity-55',
  waiting_room: 'fill-live',
  unknown: 'fill-unknown opacity-70',
};

/** A chart of the last hours: high bands for a waiting room, medium for open, low for unknown. */
export function CheckStrip({
  bands,
  fromMs,
  toMs,
}: {
  bands: readonly CheckBand[];
  fromMs: number;
  toMs: number;
}) {
  return (
    <svg
      viewBox={`0 0 ${STRIP.width} ${STRIP.height}`}
      width={STRIP.width}
      height={STRIP.height}
      preserveAspectRatio="none"
      role="img"
      aria-label={describeStrip(bands)}
      className="block h-16 w-full"
    >
      <path
        d={`M0 ${STRIP.height - 5}.5H${STRIP.width}`}
        className="stroke-line"
        strokeDasharray="2 4"
        vectorEffect="non-scaling-stroke"
      />
      {layOutStrip(bands, fromMs, toMs).map(({ verdict, x, y, width, height }) => (
        <rect key={x} x={x} y={y} width={width} height={height} rx="2" className={FILLS[verdict]} />
      ))}
    </svg>
  );
}

const LEGEND = ['waiting_room', 'open', 'unknown'] as const;

/** The legend of the chart. */
export function CheckStripLegend() {
  return (
    <ul aria-hidden="true" className="flex flex-wrap gap-x-4 text-small text-soft">
      {LEGEND.map((verdict) => (
        <li key={verdict} className="flex items-center gap-1.5">
          <svg viewBox="0 0 10 12" width="10" height="12">
            <rect
              x="1"
              width="8"
              rx="1.5"
              className={FILLS[verdict]}
              y={{ waiting_room: 0, open: 5, unknown: 9 }[verdict]}
              height={{ waiting_room: 12, open: 7, unknown: 3 }[verdict]}
            />
          </svg>
          {VERDICT_LABELS[verdict]}
        </li>
      ))}
    </ul>
  );
}
