import { sql } from 'kysely';
import { mkdirSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE } from '#shared/clock';
import { machineClock } from '#shared/machine-clock.server';
import { asDatabaseClock } from '#shared/database/database-clock';
import { createDiskWatch } from '#shared/database/disk-watch.server';
import { clearFault, recordFault } from '#shared/payments/payment-faults';
import { connectRedis } from '#shared/queues/connection.server';
import { startPrivateRedis } from '../../../scripts/processes/private-redis.mjs';
import { createDaemonHealth, type DaemonHealth } from '../../../daemon/health/daemon-health';
import { createRedisProbe, type RedisProbe } from '../../../daemon/health/redis-probe';
import { createDaemonSuite } from '../daemon-suite';
import { createTestDatabase, type TestDatabase } from '../database';
import { eventually } from '../monitor/monitor-fixture';
import { lockDatabase, setReadOnly, usesPostgres } from '../database-faults';

const MEGABYTE = 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'packwatch-health-'));
let privateRedis: Awaited<ReturnType<typeof startPrivateRedis>>;
let redis: ReturnType<typeof connectRedis>;
let probeRedis: RedisProbe;
let test: TestDatabase;
let freeBytes = 100 * MEGABYTE;
let waiting = 0;
let fault: unknown = null;
let fileFault: string | null = null;
let grownFile = 'nowhere';

/** A new reader each time, since it caches its result for a second. */
function read(): Promise<DaemonHealth> {
  return createDaemonHealth({
    db: test.db,
    clock: asDatabaseClock(machineClock),
    instance: {
      id: 'daemon',
      host: 'here',
      bootId: null,
      pidNamespace: null,
      pid: process.pid,
      startedAt: 0,
    },
    probeRedis,
    outcomes: { waiting: () => waiting },
    storageFault: () => fault,
    findFileFault: () => Promise.resolve(fileFault),
    findLogFault: () =>
      createDiskWatch({ engine: 'sqlite', file: grownFile }, pino({ level: 'silent' })).findLogFault(),
    readFreeBytes: () => Promise.resolve(freeBytes),
  })();
}

beforeAll(async () => {
  privateRedis = await startPrivateRedis({ directory: folder });
  redis = connectRedis(privateRedis.url, { role: 'producer' });
  probeRedis = createRedisProbe(redis, 'test:health');
  test = await createTestDatabase();
  await eventually(() => expect(redis.status).toBe('ready'));
});
afterAll(async () => {
  redis.disconnect();
  await privateRedis.stop();
  await test.cleanup();
  rmSync(folder, { recursive: true, force: true });
});

const WELL = { ok: true, status: 'ok', database: { ok: true }, redis: { ok: true } };

