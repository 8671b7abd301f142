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
const CLOSED: LastAlert = {
  status: 'closed',
  openedAt: ago(49 * MINUTE),
  closedAt: ago(10 * MINUTE),
  lastSeenAt: ago(11 * MINUTE),
  closeReason: null,
  notified: { instantAt: ago(49 * MINUTE), freeAt: ago(49 * MINUTE - 30_400) },
  free: null,
};

const describe = (status: Partial<LiveMonitor['status']>, lastAlert: LastAlert | null) =>
  describeWaitingRoom({
    live: {
      status: { ...STATUS, ...status },
      bands: [],
      slug: 'a-shop',
      shop: 'A Shop',
      timeZone: 'Europe/London',
      hoursInWords: '9am to 9pm',
      now: toIso(NOW),
    },
    lastAlert,
  });

test('an open alert is an open waiting room, with the measured head start of Premium', () => {
  const view = describe({ alert: OPEN }, null);
  expect(view).toMatchObject({ kind: 'open', headline: 'The waiting room is open, since 12:56 today.' });
  expect(view.headStart).toEqual({
    value: '30 seconds',
    text: 'Premium members were notified at 12:56:01, everyone else at 12:56:31.',
  });
  expect(describe({ alert: { ...OPEN, instantNotifiedAt: null } }, null).headStart).toBeNull();
});

test('before the free message is sent, the page says when it will be', () => {
  const loaded: LastAlert = { ...CLOSED, status: 'open', closedAt: null, free: 'pending' };
  expect(describe({ alert: { ...OPEN, freeNotifiedAt: null } }, loaded).headStart).toEqual({
    value: null,
    text: 'Premium members were notified at 12:56:01. Everyone else is notified 30 seconds later.',
  });
  // Without a free webhook only the pro members are notified.
  expect(
    describe({ alert: { ...OPEN, freeNotifiedAt: null } }, { ...loaded, free: null }).headStart,
  ).toBeNull();
});

test('a waiting room that closed before the free message was due was for Premium alone', () => {
  const alone = { instantAt: ago(49 * MINUTE), freeAt: null };
  expect(describe({}, { ...CLOSED, notified: alone, free: 'cancelled' }).headStart).toMatchObject({
    value: 'All of it',
  });
  // One that could not be sent says nothing about the closing.
  expect(describe({}, { ...CLOSED, notified: alone }).headStart).toBeNull();
});

test.each(['moved', 'removed'] as const)(
  'an alert that ended with its watch (%s) has no known end',
  (closeReason) => {
    expect(describe({}, { ...CLOSED, closeReason })).toMatchObject({
      kind: 'unknown',
      headline:
        'We stopped watching this shop while its waiting room was open at 12:49 today, so we cannot say when it closed.',
    });
  },
);

test('a closed one has its duration and its end', () => {
  expect(describe({}, CLOSED)).toMatchObject({
    kind: 'closed',
    headline: 'The waiting room has closed. It lasted 39 minutes, until 12:50 today.',
    headStart: { value: '30.4 seconds' },
  });
});

test('one that closed while the page was shown is closed', () => {
  const loaded: LastAlert = { ...CLOSED, status: 'open', openedAt: OPEN.openedAt, closedAt: null };
  expect(describe({}, loaded).headline).toBe('The waiting room has closed.');
  expect(describe({ withinHours: false }, loaded).kind).toBe('unknown');
});

test('without an alert there has been no waiting room', () => {
  expect(describe({}, null)).toMatchObject({
    kind: 'closed',
    headline: 'No waiting room has been seen here yet.',
  });
});

test('an unknown state is not shown as open or closed', () => {
  const suspended: LastAlert = { ...CLOSED, status: 'suspended', closedAt: null };
  expect(describe({ scheduler: { ...STATUS.scheduler, running: false } }, suspended).kind).toBe('unknown');
  expect(describe({ alert: OPEN, daemon: { online: false, lastHeartbeat: null } }, null).kind).toBe(
    'unknown',
  );
  expect(describeWaitingRoom({ live: null, lastAlert: CLOSED }).kind).toBe('unknown');
});
