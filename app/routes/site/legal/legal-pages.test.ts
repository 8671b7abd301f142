import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '#shared/clock';
import { formatPeriod, readPrivacy } from './legal-pages.server';

test.each([
  [30 * DAY, '30 days'],
  [DAY, '1 day'],
  [HOUR, '1 hour'],
  [36 * HOUR, '36 hours'],
  [10 * MINUTE, '10 minutes'],
])('%i ms is %s', (ms, words) => {
  expect(formatPeriod(ms)).toBe(words);
});

test('the privacy page states the retention periods of the code', () => {
  const words = JSON.stringify(readPrivacy());
  for (const period of [
    'A session ends 30 days after it was last used.',
    'A sign-in code works for 10 minutes.',
    'deleted after 1 day.',
    'never confirmed, it is deleted after 30 days.',
    'it is listed for 90 days more,',
    'until 1 day after the task ended.',
    'remembered for 1 hour,',
    'deleted from that list after 7 days.',
    'for at most 15 minutes;',
    'or after 1 day if you do not; your request is listed for 30 days.',
    'for 7 days you can cancel the deletion with a link that we email you.',
    'your cookie choice, for 365 days;',
    'are kept for 7 days, the results of its checks for 90 days',
  ])
    expect(words).toContain(period);
});
