import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { MINUTE, SECOND } from '#shared/clock';
import { stopMonitoring } from '#shared/monitor/start-stop';
import { requestCheck } from '#shared/monitor/checks/requests/daemon-request.server';
import { enqueueCheck, enqueueDue } from '#shared/queues/enqueue';
import { withQueues } from '../../../daemon/cli/with-queues';
import { startPrivateRedis } from '../../../scripts/processes/private-redis.mjs';
import { fastest } from '../../fastest';
import { closeRoom, openRoom, readDelivery, requestsOf, untilDelivery } from '../alerts/delivery-fixture';
import { createMonitorFixture, eventually, type MonitorFixture } from '../monitor/monitor-fixture';

const SCHEDULER = `check-${DEFAULT_WATCH_ID}`;
const folder = mkdtempSync(join(tmpdir(), 'packwatch-redis-'));
let redis: Awaited<ReturnType<typeof startPrivateRedis>>;
let fixture: MonitorFixture;

beforeAll(async () => {
  redis = await startPrivateRedis({ directory: folder });
});
afterAll(async () => {
  await redis.stop();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  fixture = await createMonitorFixture({ redisUrl: redis.url });
});
afterEach(async () => {
  if (!(await redis.isUp())) await redis.start();
  await fixture.cleanup();
});

const free = () => fixture.sandbox.discord.messages('free');
const instant = () => fixture.sandbox.discord.messages('instant');

async function untilReady(ready: boolean): Promise<void> {
  await eventually(() => expect(fixture.queues.isReady()).toBe(ready));
}

async function schedulers(queue: 'monitor' | 'housekeeping'): Promise<Record<string, number>> {
  const found = await (await fixture.queues.open(queue)).getJobSchedulers();
  return Object.fromEntries(found.map((scheduler) => [scheduler.key, Number(scheduler.every)]));
}

/** Moves the clock forward until the daemon's next heartbeat is due. */
function letHeartbeatComeDue(): void {
  fixture.clock.advance(9 * SECOND);
}

async function expectRefusedCheck(withinMs: number): Promise<void> {
  const { db, queues, redisUrl, clock } = fixture;
  const refused = () =>
    expect(requestCheck({ db, queues, redisUrl, clock })).rejects.toMatchObject({
      kind: 'Unavailable',
      code: 'check_failed',
    });
  expect(await fastest(withinMs, refused)).toBeLessThan(withinMs);
}

async function flushEverything(): Promise<void> {
  const connection = new Redis(redis.url);
  await connection.flushall();
  connection.disconnect();
}

