import fc from 'fast-check';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE } from '#shared/clock';
import { anyRawRequest, exchangeRaw, holdConnection, RAW_REQUESTS } from '../../raw-requests';
import { createDaemonSuite, type StartedDaemon, type DaemonSuite } from '../daemon-suite';
import { eventually } from '../monitor/monitor-fixture';

let suite: DaemonSuite;

beforeAll(async () => {
  suite = await createDaemonSuite();
});
afterAll(() => suite.close());

/** The environment of production; `SANDBOX` allows one without a public address. */
const PRODUCTION = { NODE_ENV: 'production', SANDBOX: '1', APP_URL: 'http://localhost:3000' };

async function expectAlive({ port, pid }: StartedDaemon): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ pid });
}

describe('the health port of the daemon', { timeout: 2 * MINUTE }, () => {
  it.concurrent('survives malformed requests', () =>
    suite.run(
      async ({ startDaemon }) => {
        const daemon = await startDaemon();
        // `GET //` used to end the process: `new URL('//', base)` throws.
        for (const [name, bytes] of Object.entries(RAW_REQUESTS)) {
          const answer = await exchangeRaw(daemon.port, bytes);
          expect(answer, name).toMatch(/^(HTTP\/1\.1 (200|4\d\d) .*)?/);
          expect(answer, name).not.toMatch(/HTTP\/1\.1 5\d\d/);
        }
        await expectAlive(daemon);
        await fc.assert(
          fc.asyncProperty(anyRawRequest, async (bytes) => {
            expect(await exchangeRaw(daemon.port, bytes)).not.toMatch(/HTTP\/1\.1 5\d\d/);
          }),
          { numRuns: 400 },
        );
        await expectAlive(daemon);
        expect(await Promise.race([daemon.ended, Promise.resolve('alive')])).toBe('alive');
        expect(daemon.stdout()).not.toContain('"level":"error"');
      },
      [],
      PRODUCTION,
    ));

  it.concurrent('answers probes again once idle connections and half-sent requests are closed', () =>
    suite.run(
      async ({ startDaemon }) => {
        const daemon = await startDaemon();
        const idle = await Promise.all(
          Array.from({ length: 300 }, (_, index) =>
            holdConnection(daemon.port, index % 2 === 0 ? '' : 'GET // HTTP/1.1\r\nHost: x\r\nX-Half'),
          ),
        );
        try {
          await eventually(() => expectAlive(daemon));
        } finally {
          for (const connection of idle) connection.destroy();
        }
      },
      [],
      PRODUCTION,
    ));

  it.concurrent('listens on loopback only, unless DAEMON_HOST is set', async () => {
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((address) => address?.family === 'IPv4' && !address.internal)?.address;
    const reach = (port: number): Promise<boolean> =>
      Promise.any(
        [
          // On Linux every address of 127.0.0.0/8 is local; elsewhere only an external address shows the difference.
          ...(process.platform === 'linux' ? ['127.0.0.2'] : []),
          ...(outside === undefined ? [] : [outside]),
        ].map((host) => exchangeRaw(port, 'GET /healthz HTTP/1.0\r\n\r\n', { host, end: false })),
      ).then(
        () => true,
        () => false,
      );
    await suite.run(async ({ startDaemon }) => {
      expect(await reach((await startDaemon()).port)).toBe(false);
    });
    await suite.run(
      async ({ startDaemon }) => {
        expect(await reach((await startDaemon()).port)).toBe(true);
      },
      [],
      { DAEMON_HOST: '0.0.0.0' },
    );
  });

  it('answers a target in absolute form, names no versions, and counts a Redis that refuses writes as down', () =>
    suite.run(async ({ startDaemon, fixture }) => {
      const { port } = await startDaemon();
      const answer = await exchangeRaw(
        port,
        'GET http://daemon.example/healthz?x=1 HTTP/1.1\r\nHost: daemon.example\r\nConnection: close\r\n\r\n',
        { end: false },
      );
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);

      for (const path of ['metrics', 'healthz', 'nope']) {
        const shown = await exchangeRaw(port, `GET /${path} HTTP/1.0\r\n\r\n`, { end: false });
        expect(shown).not.toContain(process.versions.node);
        expect(shown).not.toMatch(/_version|v\d+\.\d+\.\d+/);
      }

      const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      expect(await metrics()).toContain('packwatch_redis_up 1');
      const { redis } = fixture.queues;
      await redis.config('SET', 'maxmemory', '1');
      // The connection is ready by then.
      expect(await metrics()).toContain('packwatch_redis_up 0');
      await redis.config('SET', 'maxmemory', '0');
      expect(await metrics()).toContain('packwatch_redis_up 1');
    }));
});
