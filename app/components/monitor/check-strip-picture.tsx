import type { CheckBand } from '#shared/monitor/read-status.server';
import { describeStrip, layOutStrip, STRIP } from './check-strip';

const FILLS: Record<CheckBand['verdict'], string> = {
  open: 'fill-open opacity-55',
  waiting_room: 'fill-live',
  unknown: 'fill-unknown opacity-70',
};

/** The last hours as a strip of bands: high for a waiting room, middling for open, low for unknown. */
export function CheckStripPicture({
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

const LEGEND: [CheckBand['verdict'], string][] = [
  ['waiting_room', 'Waiting room'],
  ['open', 'Open'],
  ['unknown', 'Unknown'],
];

/** Which band means what. */
export function CheckStripLegend() {
  return (
    <ul aria-hidden="true" className="flex flex-wrap gap-x-4 text-small text-soft">
      {LEGEND.map(([verdict, word]) => (
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
          {word}
        </li>
      ))}
    </ul>
  );
}
