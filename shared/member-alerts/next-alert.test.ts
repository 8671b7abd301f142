import { expect, it } from 'vitest';
import { readPreferences } from '../accounts/preferences';
import { nextAlertWords } from './next-alert';

const NIGHT = Date.parse('2026-11-28T23:00:00Z');
const NOON = Date.parse('2026-11-28T12:00:00Z');
const words = (stored: object, now: number, changes: object = {}) =>
  nextAlertWords(
    {
      preferences: readPreferences(JSON.stringify(stored)),
      isPro: true,
      takesMail: true,
      hasDevice: true,
      ...changes,
    },
    now,
  );
const quietHours = { from: 22, to: 7 };

it('says that an alert arrives at once, or why none does', () => {
  expect(words({ alerts: { quietHours } }, NOON)).toEqual(['The next alert reaches you at once.']);
  expect(words({}, NOON, { isPro: false })[0]).toContain('come with Pro');
  expect(words({}, NOON, { takesMail: false })[0]).toContain('would not reach you');
  expect(words({ alerts: { email: false, push: true } }, NOON, { hasDevice: false })[0]).toContain(
    'would not reach you',
  );
});

it('says when quiet hours end, in the time zone of the member', () => {
  expect(words({ alerts: { quietHours, push: true } }, NIGHT)).toEqual([
    'Your quiet hours last until Sunday 29 November at 07:00.',
    'The next alert reaches you by email on Sunday 29 November at 07:00, if it is still open then; if not, it is not sent.',
    'Notifications reach you at once, without a sound until then.',
  ]);
  expect(words({ alerts: { quietHours }, timeZone: 'Europe/Paris' }, NIGHT)[0]).toBe(
    'Your quiet hours last until Sunday 29 November at 07:00 (Europe/Paris).',
  );
});

it('says when a pause ends, and what follows it', () => {
  const pausedUntil = '2026-11-29T12:00:00.000Z';
  const paused =
    'Your alerts are paused until Sunday 29 November at 12:00: what opens before is not sent to you, also not later.';
  expect(words({ alerts: { quietHours, pausedUntil } }, NIGHT)).toEqual([paused]);
  expect(words({ alerts: { quietHours: { from: 10, to: 14 }, pausedUntil, push: true } }, NIGHT)).toEqual([
    paused,
    'The next alert reaches you by email on Sunday 29 November at 14:00, if it is still open then; if not, it is not sent.',
    'Notifications reach you from Sunday 29 November at 12:00, without a sound until then.',
  ]);
  expect(words({ alerts: { pausedUntil } }, Date.parse(pausedUntil))).toEqual([
    'The next alert reaches you at once.',
  ]);
});
