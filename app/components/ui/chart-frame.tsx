import type { ReactNode } from 'react';

/** The width of the coordinate system of a chart's paths; they are stretched to the width of the chart. */
export const PATH_WIDTH = 1_000;

/** The text of a chart: small, in one size at every width. */
export const CHART_TEXT = 'fill-soft text-[11px]';

interface ChartFrameProps {
  /** In CSS pixels: of the whole chart, and of the part that paths are drawn in, from its top. */
  height: number;
  pathHeight: number;
  /** Paths between 0 and `PATH_WIDTH`, down to `pathHeight`. */
  paths: ReactNode;
  /** The marks of the scale, with their labels at the left edge. */
  scale: readonly { y: number; label: string }[];
  /** Where the labels of the time stand. */
  labelY: number;
  /** Parts that are not stretched: marks and texts. */
  children: ReactNode;
}

/** A chart from some time until now. Assistive technology skips it, because its text is next to it. */
export function ChartFrame({ height, pathHeight, paths, scale, labelY, children }: ChartFrameProps) {
  return (
    <svg
      width="100%"
      height={height}
      aria-hidden="true"
      focusable="false"
      // `notranslate`: translators put the texts into elements of HTML, which SVG does not show.
      className="notranslate block w-full overflow-visible"
    >
      <svg
        width="100%"
        height={pathHeight}
        viewBox={`0 0 ${PATH_WIDTH} ${pathHeight}`}
        preserveAspectRatio="none"
      >
        {paths}
        <path d={`M0 ${pathHeight - 0.5}H${PATH_WIDTH}`} className="stroke-line" />
      </svg>
      {scale.map(({ y, label }) => (
        <text
          key={label}
          x="4"
          y={y - 4}
          className={`${CHART_TEXT} stroke-surface [paint-order:stroke]`}
          strokeWidth="3"
        >
          {label}
        </text>
      ))}
      {children}
      <text x="100%" y={labelY} textAnchor="end" className={CHART_TEXT}>
        now
      </text>
    </svg>
  );
}
