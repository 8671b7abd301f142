import { describe, expect, test } from 'vitest';
import { MINUTE, SECOND, toIso } from '#shared/clock';
import type { CheckBand, MonitorStatus } from '#shared/monitor/read-status.server';
import { describeMonitor } from './monitor-view';
import { VERDICT_LABELS } from './verdict-labels';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const ago = (ms: number) => toIso(NOW - ms);

const CALM: MonitorStatus = {
  queueActive: false,
  lastCheck: ago(18 * SECOND),
  lastResponseMs: 1412,
  lastReason: 'The shop answers with an ordinary page.',
  withinHours: true,
  state: 'open',
  scheduler: { running: true, intervalSeconds: 60, nextCheck: toIso(NOW + 42 * SECOND) },
  daemon: { online: true, lastHeartbeat: ago(2 * SECOND) },
  window: { hours: '9-21', nextOpening: null },
  alert: null,
  silent: false,
};

const ALERT = {
  openedAt: ago(4 * MINUTE),
  lastSeenAt: ago(18 * SECOND),
  instantNotifiedAt: ago(4 * MINUTE),
  freeNotifiedAt: null,
};
const LIVE: MonitorStatus = { ...CALM, queueActive: true, state: 'waiting_room', alert: ALERT };

const viewOf = (status: Partial<MonitorStatus>, bands: CheckBand[] = []) =>
  describeMonitor({ ...CALM, ...status }, bands, NOW);

describe('the state', () => {
  test.each<[string, string, Partial<MonitorStatus>]>([
    ['the shop is open', 'open', {}],
    ['an alert is open', 'waiting_room', LIVE],
    ['an alert is open and the last check was inconclusive', 'waiting_room', { ...LIVE, state: 'unknown' }],
    ['an alert is open and the last check saw the shop', 'waiting_room', { ...LIVE, state: 'open' }],
    [
      'an alert was opened by a manual check while monitoring is off',
      'waiting_room',
      { ...LIVE, scheduler: { ...CALM.scheduler, running: false } },
    ],
    ['a weak sign waits for its confirmation', 'waiting_room', { state: 'waiting_room' }],
    ['the last check was inconclusive', 'unknown', { state: 'unknown' }],
    [
      'there is no check yet',
      'unknown',
      { state: 'unknown', lastCheck: null, lastResponseMs: null, lastReason: null },
    ],
    ['monitoring is off', 'paused', { scheduler: { ...CALM.scheduler, running: false } }],
    [
      'monitoring is off and the daemon is down',
      'paused',
      { scheduler: { ...CALM.scheduler, running: false }, daemon: { online: false, lastHeartbeat: null } },
    ],
    [
      'the monitoring hours are over',
      'resting',
      { withinHours: false, window: { hours: '9-21', nextOpening: '2026-11-21T09:00:00.000Z' } },
    ],
    [
      'the monitoring hours are over and the last check saw a room',
      'resting',
      { withinHours: false, state: 'waiting_room' },
    ],
    ['the daemon is down', 'offline', { daemon: { online: false, lastHeartbeat: ago(7 * MINUTE) } }],
    [
      'the daemon is down during an alert',
      'offline',
      { ...LIVE, daemon: { online: false, lastHeartbeat: null } },
    ],
  ])('when %s is %s', (_, state, status) => {
    expect(viewOf(status).state).toBe(state);
  });
});

describe('the texts', () => {
  test('a live alert counts from when it was opened', () => {
    expect(viewOf(LIVE)).toMatchObject({
      headline: 'Live for',
      running: { kind: 'elapsed', at: ALERT.openedAt },
    });
  });

  test('an open shop has its start, the last check and the next check', () => {
    const bands: CheckBand[] = [
      {
        from: '2026-11-20T09:00:00.000Z',
        to: '2026-11-20T09:30:00.000Z',
        verdict: 'waiting_room',
        responseMs: 1,
      },
      { from: '2026-11-20T09:31:00.000Z', to: '2026-11-20T10:00:00.000Z', verdict: 'open', responseMs: 1 },
      { from: '2026-11-20T11:00:00.000Z', to: '2026-11-20T11:59:42.000Z', verdict: 'open', responseMs: 1 },
    ];
    const view = viewOf({}, bands);
    expect(view.explanation).toContain('since 09:31');
    expect(view.lastCheck).toContain('Last check at 11:59:42, answered in 1,412 ms.');
    expect(view.next).toEqual({
      label: 'Next check in',
      running: { kind: 'countdown', at: CALM.scheduler.nextCheck },
    });
  });

  test('an unknown verdict has its reason', () => {
    expect(
      viewOf({ state: 'unknown', lastReason: 'The shop refused the request with status 403.' }).explanation,
    ).toContain('refused the request');
  });

  test('the closing hours have the time of the next start', () => {
    const view = viewOf({
      withinHours: false,
      window: { hours: '9-21', nextOpening: '2026-11-21T09:00:00.000Z' },
    });
    expect(view.headline).toBe('Back at 09:00 tomorrow');
    expect(view.explanation).toContain('At the last check, 11:59 today, the shop was open as usual');
  });
});

test('no screen names the state of a shop with "open" alone, which a waiting room may be as well', () => {
  expect(viewOf({}).label).toBe('Shop open');
  expect(viewOf(LIVE).label).toBe('Waiting room');
  expect(VERDICT_LABELS).toEqual({ open: 'Shop open', waiting_room: 'Waiting room', unknown: 'Unknown' });
});
