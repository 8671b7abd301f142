import { Fragment } from 'react';
import { HOUR, toIso } from '#shared/clock';
import type { DayChart } from '#shared/monitor/day-chart/day-chart';
import type { Verdict } from '#shared/monitor/checks/verdict';
import { CHART_TEXT, ChartFrame, PATH_WIDTH } from '~/components/ui/chart-frame';
import { clockMinute } from '../../time/time-format';
import { VerdictBands } from '../verdict-bands';
import { CHART, linePath, placeOf, rangePath, responseY, STRIP_HEIGHT } from './chart-geometry';

const WASHES: Record<Verdict, string> = {
  open: 'fill-open-wash',
  waiting_room: 'fill-live-wash',
  unknown: 'fill-unknown-wash',
};

/** The marks of the response-time scale. */
const SCALE: readonly { ms: number; label: string; slow?: true }[] = [
  { ms: 100, label: '100 ms' },
  { ms: 1_000, label: '1 s' },
  { ms: 10_000, label: '10 s' },
  { ms: 30_000, label: 'slow: 30 s', slow: true },
];

const TICK_HOURS = 3;
/** A label nearer to an edge would be cut off or cover "now"; on a phone, "now" takes more. */
const EDGE_SHARE = 0.06;
const NOW_SHARE_ON_PHONE = 0.16;

/** The full hours to label, on every third hour of UK time. */
function ticksOf({ fromMs, toMs }: DayChart): { at: number; label: string; onPhone: boolean }[] {
  const ticks = [];
  for (let at = Math.ceil(fromMs / HOUR) * HOUR; at < toMs; at += HOUR) {
    const label = clockMinute(toIso(at));
    const hour = Number(label.slice(0, 2));
    const share = (at - fromMs) / (toMs - fromMs);
    if (hour % TICK_HOURS !== 0 || share < EDGE_SHARE || share > 1 - EDGE_SHARE) continue;
    const onPhone = hour % (2 * TICK_HOURS) === 0 && share < 1 - NOW_SHARE_ON_PHONE;
    ticks.push({ at, label, onPhone });
  }
  return ticks;
}

const PLOT_HEIGHT = CHART.plotBottom - CHART.plotTop;
const WASH_HEIGHT = { open: PLOT_HEIGHT, waiting_room: PLOT_HEIGHT, unknown: PLOT_HEIGHT };

function Bands({ chart: { bands, fromMs, toMs } }: { chart: DayChart }) {
  const drawn = { bands, width: PATH_WIDTH, durationMs: toMs - fromMs };
  return (
    <>
      <VerdictBands {...drawn} bottom={CHART.plotBottom} heights={WASH_HEIGHT} fills={WASHES} />
      <VerdictBands {...drawn} bottom={CHART.stripBottom} heights={STRIP_HEIGHT} />
    </>
  );
}

function Alerts({ chart }: { chart: DayChart }) {
  const { alertY, stripBottom } = CHART;
  return (
    <g className="fill-surface stroke-live" strokeWidth="3">
      {chart.alerts.map(({ id, openedAt, endedAt }) => {
        const from = Date.parse(openedAt);
        const x = placeOf(from, chart);
        const end = placeOf(endedAt === null ? chart.nowMs : Date.parse(endedAt), chart);
        return (
          <Fragment key={id}>
            <line x1={x} x2={end} y1={alertY} y2={alertY} />
            {from < chart.fromMs ? null : (
              <>
                <line x1={x} x2={x} y1={alertY} y2={stripBottom} strokeWidth="2" />
                <circle cx={x} cy={alertY} r="6" />
              </>
            )}
          </Fragment>
        );
      })}
    </g>
  );
}

/**
 * The drawing: bands for the states, a line for the response times, marks for alerts. `selected`: the bucket with the cursor.
 */
export function ChartDrawing({ chart, selected }: { chart: DayChart; selected: number | null }) {
  const { buckets, fromMs, bucketMs } = chart;
  const cursor = selected === null ? null : placeOf(fromMs + (selected + 0.5) * bucketMs, chart);
  return (
    <ChartFrame
      height={CHART.height}
      pathHeight={CHART.stripBottom}
      scale={SCALE.map(({ ms, label }) => ({ y: responseY(ms), label }))}
      labelY={CHART.labelY}
      paths={
        <>
          <Bands chart={chart} />
          {SCALE.map(({ ms, slow }) => (
            <path
              key={ms}
              d={`M0 ${responseY(ms)}H${PATH_WIDTH}`}
              className={slow ? 'stroke-live opacity-70' : 'stroke-line'}
              strokeDasharray={slow ? '6 4' : '2 4'}
              vectorEffect="non-scaling-stroke"
            />
          ))}
          <path d={rangePath(buckets, chart)} className="fill-soft opacity-25" />
          <path
            d={linePath(buckets.medianMs, chart)}
            fill="none"
            strokeWidth="2"
            strokeLinecap="round"
            strokeLinejoin="round"
            vectorEffect="non-scaling-stroke"
            className="stroke-ink"
          />
        </>
      }
    >
      <Alerts chart={chart} />
      {ticksOf(chart).map(({ at, label: text, onPhone }) => (
        <g key={at} className={onPhone ? '' : 'max-sm:hidden'}>
          <line
            x1={placeOf(at, chart)}
            x2={placeOf(at, chart)}
            y1={CHART.stripBottom}
            y2={CHART.stripBottom + 5}
            className="stroke-soft"
          />
          <text x={placeOf(at, chart)} y={CHART.labelY} textAnchor="middle" className={CHART_TEXT}>
            {text}
          </text>
        </g>
      ))}
      {cursor === null ? null : (
        <line
          x1={cursor}
          x2={cursor}
          y1={0}
          y2={CHART.stripBottom}
          strokeWidth="2"
          className="stroke-brand"
          data-chart-cursor
        />
      )}
    </ChartFrame>
  );
}