describe('while Redis is down', () => {
  it('the free delivery is still sent at its time, and no delivery needs Redis after the commit', async () => {
    await fixture.startDaemon();
    await openRoom(fixture);
    await redis.kill();
    await eventually(() => expect(instant()).toHaveLength(1));
    fixture.clock.advance(28 * SECOND);
    await eventually(() => expect(free()).toHaveLength(1));
    const { due_at: dueAt } = await untilDelivery(fixture, 'free', 'sent');
    const cameAt = (free()[0]?.receivedAt ?? 0) + 28 * SECOND;
    expect(cameAt).toBeGreaterThanOrEqual(Date.parse(dueAt) - 1);
    // The daemon loop sends due work once a second; the job in Redis would be late for as long as Redis is down.
    expect(cameAt - Date.parse(dueAt)).toBeLessThan(20 * SECOND);
  });

  it('a delivery is retried and succeeds', async () => {
    await fixture.startDaemon();
    fixture.sandbox.discord.setFaults('instant', [{ kind: 'status', status: 500 }]);
    await openRoom(fixture);
    await redis.kill();
    await untilDelivery(fixture, 'instant', 'sent');
    expect(requestsOf(fixture, 'instant', 'POST').map(({ status }) => status)).toEqual([500, 200]);
  });

  it('a check request fails within three seconds', async () => {
    await fixture.startDaemon();
    await fixture.check();
    await redis.kill();
    await untilReady(false);
    await expectRefusedCheck(3 * SECOND);
  });

  it('the daemon stops at once', async () => {
    // Without the limits of the stop: it must not need them.
    const daemon = await fixture.startDaemon({ sendsMayFinishMs: 5 * MINUTE });
    await fixture.check();
    await redis.kill();
    await untilReady(false);
    await daemon.stop();
  });

  it('due deliveries are sent when Redis hangs instead of failing', async () => {
    await fixture.startDaemon();
    await openRoom(fixture);
    process.kill(redis.pid() ?? 0, 'SIGSTOP');
    try {
      fixture.clock.advance(30 * SECOND);
      await eventually(() => expect(free()).toHaveLength(1));
    } finally {
      process.kill(redis.pid() ?? 0, 'SIGCONT');
    }
  });

  it('a check request also fails in time when Redis hangs', async () => {
    await fixture.startDaemon();
    await fixture.check();
    process.kill(redis.pid() ?? 0, 'SIGSTOP');
    try {
      await expectRefusedCheck(6 * SECOND);
    } finally {
      process.kill(redis.pid() ?? 0, 'SIGCONT');
    }
    await fixture.check();
  });

  it('adding a job fails at once', async () => {
    await redis.kill();
    await untilReady(false);
    const due = [{ id: 'a', attempt: 1, dueAt: 0 }];
    const refused = async () => {
      for (const adding of [
        enqueueCheck(fixture.queues, { watchId: DEFAULT_WATCH_ID, trigger: 'manual' }),
        enqueueDue(fixture.queues, 'alerts', due, 0),
      ])
        await expect(adding).rejects.toMatchObject({ kind: 'Unavailable' });
    };
    // Far less than the connection timeout.
    expect(await fastest(SECOND, refused)).toBeLessThan(SECOND);
  });

  it('the daemon starts, writes heartbeats, and checks once Redis is up', async () => {
    await redis.kill();
    await untilReady(false);
    await fixture.startDaemon();
    const heartbeat = await eventually(async () => {
      const row = await fixture.db
        .selectFrom('daemon_heartbeats')
        .select(['redis_ok', 'stopped_at'])
        .executeTakeFirstOrThrow();
      expect(row.stopped_at).toBeNull();
      return row;
    });
    expect(heartbeat.redis_ok).toBe(0);
    await redis.start();
    await untilReady(true);
    await openRoom(fixture);
    await eventually(() => expect(instant()).toHaveLength(1));
  });
});

/** Makes this process busy three times for 1.2 s, as other work in it or on the machine does. */
function makeThisProcessBusy(times = 3): void {
  setImmediate(() => {
    const end = performance.now() + 1_200;
    while (performance.now() < end);
    if (times > 1) makeThisProcessBusy(times - 1);
  });
}

describe('a process that is busy for longer than Redis may be silent', () => {
  it.each([
    {
      caller: 'a check request',
      call: async () => {
        await fixture.startDaemon();
        await fixture.check();
        const { db, queues, redisUrl, clock } = fixture;
        makeThisProcessBusy();
        return requestCheck({ db, queues, redisUrl, clock });
      },
    },
    {
      caller: 'a command',
      call: () => {
        makeThisProcessBusy();
        return withQueues(fixture.config, (queues) => Promise.resolve(queues));
      },
    },
  ])('$caller does not take its own time for a silence of Redis', async ({ call }) => {
    expect(await call()).not.toBeNull();
  });
});

