import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, expect, it } from 'vitest';
import { fromIso, MINUTE, SECOND } from '#shared/clock';
import {
  adminTitles,
  withDaemon,
  isMarkedAsRepeat,
  openRoom,
  readDelivery,
  requestsOf,
  untilDelivery,
} from './delivery-fixture';
import { createMonitorFixture, eventually, type MonitorFixture } from '../monitor/monitor-fixture';
import { startFakeWebhookServer } from './fake-webhook-server';

const instant = (fixture: MonitorFixture) => fixture.sandbox.discord.messages('instant');
const free = (fixture: MonitorFixture) => fixture.sandbox.discord.messages('free');

/** The time from each response to the next request. */
function pauses(requests: readonly { receivedAt: number; answeredAt: number | null }[]): number[] {
  return requests
    .slice(1)
    .map((request, index) => request.receivedAt - (requests[index]?.answeredAt ?? Number.NaN));
}

const NANOSECONDS_PER_MS = 1e6;

describe.concurrent('a delivery that Discord delays', () => {
  it('waits as long as a 429 asks for, to the fraction of a second', () =>
    withDaemon({ webhooks: ['instant'] }, async (fixture) => {
      const waits = [0.35, 1.25, 0.6];
      fixture.sandbox.discord.setFaults(
        'instant',
        waits.map((retryAfter) => ({ kind: 'status', status: 429, retryAfter })),
      );
      const lag = monitorEventLoopDelay();
      lag.enable();
      await openRoom(fixture);
      await eventually(() => expect(instant(fixture)).toHaveLength(1));
      const late = pauses(requestsOf(fixture, 'instant', 'POST')).map(
        (pause, index) => pause - (waits[index] ?? 0) * SECOND,
      );
      expect(late).toHaveLength(3);
      expect(Math.min(...late)).toBeGreaterThan(-2);
      // How long the last one was to wait: the attempt itself may be late on a busy machine. Daemon, sandbox and test share
      // this process: allow for the event loop delay.
      const { due_at: dueAt } = await readDelivery(fixture, 'instant');
      const answeredAt = requestsOf(fixture, 'instant', 'POST')[2]?.answeredAt ?? Number.NaN;
      expect(fromIso(dueAt) - answeredAt - 600).toBeLessThan(300 + lag.max / NANOSECONDS_PER_MS);
      expect(isMarkedAsRepeat(instant(fixture)[0])).toBe(false);
    }));

  it('reads a fractional wait that only a header gives', async () => {
    const hook = await startFakeWebhookServer((response, count) => {
      if (count === 1) response.writeHead(429, { 'retry-after': '0.75' }).end();
      else
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"1500000000000000001"}');
    });
    try {
      await withDaemon(
        { webhooks: [], environment: { DISCORD_WEBHOOK_HOSTS: hook.host } },
        async (fixture) => {
          await fixture.setWebhook('instant', hook.webhookUrl);
          await openRoom(fixture);
          const row = await untilDelivery(fixture, 'instant', 'sent');
          expect(row.message_id).toBe('1500000000000000001');
          const [first, second] = hook.requests;
          expect((second?.receivedAt ?? 0) - (first?.receivedAt ?? 0)).toBeGreaterThanOrEqual(749);
          expect(hook.requests).toHaveLength(2);
        },
      );
    } finally {
      await hook.close();
    }
  });

  it('delays the other audience too when the limit is global', () =>
    withDaemon({}, async (fixture) => {
      fixture.sandbox.discord.setFaults('instant', [
        { kind: 'status', status: 429, retryAfter: 60, global: true },
      ]);
      const began = fixture.clock.now();
      await openRoom(fixture);
      await eventually(async () => expect((await readDelivery(fixture, 'instant')).last_status).toBe(429));
      const { due_at: dueAt } = await readDelivery(fixture, 'free');
      expect(Date.parse(dueAt)).toBeGreaterThan(began + 59 * SECOND);
      fixture.clock.advance(31 * SECOND);
      await fixture.check();
      expect(requestsOf(fixture, 'free', 'POST')).toEqual([]);
      // The sandbox's limit ends in real time.
      fixture.sandbox.discord.setFaults('instant', []);
      fixture.clock.advance(30 * SECOND);
      await eventually(() =>
        expect([free(fixture), instant(fixture)].map(({ length }) => length)).toEqual([1, 1]),
      );
    }));

  it.each(['shared', 'user'] as const)(
    'does not delay the other audience when the limit has scope %s',
    (scope) =>
      withDaemon({}, async (fixture) => {
        fixture.sandbox.discord.setFaults('instant', [
          { kind: 'status', status: 429, retryAfter: 60, scope },
        ]);
        await openRoom(fixture);
        await eventually(async () => expect((await readDelivery(fixture, 'instant')).last_status).toBe(429));
        fixture.clock.advance(30 * SECOND);
        await eventually(() => expect(free(fixture)).toHaveLength(1));
        expect(instant(fixture)).toHaveLength(0);
      }),
  );

  it('is delivered once after two server faults, with growing delays', () =>
    withDaemon({ webhooks: ['instant'] }, async (fixture) => {
      fixture.sandbox.discord.setFaults('instant', [
        { kind: 'status', status: 500 },
        { kind: 'status', status: 502 },
      ]);
      await openRoom(fixture);
      const row = await untilDelivery(fixture, 'instant', 'sent');
      expect(row.attempts).toBe(3);
      const [first = 0, second = 0] = pauses(requestsOf(fixture, 'instant', 'POST'));
      expect(first).toBeGreaterThanOrEqual(795);
      expect(second).toBeGreaterThanOrEqual(1_595);
      expect(instant(fixture)).toHaveLength(1);
      expect(isMarkedAsRepeat(instant(fixture)[0])).toBe(false);
    }));
});

