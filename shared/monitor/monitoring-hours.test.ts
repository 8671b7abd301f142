import { describe, expect, it } from 'vitest';
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
    ['21-9', null],
    ['9-9', null],
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
  });
});
