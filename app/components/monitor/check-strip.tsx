import type { ChartBand } from '#shared/monitor/day-chart/day-chart';
import type { CheckBand } from '#shared/monitor/read-status.server';
import { VERDICT_LABELS } from './verdict-labels';
import { clockMinute } from '../time/time-format';
import { VerdictBands } from './verdict-bands';

/** The chart's coordinate system; it is stretched to the card's width. The bands stand on `bottom`. */
export const STRIP = { width: 400, height: 64, bottom: 58 } as const;

/** Bands differ in height as well, so that the chart is readable without colour. */
export const HEIGHTS: Record<CheckBand['verdict'], number> = { waiting_room: 52, open: 28, unknown: 12 };

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

/** Returns the bands since a time (epoch ms), for the drawing. */
export function bandsSince(bands: readonly CheckBand[], fromMs: number): ChartBand[] {
  return merged(bands).map(({ from, to, verdict }) => ({
    start: Date.parse(from) - fromMs,
    end: Date.parse(to) - fromMs,
    verdict,
  }));
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
    return `The last 12 hours in ${spans.length} spans: the waiting room was open ${rooms === 1 ? 'once' : `${rooms} times`}; at the end, ${nameOf(last?.verdict ?? 'unknown')}.`;
  }
  const sentences = spans.map(
    ({ from, to, verdict }) => `${nameOf(verdict)} from ${clockMinute(from)} to ${clockMinute(to)}`,
  );
  return `The last 12 hours: ${sentences.join('; ')}.`;
}

interface CheckStripProps {
  bands: readonly CheckBand[];
  fromMs: number;
  toMs: number;
}

/** A chart of the last hours: high bands for a waiting room, medium for open, low for unknown. */
export function CheckStrip({ bands, fromMs, toMs }: CheckStripProps) {
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
      <VerdictBands
        bands={bandsSince(bands, fromMs)}
        width={STRIP.width}
        durationMs={toMs - fromMs}
        bottom={STRIP.bottom}
        heights={HEIGHTS}
        radius={2}
      />
    </svg>
  );
}
