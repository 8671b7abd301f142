import { expect, test } from 'vitest';
import { MINUTE, SECOND, toIso } from '#shared/clock';
import type { LiveMonitor } from '~/components/monitor/live-card';
import { describeWaitingRoom, type LastAlert } from './waiting-room-view';

const NOW = Date.parse('2026-11-20T13:00:00.000Z');
const ago = (ms: number) => toIso(NOW - ms);

const STATUS: LiveMonitor['status'] = {
  queueActive: false,
  lastCheck: ago(18 * SECOND),
  lastResponseMs: 400,
  lastReason: null,
  withinHours: true,
  state: 'open',
  scheduler: { running: true, intervalSeconds: 60, nextCheck: null },
  daemon: { online: true, lastHeartbeat: ago(SECOND) },
  window: { hours: '9-21', nextOpening: null },
  alert: null,
  silent: false,
};
const OPEN = {
  openedAt: ago(4 * MINUTE),
  lastSeenAt: ago(18 * SECOND),
  instantNotifiedAt: ago(4 * MINUTE - SECOND),
  freeNotifiedAt: ago(4 * MINUTE - 31 * SECOND),
};
const CLOSED: LastAlert = { status: 'closed', openedAt: ago(49 * MINUTE), closedAt: ago(10 * MINUTE) };

const describe = (status: Partial<LiveMonitor['status']>, lastAlert: LastAlert | null) =>
  describeWaitingRoom({
    live: { status: { ...STATUS, ...status }, bands: [], hoursInWords: '9am to 9pm', now: toIso(NOW) },
    lastAlert,
  });

test('an open alert is an open waiting room, with the stored lead of the instant audience', () => {
  expect(describe({ alert: OPEN }, null)).toMatchObject({
    is: 'open',
    headline: 'The waiting room is open. Premium members were notified 30 seconds earlier.',
  });
  expect(describe({ alert: { ...OPEN, freeNotifiedAt: null } }, null).headline).toBe(
    'The waiting room is open.',
  );
  expect(describe({ alert: { ...OPEN, instantNotifiedAt: null } }, null).headline).toBe(
    'The waiting room is open.',
  );
});

test('a closed one has its duration and its end', () => {
  expect(describe({}, CLOSED)).toMatchObject({
    is: 'closed',
    headline: 'The waiting room has closed. It lasted 39 minutes, until 12:50 today.',
  });
});

test('one that closed while the page was shown is closed', () => {
  const loaded: LastAlert = { status: 'open', openedAt: OPEN.openedAt, closedAt: null };
  expect(describe({}, loaded).headline).toBe('The waiting room has closed.');
  expect(describe({ withinHours: false }, loaded).is).toBe('unknown');
});

test('without an alert there has been no waiting room', () => {
  expect(describe({}, null)).toMatchObject({
    is: 'closed',
    headline: 'No waiting room has been seen here yet.',
  });
});

test('an unknown state is not shown as open or closed', () => {
  const suspended: LastAlert = { status: 'suspended', openedAt: ago(49 * MINUTE), closedAt: null };
  expect(describe({ scheduler: { ...STATUS.scheduler, running: false } }, suspended).is).toBe('unknown');
  expect(describe({ alert: OPEN, daemon: { online: false, lastHeartbeat: null } }, null).is).toBe('unknown');
  expect(describeWaitingRoom({ live: null, lastAlert: CLOSED }).is).toBe('unknown');
});
