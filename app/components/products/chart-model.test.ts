import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, toIso } from '#shared/clock';
import type { PriceRun } from '#shared/products/reading/price-history';
import { drawPriceHistory } from './chart-model';

const NOW = Date.parse('2026-11-27T12:00:00.000Z');
const ago = (ms: number): string => toIso(NOW - ms);

/** A chart of runs, each from and to so many milliseconds ago. */
function chartOf(spanMs: number, runs: readonly (readonly [from: number, to: number, amount: number])[]) {
  const price = (amount: number) => ({ amount, currency: 'GBP' });
  const amounts = runs.map(([, , amount]) => amount);
  return drawPriceHistory(
    {
      from: ago(spanMs),
      to: ago(0),
      runs: runs.map(([from, to, amount]): PriceRun => ({
        watchId: 'offer',
        variantKey: '',
        state: 'in_stock',
        detail: null,
        price: price(amount),
        from: ago(from),
        to: ago(to),
      })),
      lowest: price(Math.min(...amounts)),
      highest: price(Math.max(...amounts)),
      lowestForDays: null,
    },
    { offers: [{ watchId: 'offer', retailer: 'Tanglewood Cards' }], alerts: [] },
  );
}

test('a price of less than an hour is no drawing; the newest run lasts until now unless its last check is long ago', () => {
  expect(chartOf(HOUR - 1, [[HOUR - 1, 0, 4_999]]).isShort).toBe(true);
  const day = chartOf(DAY, [
    [DAY, DAY / 2, 4_999],
    [DAY / 2, 5 * MINUTE, 4_499],
  ]);
  expect(day).toMatchObject({ isShort: false, changes: 2 });
  expect(day.lines[0]?.path).toMatch(/^M0 [\d.]+H500V[\d.]+H1000$/);
  expect(day.strip.buyable).toBe('M0 172h1000V196h-1000z');
  // A run that has ended keeps its end.
  expect(chartOf(DAY, [[DAY, DAY / 2, 4_999]]).lines[0]?.path).toMatch(/H500$/);
});

test('a day is labelled with times, a month with days', () => {
  expect(chartOf(DAY, [[DAY, 0, 100]]).ticks.map(({ label }) => label)).toEqual(['18:00', '00:00', '06:00']);
  expect(chartOf(30 * DAY, [[DAY, 0, 100]]).ticks.map(({ label }) => label)).toEqual([
    '2 Nov',
    '7 Nov',
    '12 Nov',
    '17 Nov',
    '22 Nov',
  ]);
});

test.each([2, 2.5, 3, 4.5, 6, 9])('in %s days no day is named twice', (days) => {
  const labels = chartOf(days * DAY, [[days * DAY, 0, 100]]).ticks.map(({ label }) => label);
  expect(labels.length).toBeGreaterThan(0);
  expect(new Set(labels).size).toBe(labels.length);
});

test('a minute of stock is visible, also at the very end', () => {
  expect(chartOf(30 * DAY, [[MINUTE, 0, 100]]).strip.buyable).toBe('M997 172h3V196h-3z');
});
