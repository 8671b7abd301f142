import { expect, test } from 'vitest';
import { describeAttempts } from './describe-attempts';

const AT = '2026-11-20T12:31:00.000Z';

test.each<[number, number | null, number, string | null, string]>([
  [0, null, 0, null, ''],
  [1, null, 0, null, '1 attempt'],
  [3, null, 0, null, '3 attempts'],
  [1, 1, 0, AT, 'posted at the first attempt'],
  [4, 1, 3, AT, 'posted at the first attempt, edited 3 times'],
  [5, 2, 1, AT, 'posted at the second attempt, edited once'],
  [14, 12, 2, AT, 'posted at attempt 12, edited twice'],
  // Posted by a release that did not tell them apart.
  [1, null, 0, AT, '1 attempt'],
  [4, null, 0, AT, '4 attempts, edits included'],
])('%i attempts, posted at %s, %i edits, sent %s: %s', (attempts, postedAtAttempt, edits, sentAt, words) => {
  expect(describeAttempts({ attempts, postedAtAttempt, edits, sentAt })).toBe(words);
});
