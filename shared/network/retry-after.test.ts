import { expect, it } from 'vitest';
import { DAY, HOUR, SECOND } from '../clock';
import { readRetryAfter } from './retry-after';

const now = Date.parse('2027-01-15T12:00:00Z');

it.each([
  ['120', 120 * SECOND],
  [' 5 ', 5 * SECOND],
  ['0', 0],
  [['60', '9'], 60 * SECOND],
  ['Fri, 15 Jan 2027 13:00:00 GMT', HOUR],
  ['Friday, 15-Jan-27 13:00:00 GMT', HOUR],
  ['Fri, 15 Jan 2027 11:00:00 GMT', 0],
  ['Fri, 15 Jan 2100 11:00:00 GMT', DAY],
  ['999999999999999999999999', DAY],
  ['9'.repeat(10_000), DAY],
  ['-5', null],
  ['1.5', null],
  ['1e3', null],
  ['5 apples', null],
  ['apples 2050 GMT', null],
  ['Fri, 45 Jan 2027 13:00:00 GMT', null],
  [`Fri, ${' '.repeat(10_000)}GMT`, null],
  ['', null],
  [undefined, null],
])('Retry-After %j is %j ms, at most a day', (header, expected) => {
  expect(readRetryAfter(header, { now, maxMs: DAY })).toBe(expected);
});