/** A proxy of Redis that forwards no XREAD before `allowed` resolves: the caller's process is slow to send it. */
async function startLateReader(allowed: () => Promise<unknown>): Promise<{ url: string; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(new URL(redis.url).pathname);
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => socket.destroy()));
    upstream.pipe(client);
    let sent = Promise.resolve<unknown>(null);
    client.on('data', (data: Buffer) => {
      if (/xread/i.test(data.toString('latin1'))) sent = sent.then(allowed);
      sent = sent.then(() => upstream.write(data));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

it('a caller that is slow to listen still learns that its check has ended', async () => {
  await fixture.startDaemon();
  const first = await fixture.check();
  const { db, queues, clock } = fixture;
  const ended = (): Promise<unknown> =>
    eventually(async () => {
      const last = await db.selectFrom('watches').select('last_check_id').executeTakeFirstOrThrow();
      expect(last.last_check_id).not.toBe(first.id);
      expect(await (await queues.open('monitor')).getActiveCount()).toBe(0);
    });
  const reader = await startLateReader(ended);
  try {
    expect(await requestCheck({ db, queues, redisUrl: reader.url, clock })).not.toBeNull();
  } finally {
    reader.close();
  }
});

describe('when Redis comes back', () => {
  it('everything is scheduled again and checks continue', async () => {
    await fixture.writeSetting('check_interval_seconds', '15');
    await fixture.startDaemon();
    await fixture.startMonitoring();
    letHeartbeatComeDue();
    await eventually(async () => expect(await schedulers('monitor')).toEqual({ [SCHEDULER]: 15_000 }));
    await redis.kill();
    await untilReady(false);
    await redis.start();
    await untilReady(true);
    await openRoom(fixture);
    await eventually(() => expect(instant()).toHaveLength(1));
    expect(await schedulers('monitor')).toEqual({ [SCHEDULER]: 15_000 });
    await closeRoom(fixture);
    await eventually(() => expect(requestsOf(fixture, 'instant', 'PATCH')).toHaveLength(1));
  });

  it('lost schedulers are created again within seconds, and a check follows', async () => {
    await fixture.startDaemon();
    await fixture.startMonitoring();
    letHeartbeatComeDue();
    await eventually(async () => expect(await schedulers('monitor')).toEqual({ [SCHEDULER]: 60_000 }));
    await eventually(async () =>
      expect((await fixture.db.selectFrom('monitor_checks').select('id').execute()).length).toBe(1),
    );

    await flushEverything();
    letHeartbeatComeDue();
    expect(await schedulers('monitor')).toEqual({});
    const everything = {
      retention: 3_600 * SECOND,
      uploads: 600 * SECOND,
      deletions: 600 * SECOND,
      shareImages: 600 * SECOND,
      sourceTrust: 600 * SECOND,
      reconcile: 60 * SECOND,
      reconcileAll: 86_400 * SECOND,
      compareRoles: 86_400 * SECOND,
    };
    await eventually(async () => expect(await schedulers('housekeeping')).toEqual(everything));
    await eventually(async () => expect(await schedulers('monitor')).toEqual({ [SCHEDULER]: 60_000 }));
    await eventually(async () =>
      expect((await fixture.db.selectFrom('monitor_checks').select('id').execute()).length).toBe(2),
    );
    // The database has the delivery whose job was lost with Redis.
    await openRoom(fixture);
    await flushEverything();
    fixture.clock.advance(30 * SECOND);
    await eventually(() => expect(free()).toHaveLength(1));
    expect((await readDelivery(fixture, 'free')).attempts).toBe(1);
  });
});

describe('the check scheduler', () => {
  it('exists exactly while monitoring runs, at the current interval', async () => {
    await fixture.startDaemon();
    await eventually(async () =>
      expect(Object.keys(await schedulers('housekeeping')).sort()).toEqual([
        'compareRoles',
        'deletions',
        'reconcile',
        'reconcileAll',
        'retention',
        'shareImages',
        'sourceTrust',
        'uploads',
      ]),
    );
    expect(await schedulers('monitor')).toEqual({});
    await fixture.startMonitoring();
    letHeartbeatComeDue();
    await eventually(async () => expect(await schedulers('monitor')).toEqual({ [SCHEDULER]: 60_000 }));
    await fixture.writeSetting('check_interval_seconds', '30');
    letHeartbeatComeDue();
    await eventually(async () => expect(await schedulers('monitor')).toEqual({ [SCHEDULER]: 30_000 }));
    await stopMonitoring(fixture.db, { actor: { userId: null }, clock: fixture.clock });
    letHeartbeatComeDue();
    await eventually(async () => expect(await schedulers('monitor')).toEqual({}));
    expect(await (await fixture.queues.open('monitor')).getDelayedCount()).toBe(0);
  });
});
