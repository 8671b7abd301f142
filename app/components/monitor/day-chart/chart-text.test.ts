import { expect, test } from 'vitest';
import { HOUR, MINUTE } from '#shared/clock';
import type { DayChart } from '#shared/monitor/day-chart/day-chart';
import { chartSpan, reduceChecks, type ChartCheck } from '#shared/monitor/day-chart/reduce-checks';
import { PATH_WIDTH } from '~/components/ui/chart-frame';
import { bucketAt, linePath, placeOf, rangePath, responseY } from './chart-geometry';
import { bandPath } from '~/components/ui/bands';
import { describeChart, readBucket, readoutText, shortDuration, summariseChart } from './chart-text';

const NOW = Date.parse('2026-11-20T18:02:30.000Z');
const at = (clock: string) => Date.parse(`2026-11-20T${clock}.000Z`);

/** Checks every minute from 12:00 to 12:59, with a waiting room from 12:30 to 12:39. */
function noonChart(alerts: DayChart['alerts'] = []): DayChart {
  const span = chartSpan(NOW, MINUTE);
  const checks = Array.from({ length: 60 }, (_unused, minute): ChartCheck => ({
    at: at('12:00:00') + minute * MINUTE,
    verdict: minute >= 30 && minute < 40 ? 'waiting_room' : 'open',
    responseMs: minute === 31 ? 31_204 : 400 + minute,
  }));
  return { ...span, ...reduceChecks(checks, span), alerts };
}

const ALERT = {
  id: 'a',
  openedAt: '2026-11-20T12:31:04.000Z',
  endedAt: '2026-11-20T12:40:00.000Z',
  status: 'closed',
  openingCheckId: 'c',
} as const;

test('the summary has the main values of the chart', () => {
  expect(summariseChart(noonChart([ALERT]))).toBe(
    '60 checks: 10 waiting room, 50 shop open. The shop usually answered in 430 ms; its slowest answer took 31 s. 1 alert.',
  );
});

test('the description lists what differed from open, and the alerts', () => {
  const text = describeChart(noonChart([ALERT]));
  expect(text).toContain('Waiting room from 12:30 to 12:40.');
  expect(text).toContain('Alert opened at 12:31, closed at 12:40.');
  expect(describeChart(noonChart([{ ...ALERT, endedAt: null, status: 'open' }]))).toContain('still open');
});

test('the readout has the values of five minutes', () => {
  const chart = noonChart([ALERT]);
  const bucket = (clock: string) => (at(clock) - chart.fromMs) / chart.bucketMs;
  expect(readoutText(readBucket(chart, bucket('12:30:00')))).toBe(
    '12:30 to 12:35 · Waiting room, 5 checks · 433 ms, from 430 ms to 31 s · Alert opened at 12:31:04',
  );
  expect(readoutText(readBucket(chart, bucket('15:00:00')))).toBe('15:00 to 15:05 · Not checked');
});

test('an hourly check is read between two checks, too', () => {
  const span = chartSpan(NOW, HOUR);
  const checks = [12, 13].map((hour) => ({
    at: at(`${hour}:00:00`),
    verdict: 'open' as const,
    responseMs: 999,
  }));
  const chart = { ...span, ...reduceChecks(checks, span), alerts: [] };
  const index = (at('12:30:00') - chart.fromMs) / chart.bucketMs;
  expect(readBucket(chart, index).state).toBe('No check; shop open at the one before');
});

test.each([
  [412, '412 ms'],
  [1_204, '1.2 s'],
  [31_204, '31 s'],
])('%i ms is shown as %s', (ms, text) => expect(shortDuration(ms)).toBe(text));

test('the line breaks at a gap, and a single bucket is a dot', () => {
  const chart = { bucketMs: 5 * MINUTE, gapMs: 5 * MINUTE };
  expect(linePath([400, 400, null, 400, null, null, 400], chart).match(/M/g)).toHaveLength(2);
  expect(linePath([null, 400, null], chart)).toMatch(/^M500 [\d.]+h0$/);
  expect(rangePath({ fastestMs: [100, 100], slowestMs: [900, 900] }, chart)).toMatch(/z$/);
});

test('slower responses are higher, within the plot', () => {
  expect(responseY(30_000)).toBeLessThan(responseY(1_000));
  expect([responseY(1), responseY(10 * 60_000)]).toEqual([responseY(50), responseY(60_000)]);
});

test('a short band stays visible and within the drawing', () => {
  const band = { start: 24 * HOUR - 1_000, end: 24 * HOUR };
  const scale = { width: PATH_WIDTH, durationMs: 24 * HOUR, top: 0, bottom: 10 };
  expect(bandPath([band], scale)).toBe(`M${PATH_WIDTH - 3} 0h3V10h-3z`);
});

test('times and pointers outside the drawing belong to its edges', () => {
  const span = { fromMs: NOW, toMs: NOW + HOUR };
  expect([placeOf(NOW - 1, span), placeOf(NOW + HOUR / 2, span)]).toEqual(['0%', '50%']);
  expect([bucketAt(-0.1, 289), bucketAt(1, 289)]).toEqual([0, 288]);
});