describe('the health of the daemon', () => {
  it('reports a Redis that refuses writes, and its recovery', async () => {
    expect(await read()).toMatchObject(WELL);
    await redis.config('SET', 'maxmemory', '1');
    expect(await read()).toMatchObject({
      ok: false,
      status: 'degraded',
      database: { ok: true },
      redis: { ok: false, reason: expect.stringMatching(/^Redis refuses writes: OOM /) as string },
    });
    await redis.config('SET', 'maxmemory', '0');
    expect(await read()).toMatchObject(WELL);
    await redis.call('REPLICAOF', '127.0.0.1', '1');
    const readonly = /^Redis refuses writes: READONLY /;
    expect((await read()).redis.reason).toMatch(readonly);
    // The connection is made again, because another one may lead to the new primary.
    await eventually(() => expect(redis.status).not.toBe('ready'));
    expect((await read()).redis.reason).toMatch(readonly);
    await eventually(() => expect(redis.status).toBe('ready'));
    await redis.call('REPLICAOF', 'NO', 'ONE');
    expect(await read()).toMatchObject(WELL);
  });

  it('reports a Redis that refuses writes because its snapshots fail, and its recovery', async () => {
    const snapshot = async (status: 'err' | 'ok') => {
      await eventually(async () => {
        await redis.bgsave().catch(() => {});
        expect(await redis.info('persistence')).toContain(`rdb_last_bgsave_status:${status}`);
      });
    };
    // A non-empty directory at the path of the snapshot: the final rename fails, also for root.
    const inTheWay = join(folder, 'redis', 'dump.rdb');
    rmSync(inTheWay, { force: true });
    mkdirSync(join(inTheWay, 'full'), { recursive: true });
    await redis.config('SET', 'save', '3600 1');
    await snapshot('err');
    expect((await read()).redis.reason).toMatch(/^Redis refuses writes: MISCONF /);
    rmSync(inTheWay, { recursive: true });
    await snapshot('ok');
    await redis.config('SET', 'save', '');
    expect(await read()).toMatchObject(WELL);
  });

  it('reports a database that cannot be written, and its recovery', async () => {
    await setReadOnly(test.db, true);
    expect(await read()).toMatchObject({
      ok: false,
      status: 'degraded',
      database: {
        ok: false,
        reason: expect.stringMatching(/^The database (?:server )?is read-only/) as string,
      },
    });
    await setReadOnly(test.db, false);
    expect(await read()).toMatchObject(WELL);
  });

  it('reports files that cannot be stored, which stop neither checks nor alerts', async () => {
    fileFault = 'S3 does not answer.';
    expect(await read()).toMatchObject({
      ok: true,
      status: 'degraded',
      storage: { ok: false, reason: 'S3 does not answer.' },
    });
    fileFault = null;
    expect(await read()).toMatchObject({ ...WELL, storage: { ok: true } });
  });

  it('reports a fault of payments with its reason, which stops neither checks nor alerts', async () => {
    const reason = 'STRIPE_SECRET_KEY is not the key of our account.';
    await recordFault(test.db, { fault: 'account', reason, now: Date.now() });
    expect(await read()).toMatchObject({ ok: true, status: 'degraded', payments: { ok: false, reason } });
    await clearFault(test.db, 'account');
    expect(await read()).toMatchObject({ ...WELL, payments: { ok: true } });
  });

  // PostgreSQL looks after its own.
  it.skipIf(usesPostgres())(
    'reports a write-ahead log that a forgotten reader keeps from shrinking, which stops neither checks nor alerts',
    async () => {
      grownFile = join(folder, 'grown.db');
      // A sparse file of this size.
      writeFileSync(`${grownFile}-wal`, '');
      truncateSync(`${grownFile}-wal`, 200 * MEGABYTE);
      const health = await read();
      expect(health).toMatchObject({ ok: true, status: 'degraded', writeAheadLog: { ok: false } });
      expect(health.writeAheadLog.reason).toMatch(/^The write-ahead log of the database has 200 MB .*lsof/);
      truncateSync(`${grownFile}-wal`, 0);
      expect(await read()).toMatchObject({ ...WELL, writeAheadLog: { ok: true } });
    },
  );

  it('reports a database that stays locked', async () => {
    const release = await lockDatabase(test.config);
    try {
      expect((await read()).database).toEqual({
        ok: false,
        reason: expect.stringMatching(/^The database is locked by another process/) as string,
      });
    } finally {
      await release();
    }
    expect(await read()).toMatchObject(WELL);
  });

  it('reports a full disk, a check that could not be stored, and outcomes that wait for the database', async () => {
    freeBytes = 3 * MEGABYTE;
    expect((await read()).database.reason).toBe('The disk of the database is full: 3 MB are free.');
    freeBytes = 100 * MEGABYTE;
    fault = Object.assign(new Error('full'), { code: 'SQLITE_FULL' });
    expect((await read()).database.reason).toBe(
      'The last check could not be stored. The disk of the database is full.',
    );
    fault = null;
    waiting = 2;
    expect((await read()).database.reason).toBe('Outcomes of deliveries wait for the database: 2.');
    waiting = 0;
    expect(await read()).toMatchObject(WELL);
  });

  it('writes once for many concurrent probes', async () => {
    const writes = async (): Promise<unknown> =>
      (await redis.info('commandstats')).match(/cmdstat_set:calls=(\d+)/)?.[1];
    const before = Number(await writes());
    const health = createDaemonHealth({
      db: test.db,
      clock: asDatabaseClock(machineClock),
      instance: {
        id: 'daemon',
        host: 'here',
        bootId: null,
        pidNamespace: null,
        pid: process.pid,
        startedAt: 0,
      },
      probeRedis,
      outcomes: { waiting: () => 0 },
      storageFault: () => null,
      findFileFault: () => Promise.resolve(null),
      findLogFault: () => Promise.resolve(null),
      readFreeBytes: () => Promise.resolve(freeBytes),
    });
    await Promise.all(Array.from({ length: 100 }, () => health()));
    expect(Number(await writes())).toBe(before + 1);
  });

  it('reports a Redis that is down', async () => {
    await privateRedis.kill();
    await eventually(() => expect(redis.status).not.toBe('ready'));
    expect((await read()).redis).toEqual({
      ok: false,
      reason: expect.stringMatching(/^Redis does not answer/) as string,
    });
    await privateRedis.start();
    await eventually(() => expect(redis.status).toBe('ready'));
  });
});

describe('the daemon’s /healthz', { timeout: 2 * MINUTE }, () => {
  // The disk of a PostgreSQL server is not the daemon's.
  it.skipIf(usesPostgres())(
    'is 503 with the reason while the database file cannot grow, and then 200 without a restart',
    async () => {
      const suite = await createDaemonSuite();
      try {
        await suite.run(async ({ fixture, startDaemon }) => {
          const { port } = await startDaemon({ largestFile: statSync(fixture.file).size + 64 * 1024 });
          const probe = () => fetch(`http://127.0.0.1:${port}/healthz`);
          // This process has no file size limit: it makes the WAL longer than the daemon may.
          const filler = { key: 'filler', value: 'x'.repeat(2 * MEGABYTE), updated_at: '' };
          await fixture.db
            .insertInto('settings')
            .values({ ...filler, description: '' })
            .execute();
          await eventually(async () => {
            const answer = await probe();
            expect(answer.status).toBe(503);
            expect(await answer.json()).toMatchObject({
              database: { ok: false, reason: expect.stringMatching(/^The disk of the database /) as string },
              redis: { ok: true },
            });
          });
          await fixture.db.deleteFrom('settings').where('key', '=', 'filler').execute();
          await sql`vacuum`.execute(fixture.db);
          await sql`pragma wal_checkpoint(truncate)`.execute(fixture.db);
          await eventually(async () => expect((await probe()).status).toBe(200));
        });
      } finally {
        await suite.close();
      }
    },
  );
});
