import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '#shared/clock';
import { readDaemonStatus } from '#shared/monitor/heartbeat';
import { requestCheck } from '#shared/monitor/checks/request-check.server';
import { startChild } from './child-process';
import { freePort } from '../free-port';
import { openTheatre, type Theatre } from './daemon-theatre';
import { openRoom, requestsOf, untilDelivery } from './delivery-view';
import { eventually, type World } from './monitor-world';

let theatre: Theatre;

beforeAll(async () => {
  theatre = await openTheatre();
});
afterAll(() => theatre.close());

/** A check by hand of a shop that takes a minute; resolves once it is being fetched. */
async function beginSlowCheck(world: World): Promise<ReturnType<typeof requestCheck>[]> {
  world.sandbox.shop.show('imperva-room', { delayMs: MINUTE });
  const { db, queues, redisUrl, clock } = world;
  const asked = requestCheck({ db, queues, redisUrl, clock });
  asked.catch(() => undefined);
  await eventually(() => expect(world.sandbox.shop.requests()).toHaveLength(1));
  return [asked];
}

describe.concurrent('a daemon that is asked to stop', { timeout: 2 * MINUTE }, () => {
  it('ends a slow fetch within twelve seconds and hands the check back to whoever comes next', () =>
    theatre.play(async ({ world, start }) => {
      const daemon = await start();
      const [asked] = await beginSlowCheck(world);
      const began = performance.now();
      expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
      expect(performance.now() - began).toBeLessThan(12 * SECOND);
      expect(await readDaemonStatus(world.db, world.clock.now())).toMatchObject({ online: false });
      expect(await world.db.selectFrom('monitor_checks').select('id').execute()).toEqual([]);

      world.sandbox.shop.show('imperva-room');
      await start();
      const check = await asked;
      expect(check?.queue_detected).toBe(true);
      await untilDelivery(world, 'instant', 'sent');
    }));

  it('finishes what it is sending', () =>
    theatre.play(async ({ world, start }) => {
      const daemon = await start();
      world.sandbox.discord.setFaults('instant', [{ kind: 'delay', ms: 2 * SECOND }]);
      await openRoom(world);
      await eventually(() => expect(requestsOf(world, 'instant', 'POST')).toHaveLength(1));
      expect(await daemon.kill('SIGTERM')).toEqual({ code: 0, signal: null });
      await untilDelivery(world, 'instant', 'sent');
      expect(requestsOf(world, 'instant', 'POST').map(({ outcome }) => outcome)).toEqual(['answered']);
    }));

  it('exits at once when asked a second time', () =>
    theatre.play(async ({ world, start }) => {
      const daemon = await start();
      await beginSlowCheck(world);
      daemon.signal('SIGTERM');
      await eventually(() => expect(daemon.stdout()).toContain('"msg":"stopping"'));
      // A terminal's Ctrl-C may arrive twice at one go; what counts is a second wish, half a second later.
      await sleep(SECOND / 2);
      const began = performance.now();
      expect(await daemon.kill('SIGTERM')).toEqual({ code: 1, signal: null });
      expect(performance.now() - began).toBeLessThan(2 * SECOND);
    }));

  it.each(['SIGINT', 'SIGTERM'] as const)('stops for %s at once when it has nothing to do', (signal) =>
    theatre.play(async ({ start }) => {
      const daemon = await start();
      const began = performance.now();
      expect(await daemon.kill(signal)).toEqual({ code: 0, signal: null });
      expect(performance.now() - began).toBeLessThan(4 * SECOND);
    }),
  );

  it('does not outlive the process that started it', () =>
    theatre.play(async ({ start }) => {
      const daemon = await start();
      daemon.disconnect();
      expect(await daemon.ended).toEqual({ code: 0, signal: null });
    }));

  it('does not outlive a parent that was killed and took the other end of its output with it', () =>
    theatre.play(async ({ world, program }) => {
      const script = `require('node:child_process').spawn(process.execPath, [${JSON.stringify(program)}], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })`;
      // Without Redis it stops so quickly that its last words are still on their way when it exits.
      const environment = {
        ...world.environment,
        LOG_LEVEL: 'info',
        REDIS_URL: `unix://${world.folder}/nowhere.sock`,
      };
      const parent = startChild(['-e', script], { ...environment, DAEMON_PORT: String(await freePort()) });
      const { pid } = await eventually(
        () => world.db.selectFrom('daemon_heartbeats').select('pid').executeTakeFirstOrThrow(),
        20_000,
      );
      await parent.kill('SIGKILL');
      await eventually(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), 10_000);
    }));
});
