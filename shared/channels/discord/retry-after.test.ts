import { expect, it } from 'vitest';
import { retryAfterMs } from './retry-after';

it.each([
  ['the body to the millisecond', {}, { retry_after: 2.5 }, 2500],
  ['the body before a header rounded up', { 'retry-after': '3' }, { retry_after: 2.347 }, 2347],
  ['a header that asks for longer than the body', { 'retry-after': '4.5' }, { retry_after: 2 }, 4500],
  ['the most precise header', { 'retry-after': '0.65' }, null, 650],
  ['the longer of two headers', { 'retry-after': '1', 'x-ratelimit-reset-after': '1.25' }, null, 1250],
  ['a date', { 'retry-after': 'Thu, 01 Jan 1970 00:00:05 GMT' }, null, 5000],
  ['no stated time without a wait', {}, '<html>', null],
  ['no stated time with an invalid wait', { 'retry-after': '-4' }, { retry_after: 'soon' }, null],
  ['no stated time with a wait of zero', { 'retry-after': '0' }, { retry_after: 0 }, null],
  ['no stated time with a date that is past', { 'retry-after': 'Wed, 31 Dec 1969 23:00:00 GMT' }, null, null],
])('a 429 waits for %s', (_name, headers, body, expected) => {
  expect(retryAfterMs(headers, body, 0)).toBe(expected);
});
