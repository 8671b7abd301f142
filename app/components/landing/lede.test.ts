import { expect, test } from 'vitest';
import { ledeOf, type WatchedHours } from './lede';

const watched = (changes: Partial<WatchedHours> = {}): WatchedHours => ({
  running: true,
  online: true,
  intervalSeconds: 15,
  hoursInWords: '9am to 9pm',
  ...changes,
});

test('the lede names the interval and the hours in which the monitor looks', () => {
  expect(ledeOf(watched())).toMatch(/looks at the shop every 15 seconds, 9am to 9pm UK time, and tells/);
  expect(ledeOf(watched({ hoursInWords: 'all day', intervalSeconds: 60 }))).toMatch(
    /looks at the shop every minute, all day, and tells/,
  );
});

// It once said "looks at the shop every 15 seconds" above a card that said "Monitoring is switched off".
test.each([
  ['is switched off', watched({ running: false }), /Monitoring is switched off right now\.$/],
  ['has no daemon', watched({ online: false }), /Monitoring is interrupted right now\.$/],
])('it claims no checks while the monitor %s', (_, state, ending) => {
  expect(ledeOf(state)).not.toMatch(/looks at the shop every|all day/);
  expect(ledeOf(state)).toMatch(ending);
});

test('it claims neither interval nor hours while they cannot be read', () => {
  expect(ledeOf(null)).not.toMatch(/every|all day|\d(am|pm)/);
});
