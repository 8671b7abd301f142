import { expect, test } from 'vitest';
import type { LiveMonitor } from '~/components/monitor/live-card';
import { ledeOf } from './hero';

const LIVE: LiveMonitor = {
  status: {
    queueActive: false,
    lastCheck: null,
    lastResponseMs: null,
    lastReason: null,
    withinHours: true,
    state: 'unknown',
    scheduler: { running: true, intervalSeconds: 15, nextCheck: null },
    daemon: { online: true, lastHeartbeat: null },
    window: { hours: '9-21', nextOpening: null },
    alert: null,
    silent: false,
  },
  bands: [],
  slug: 'pokemon-center-uk',
  shop: 'Pokemon Center UK',
  timeZone: 'Europe/London',
  hoursInWords: '9am to 9pm',
  now: '2026-11-20T12:00:00.000Z',
};

const lede = (status: Partial<LiveMonitor['status']>) =>
  ledeOf({ ...LIVE, status: { ...LIVE.status, ...status } });

test('names the interval and the hours while checks run', () => {
  expect(lede({})).toContain('checks the shop every 15 seconds, 9am to 9pm UK time, and tells');
  expect(ledeOf({ ...LIVE, hoursInWords: 'all day' })).toContain('every 15 seconds, all day, and tells');
  expect(lede({ withinHours: false })).toContain(
    'every 15 seconds in its monitoring hours, 9am to 9pm UK time',
  );
});

// It used to claim a check every 15 seconds above a card with "Monitoring is stopped".
test('does not claim checks while none run', () => {
  const off = lede({ scheduler: { running: false, intervalSeconds: 15, nextCheck: null } });
  expect(off).toContain('Monitoring is stopped right now.');
  const away = lede({ daemon: { online: false, lastHeartbeat: null } });
  expect(away).toContain('The checks are interrupted right now.');
  for (const words of [off, away, ledeOf(null)]) expect(words).not.toMatch(/every|all day/);
});
