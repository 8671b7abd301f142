import { expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../../clock';
import { pauseAfter } from './pause-after';

const watch = { interval_seconds: 60, hours: '9-21', time_zone: 'Europe/London' };
const NOON = Date.parse('2027-01-15T12:00:00Z');
const NIGHT = Date.parse('2027-01-15T22:00:00Z');
const BEFORE_NINE = Date.parse('2027-01-16T08:30:00Z');

it.each([
  ['no request and no refusal', NOON, undefined, 0, null],
  ['inside the hours, an hour that the shop asks for is only noted', NOON, '3600', 0, null],
  ['inside the hours, refusals back off by our own rule', NOON, '3600', 3, 150 * SECOND],
  ['outside the hours it is kept', NIGHT, '3600', 0, HOUR],
  ['outside the hours a date is kept', NIGHT, 'Fri, 15 Jan 2027 22:10:00 GMT', 0, 10 * MINUTE],
  ['outside the hours our longer pause applies', NIGHT, '30', 3, 150 * SECOND],
  ['it ends when the hours begin', BEFORE_NINE, '3600', 0, 30 * MINUTE],
  ['an absurd value ends when the hours begin', NIGHT, '9'.repeat(400), 0, 11 * HOUR],
  ['a past date is no pause', NIGHT, 'Fri, 15 Jan 2027 21:00:00 GMT', 0, null],
  ['an unreadable one is no pause', NIGHT, 'later', 0, null],
])('%s', (_, now, retryAfter, refusals, pauseMs) => {
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  const end = pauseAfter(watch, { backOffMs: null, headers }, { refusals, intervalMs: 60 * SECOND, now });
  expect(end === null ? null : end - now).toBe(pauseMs);
});
