import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../clock';
import type { Verdict } from '../checks/verdict';
import { chartSpan, reduceChecks, type ChartCheck } from './reduce-checks';

const NOW = Date.parse('2026-11-20T18:02:30.000Z');
const check = (agoMs: number, verdict: Verdict = 'open', responseMs = 400): ChartCheck => ({
  at: NOW - agoMs,
  verdict,
  responseMs,
});
/** Checks at an interval, oldest first; the newest at `NOW`. */
const every = (intervalMs: number, durationMs: number, verdictOf: (index: number) => Verdict) =>
  Array.from({ length: durationMs / intervalMs }, (_unused, index) =>
    check(durationMs - (index + 1) * intervalMs, verdictOf(index), 300 + (index % 200)),
  );
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

test('the chart has whole buckets that contain all of the last 24 hours', () => {
  const span = chartSpan(NOW, MINUTE);
  expect(span.fromMs).toBeLessThanOrEqual(NOW - DAY);
  expect(span.fromMs % span.bucketMs).toBe(0);
  expect(span.toMs).toBeGreaterThan(NOW);
  expect((span.toMs - span.fromMs) / span.bucketMs).toBe(289);
});

test('a state holds until the next check, and the last one until now', () => {
  const span = chartSpan(NOW, MINUTE);
  const { bands } = reduceChecks(
    [check(10 * MINUTE), check(9 * MINUTE), check(8 * MINUTE, 'waiting_room'), check(MINUTE)],
    { ...span, gapMs: 10 * MINUTE },
  );
  const ago = (ms: number) => NOW - ms - span.fromMs;
  expect(bands).toEqual([
    { verdict: 'open', start: ago(10 * MINUTE), end: ago(8 * MINUTE) },
    { verdict: 'waiting_room', start: ago(8 * MINUTE), end: ago(MINUTE) },
    { verdict: 'open', start: ago(MINUTE), end: ago(0) },
  ]);
});

test('a time without checks is a gap, and a state from before the chart reaches into it', () => {
  const span = chartSpan(NOW, MINUTE);
  const { bands, buckets } = reduceChecks(
    [check(NOW - span.fromMs + MINUTE, 'unknown'), check(24 * HOUR), check(0)],
    span,
  );
  expect(bands[0]).toMatchObject({ verdict: 'unknown', start: 0 });
  // The second check stands alone: the next one is a day later.
  expect(bands[1]?.start).toBe(bands[1]?.end);
  // The check before the chart is drawn as a state only.
  expect(sum(buckets.unknown)).toBe(0);
});

test('buckets, hours and totals count each check once, with its response times', () => {
  const span = chartSpan(NOW, 15 * SECOND);
  const checks = every(15 * SECOND, DAY, (index) => (index % 1_000 === 0 ? 'waiting_room' : 'open'));
  const slow = { ...checks[3_000], responseMs: 45_000 } as ChartCheck;
  const { buckets, hours, totals } = reduceChecks(checks.with(3_000, slow), span);
  expect(totals).toEqual({
    open: 5_754,
    waiting_room: 6,
    unknown: 0,
    medianMs: 399,
    slowestMs: 45_000,
    slow: 1,
  });
  expect(sum(buckets.open) + sum(buckets.waiting_room)).toBe(5_760);
  expect(sum(hours.map(({ open }) => open))).toBe(5_754);
  expect(Math.max(...buckets.slowestMs.map((ms) => ms ?? 0))).toBe(45_000);
});

test('states that change with every check become one band per five minutes, a waiting room first', () => {
  const span = chartSpan(NOW, 15 * SECOND);
  const verdicts = ['open', 'unknown', 'waiting_room'] as const;
  const flapping = every(15 * SECOND, DAY, (index) => verdicts[index % 3] ?? 'open');
  const reduced = reduceChecks(flapping, span);
  expect(reduced.bandsAreExact).toBe(false);
  expect(reduced.bands).toEqual([{ verdict: 'waiting_room', start: 0, end: 289 * 5 * MINUTE }]);
  // The data of any day is small enough for the page.
  expect(JSON.stringify(reduced).length).toBeLessThan(20_000);
});

test('a day without checks is empty', () => {
  const { bands, totals, hours } = reduceChecks([], chartSpan(NOW, MINUTE));
  expect(bands).toEqual([]);
  expect(hours).toEqual([]);
  expect(totals).toMatchObject({ open: 0, medianMs: null, slowestMs: null });
});
