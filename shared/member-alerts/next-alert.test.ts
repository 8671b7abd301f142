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
      follows: [],
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
    'Notifications reach you at once, without a sound until Sunday 29 November at 07:00.',
  ]);
  expect(words({ alerts: { quietHours }, timeZone: 'Europe/Paris' }, NIGHT)[0]).toBe(
    'Your quiet hours last until Sunday 29 November at 07:00 (Europe/Paris).',
  );
});

it('says when a pause ends, and what follows it', () => {
  const pausedUntil = '2026-11-29T12:00:00.000Z';
  const paused =
    'Your alerts are paused until Sunday 29 November at 12:00. You get no alerts for anything that opens before then.';
  expect(words({ alerts: { quietHours, pausedUntil } }, NIGHT)).toEqual([paused]);
  expect(words({ alerts: { quietHours: { from: 10, to: 14 }, pausedUntil, push: true } }, NIGHT)).toEqual([
    paused,
    'The next alert reaches you by email on Sunday 29 November at 14:00, if it is still open then; if not, it is not sent.',
    'Notifications reach you from Sunday 29 November at 12:00, without a sound until Sunday 29 November at 14:00.',
  ]);
  expect(words({ alerts: { pausedUntil } }, Date.parse(pausedUntil))).toEqual([
    'The next alert reaches you at once.',
  ]);
});

const AT_ONCE = 'The next alert reaches you at once.';
const NO_PRO = 'Email alerts and notifications come with Pro, so you would get none at the moment.';
const NONE = 'The next alert would not reach you: you can currently get no emails or notifications.';
const QUIET = 'Your quiet hours last until Sunday 29 November at 07:00.';
const MAIL =
  'The next alert reaches you by email on Sunday 29 November at 07:00, if it is still open then; if not, it is not sent.';
const SILENT = 'Notifications reach you at once, without a sound until Sunday 29 November at 07:00.';
const PAUSED =
  'Your alerts are paused until Monday 30 November at 02:00. You get no alerts for anything that opens before then.';
const MAIL_AFTER =
  'The next alert reaches you by email on Monday 30 November at 07:00, if it is still open then; if not, it is not sent.';
const SILENT_AFTER =
  'Notifications reach you from Monday 30 November at 02:00, without a sound until Monday 30 November at 07:00.';
const mailOnly = { email: true, push: false };
const pushOnly = { email: false, push: true };
const both = { email: true, push: true };
const none = { email: false, push: false };
const paused = { pausedUntil: '2026-11-30T02:00:00.000Z' };

it.each<[string, object, object, string[]]>([
  ['no Pro, whatever else', { ...both, quietHours, ...paused }, { isPro: false }, [NO_PRO]],
  ['neither channel', { ...none, quietHours, ...paused }, {}, [NONE]],
  ['mail that is refused', mailOnly, { takesMail: false }, [NONE]],
  ['notifications without a device', pushOnly, { hasDevice: false }, [NONE]],
  ['mail', mailOnly, {}, [AT_ONCE]],
  ['notifications', pushOnly, {}, [AT_ONCE]],
  ['quiet hours, mail', { ...mailOnly, quietHours }, {}, [QUIET, MAIL]],
  ['quiet hours, notifications', { ...pushOnly, quietHours }, {}, [QUIET, SILENT]],
  ['quiet hours, both', { ...both, quietHours }, {}, [QUIET, MAIL, SILENT]],
  ['quiet hours, both, mail refused', { ...both, quietHours }, { takesMail: false }, [QUIET, SILENT]],
  ['quiet hours, both, no device', { ...both, quietHours }, { hasDevice: false }, [QUIET, MAIL]],
  ['a pause, by day', { ...both, quietHours: { from: 9, to: 17 }, ...paused }, {}, [PAUSED]],
  ['a pause that ends at night, mail', { ...mailOnly, quietHours, ...paused }, {}, [PAUSED, MAIL_AFTER]],
  [
    'a pause that ends at night, both',
    { ...both, quietHours, ...paused },
    {},
    [PAUSED, MAIL_AFTER, SILENT_AFTER],
  ],
  ['a pause that is over', { ...both, pausedUntil: '2026-11-28T22:59:59.999Z' }, {}, [AT_ONCE]],
])('says what reaches a member at night: %s', (_, alerts, changes, sentences) => {
  expect(words({ alerts }, NIGHT, changes)).toEqual(sentences);
});

it('says which products have longer quiet hours', () => {
  const night = { quiet_from: 22, quiet_to: 8 };
  const follows = [night, { quiet_from: 20, quiet_to: 6 }, { quiet_from: null, quiet_to: null }];
  const longer = (products: string) =>
    `Emails about ${products} that you follow wait longer, because of their own quiet hours.`;
  expect(words({ alerts: mailOnly }, NIGHT, { follows })).toEqual([AT_ONCE, longer('2 products')]);
  expect(words({ alerts: { ...mailOnly, quietHours } }, NIGHT, { follows })).toEqual([
    QUIET,
    MAIL,
    longer('1 product'),
  ]);
  expect(words({ alerts: pushOnly }, NIGHT, { follows })).toEqual([AT_ONCE]);
  expect(words({ alerts: mailOnly }, NOON, { follows })).toEqual([AT_ONCE]);
});
