import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { fromIso, HOUR, MINUTE, SECOND, toIso } from '#shared/clock';
import { enqueueCheck } from '#shared/queues/enqueue';
import { createDaemonSuite, type DaemonSuite } from '../daemon-suite';
import {
  closeRoom,
  isMarkedAsRepeat,
  openRoom,
  readDelivery,
  requestsOf,
  untilDelivery,
  FLAPPING,
} from '../alerts/delivery-fixture';
import { eventually, type MonitorFixture } from '../monitor/monitor-fixture';

const rounds = Number(process.env.PACKWATCH_KILLS ?? 4);
let suite: DaemonSuite;

beforeAll(async () => {
  suite = await createDaemonSuite();
});
afterAll(() => suite.close());

const runTest: DaemonSuite['run'] = (test, webhooks = ['instant']) => suite.run(test, webhooks);

const instant = (fixture: MonitorFixture) => fixture.sandbox.discord.messages('instant');
const free = (fixture: MonitorFixture) => fixture.sandbox.discord.messages('free');

/** Moves all times of the alerts into the past by this much. */
async function ageAlerts(fixture: MonitorFixture, ms: number): Promise<void> {
  const earlier = (time: string | null): string | null => (time === null ? null : toIso(fromIso(time) - ms));
  for (const alert of await fixture.db.selectFrom('alerts').selectAll().execute()) {
    await fixture.db
      .updateTable('alerts')
      .set({
        opened_at: toIso(fromIso(alert.opened_at) - ms),
        last_seen_at: toIso(fromIso(alert.last_seen_at) - ms),
        closed_at: earlier(alert.closed_at),
      })
      .where('id', '=', alert.id)
      .execute();
  }
  for (const row of await fixture.db.selectFrom('alert_deliveries').selectAll().execute()) {
    await fixture.db
      .updateTable('alert_deliveries')
      .set({ due_at: toIso(fromIso(row.due_at) - ms), expires_at: toIso(fromIso(row.expires_at) - ms) })
      .where('id', '=', row.id)
      .execute();
  }
}

