import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { periodFrom, renewalTime } from './period';
import { prorate, roundHalfAwayFromZero } from './proration';

const DAY = 86_400;

describe('proration', () => {
  test.each([
    [999, 0, 30 * DAY, 0, 999],
    [999, 0, 30 * DAY, 15 * DAY, 500],
    [-999, 0, 30 * DAY, 15 * DAY, -500],
    [999, 0, 30 * DAY, 30 * DAY, 0],
    [999, 0, 30 * DAY, 1, 999],
    [9999, 0, 365 * DAY, 100 * DAY, 7260],
    [1, 0, 2, 1, 1],
    [-1, 0, 2, 1, -1],
    [999, 100, 200, 50, 999],
    [999, 100, 200, 300, 0],
  ])('%i pence from %i to %i are worth, at %i, %i', (amount, start, end, at, value) => {
    expect(prorate(amount, { start, end }, at)).toBe(value);
  });

  test('rounding is exact where a float is not, and symmetric around zero', () => {
    expect(roundHalfAwayFromZero(9_007_199_254_740_993n * 3n, 2n)).toBe(Number(13_510_798_882_111_490n));
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
        fc.bigInt({ min: 1n, max: 10n ** 6n }),
        (n, d) => {
          const rounded = BigInt(roundHalfAwayFromZero(n, d));
          const error = 2n * (rounded * d - n);
          return (
            (error < 0n ? -error : error) <= d &&
            roundHalfAwayFromZero(-n, d) === 0 - roundHalfAwayFromZero(n, d)
          );
        },
      ),
    );
  });

  test('a period of days is exact, and a month keeps the day of its anchor', () => {
    const anchor = Date.UTC(2026, 0, 31, 12) / 1000;
    expect(periodFrom(anchor, { interval: 'day', interval_count: 30 }, anchor + 30 * DAY)).toEqual({
      start: anchor + 30 * DAY,
      end: anchor + 60 * DAY,
    });
    const monthly = { interval: 'month', interval_count: 1 };
    expect(
      [1, 2, 3].map((count) => new Date(renewalTime(anchor, monthly, count) * 1000).toISOString()),
    ).toEqual(['2026-02-28T12:00:00.000Z', '2026-03-31T12:00:00.000Z', '2026-04-30T12:00:00.000Z']);
  });
});
