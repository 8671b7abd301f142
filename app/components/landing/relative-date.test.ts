import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, toIso } from '#shared/clock';
import { relativeDate } from './relative-date';

const NOON = Date.parse('2026-12-15T12:00:00.000Z');

test.each([
  [0, 'Today'],
  [1, 'Yesterday'],
  [2, '2 days ago'],
  [6, '6 days ago'],
  [7, '1 week ago'],
  [13, '1 week ago'],
  [14, '2 weeks ago'],
  [28, '4 weeks ago'],
  [29, '4 weeks ago'],
  [30, 'November 15, 2026'],
  [400, 'November 10, 2025'],
])('%i days back is: %s', (days, words) => {
  expect(relativeDate(toIso(NOON - days * DAY), NOON)).toBe(words);
});

test('days are calendar days, not spans of 24 hours', () => {
  const midnight = Date.parse('2026-12-15T00:00:00.000Z');
  expect(relativeDate(toIso(midnight - MINUTE), midnight + MINUTE)).toBe('Yesterday');
  expect(relativeDate(toIso(midnight), midnight + 23 * HOUR)).toBe('Today');
});

test('days begin at midnight in London, in summer too', () => {
  const halfPastMidnight = Date.parse('2026-07-14T23:30:00.000Z');
  expect(relativeDate('2026-07-14T22:59:00.000Z', halfPastMidnight)).toBe('Yesterday');
  expect(relativeDate('2026-07-14T23:01:00.000Z', halfPastMidnight)).toBe('Today');
  expect(relativeDate('2026-06-14T23:01:00.000Z', halfPastMidnight)).toBe('June 15, 2026');
});

test('a day of 23 or 25 hours counts as one', () => {
  expect(relativeDate('2027-03-27T23:30:00.000Z', Date.parse('2027-03-28T23:30:00.000Z'))).toBe('2 days ago');
  expect(relativeDate('2026-10-24T22:30:00.000Z', Date.parse('2026-10-25T23:59:00.000Z'))).toBe('Yesterday');
});

test('an article from the future counts as today’s', () => {
  expect(relativeDate(toIso(NOON + 2 * DAY), NOON)).toBe('Today');
});