// The daemon that follows runs in the process of the tests: it need not be killed.
describe.concurrent('a daemon that is killed', { timeout: 5 * MINUTE }, () => {
  it('while the webhook hangs before it accepts results in one message', () =>
    runTest(async ({ fixture, startDaemon }) => {
      const daemon = await startDaemon();
      fixture.sandbox.discord.setFaults('instant', [{ kind: 'hang' }]);
      await openRoom(fixture);
      await eventually(() => expect(requestsOf(fixture, 'instant', 'POST')).toHaveLength(1));
      await daemon.kill('SIGKILL');
      await fixture.startDaemon();
      await untilDelivery(fixture, 'instant', 'sent');
      expect(instant(fixture)).toHaveLength(1);
      expect(requestsOf(fixture, 'instant', 'POST')).toHaveLength(2);
    }));

  it('between Discord’s acceptance and the stored outcome repeats the message at most once, and marks it', () =>
    runTest(async ({ fixture, startDaemon }) => {
      const daemon = await startDaemon();
      fixture.sandbox.discord.setFaults('instant', [{ kind: 'delay', ms: MINUTE }]);
      await openRoom(fixture);
      await eventually(() => expect(instant(fixture)).toHaveLength(1));
      await daemon.kill('SIGKILL');
      await fixture.startDaemon();
      await untilDelivery(fixture, 'instant', 'sent');
      expect(instant(fixture).map(isMarkedAsRepeat)).toEqual([false, true]);
    }));

  it('during a fetch loses only that check: the next one detects the room at once', () =>
    runTest(async ({ fixture, startDaemon }) => {
      const daemon = await startDaemon();
      fixture.sandbox.shop.show('imperva-room', { delayMs: MINUTE });
      await enqueueCheck(fixture.queues, { watchId: DEFAULT_WATCH_ID, trigger: 'manual' });
      await eventually(() => expect(fixture.sandbox.shop.requests()).toHaveLength(1));
      const { redis } = fixture.queues;
      const monitor = await fixture.queues.open('monitor');
      const [job] = await monitor.getActive();
      const lease = await fixture.db.selectFrom('watches').select('lease_until').executeTakeFirstOrThrow();
      await daemon.kill('SIGKILL');
      // Within this test Redis gives the job of the dead daemon to no other daemon.
      expect(await redis.pexpire(monitor.toKey(`${job?.id}:lock`), HOUR)).toBe(1);
      await fixture.startDaemon();
      fixture.sandbox.shop.show('imperva-room');
      const check = await fixture.check();
      expect(check.queue_detected).toBe(true);
      // Neither the job nor the lease of the dead daemon blocks the next check.
      expect(await monitor.getActiveCount()).toBe(1);
      expect(check.check_timestamp < (lease.lease_until ?? '')).toBe(true);
      await eventually(() => expect(instant(fixture)).toHaveLength(1));
      expect(await fixture.db.selectFrom('alerts').select('id').execute()).toHaveLength(1);
    }));

  it('before the free delivery is due still sends it at its time', () =>
    runTest(
      async ({ fixture, startDaemon }) => {
        const daemon = await startDaemon();
        await openRoom(fixture);
        await untilDelivery(fixture, 'instant', 'sent');
        await daemon.kill('SIGKILL');
        await ageAlerts(fixture, 26 * SECOND);
        await fixture.startDaemon();
        const readyAt = Date.now();
        await eventually(() => expect(free(fixture)).toHaveLength(1));
        const row = await untilDelivery(fixture, 'free', 'sent');
        const alert = await fixture.db.selectFrom('alerts').select('opened_at').executeTakeFirstOrThrow();
        expect(fromIso(row.due_at) - fromIso(alert.opened_at)).toBe(30 * SECOND);
        const toldAt = free(fixture)[0]?.receivedAt ?? 0;
        expect(toldAt - fromIso(row.due_at)).toBeGreaterThanOrEqual(-1);
        // On a busy machine the daemon may start later than that. What a dead daemon has claimed is free after two minutes.
        expect(toldAt - Math.max(fromIso(row.due_at), readyAt)).toBeLessThan(30 * SECOND);
        expect(instant(fixture)).toHaveLength(1);
      },
      ['instant', 'free'],
    ));

  it('while the room is open does not repeat the alert', () =>
    runTest(async ({ fixture, startDaemon }) => {
      const daemon = await startDaemon();
      await openRoom(fixture);
      await untilDelivery(fixture, 'instant', 'sent');
      await daemon.kill('SIGKILL');
      await fixture.startDaemon();
      await openRoom(fixture);
      await fixture.check();
      expect(instant(fixture)).toHaveLength(1);
      expect(requestsOf(fixture, 'instant', 'POST')).toHaveLength(1);
      expect((await readDelivery(fixture, 'instant')).attempts).toBe(1);
    }));

  it(
    `loses no alert in ${rounds} rounds of being killed at any moment`,
    { timeout: 2 * rounds * MINUTE },
    () =>
      runTest(async ({ fixture, startDaemon }) => {
        let daemon = await startDaemon();
        for (let round = 1; round <= rounds; round += 1) {
          const before = instant(fixture).length;
          fixture.sandbox.shop.show('imperva-room');
          await enqueueCheck(fixture.queues, { watchId: DEFAULT_WATCH_ID, trigger: 'manual' });
          // A random moment, so that every step gets killed at some time.
          await sleep(Math.random() * 300);
          await daemon.kill('SIGKILL');
          daemon = await startDaemon();
          await fixture.check();
          await untilDelivery(fixture, 'instant', 'sent');
          const messages = instant(fixture).slice(before);
          expect([[false], [true], [false, true]], `round ${round}`).toContainEqual(
            messages.map(isMarkedAsRepeat),
          );
          await closeRoom(fixture);
          await ageAlerts(fixture, 6 * MINUTE);
        }
        expect(await fixture.db.selectFrom('alerts').select('id').execute()).toHaveLength(rounds);
      }),
  );
});

describe.concurrent('two concurrent daemons', { timeout: 5 * MINUTE }, () => {
  it('check one after the other and send each alert once', () =>
    runTest(async ({ fixture, startDaemon }) => {
      await Promise.all([startDaemon(), startDaemon()]);
      fixture.sandbox.shop.play(FLAPPING.map((mode) => ({ mode, delayMs: 120 })));
      // Pairs, so that both daemons have work.
      while (fixture.sandbox.shop.requests().length < FLAPPING.length)
        await Promise.all([fixture.check(), fixture.check()]);

      const visits = fixture.sandbox.shop.requests();
      const overlaps = visits.filter(
        (visit, index) => index > 0 && visit.receivedAt < (visits[index - 1]?.answeredAt ?? Infinity),
      );
      expect(overlaps).toEqual([]);
      const checks = await fixture.db.selectFrom('monitor_checks').select('id').execute();
      expect(checks).toHaveLength(visits.length);
      await untilDelivery(fixture, 'instant', 'sent');
      expect(requestsOf(fixture, 'instant', 'POST')).toHaveLength(1);
      expect(await fixture.db.selectFrom('alerts').select('id').execute()).toHaveLength(1);
      // Both daemons are still running.
      const living = await fixture.db
        .selectFrom('daemon_heartbeats')
        .select('id')
        .where('stopped_at', 'is', null)
        .execute();
      expect(living).toHaveLength(2);
    }));
});
