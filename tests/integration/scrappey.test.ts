import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '#shared/clock';
import { readWatch } from '#shared/monitor/watches';
import { judgementSchema } from '#shared/monitor/checks/verdict';
import { openTheatre, type Theatre } from './daemon-theatre';
import { inWorld, openRoom, untilDelivery } from './delivery-view';
import type { World } from './monitor-world';

const withScrappey = (sandbox: World['sandbox']) => ({
  SCRAPPEY_API_KEY: sandbox.scrappeyKey,
  SCRAPPEY_API_URL: sandbox.scrappeyUrl,
});

const inScrappeyWorld = (test: (world: World) => Promise<void>) =>
  inWorld({ webhooks: ['instant'], environment: withScrappey }, test);

const calls = (world: World) => world.sandbox.scrappey.requests();

describe.concurrent('a check through Scrappey', () => {
  it('keeps the service’s request id, proxy, headers, status and final address', () =>
    inScrappeyWorld(async (world) => {
      world.sandbox.shop.show('queueit-room');
      const check = await world.check();
      expect(calls(world)).toMatchObject([
        { cmd: 'request.get', url: world.sandbox.shopUrl, data: 'success' },
      ]);
      expect(check).toMatchObject({
        queue_detected: true,
        scrappey_status: 'success',
        http_status_code: 200,
        error_message: null,
      });
      expect(check.scrappey_request_id).toMatch(/^[\da-f-]{36}$/);
      expect(check.proxy_used).toBe('203.0.113.24 (United Kingdom)');
      expect(check.response_headers).toHaveProperty('content-type');
      const row = await world.db
        .selectFrom('monitor_checks')
        .select(['final_url', 'scrappey_calls'])
        .executeTakeFirstOrThrow();
      expect(row.final_url).toContain('/queue/?c=');
      expect(row.scrappey_calls).toBe(1);
      await untilDelivery(world, 'instant', 'sent');
    }));

  it('is tried again at once when a tunnel failed, and both calls are counted', () =>
    inScrappeyWorld(async (world) => {
      world.sandbox.scrappey.setFaults([{ kind: 'code', code: '0005' }]);
      await openRoom(world);
      expect(calls(world).map((call) => call.data)).toEqual(['error', 'success']);
      const row = await world.db
        .selectFrom('monitor_checks')
        .select('scrappey_calls')
        .executeTakeFirstOrThrow();
      expect(row.scrappey_calls).toBe(2);
    }));

  it('leaves an overloaded service alone for a minute', () =>
    inScrappeyWorld(async (world) => {
      world.sandbox.scrappey.setFaults([{ kind: 'code', code: '0001' }]);
      const check = await world.check();
      expect(calls(world)).toHaveLength(1);
      expect(check.scrappey_status).toBe('error');
      const { not_before: notBefore } = await readWatch(world.db);
      const pause = Date.parse(notBefore ?? '') - Date.parse(check.check_timestamp);
      expect(pause).toBeGreaterThanOrEqual(60 * SECOND);
      expect(pause).toBeLessThan(2 * MINUTE);
    }));

  it.each([
    ['a failure with a code', { kind: 'code', code: '0002' }, 'error'],
    ['an answer that is no JSON', { kind: 'garbage' }, 'other'],
    ['a refusal of the key', { kind: 'status', status: 401 }, 'error'],
    ['a fault of the service', { kind: 'status', status: 500 }, 'error'],
  ] as const)('is unknown after %s, and says why', (_name, fault, status) =>
    inScrappeyWorld(async (world) => {
      world.sandbox.shop.show('imperva-room');
      world.sandbox.scrappey.setFaults([fault]);
      const check = await world.check();
      expect(judgementSchema.parse(check.content_analysis).verdict).toBe('unknown');
      expect(check).toMatchObject({ queue_detected: false, scrappey_status: status });
      expect(check.error_message).toMatch(/^Scrappey/);
      expect(await world.db.selectFrom('alerts').select('id').execute()).toEqual([]);
    }),
  );

  it('becomes a direct one when the day’s budget is spent', () =>
    inScrappeyWorld(async (world) => {
      await world.set('scrappey_daily_limit', '2');
      const checks = [await world.check(), await world.check(), await world.check()];
      expect(checks.map((check) => check.scrappey_status)).toEqual(['success', 'success', 'disabled']);
      expect(calls(world)).toHaveLength(2);
      world.clock.advance(24 * 60 * MINUTE);
      expect((await world.check()).scrappey_status).toBe('success');
    }));
});

describe('secrets', () => {
  let theatre: Theatre;

  beforeAll(async () => {
    theatre = await openTheatre();
  });
  afterAll(() => theatre.close());

  const readAll = (folder: string): string =>
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
      .join('\n');

  it('are in no log, no job and no stored check, whatever goes wrong', () =>
    theatre.play(
      async ({ world, start, redisFolder }) => {
        const daemon = await start();
        world.sandbox.discord.setFaults('instant', [
          { kind: 'status', status: 500 },
          { kind: 'reset' },
          { kind: 'status', status: 404 },
        ]);
        for (const fault of [
          { kind: 'code', code: '0001' },
          { kind: 'garbage' },
          { kind: 'status', status: 403 },
        ] as const) {
          world.sandbox.scrappey.setFaults([fault]);
          await world.check();
        }
        await openRoom(world);
        await untilDelivery(world, 'instant', 'dead');
        const said = daemon.stdout() + daemon.stderr();
        expect(said).toContain('"msg":"not sent"');
        const jobs = readAll(redisFolder);
        expect(jobs).toContain('deliveryId');
        const rows = JSON.stringify([
          await world.db.selectFrom('monitor_checks').selectAll().execute(),
          await world.db.selectFrom('alert_deliveries').selectAll().execute(),
          await world.db.selectFrom('admin_notices').selectAll().execute(),
          await world.db.selectFrom('audit_log').selectAll().execute(),
        ]);
        const token = world.sandbox.webhookUrl('instant').split('/').at(-1) ?? '';
        for (const secret of [world.sandbox.scrappeyKey, token]) {
          expect(said).not.toContain(secret);
          expect(jobs).not.toContain(secret);
          expect(rows).not.toContain(secret);
        }
      },
      ['instant', 'admin'],
      withScrappey,
    ));
});
