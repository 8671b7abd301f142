import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { SECOND } from '#shared/clock';
import { stopMonitoring } from '#shared/monitor/start-stop';
import { requestCheck } from '#shared/monitor/checks/request-check.server';
import { enqueueCheck, enqueueDue } from '#shared/queues/enqueue';
import { startPrivateRedis } from '../../scripts/processes/private-redis.mjs';
import { closeRoom, openRoom, readDelivery, requestsOf, untilDelivery } from './delivery-view';
import { createWorld, eventually, type World } from './monitor-world';

const SCHEDULER = `check-${DEFAULT_WATCH_ID}`;
const folder = mkdtempSync(join(tmpdir(), 'packwatch-redis-'));
let redis: Awaited<ReturnType<typeof startPrivateRedis>>;
let world: World;

beforeAll(async () => {
  redis = await startPrivateRedis({ directory: folder });
});
afterAll(async () => {
  await redis.stop();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  world = await createWorld({ redisUrl: redis.url });
});
afterEach(async () => {
  if (!(await redis.isUp())) await redis.start();
  await world.cleanup();
});

const free = () => world.sandbox.discord.messages('free');
const instant = () => world.sandbox.discord.messages('instant');

async function untilReady(ready: boolean): Promise<void> {
  await eventually(() => expect(world.queues.isReady()).toBe(ready));
}

async function schedulers(queue: 'monitor' | 'housekeeping'): Promise<Record<string, number>> {
  const found = await world.queues[queue].getJobSchedulers();
  return Object.fromEntries(found.map((scheduler) => [scheduler.key, Number(scheduler.every)]));
}

/** Time passes until the daemon's next heartbeat is due. */
function letHeartbeatComeDue(): void {
  world.clock.advance(9 * SECOND);
}

async function expectRefusedCheck(withinMs: number): Promise<void> {
  const began = performance.now();
  const { db, queues, redisUrl, clock } = world;
  await expect(requestCheck({ db, queues, redisUrl, clock })).rejects.toMatchObject({
    kind: 'Unavailable',
    code: 'check_failed',
  });
  expect(performance.now() - began).toBeLessThan(withinMs);
}

async function flushEverything(): Promise<void> {
  const connection = new Redis(redis.url);
  await connection.flushall();
  connection.disconnect();
}

describe('while Redis is away', () => {
  it('the free audience still hears at its time, and no delivery needs Redis after the commit', async () => {
    await world.startDaemon();
    await openRoom(world);
    await redis.kill();
    await eventually(() => expect(instant()).toHaveLength(1));
    world.clock.advance(28 * SECOND);
    await eventually(() => expect(free()).toHaveLength(1));
    const { due_at: dueAt } = await untilDelivery(world, 'free', 'sent');
    const cameAt = (free()[0]?.receivedAt ?? 0) + 28 * SECOND;
    expect(cameAt).toBeGreaterThanOrEqual(Date.parse(dueAt) - 1);
    // The daemon loop sweeps once a second; a busy machine gets another one.
    expect(cameAt - Date.parse(dueAt)).toBeLessThan(2.5 * SECOND);
  });

  it('a delivery is retried and comes through', async () => {
    await world.startDaemon();
    world.sandbox.discord.setFaults('instant', [{ kind: 'status', status: 500 }]);
    await openRoom(world);
    await redis.kill();
    await untilDelivery(world, 'instant', 'sent');
    expect(requestsOf(world, 'instant', 'POST').map(({ status }) => status)).toEqual([500, 200]);
  });

  it('whoever asks for a check is told so within three seconds', async () => {
    await world.startDaemon();
    await world.check();
    await redis.kill();
    await untilReady(false);
    await expectRefusedCheck(3 * SECOND);
  });

  it('the daemon still stops at once', async () => {
    const daemon = await world.startDaemon();
    await world.check();
    await redis.kill();
    await untilReady(false);
    const began = performance.now();
    await daemon.stop();
    expect(performance.now() - began).toBeLessThan(3 * SECOND);
  });

  it('what is due leaves even when Redis hangs rather than fails', async () => {
    await world.startDaemon();
    await openRoom(world);
    process.kill(redis.pid() ?? 0, 'SIGSTOP');
    try {
      world.clock.advance(30 * SECOND);
      await eventually(() => expect(free()).toHaveLength(1));
    } finally {
      process.kill(redis.pid() ?? 0, 'SIGCONT');
    }
  });

  it('whoever asks for a check is told so in time even when it hangs rather than fails', async () => {
    await world.startDaemon();
    await world.check();
    process.kill(redis.pid() ?? 0, 'SIGSTOP');
    try {
      await expectRefusedCheck(6 * SECOND);
    } finally {
      process.kill(redis.pid() ?? 0, 'SIGCONT');
    }
    await world.check();
  });

  it('jobs are refused at once', async () => {
    await redis.kill();
    await untilReady(false);
    const began = performance.now();
    await expect(
      enqueueCheck(world.queues, { watchId: DEFAULT_WATCH_ID, trigger: 'manual' }),
    ).rejects.toMatchObject({
      kind: 'Unavailable',
    });
    const due = [{ id: 'a', attempt: 1, dueAt: 0 }];
    await expect(enqueueDue(world.queues, 'alerts', due, 0)).rejects.toMatchObject({ kind: 'Unavailable' });
    // Far less than a connection is waited for.
    expect(performance.now() - began).toBeLessThan(SECOND);
  });

  it('the daemon starts, beats, and checks once Redis is there', async () => {
    await redis.kill();
    await untilReady(false);
    await world.startDaemon();
    const beat = await eventually(async () => {
      const row = await world.db
        .selectFrom('daemon_heartbeats')
        .select(['redis_ok', 'stopped_at'])
        .executeTakeFirstOrThrow();
      expect(row.stopped_at).toBeNull();
      return row;
    });
    expect(beat.redis_ok).toBe(0);
    await redis.start();
    await untilReady(true);
    await openRoom(world);
    await eventually(() => expect(instant()).toHaveLength(1));
  });
});

