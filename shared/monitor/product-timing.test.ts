import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND, toIso } from '../clock';
import { FREE_PACE, nextProductCheck, pacedIntervalMs, paceOf } from './product-timing';

// 9am in London, in summer time.
const NOW = Date.parse('2027-07-15T08:00:00.000Z');
const WATCH = {
  interval_seconds: 120,
  last_availability: 'out_of_stock' as const,
  hurried_until: null as string | null,
  discontinued_at: null as string | null,
  time_zone: 'Europe/London',
};
const IN_STOCK = { ...WATCH, last_availability: 'limited' as const };
const HURRIED = { ...WATCH, hurried_until: toIso(NOW + 5 * MINUTE) };

/** In how many seconds the next check is due, without the jitter of up to two. */
function secondsUntil(watch: Parameters<typeof nextProductCheck>[0], more = {}): number {
  const { at } = nextProductCheck(watch, {
    product: { unknownReason: null },
    cameBackAt: [],
    pace: FREE_PACE,
    startedAt: NOW,
    ...more,
  });
  return Math.floor((at - NOW) / SECOND / 5) * 5;
}

describe('the next check of a product', () => {
  it.each([
    ['is due after its interval', WATCH, {}, 120],
    ['is due later at a host with many products', WATCH, { pace: { stretch: 1.5, hurry: 0 } }, 180],
    ['is due after five minutes in stock', IN_STOCK, {}, 300],
    ['is due after a longer interval in stock', { ...IN_STOCK, interval_seconds: 600 }, {}, 600],
    [
      'is due after ten minutes when robots.txt forbids it',
      WATCH,
      { product: { unknownReason: 'robots' } },
      600,
    ],
    ['is due after 30 seconds while another shop has it again', HURRIED, {}, 30],
    ['is due after what the host has left', HURRIED, { pace: { stretch: 1, hurry: 1 / 3 } }, 60],
    ['is not hurried while it is in stock', { ...IN_STOCK, hurried_until: HURRIED.hurried_until }, {}, 300],
    [
      'is hurried around the time at which it came back',
      WATCH,
      { cameBackAt: ['2027-07-10T08:04:00.000Z'] },
      30,
    ],
    [
      'is hurried at that time of the day on the wall',
      WATCH,
      { cameBackAt: ['2027-01-10T09:00:00.000Z'] },
      30,
    ],
    ['waits for no time that is over', WATCH, { cameBackAt: ['2027-07-10T07:54:00.000Z'] }, 120],
    ['begins with the hurry', WATCH, { cameBackAt: ['2027-07-10T08:06:00.000Z'] }, 60],
    ['does not begin at once', WATCH, { cameBackAt: ['2027-07-10T08:05:01.000Z'] }, 30],
    ['ignores times in the future', WATCH, { cameBackAt: [toIso(NOW + DAY)] }, 120],
    [
      'ignores a hurry that a clock set back has made long',
      { ...WATCH, hurried_until: toIso(NOW + HOUR) },
      {},
      120,
    ],
  ])('%s', (_name, watch, more, seconds) => {
    expect(secondsUntil(watch, more)).toBe(seconds);
  });

  it('says until when it is hurried', () => {
    const cameBackAt = ['2027-07-10T08:04:00.000Z'];
    const options = { product: { unknownReason: null }, cameBackAt, pace: FREE_PACE, startedAt: NOW };
    expect(nextProductCheck(WATCH, options).hurriedUntil).toBe(NOW + 9 * MINUTE);
  });
});

describe('the pace of a host', () => {
  const pace = (watches: (typeof WATCH)[]) => paceOf(watches, { spacingMs: 2 * SECOND, now: NOW });
  const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

  it('leaves the intervals alone while they fit', () => {
    expect(pace(times(60, WATCH).slice(1))).toEqual(FREE_PACE);
  });

  it('makes all wait longer when they do not', () => {
    const fast = { ...WATCH, interval_seconds: 30 };
    const crowded = pace(times(45, fast));
    expect(crowded.stretch).toBeCloseTo(3);
    expect(crowded.hurry).toBe(0);
    expect(pacedIntervalMs(fast, crowded, NOW)).toBeCloseTo(90 * SECOND);
  });

  it('gives hurried ones what is left, and never more than there is', () => {
    for (const hurried of [0, 1, 10, 40]) {
      const watches = [...times(40 - hurried, WATCH), ...times(hurried, HURRIED)];
      const all = pace(watches);
      const perSecond = watches.reduce((sum, watch) => sum + SECOND / pacedIntervalMs(watch, all, NOW), 0);
      expect(all.stretch).toBe(1);
      expect(perSecond).toBeLessThanOrEqual(0.5000001);
    }
  });
});
