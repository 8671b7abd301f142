import { sql } from 'kysely';
import { statSync, truncateSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRedisPing } from '#shared/queues/redis-ping.server';
import { connectRedis } from '#shared/queues/connection.server';
import { readHealth } from '#shared/status/health.server';
import { asDatabaseClock } from '#shared/database/database-clock';
import { machineClock } from '#shared/machine-clock.server';
import { writeHeartbeat } from '#shared/monitor/heartbeat';
import { MINUTE, systemClock } from '#shared/clock';
import { eventually } from '../monitor/monitor-fixture';
import { siteFixture } from '../site-fixture';
import { usesPostgres } from '../database-faults';

const site = siteFixture();

/** A Redis that answers while `answers`, and takes every command in silence otherwise. */
let answers = true;
let pings = 0;
const sockets = new Set<Socket>();
const server = createServer((socket) => {
  sockets.add(socket);
  socket.on('error', () => socket.destroy());
  socket.on('data', (data) => {
    for (const [, name] of data.toString('latin1').matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g)) {
      const command = name?.toLowerCase();
      if (command === 'ping') pings += 1;
      if (!answers) continue;
      const info = 'redis_version:7.0.0\r\nloading:0';
      socket.write(command === 'info' ? `$${info.length}\r\n${info}\r\n` : '+PONG\r\n');
    }
  });
});
let redis: ReturnType<typeof connectRedis>;

beforeEach(async () => {
  answers = true;
  pings = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  redis = connectRedis(`redis://127.0.0.1:${(server.address() as AddressInfo).port}`, { role: 'producer' });
  await eventually(() => expect(redis.status).toBe('ready'));
});
afterEach(async () => {
  redis.disconnect();
  for (const socket of sockets) socket.destroy();
  server.close();
  await once(server, 'close');
});

const instance = {
  id: 'daemon',
  host: 'elsewhere',
  bootId: null,
  pidNamespace: null,
  pid: 1,
  startedAt: systemClock.now(),
};
const health = (pingRedis: () => Promise<boolean>, clock = asDatabaseClock(machineClock)) =>
  readHealth({
    db: site.db,
    pingRedis,
    clock,
    findFileFault: () => Promise.resolve(null),
  });

test('the health is degraded while Redis takes commands and answers none, and many probes send one ping', async () => {
  await writeHeartbeat(site.db, { instance, redisFault: null, now: systemClock.now() });
  const ping = createRedisPing(redis, { limitMs: MINUTE });
  expect(await health(ping)).toMatchObject({ status: 'ok', redis: { ok: true } });
  expect(pings).toBe(1);
  answers = false;
  const silent = createRedisPing(redis, { limitMs: 50 });
  const seen = await Promise.all(Array.from({ length: 50 }, () => health(silent)));
  expect(new Set(seen.map(({ status, redis: { ok } }) => `${status} ${ok}`))).toEqual(
    new Set(['degraded false']),
  );
  // On a busy machine the ping may reach Redis after the limit.
  await expect.poll(() => pings).toBe(2);
});

test('Redis counts as down when the daemon finds that it refuses writes', async () => {
  const redisFault = 'Redis refuses writes: MISCONF';
  await writeHeartbeat(site.db, { instance, redisFault, now: systemClock.now() });
  expect(await health(createRedisPing(redis))).toMatchObject({ status: 'degraded', redis: { ok: false } });
});

// PostgreSQL looks after its own.
test.skipIf(usesPostgres())('the health is degraded while the write-ahead log cannot shrink', async () => {
  await writeHeartbeat(site.db, { instance, redisFault: null, now: systemClock.now() });
  const { rows } = await sql<{ file: string }>`select file from pragma_database_list`.execute(site.db);
  const log = `${rows[0]?.file}-wal`;
  const { size } = statSync(log);
  // A sparse file of this size.
  truncateSync(log, 200 * 1024 ** 2);
  const grown = await health(createRedisPing(redis));
  truncateSync(log, size);
  expect(grown).toMatchObject({ status: 'degraded', writeAheadLog: { ok: false }, database: { ok: true } });
  expect(await health(createRedisPing(redis))).toMatchObject({ status: 'ok', writeAheadLog: { ok: true } });
});

test('the health is degraded while the clock of the machine is seconds from that of the database', async () => {
  await writeHeartbeat(site.db, { instance, redisFault: null, now: systemClock.now() });
  const at = (aheadMs: number) =>
    health(createRedisPing(redis), { ...asDatabaseClock(machineClock), machineAheadMs: () => aheadMs });
  expect(await at(2_000)).toMatchObject({ status: 'ok', clock: { ok: true } });
  const reason = expect.stringMatching(/ 2\.5 seconds behind the database's/) as string;
  expect(await at(-2_500)).toMatchObject({ status: 'degraded', clock: { ok: false, reason } });
});
