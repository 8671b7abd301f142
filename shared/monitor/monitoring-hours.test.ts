import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { DAY } from '../clock';
import {
  DEFAULT_MONITORING_HOURS,
  describeHours,
  isWithinHours,
  nextWindowStart,
  parseMonitoringHours,
  windowStart,
} from './monitoring-hours';

const at = (iso: string): number => Date.parse(iso);
const hours = DEFAULT_MONITORING_HOURS;

describe('monitoring hours', () => {
  it.each([
    // Clocks go forward on 2027-03-28 at 01:00 UTC: 9 in London is 08:00 UTC from that day on.
    ['2027-03-27T08:59:59.999Z', false],
    ['2027-03-27T09:00:00.000Z', true],
    ['2027-03-28T07:59:59.999Z', false],
    ['2027-03-28T08:00:00.000Z', true],
    ['2027-03-28T19:59:59.999Z', true],
    ['2027-03-28T20:00:00.000Z', false],
    // Clocks go back on 2027-10-31 at 01:00 UTC: 9 in London is 09:00 UTC again.
    ['2027-10-30T08:00:00.000Z', true],
    ['2027-10-31T08:59:59.999Z', false],
    ['2027-10-31T09:00:00.000Z', true],
    ['2027-10-31T20:59:59.999Z', true],
    ['2027-10-31T21:00:00.000Z', false],
  ])('at %s monitoring is %s', (iso, within) => {
    expect(isWithinHours(at(iso), hours)).toBe(within);
  });

  it.each([
    ['2027-03-27T21:30:00.000Z', '2027-03-28T08:00:00.000Z'],
    ['2027-10-30T20:30:00.000Z', '2027-10-31T09:00:00.000Z'],
    ['2027-10-31T00:30:00.000Z', '2027-10-31T09:00:00.000Z'],
    ['2027-03-28T08:00:00.000Z', '2027-03-29T08:00:00.000Z'],
  ])('after %s the next window starts at %s', (now, next) => {
    expect(nextWindowStart(at(now), hours)).toBe(at(next));
  });

  it('gives the start of the current window', () => {
    expect(windowStart(at('2027-03-28T12:00:00Z'), hours)).toBe(at('2027-03-28T08:00:00Z'));
    expect(windowStart(at('2027-03-28T22:00:00Z'), hours)).toBeNull();
  });

  it('gives all-day monitoring no start: midnight does not begin a new window', () => {
    const allDay = { from: 0, to: 24 };
    expect(windowStart(at('2026-11-22T23:59:00Z'), allDay)).toBe(0);
    expect(windowStart(at('2026-11-23T00:01:00Z'), allDay)).toBe(0);
  });

  it('0-24 covers the whole day, also of twenty-three or twenty-five hours', () => {
    const allDay = { from: 0, to: 24 };
    for (const iso of [
      '2027-03-27T23:59:59.999Z',
      '2027-03-28T00:30:00Z',
      '2027-10-31T00:30:00Z',
      '2027-10-31T01:30:00Z',
    ]) {
      expect(isWithinHours(at(iso), allDay)).toBe(true);
    }
  });

  it.each([
    ['9-21', { from: 9, to: 21 }],
    ['0-24', { from: 0, to: 24 }],
    [' 09-12 ', { from: 9, to: 12 }],
    ['20-2', { from: 20, to: 2 }],
    ['21-9', { from: 21, to: 9 }],
    ['20-0', { from: 20, to: 24 }],
    ['9-9', null],
    ['0-0', null],
    ['24-2', null],
    ['9-25', null],
    ['9.5-12', null],
    ['nine-five', null],
  ])('reads %j as %j', (text, expected) => {
    expect(parseMonitoringHours(text)).toEqual(expected);
  });

  it('formats the hours for people', () => {
    expect(describeHours(hours)).toBe('9am to 9pm');
    expect(describeHours({ from: 0, to: 12 })).toBe('midnight to noon');
    expect(describeHours({ from: 0, to: 24 })).toBe('all day');
    expect(describeHours({ from: 20, to: 2 })).toBe('8pm to 2am');
    expect(describeHours({ from: 20, to: 24 })).toBe('8pm to midnight');
  });
});

