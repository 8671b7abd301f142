import { useId, useState, type KeyboardEvent, type PointerEvent } from 'react';
import type { DayChart as DayChartData } from '#shared/monitor/day-chart/day-chart';
import { Panel } from '~/components/ui/card';
import { useHydrated } from '~/components/ui/use-hydrated';
import { VerdictLegend } from '../verdict-bands';
import { ChartDrawing } from './chart-drawing';
import { bucketAt } from './chart-geometry';
import { ChartTable } from './chart-table';
import { describeChart, readBucket, readoutText, summariseChart } from './chart-text';
import { HOUR } from '#shared/clock';

const KEYS: Record<string, (index: number, hour: number) => number> = {
  ArrowLeft: (index) => index - 1,
  ArrowDown: (index) => index - 1,
  ArrowRight: (index) => index + 1,
  ArrowUp: (index) => index + 1,
  PageDown: (index, hour) => index - hour,
  PageUp: (index, hour) => index + hour,
  Home: () => 0,
  End: () => Infinity,
};

/**
 * The bucket that a pointer, a finger or the keyboard selects; null for none. `handlers` belong to an element of the
 * chart's width: a slider (w3.org/WAI/ARIA/apg, "Slider Pattern", for the keys).
 */
function useChartCursor({
  buckets,
  bucketMs,
  newest,
}: {
  buckets: number;
  bucketMs: number;
  newest: number;
}) {
  const [hovered, setHovered] = useState<number | null>(null);
  const [focused, setFocused] = useState<number | null>(null);
  const [last, setLast] = useState<number | null>(null);

  const bucketUnder = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return bucketAt((event.clientX - left) / width, buckets);
  };
  const select = (index: number) => {
    setFocused(index);
    setLast(index);
  };
  return {
    /** The selected bucket. */
    index: hovered ?? focused,
    /** The slider's value: it has one without a selection, too. */
    value: hovered ?? focused ?? last ?? newest,
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        // A finger stays on the chart's values when it leaves the chart.
        if (event.pointerType === 'touch') event.currentTarget.setPointerCapture(event.pointerId);
        setHovered(null);
        select(bucketUnder(event));
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        if (event.pointerType === 'touch') select(bucketUnder(event));
        else setHovered(bucketUnder(event));
      },
      onPointerLeave: () => setHovered(null),
      onFocus: () => setFocused((index) => index ?? last ?? newest),
      onBlur: () => setFocused(null),
      onKeyDown(event: KeyboardEvent<HTMLElement>) {
        // Alt with a key turns the pages of the admin sections.
        const move = event.altKey || event.ctrlKey || event.metaKey ? undefined : KEYS[event.key];
        if (move === undefined) return;
        event.preventDefault();
        const moved = move(focused ?? last ?? newest, Math.round(HOUR / bucketMs));
        setHovered(null);
        select(Math.min(buckets - 1, Math.max(0, moved)));
      },
    },
  };
}

function Legend() {
  return (
    <VerdictLegend>
      <li className="flex items-center gap-1.5">
        <svg viewBox="0 0 18 12" width="18" height="12">
          <path d="M0 3 18 1V10L0 11z" className="fill-soft opacity-25" />
          <path d="M0 7 6 5 12 7 18 5" fill="none" strokeWidth="2" className="stroke-ink" />
        </svg>
        Response time and its range
      </li>
      <li className="flex items-center gap-1.5">
        <svg viewBox="0 0 16 16" width="16" height="16">
          <circle cx="8" cy="8" r="5.5" fill="none" strokeWidth="3" className="stroke-live" />
        </svg>
        Alert
      </li>
    </VerdictLegend>
  );
}

/** The newest bucket with a check, else the last one. */
function newestBucket({ buckets }: DayChartData): number {
  const index = buckets.medianMs.findLastIndex((ms) => ms !== null);
  return index === -1 ? buckets.medianMs.length - 1 : index;
}

/** The chart with its cursor. The server renders it without one: the table has the values. */
function Drawing({ chart }: { chart: DayChartData }) {
  const hydrated = useHydrated();
  const descriptionId = useId();
  const buckets = chart.buckets.medianMs.length;
  const { index, value, handlers } = useChartCursor({
    buckets,
    bucketMs: chart.bucketMs,
    newest: newestBucket(chart),
  });
  const readout = index === null ? null : readBucket(chart, index);
  return (
    <figure>
      <p id={descriptionId} className="sr-only">
        {describeChart(chart)}
      </p>
      <div className="relative" data-no-swipe>
        <ChartDrawing chart={chart} selected={index} />
        {hydrated ? (
          <div
            role="slider"
            tabIndex={0}
            aria-label="Values of the chart, five minutes at a time"
            aria-describedby={descriptionId}
            aria-valuemin={0}
            aria-valuemax={buckets - 1}
            aria-valuenow={value}
            aria-valuetext={readoutText(readBucket(chart, value))}
            className="absolute inset-0 cursor-crosshair touch-pan-y rounded-control"
            {...handlers}
          />
        ) : null}
      </div>
      {/* The slider announces the values. */}
      <figcaption className="mt-2 min-h-[4.4em] text-small sm:min-h-[1.5em]" aria-hidden={readout !== null}>
        {readout === null ? (
          <span className="text-soft">
            Times are UK time.
            {hydrated
              ? ' Point at the chart, or use the arrow keys, to see the values of each five minutes.'
              : null}
          </span>
        ) : (
          <>
            <strong>{readout.time}</strong> · {readout.state}
            {readout.took === null ? null : ` · ${readout.took}`}
            {readout.alert === null ? null : <strong className="text-live"> · {readout.alert}</strong>}
          </>
        )}
      </figcaption>
    </figure>
  );
}

/** The chart of a watch's last 24 hours: state bands, response times and alerts, with a readout and a table. */
export function DayChart({ chart, slug }: { chart: DayChartData; slug: string }) {
  return (
    <Panel title="The last 24 hours">
      <p className="text-soft">{summariseChart(chart)}</p>
      <Drawing chart={chart} />
      <Legend />
      {chart.bandsAreExact ? null : (
        <p className="text-small text-soft">
          The state changed very often, so each band shows the most notable state of five minutes.
        </p>
      )}
      <ChartTable chart={chart} slug={slug} />
    </Panel>
  );
}
