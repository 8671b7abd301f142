import { toIso } from '#shared/clock';
import type { ChartAlert, ChartBand, DayChart } from '#shared/monitor/day-chart/day-chart';
import type { Verdict } from '#shared/monitor/checks/verdict';
import { counted } from '#shared/format';
import { VERDICT_LABELS } from '../verdict-labels';
import { clockMinute, clockSecond } from '../../time/time-format';

const minuteOf = (ms: number) => clockMinute(toIso(ms));
const nameOf = (verdict: Verdict) => VERDICT_LABELS[verdict].toLowerCase();

/** "412 ms", "1.2 s", "31 s" */
export function shortDuration(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  return ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 1_000)} s`;
}

const NOTABLE = ['waiting_room', 'open', 'unknown'] as const;

function countsOf(counts: Record<Verdict, number>): string {
  return NOTABLE.filter((verdict) => counts[verdict] > 0)
    .map((verdict) => `${counts[verdict].toLocaleString('en-GB')} ${nameOf(verdict)}`)
    .join(', ');
}

/** The chart in one or two sentences: the checks, the response times, the alerts. */
export function summariseChart({ totals, alerts }: DayChart): string {
  const checks = totals.open + totals.waiting_room + totals.unknown;
  if (checks === 0) return 'No check in the last 24 hours.';
  const took =
    totals.medianMs === null || totals.slowestMs === null
      ? ''
      : ` The shop usually answered in ${shortDuration(totals.medianMs)}; its slowest answer took ${shortDuration(totals.slowestMs)}.`;
  const alerted = alerts.length === 0 ? 'No alert.' : `${counted(alerts.length, 'alert')}.`;
  return `${counted(checks, 'check')}: ${countsOf(totals)}.${took} ${alerted}`;
}

/** A description of more spans than this is only a summary. */
const MAX_LISTED_SPANS = 8;

/** Describes the chart for screen readers. */
export function describeChart(chart: DayChart): string {
  const { bands, fromMs, alerts } = chart;
  const spans = bands.filter(({ verdict }) => verdict !== 'open');
  const listed = (spans.length > MAX_LISTED_SPANS ? [] : spans).map(
    ({ verdict, start, end }) =>
      `${nameOf(verdict)} from ${minuteOf(fromMs + start)} to ${minuteOf(fromMs + end)}`,
  );
  const sentences = [
    `From ${minuteOf(fromMs)} yesterday to now.`,
    summariseChart(chart),
    ...(listed.length === 0 ? [] : [`${listed.join('; ')}.`]),
    ...(spans.length > MAX_LISTED_SPANS
      ? [`The state changed ${bands.length - 1} times; the table lists the hours.`]
      : []),
    ...(alerts.length > 0 && alerts.length <= MAX_LISTED_SPANS
      ? [`${alerts.map(describeAlert).join('; ')}.`]
      : []),
  ];
  return sentences.map((sentence) => sentence.charAt(0).toUpperCase() + sentence.slice(1)).join(' ');
}

function describeAlert({ openedAt, endedAt, status }: ChartAlert): string {
  const end =
    endedAt === null
      ? 'still open'
      : `${status === 'suspended' ? 'paused' : 'closed'} at ${clockMinute(endedAt)}`;
  return `alert opened at ${clockMinute(openedAt)}, ${end}`;
}

/** Returns the verdict that held at an offset (ms) in the chart, or null in a gap. */
function bandAt(bands: readonly ChartBand[], offset: number): ChartBand | null {
  return bands.find(({ start, end }) => start <= offset && offset < end) ?? null;
}

/** The values of one bucket in words. */
export interface Readout {
  /** "12:30 to 12:35" */
  time: string;
  state: string;
  /** Null without a check. */
  took: string | null;
  alert: string | null;
}

/** Returns the values of a bucket in words. */
export function readBucket(chart: DayChart, index: number): Readout {
  const { buckets, bands, fromMs, bucketMs, alerts } = chart;
  const start = index * bucketMs;
  const counts = {
    open: buckets.open[index] ?? 0,
    waiting_room: buckets.waiting_room[index] ?? 0,
    unknown: buckets.unknown[index] ?? 0,
  };
  const checks = counts.open + counts.waiting_room + counts.unknown;
  const fastest = buckets.fastestMs[index] ?? null;
  const median = buckets.medianMs[index] ?? null;
  const slowest = buckets.slowestMs[index] ?? null;
  const opened = alerts.filter(({ openedAt }) => {
    const offset = Date.parse(openedAt) - fromMs;
    return start <= offset && offset < start + bucketMs;
  });
  const held = bandAt(bands, start + bucketMs / 2);
  const single = NOTABLE.find((verdict) => counts[verdict] === checks);
  let state = `${counted(checks, 'check')}: ${countsOf(counts)}`;
  if (checks > 0 && single !== undefined)
    state = `${VERDICT_LABELS[single]}${checks === 1 ? '' : `, ${checks} checks`}`;
  else if (checks === 0)
    state = held === null ? 'Not checked' : `No check; ${nameOf(held.verdict)} at the one before`;
  let took: string | null = null;
  if (median !== null && fastest !== null && slowest !== null)
    took =
      fastest === slowest
        ? shortDuration(median)
        : `${shortDuration(median)}, from ${shortDuration(fastest)} to ${shortDuration(slowest)}`;
  return {
    time: `${minuteOf(fromMs + start)} to ${minuteOf(fromMs + start + bucketMs)}`,
    state,
    took,
    alert:
      opened.length === 0
        ? null
        : `Alert opened at ${opened.map(({ openedAt }) => clockSecond(openedAt)).join(', ')}`,
  };
}

/** A readout as one line of text. */
export function readoutText({ time, state, took, alert }: Readout): string {
  return [time, state, took, alert].filter((part) => part !== null).join(' · ');
}
