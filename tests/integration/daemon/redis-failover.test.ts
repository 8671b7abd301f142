import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE, SECOND } from '#shared/clock';
import { connectRedis } from '#shared/queues/connection.server';
import { startPrivateRedis } from '../../../scripts/processes/private-redis.mjs';
import { createRedisProbe } from '../../../daemon/health/redis-probe';
import { freePort } from '../../free-port';
import { createMonitorFixture, eventually } from '../monitor/monitor-fixture';

type PrivateRedis = Awaited<ReturnType<typeof startPrivateRedis>>;
interface Node {
  redis: PrivateRedis;
  /** Not through the proxy. */
  admin: Redis;
  port: number;
}

const folder = mkdtempSync(join(tmpdir(), 'packwatch-failover-'));
let nodes: [Node, Node];
let proxy: Server;
let url: string;
/** The index of the node to which new connections lead, as the name of a managed Redis does. */
let target = 0;
const sockets = new Set<Socket>();

async function startNode(name: string): Promise<Node> {
  const directory = join(folder, name);
  mkdirSync(directory);
  const redis = await startPrivateRedis({ directory });
  const admin = new Redis(redis.url);
  const port = await freePort();
  await admin.config('SET', 'port', String(port));
  await admin.config('SET', 'repl-diskless-sync-delay', '0');
  return { redis, admin, port };
}

beforeAll(async () => {
  nodes = [await startNode('first'), await startNode('second')];
  proxy = createServer((client) => {
    const upstream = connect({ host: '127.0.0.1', port: nodes[target === 0 ? 0 : 1].port });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    }
    client.pipe(upstream).pipe(client);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  url = `redis://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  proxy.close();
  for (const { admin, redis } of nodes) {
    admin.disconnect();
    await redis.stop();
  }
  rmSync(folder, { recursive: true, force: true });
});

/** Makes the other node the primary. Connections to the old one, which becomes its replica, stay open. */
async function failOver(): Promise<void> {
  const [from, to] = target === 0 ? nodes : [nodes[1], nodes[0]];
  await to.admin.call('REPLICAOF', '127.0.0.1', from.port);
  await eventually(async () => expect(await to.admin.info('replication')).toContain('master_link_status:up'));
  await to.admin.call('REPLICAOF', 'NO', 'ONE');
  await from.admin.call('REPLICAOF', '127.0.0.1', to.port);
  target = 1 - target;
}

test('after a failover the workers, the schedulers and the callers reach the new primary, and checks continue', async () => {
  const fixture = await createMonitorFixture({ redisUrl: url });
  try {
    // The stop at the end must not need its limits.
    const daemon = await fixture.startDaemon({ sendsMayFinishMs: 5 * MINUTE });
    await fixture.startMonitoring();
    const { length: before } = await eventually(async () => {
      const checks = await fixture.db.selectFrom('monitor_checks').select('id').execute();
      expect(checks.length).toBeGreaterThan(0);
      return checks;
    });
    for (let round = 0; round < 2; round += 1) {
      await failOver();
      // A connection that only waits for the old server waits for many minutes.
      await eventually(() => fixture.check());
    }
    expect((await fixture.db.selectFrom('monitor_checks').select('id').execute()).length).toBeGreaterThan(
      before,
    );

    // No replica is promoted: the notice says what the health port says.
    const [primary] = target === 0 ? nodes : [nodes[1]];
    await primary.admin.call('REPLICAOF', '127.0.0.1', '1');
    fixture.clock.advance(6 * SECOND);
    await eventually(async () => {
      const { redis_fault: fault } = await fixture.db
        .selectFrom('daemon_heartbeats')
        .select('redis_fault')
        .executeTakeFirstOrThrow();
      expect(fault).toMatch(/^Redis refuses writes: READONLY /);
    });
    fixture.clock.advance(6 * MINUTE);
    const notice = await eventually(() =>
      fixture.db
        .selectFrom('admin_notices')
        .select('body')
        .where('kind', '=', 'silence_began')
        .executeTakeFirstOrThrow(),
    );
    expect(notice.body).toContain('Redis refuses writes: READONLY ');
    await daemon.stop();
    await primary.admin.call('REPLICAOF', 'NO', 'ONE');
  } finally {
    await fixture.cleanup();
  }
});

/** A server that answers the handshake of ioredis, and every SET of its first connection with an error. */
async function startRefusing(error: string): Promise<{ url: string; close(): void }> {
  let connections = 0;
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    connections += 1;
    open.add(socket);
    const reply = connections === 1 ? `-${error}\r\n` : '+OK\r\n';
    socket.on('error', () => socket.destroy());
    socket.on('data', (data: Buffer) => {
      for (const [, command = ''] of data.toString().matchAll(/^\*\d+\r\n\$\d+\r\n(\w+)/gm))
        socket.write(
          { hello: '-NOPROTO old\r\n', info: '$9\r\nloading:0\r\n', set: reply }[command.toLowerCase()] ??
            '+OK\r\n',
        );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

test.for([
  "READONLY You can't write against a read only replica.",
  'ERR Error running script (call to f_1): @user_script:1: -READONLY You can’t write against a read only replica.',
  'LOADING Redis is loading the dataset in memory',
  "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
  'UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)',
  'NOREPLICAS Not enough good replicas to write.',
  'CLUSTERDOWN The cluster is down',
  'NOAUTH Authentication required.',
])('another connection is made after: %s', async (error) => {
  const server = await startRefusing(error);
  const redis = connectRedis(server.url, { role: 'producer' });
  const probe = createRedisProbe(redis, 'key');
  try {
    await eventually(() => expect(redis.status).toBe('ready'));
    expect(await probe()).toBe(`Redis refuses writes: ${error}`);
    await eventually(async () => expect(await probe()).toBeNull());
  } finally {
    redis.disconnect();
    server.close();
  }
});

test('a refused password is named while it is refused, and the connection is made once it is accepted', async () => {
  const [{ admin, port }] = nodes;
  await admin.call('REPLICAOF', 'NO', 'ONE');
  await admin.config('SET', 'requirepass', 'rotated');
  const redis = connectRedis(`redis://:old@127.0.0.1:${port}`, { role: 'producer' });
  const probe = createRedisProbe(redis, 'key');
  try {
    await eventually(async () => expect(await probe()).toMatch(/^Redis refuses the connection: WRONGPASS /));
    await admin.config('SET', 'requirepass', 'old');
    await eventually(async () => expect(await probe()).toBeNull());
  } finally {
    redis.disconnect();
    await admin.config('SET', 'requirepass', '');
  }
});
