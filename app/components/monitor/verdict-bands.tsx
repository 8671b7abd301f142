import type { ReactNode } from 'react';
import type { ChartBand } from '#shared/monitor/day-chart/day-chart';
import type { Verdict } from '#shared/monitor/checks/verdict';
import { BandMark, bandPath, type BandScale } from '~/components/ui/bands';
import { VERDICT_LABELS } from './verdict-labels';

const VERDICTS = ['open', 'waiting_room', 'unknown'] as const;

const FILLS: Record<Verdict, string> = {
  open: 'fill-open opacity-55',
  waiting_room: 'fill-live',
  unknown: 'fill-unknown',
};

/** Draws bands that stand on `bottom`, with a height for each verdict. `fills`: other fills than those of the legend. */
export function VerdictBands({
  bands,
  bottom,
  heights,
  fills = FILLS,
  ...scale
}: BandScale & {
  bands: readonly ChartBand[];
  bottom: number;
  heights: Record<Verdict, number>;
  fills?: Record<Verdict, string>;
  radius?: number;
}) {
  return VERDICTS.map((verdict) => (
    <path
      key={verdict}
      d={bandPath(
        bands.filter((band) => band.verdict === verdict),
        { ...scale, top: bottom - heights[verdict], bottom },
      )}
      className={fills[verdict]}
    />
  ));
}

const LEGEND = [
  ['waiting_room', 'high'],
  ['open', 'medium'],
  ['unknown', 'low'],
] as const;

/** The legend of a chart of verdicts. `children`: further list items. */
export function VerdictLegend({ children }: { children?: ReactNode }) {
  return (
    <ul aria-hidden="true" className="flex flex-wrap gap-x-4 gap-y-1 text-small text-soft">
      {LEGEND.map(([verdict, height]) => (
        <li key={verdict} className="flex items-center gap-1.5">
          <BandMark height={height} className={FILLS[verdict]} />
          {VERDICT_LABELS[verdict]}
        </li>
      ))}
      {children}
    </ul>
  );
}