describe.concurrent('a delivery whose response is lost', () => {
  it('is repeated, marked as a repeat, when the connection is cut before acceptance, because the client cannot tell', () =>
    withDaemon({ webhooks: ['instant'] }, async (fixture) => {
      fixture.sandbox.discord.setFaults('instant', [{ kind: 'reset' }]);
      await openRoom(fixture);
      const row = await untilDelivery(fixture, 'instant', 'sent');
      expect(row).toMatchObject({ attempts: 2, uncertain: 1 });
      expect(instant(fixture).map(isMarkedAsRepeat)).toEqual([true]);
    }));

  it('is repeated with a mark when the connection was cut after acceptance', () =>
    withDaemon({ webhooks: ['instant'] }, async (fixture) => {
      fixture.sandbox.discord.setFaults('instant', [{ kind: 'reset', accept: true }]);
      await openRoom(fixture);
      await untilDelivery(fixture, 'instant', 'sent');
      expect(instant(fixture).map(isMarkedAsRepeat)).toEqual([false, true]);
    }));

  it('is not marked as a repeat when no connection was made', async () => {
    const hook = await startFakeWebhookServer((response) =>
      response.writeHead(200).end('{"id":"1500000000000000002"}'),
    );
    await hook.close();
    try {
      await withDaemon(
        { webhooks: [], environment: { DISCORD_WEBHOOK_HOSTS: hook.host } },
        async (fixture) => {
          await fixture.setWebhook('instant', hook.webhookUrl);
          await openRoom(fixture);
          const refused = await eventually(async () => {
            const row = await readDelivery(fixture, 'instant');
            expect(row.last_error).toBe('no answer (ECONNREFUSED)');
            return row;
          });
          expect(refused.uncertain).toBe(0);
          await hook.open();
          await untilDelivery(fixture, 'instant', 'sent');
          expect(hook.requests).toHaveLength(1);
        },
      );
    } finally {
      await hook.close();
    }
  });

  it('delays no other delivery while it is awaited', () =>
    withDaemon({}, async (fixture) => {
      fixture.sandbox.discord.setFaults('instant', [{ kind: 'hang', accept: true }]);
      await openRoom(fixture);
      await eventually(() => expect(requestsOf(fixture, 'instant', 'POST')).toHaveLength(1));
      const [hung] = requestsOf(fixture, 'instant', 'POST');
      fixture.clock.advance(30 * SECOND);
      await eventually(() => expect(free(fixture)).toHaveLength(1));
      // The other audience's message was sent while this request still hung.
      expect(hung?.outcome).toBe('hung');
      expect((await readDelivery(fixture, 'instant')).status).toBe('sending');
    }));

  it('at shutdown is repeated once by the next daemon, without the ping and with a mark', async () => {
    const fixture = await createMonitorFixture({ webhooks: ['instant'] });
    try {
      fixture.sandbox.discord.setFaults('instant', [{ kind: 'hang', accept: true }]);
      const daemon = await fixture.startDaemon();
      await openRoom(fixture);
      await eventually(() => expect(instant(fixture)).toHaveLength(1));
      await daemon.stop();
      expect(await readDelivery(fixture, 'instant')).toMatchObject({ status: 'pending', uncertain: 1 });
      await fixture.startDaemon();
      await untilDelivery(fixture, 'instant', 'sent');
      expect(instant(fixture).map(isMarkedAsRepeat)).toEqual([false, true]);
    } finally {
      await fixture.cleanup();
    }
  });

  it('expires after ten minutes: it is not sent, and the admins are notified', () =>
    withDaemon({ webhooks: ['instant', 'admin'] }, async (fixture) => {
      fixture.sandbox.discord.setFaults('instant', [{ kind: 'status', status: 503, persistent: true }]);
      await openRoom(fixture);
      await eventually(async () => expect((await readDelivery(fixture, 'instant')).last_status).toBe(503));
      fixture.sandbox.discord.setFaults('instant', []);
      fixture.clock.advance(10 * MINUTE);
      const row = await untilDelivery(fixture, 'instant', 'expired');
      expect(row.last_error).toMatch(/^Discord answered 503/);
      await eventually(() =>
        expect(adminTitles(fixture)).toEqual(['An alert did not reach the instant audience']),
      );
      await fixture.check();
      expect(instant(fixture)).toHaveLength(0);
      expect(adminTitles(fixture)).toHaveLength(1);
    }));
});
