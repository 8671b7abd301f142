import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '#shared/clock';
import { readDaemonStatus } from '#shared/monitor/heartbeat';
import { requestCheck } from '#shared/monitor/checks/requests/daemon-request.server';
import { startChild } from '../child-process';
import { fastest } from '../../fastest';
import { freePort } from '../../free-port';
import { createDaemonSuite, type DaemonSuite, type StartedDaemon } from '../daemon-suite';
import { openRoom, requestsOf, untilDelivery } from '../alerts/delivery-fixture';
import { eventually, type MonitorFixture } from '../monitor/monitor-fixture';

let suite: DaemonSuite;

beforeAll(async () => {
  suite = await createDaemonSuite();
});
afterAll(() => suite.close());

/** Requests a check of a shop that takes a minute; resolves once the fetch has started. */
async function beginSlowCheck(
  fixture: MonitorFixture,
): Promise<{ checking: ReturnType<typeof requestCheck> }> {
  fixture.sandbox.shop.show('imperva-room', { delayMs: MINUTE });
  const { db, queues, redisUrl, clock } = fixture;
  const checking = requestCheck({ db, queues, redisUrl, clock, waitMs: 5 * MINUTE });
  checking.catch(() => undefined);
  await eventually(() => expect(fixture.sandbox.shop.requests()).toHaveLength(1));
  return { checking };
}

describe.concurrent('a daemon that receives a stop signal', { timeout: 5 * MINUTE }, () => {
  it('aborts a slow fetch and leaves the check to the next daemon', () =>
    suite.run(async ({ fixture, startDaemon }) => {
      const daemon = await startDaemon();
      const { checking } = await beginSlowCheck(fixture);
      expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
      // The shop answers after a minute.
      expect(fixture.sandbox.shop.requests()).toMatchObject([{ answeredAt: null }]);
      expect(await readDaemonStatus(fixture.db, fixture.clock.now())).toMatchObject({ online: false });
      expect(await fixture.db.selectFrom('monitor_checks').select('id').execute()).toEqual([]);

      fixture.sandbox.shop.show('imperva-room');
      await fixture.startDaemon();
      const check = await checking;
      expect(check?.queue_detected).toBe(true);
      await untilDelivery(fixture, 'instant', 'sent');
    }));

  it('finishes the delivery that it is sending', () =>
    suite.run(async ({ fixture, startDaemon }) => {
      const daemon = await startDaemon();
      fixture.sandbox.discord.setFaults('instant', [{ kind: 'delay', ms: 2 * SECOND }]);
      await openRoom(fixture);
      await eventually(() => expect(requestsOf(fixture, 'instant', 'POST')).toHaveLength(1));
      expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
      await untilDelivery(fixture, 'instant', 'sent');
      expect(requestsOf(fixture, 'instant', 'POST').map(({ outcome }) => outcome)).toEqual(['answered']);
    }));

  it('exits at once on a second signal', () =>
    suite.run(async ({ fixture, startDaemon }) => {
      const daemon = await startDaemon();
      await beginSlowCheck(fixture);
      daemon.signal('SIGTERM');
      await eventually(() => expect(daemon.stdout()).toContain('"msg":"stopping"'));
      // A terminal's Ctrl-C may arrive twice at once; only a signal half a second later counts as a second one.
      await sleep(SECOND / 2 + 10);
      // The first signal alone ends it with 0, after five seconds.
      expect(await daemon.kill('SIGTERM')).toEqual({ code: 1, signal: null });
    }));

  it.each(['SIGINT', 'SIGTERM'] as const)('stops for %s at once when it has nothing to do', (signal) =>
    suite.run(async ({ startDaemon }) => {
      const stop = async (daemon: StartedDaemon) =>
        expect(await daemon.kill(signal)).toEqual({ code: 0, signal: null });
      // A running check would have five seconds.
      expect(await fastest(4 * SECOND, stop, startDaemon)).toBeLessThan(4 * SECOND);
    }),
  );

  it('exits with its parent process', () =>
    suite.run(async ({ startDaemon }) => {
      const daemon = await startDaemon();
      daemon.disconnect();
      expect(await daemon.ended).toEqual({ code: 0, signal: null });
    }));

  it('exits when its parent was killed and its output pipe is closed', () =>
    suite.run(async ({ fixture, program }) => {
      const script = `require('node:child_process').spawn(process.execPath, [${JSON.stringify(program)}], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })`;
      // Without Redis the daemon stops before its last log lines are written.
      const environment = {
        ...fixture.environment,
        LOG_LEVEL: 'info',
        REDIS_URL: `unix://${fixture.folder}/nowhere.sock`,
      };
      const parent = startChild(['-e', script], { ...environment, DAEMON_PORT: String(await freePort()) });
      const { pid } = await eventually(() =>
        fixture.db.selectFrom('daemon_heartbeats').select('pid').executeTakeFirstOrThrow(),
      );
      await parent.kill('SIGKILL');
      await eventually(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'));
    }));
});