describe('monitoring hours over midnight', () => {
  const night = { from: 20, to: 2 };
  it.each([
    // London, forward: 01:00 UTC on 28 March is 02:00 there, so the night has five hours.
    ['2027-03-27T19:59:59.999Z', false],
    ['2027-03-27T20:00:00.000Z', true],
    ['2027-03-28T00:59:59.999Z', true],
    ['2027-03-28T01:00:00.000Z', false],
    ['2027-03-28T19:00:00.000Z', true],
    // London, back: 01:00 to 01:59 comes twice on 31 October, so the night has seven hours.
    ['2027-10-30T18:59:59.999Z', false],
    ['2027-10-30T19:00:00.000Z', true],
    ['2027-10-31T00:30:00.000Z', true],
    ['2027-10-31T01:59:59.999Z', true],
    ['2027-10-31T02:00:00.000Z', false],
  ])('at %s monitoring is %s', (iso, within) => {
    expect(isWithinHours(at(iso), night)).toBe(within);
  });

  it.each([
    ['in the evening', '2027-03-27T23:30:00Z', '2027-03-27T20:00:00Z'],
    ['after midnight', '2027-03-28T00:30:00Z', '2027-03-27T20:00:00Z'],
    ['in the second hour from one to two', '2027-10-31T01:30:00Z', '2027-10-30T19:00:00Z'],
    ['outside', '2027-03-28T12:00:00Z', null],
  ])('%s the window began at the evening before', (_, now, start) => {
    expect(windowStart(at(now), night)).toBe(start === null ? null : at(start));
  });

  it('the next window starts in the evening', () => {
    expect(nextWindowStart(at('2027-03-28T01:00:00Z'), night)).toBe(at('2027-03-28T19:00:00Z'));
    expect(nextWindowStart(at('2027-10-31T02:00:00Z'), night)).toBe(at('2027-10-31T20:00:00Z'));
    expect(nextWindowStart(at('2027-10-31T00:30:00Z'), night)).toBe(at('2027-10-31T20:00:00Z'));
  });
});

describe('the start of a window whose hour a clock change skips or repeats', () => {
  it.each([
    // 01:00 does not exist in London on 28 March 2027.
    ['Europe/London', '1-5', '2027-03-28T00:30:00Z', '2027-03-28T01:00:00Z'],
    ['Europe/London', '1-2', '2027-03-28T00:30:00Z', '2027-03-29T00:00:00Z'],
    ['Europe/London', '1-0', '2027-03-28T00:30:00Z', '2027-03-28T01:00:00Z'],
    // 01:00 comes twice in London on 31 October 2027.
    ['Europe/London', '1-5', '2027-10-30T20:00:00Z', '2027-10-31T00:00:00Z'],
    // Midnight does not exist in Santiago on 5 September 2027 and comes after two hours from 23 on 3 April.
    ['America/Santiago', '0-6', '2027-09-05T03:30:00Z', '2027-09-05T04:00:00Z'],
    ['America/Santiago', '23-5', '2027-04-03T20:00:00Z', '2027-04-04T02:00:00Z'],
    // Midnight comes twice in Havana on 7 November 2027.
    ['America/Havana', '0-5', '2027-11-07T03:00:00Z', '2027-11-07T04:00:00Z'],
    // Half an hour is skipped on Lord Howe on 3 October 2027.
    ['Australia/Lord_Howe', '2-5', '2027-10-02T14:00:00Z', '2027-10-02T15:30:00Z'],
    ['Asia/Kolkata', '20-2', '2027-06-01T00:00:00Z', '2027-06-01T14:30:00Z'],
  ])('in %s %s after %s is %s', (zone, text, now, start) => {
    const window = parseMonitoringHours(text) ?? hours;
    expect(nextWindowStart(at(now), window, zone)).toBe(at(start));
    expect(windowStart(at(start), window, zone)).toBe(at(start));
    expect(windowStart(at(start) + 90 * 60_000, window, zone)).toBe(text === '1-2' ? null : at(start));
  });

  it.each(['Europe/London', 'America/Santiago', 'America/Havana', 'Australia/Lord_Howe', 'Asia/Beirut'])(
    'in %s every start around a clock change is the first instant of its window',
    (zone) => {
      const offset = (time: number): number => DateTime.fromMillis(time, { zone }).offset;
      const weeks = Array.from({ length: 52 }, (_, week) => at('2027-01-01T12:00:00Z') + week * 7 * DAY);
      const changing = weeks.filter((week) => offset(week) !== offset(week + 7 * DAY));
      expect(changing).toHaveLength(2);
      for (const text of ['0-1', '1-2', '2-1', '23-0', '20-2', '9-21'])
        for (const week of changing)
          for (let now = week - DAY; now < week + 8 * DAY;) {
            const window = parseMonitoringHours(text) ?? hours;
            now = nextWindowStart(now, window, zone);
            if (!isWithinHours(now, window, zone)) expect.fail(`${text} at ${now}`);
            if (windowStart(now, window, zone) !== now) expect.fail(`${text} begins before ${now}`);
          }
    },
  );
});
