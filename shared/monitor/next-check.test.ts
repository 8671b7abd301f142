import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND, toIso } from '../clock';
import { parseMonitoringHours } from './monitoring-hours';
import { dueOpening, nextCheckOf, pauseEnd } from './next-check';

const at = (iso: string): number => Date.parse(iso);
const iso = (text: string | null): string | null => (text === null ? null : toIso(at(text)));

function settings(hours: string, intervalSeconds: number) {
  return {
    intervalSeconds,
    hours: parseMonitoringHours(hours) ?? { from: 9, to: 21 },
    timeZone: 'Europe/London',
  };
}

describe('the next check', () => {
  it.each([
    ['an interval after the last one', '9-21', 60, '12:00:00', '11:59:30', null, '15T12:00:30'],
    ['now, when it is late', '9-21', 60, '12:00:00', '11:00:00', null, '15T12:00:00'],
    ['after the pause', '9-21', 60, '12:00:00', '11:59:30', '12:02:00', '15T12:02:00'],
    [
      'in the next window, when the pause ends after this one',
      '9-21',
      60,
      '20:59:00',
      '20:58:30',
      '21:01:00',
      '16T09:00:00',
    ],
    [
      'in the next window, when the jitter may end after this one',
      '9-21',
      60,
      '20:59:10',
      '20:58:59',
      null,
      '16T09:00:00',
    ],
    ['in the window of the night', '20-2', 60, '12:00:00', '01:59:30', null, '15T20:00:00'],
    ['after midnight in the same window', '20-2', 3600, '00:30:00', '00:15:00', null, '15T01:15:00'],
    [
      'now, when the clock was set back since the last one',
      '9-21',
      60,
      '12:00:00',
      '13:00:00',
      '13:02:00',
      '15T12:00:00',
    ],
  ])('is %s', (_, hours, interval, now, last, pause, next) => {
    const watch = {
      running: 1 as const,
      last_checked_at: iso(`2027-01-15T${last}Z`),
      not_before: iso(pause === null ? null : `2027-01-15T${pause}Z`),
    };
    const nowMs = at(`2027-01-15T${now}Z`);
    expect(nextCheckOf(watch, settings(hours, interval), { daemonOnline: true, now: nowMs })).toBe(
      iso(`2027-01-${next}Z`),
    );
  });

  it('skips a day on which the window does not exist', () => {
    const watch = { running: 1 as const, last_checked_at: iso('2027-03-27T01:59:00Z'), not_before: null };
    const now = at('2027-03-28T00:30:00Z');
    expect(nextCheckOf(watch, settings('1-2', 60), { daemonOnline: true, now })).toBe(
      iso('2027-03-29T00:00:00Z'),
    );
  });
});

describe('the first check of a window', () => {
  const start = at('2027-01-15T09:00:00Z');
  const evening = '2027-01-14T20:30:00Z';
  it.each([
    ['is due when the window opens', 0, evening, null, true],
    ['is due for an interval', 3600 * SECOND - 1, evening, null, true],
    ['is left to the schedule afterwards', 3600 * SECOND, evening, null, false],
    ['is not due before the window', -1, evening, null, false],
    ['waits for the end of a pause', MINUTE, evening, '2027-01-15T09:02:00Z', false],
    ['is not due after a check by hand within the interval', MINUTE, '2027-01-15T08:50:00Z', null, false],
    ['is not due after one in the window', 50 * MINUTE, '2027-01-15T09:00:02Z', null, false],
    ['is due when the clock was set back since the last check', MINUTE, '2027-01-15T10:00:00Z', null, true],
  ])('%s', (_, after, last, pause, due) => {
    const watch = { running: 1 as const, last_checked_at: iso(last), not_before: iso(pause) };
    expect(dueOpening(watch, settings('9-21', 3600), start + after)).toBe(due ? start : null);
  });
});

it('a pause of a check in the future does not count, because the clock was set back since', () => {
  const watch = {
    running: 1 as const,
    last_checked_at: iso('2027-01-15T12:00:00Z'),
    not_before: iso('2027-01-15T12:02:30Z'),
  };
  expect(pauseEnd(watch, at('2027-01-15T12:01:00Z'))).toBe(at('2027-01-15T12:02:30Z'));
  expect(pauseEnd(watch, at('2027-01-15T11:00:00Z'))).toBe(0);
});