describe('when Redis comes back', () => {
  it('everything is scheduled again and checks go on', async () => {
    await world.set('check_interval_seconds', '15');
    await world.startDaemon();
    await world.start();
    letHeartbeatComeDue();
    await eventually(async () => expect(await schedulers('monitor')).toEqual({ [SCHEDULER]: 15_000 }));
    await redis.kill();
    await untilReady(false);
    await redis.start();
    await untilReady(true);
    await openRoom(world);
    await eventually(() => expect(instant()).toHaveLength(1));
    expect(await schedulers('monitor')).toEqual({ [SCHEDULER]: 15_000 });
    await closeRoom(world);
    await eventually(() => expect(requestsOf(world, 'instant', 'PATCH')).toHaveLength(1));
  });

  it('schedules that it forgot are made again within seconds, and a check follows', async () => {
    await world.startDaemon();
    await world.start();
    letHeartbeatComeDue();
    await eventually(async () => expect(await schedulers('monitor')).toEqual({ [SCHEDULER]: 60_000 }));
    await eventually(
      async () => expect((await world.db.selectFrom('monitor_checks').select('id').execute()).length).toBe(1),
      10_000,
    );

    await flushEverything();
    letHeartbeatComeDue();
    expect(await schedulers('monitor')).toEqual({});
    const everything = {
      retention: 3_600 * SECOND,
      uploads: 600 * SECOND,
    };
    await eventually(async () => expect(await schedulers('housekeeping')).toEqual(everything));
    await eventually(async () => expect(await schedulers('monitor')).toEqual({ [SCHEDULER]: 60_000 }));
    await eventually(
      async () => expect((await world.db.selectFrom('monitor_checks').select('id').execute()).length).toBe(2),
      10_000,
    );
    // A delivery that waited in Redis is known to the database.
    await openRoom(world);
    await flushEverything();
    world.clock.advance(30 * SECOND);
    await eventually(() => expect(free()).toHaveLength(1));
    expect((await readDelivery(world, 'free')).attempts).toBe(1);
  });
});

describe('the check scheduler', () => {
  it('exists exactly while monitoring runs, at the interval in force', async () => {
    await world.startDaemon();
    await eventually(async () =>
      expect(Object.keys(await schedulers('housekeeping')).sort()).toEqual(['retention', 'uploads']),
    );
    expect(await schedulers('monitor')).toEqual({});
    await world.start();
    letHeartbeatComeDue();
    await eventually(async () => expect(await schedulers('monitor')).toEqual({ [SCHEDULER]: 60_000 }));
    await world.set('check_interval_seconds', '30');
    letHeartbeatComeDue();
    await eventually(async () => expect(await schedulers('monitor')).toEqual({ [SCHEDULER]: 30_000 }));
    await stopMonitoring(world.db, { actor: { userId: null }, clock: world.clock });
    letHeartbeatComeDue();
    await eventually(async () => expect(await schedulers('monitor')).toEqual({}));
    expect(await world.queues.monitor.getDelayedCount()).toBe(0);
  });
});
