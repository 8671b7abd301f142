import { describe, expect, it } from 'vitest';
import { DAY } from './clock';
import { quietUntil } from './quiet-hours';

const at = (iso: string): number => Date.parse(iso);
const until = (hours: string, now: string, timeZone = 'Europe/London') => {
  const [from = 0, to = 0] = hours.split('-').map(Number);
  const end = quietUntil([{ from, to, timeZone }], at(now));
  return end === null ? null : new Date(end).toISOString().replace(':00.000Z', 'Z');
};

describe('quiet hours', () => {
  it.each([
    ['before them', '22-7', '2026-11-28T21:59:59.999Z', null],
    ['at their first moment', '22-7', '2026-11-28T22:00:00Z', '2026-11-29T07:00Z'],
    ['after midnight', '22-7', '2026-11-29T03:00:00Z', '2026-11-29T07:00Z'],
    ['in their last moment', '22-7', '2026-11-29T06:59:59.999Z', '2026-11-29T07:00Z'],
    ['at their end', '22-7', '2026-11-29T07:00:00Z', null],
    ['within a day', '9-17', '2026-11-29T12:00:00Z', '2026-11-29T17:00Z'],
    ['until midnight', '22-0', '2026-11-28T23:30:00Z', '2026-11-29T00:00Z'],
    ['with equal hours', '7-7', '2026-11-28T07:30:00Z', null],
  ])('%s', (_, hours, now, end) => expect(until(hours, now)).toBe(end));

  it.each([
    // London: on 28 March 2027 01:00 to 01:59 does not exist, so 07:00 is 06:00 UTC.
    ['a shorter night', 'Europe/London', '22-7', '2027-03-27T23:00:00Z', '2027-03-28T06:00Z'],
    ['an end that does not exist', 'Europe/London', '22-1', '2027-03-28T00:30:00Z', '2027-03-28T01:00Z'],
    ['a beginning that does not exist', 'Europe/London', '1-5', '2027-03-28T01:00:00Z', '2027-03-28T04:00Z'],
    ['hours that do not exist', 'Europe/London', '1-2', '2027-03-28T01:00:00Z', null],
    [
      'all but an hour that does not exist',
      'Europe/London',
      '2-1',
      '2027-03-28T00:30:00Z',
      '2027-03-29T00:00Z',
    ],
    // On 31 October 2027 01:00 to 01:59 comes twice.
    ['a longer night', 'Europe/London', '22-7', '2027-10-30T23:00:00Z', '2027-10-31T07:00Z'],
    [
      'the first of an hour that comes twice',
      'Europe/London',
      '22-2',
      '2027-10-31T00:30:00Z',
      '2027-10-31T02:00Z',
    ],
    ['the second of it', 'Europe/London', '22-2', '2027-10-31T01:30:00Z', '2027-10-31T02:00Z'],
    ['an end that comes twice', 'Europe/London', '22-1', '2027-10-30T23:30:00Z', '2027-10-31T00:00Z'],
    ['after an end that comes twice', 'Europe/London', '22-1', '2027-10-31T01:30:00Z', null],
    ['half an hour of difference', 'Asia/Kolkata', '22-7', '2026-11-28T18:00:00Z', '2026-11-29T01:30Z'],
    [
      'a clock that moves by half an hour',
      'Australia/Lord_Howe',
      '22-7',
      '2027-04-03T13:00:00Z',
      '2027-04-03T20:30Z',
    ],
    [
      'a midnight that does not exist',
      'America/Santiago',
      '22-0',
      '2027-09-05T03:30:00Z',
      '2027-09-05T04:00Z',
    ],
  ])('%s', (_, zone, hours, now, end) => expect(until(hours, now, zone)).toBe(end));

  it('follow each other, and hold nothing back for longer than about a day together', () => {
    const [night, morning, day] = [
      { from: 22, to: 7, timeZone: 'Europe/London' },
      { from: 6, to: 9, timeZone: 'Europe/London' },
      { from: 7, to: 22, timeZone: 'Europe/London' },
    ];
    const now = at('2026-11-28T23:00:00Z');
    expect(quietUntil([night, morning], now)).toBe(at('2026-11-29T09:00:00Z'));
    expect(quietUntil([], now)).toBeNull();
    expect((quietUntil([night, day], now) ?? 0) - now).toBeLessThan(2 * DAY);
  });

  it('a zone that is not known holds nothing back', () => {
    expect(until('0-23', '2026-11-28T12:00:00Z', 'Mars/Olympus')).toBeNull();
  });
});
