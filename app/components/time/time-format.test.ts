import { describe, expect, test } from 'vitest';
import { clockAndDay, clockMinute, clockSecond, countdown, elapsed, everyInterval } from './time-format';

const NOON = Date.parse('2026-11-20T12:00:00.000Z');
const from = (seconds: number) => new Date(NOON + seconds * 1000).toISOString();

test('times are in London’s time zone, whatever that of the machine', () => {
  expect(clockMinute('2027-03-28T00:59:00.000Z')).toBe('00:59');
  expect(clockMinute('2027-03-28T01:00:00.000Z')).toBe('02:00');
  expect(clockSecond('2027-07-01T23:30:05.000Z')).toBe('00:30:05');
});

test.each([
  ['2026-11-20T09:30:00.000Z', '09:30 today'],
  ['2026-11-21T09:00:00.000Z', '09:00 tomorrow'],
  ['2026-11-19T21:00:00.000Z', '21:00 yesterday'],
  ['2026-11-23T09:00:00.000Z', '09:00 on Monday'],
  ['2026-12-14T09:00:00.000Z', '09:00 on 14 December'],
])('%s is %s', (iso, words) => {
  expect(clockAndDay(iso, NOON)).toBe(words);
});

describe('durations', () => {
  test.each([
    [0, '0 s'],
    [-12, '12 s'],
    [-252, '4 min 12 s'],
    [-245, '4 min 05 s'],
    [-3_960, '1 h 06 min'],
    [5, '0 s'],
  ])('a moment %i s from now has lasted %s', (seconds, words) => {
    expect(elapsed(from(seconds), NOON)).toBe(words);
  });

  test.each([
    [42, '0:42'],
    [60, '1:00'],
    [3_605, '1:00:05'],
    [-3, '0:00'],
  ])('a moment %i s from now is %s away', (seconds, words) => {
    expect(countdown(from(seconds), NOON)).toBe(words);
  });
});

test.each([
  [60, 'every minute'],
  [120, 'every 2 minutes'],
  [45, 'every 45 seconds'],
])('%i s is %s', (seconds, words) => {
  expect(everyInterval(seconds)).toBe(words);
});
