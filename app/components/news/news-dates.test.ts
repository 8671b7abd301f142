import { expect, test } from 'vitest';
import { newsDay, newsMoment } from './news-dates';

test.each([
  ['2026-12-14T19:05:00.000Z', 'December 14, 2026', 'December 14, 2026 at 7:05 PM'],
  // In summer the United Kingdom is an hour ahead: this is the next day there.
  ['2026-07-31T23:30:00.000Z', 'August 1, 2026', 'August 1, 2026 at 12:30 AM'],
  ['2026-01-01T00:00:00.000Z', 'January 1, 2026', 'January 1, 2026 at 12:00 AM'],
])('%s is %s', (iso, inDays, inMinutes) => {
  expect(newsDay(iso)).toBe(inDays);
  expect(newsMoment(iso)).toBe(inMinutes);
});
