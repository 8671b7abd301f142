import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '#shared/clock';
import { readWatch } from '#shared/monitor/watches/watches';
import { judgementSchema } from '#shared/monitor/checks/verdict';
import { createDaemonSuite, type DaemonSuite } from '../daemon-suite';
import { withDaemon, openRoom, untilDelivery } from '../alerts/delivery-fixture';
import type { MonitorFixture } from './monitor-fixture';

const withScrappey = (sandbox: MonitorFixture['sandbox']) => ({
  SCRAPPEY_API_KEY: sandbox.scrappeyKey,
  SCRAPPEY_API_URL: sandbox.scrappeyUrl,
});

const inScrappeyFixture = (test: (fixture: MonitorFixture) => Promise<void>) =>
  withDaemon({ webhooks: ['instant'], environment: withScrappey }, test);

const calls = (fixture: MonitorFixture) => fixture.sandbox.scrappey.requests();

describe.concurrent('a check through Scrappey', () => {
  it('keeps the service’s request id, proxy, headers, status and final address', () =>
    inScrappeyFixture(async (fixture) => {
      fixture.sandbox.shop.show('queueit-room');
      const check = await fixture.check();
      expect(calls(fixture)).toMatchObject([
        { cmd: 'request.get', url: fixture.sandbox.shopUrl, data: 'success' },
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
      const row = await fixture.db
        .selectFrom('monitor_checks')
        .select(['final_url', 'scrappey_calls'])
        .executeTakeFirstOrThrow();
      expect(row.final_url).toContain('/queue/?c=');
      expect(row.scrappey_calls).toBe(1);
      await untilDelivery(fixture, 'instant', 'sent');
    }));

  it('is retried at once when a tunnel failed, and both calls are counted', () =>
    inScrappeyFixture(async (fixture) => {
      fixture.sandbox.scrappey.setFaults([{ kind: 'code', code: '0005' }]);
      await openRoom(fixture);
      expect(calls(fixture).map((call) => call.data)).toEqual(['error', 'success']);
      const row = await fixture.db
        .selectFrom('monitor_checks')
        .select('scrappey_calls')
        .executeTakeFirstOrThrow();
      expect(row.scrappey_calls).toBe(2);
    }));

  it('does not call an overloaded service for a minute', () =>
    inScrappeyFixture(async (fixture) => {
      fixture.sandbox.scrappey.setFaults([{ kind: 'code', code: '0001' }]);
      const check = await fixture.check();
      expect(calls(fixture)).toHaveLength(1);
      expect(check.scrappey_status).toBe('error');
      const { not_before: notBefore } = await readWatch(fixture.db);
      const pause = Date.parse(notBefore ?? '') - Date.parse(check.check_timestamp);
      expect(pause).toBeGreaterThanOrEqual(60 * SECOND);
      expect(pause).toBeLessThan(2 * MINUTE);
    }));

  it.each([
    ['an error with a code', { kind: 'code', code: '0002' }, 'error'],
    ['a response that is not JSON', { kind: 'garbage' }, 'other'],
    ['a rejected key', { kind: 'status', status: 401 }, 'error'],
    ['a server error of the service', { kind: 'status', status: 500 }, 'error'],
  ] as const)('is unknown after %s, and says why', (_name, fault, status) =>
    inScrappeyFixture(async (fixture) => {
      fixture.sandbox.shop.show('imperva-room');
      fixture.sandbox.scrappey.setFaults([fault]);
      const check = await fixture.check();
      expect(judgementSchema.parse(check.content_analysis).verdict).toBe('unknown');
      expect(check).toMatchObject({ queue_detected: false, scrappey_status: status });
      expect(check.error_message).toMatch(/^Scrappey/);
      expect(await fixture.db.selectFrom('alerts').select('id').execute()).toEqual([]);
    }),
  );

  it('becomes a direct one when the daily call limit is reached', () =>
    inScrappeyFixture(async (fixture) => {
      await fixture.writeSetting('scrappey_daily_limit', '2');
      const checks = [await fixture.check(), await fixture.check(), await fixture.check()];
      expect(checks.map((check) => check.scrappey_status)).toEqual(['success', 'success', 'disabled']);
      expect(calls(fixture)).toHaveLength(2);
      fixture.clock.advance(24 * 60 * MINUTE);
      expect((await fixture.check()).scrappey_status).toBe('success');
    }));
});

describe('secrets', () => {
  let suite: DaemonSuite;

  beforeAll(async () => {
    suite = await createDaemonSuite();
  });
  afterAll(() => suite.close());

  const readAll = (folder: string): string =>
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
      .join('\n');

  it('appear in no log, no job and no stored check when requests fail', () =>
    suite.run(
      async ({ fixture, startDaemon, redisFolder }) => {
        const daemon = await startDaemon();
        fixture.sandbox.discord.setFaults('instant', [
          { kind: 'status', status: 500 },
          { kind: 'reset' },
          { kind: 'status', status: 404 },
        ]);
        for (const fault of [
          { kind: 'code', code: '0001' },
          { kind: 'garbage' },
          { kind: 'status', status: 403 },
        ] as const) {
          fixture.sandbox.scrappey.setFaults([fault]);
          await fixture.check();
        }
        await openRoom(fixture);
        await untilDelivery(fixture, 'instant', 'dead');
        const output = daemon.stdout() + daemon.stderr();
        expect(output).toContain('"msg":"not sent"');
        const jobs = readAll(redisFolder);
        expect(jobs).toContain('"attempt":');
        const rows = JSON.stringify([
          await fixture.db.selectFrom('monitor_checks').selectAll().execute(),
          await fixture.db.selectFrom('alert_deliveries').selectAll().execute(),
          await fixture.db.selectFrom('admin_notices').selectAll().execute(),
          await fixture.db.selectFrom('audit_log').selectAll().execute(),
        ]);
        const token = fixture.sandbox.webhookUrl('instant').split('/').at(-1) ?? '';
        for (const secret of [fixture.sandbox.scrappeyKey, token]) {
          expect(output).not.toContain(secret);
          expect(jobs).not.toContain(secret);
          expect(rows).not.toContain(secret);
        }
      },
      ['instant', 'admin'],
      withScrappey,
    ));
});
