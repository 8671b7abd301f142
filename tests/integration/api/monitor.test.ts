import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { QUEUE_PREFIX } from '#shared/queues/catalogue';
import { serverContext } from '~/http/server/context.server';
import { startPrivateRedis } from '../../../scripts/processes/private-redis.mjs';
import { callApi, createApiFixture, freshEmail, type ApiResponse, type ApiFixture } from './api-fixture';
import { createMonitorFixture, eventually, type MonitorFixture } from '../monitor/monitor-fixture';

const folder = mkdtempSync(join(tmpdir(), 'packwatch-api-monitor-'));
let redis: Awaited<ReturnType<typeof startPrivateRedis>>;
beforeAll(async () => {
  redis = await startPrivateRedis({ directory: folder });
});
afterAll(async () => {
  await redis.stop();
  rmSync(folder, { recursive: true, force: true });
});

let fixture: MonitorFixture;
let api: ApiFixture;
let admin: { id: string; token: string };
beforeEach(async () => {
  fixture = await createMonitorFixture({ redisUrl: redis.url, prefix: QUEUE_PREFIX, webhooks: [] });
  api = await createApiFixture({ ...fixture.environment, ...fixture.ofDatabase });
  const account = await api.account('admin', { email: freshEmail() });
  admin = { id: account.id, token: await api.signIn(account) };
  return async () => {
    await api.cleanup();
    await fixture.cleanup();
  };
});

function call(method: string, path: string, body?: unknown): Promise<ApiResponse> {
  return callApi(method, `/api/pokemon-center${path}`, { token: admin.token, body });
}

async function untilReady(): Promise<void> {
  await eventually(() => expect(serverContext().queues?.isReady()).toBe(true));
}

async function audited(): Promise<{ action: string; actor_id: string | null; subject: string | null }[]> {
  return api.db
    .selectFrom('audit_log')
    .select(['action', 'actor_id', 'subject'])
    .where('actor_id', '=', admin.id)
    .orderBy('created_at')
    .execute();
}

describe('with a daemon', () => {
  beforeEach(async () => {
    await fixture.startDaemon();
    await untilReady();
  });

  test('a manual check returns its result', async () => {
    fixture.sandbox.shop.show('open');
    await eventually(async () =>
      expect((await call('GET', '/status')).body).toMatchObject({ data: { daemon: { online: true } } }),
    );
    expect((await call('GET', '/debug/latest')).body).toEqual({ success: true, data: null });

    const checked = await call('POST', '/check');
    expect(checked).toMatchObject({
      status: 200,
      body: {
        success: true,
        data: { check: { queue_detected: false, http_status_code: 200, scrappey_status: 'disabled' } },
      },
    });
    const { body: history } = await call('GET', '/history?hours=1');
    expect(history).toMatchObject({ data: { history: [{ raw_response: null, queue_detected: false }] } });
    const { body: debug } = await call('GET', '/debug/latest');
    expect(debug).toMatchObject({
      data: { queueDetected: false, errorMessage: null, rawResponse: expect.stringContaining('<') },
    });
    const { body: status } = await call('GET', '/status');
    expect(status).toEqual({
      success: true,
      data: {
        queueActive: false,
        lastCheck: expect.any(String),
        withinHours: true,
        state: 'open',
        scheduler: { running: false, intervalSeconds: 60, nextCheck: null },
        daemon: { online: true, lastHeartbeat: expect.any(String) },
      },
    });
  });

  test('start and stop update the scheduler at once, and answer the same when repeated', async () => {
    expect(await call('POST', '/monitoring/start')).toMatchObject({
      status: 200,
      body: { message: 'Monitoring started.' },
    });
    expect((await (await fixture.queues.open('monitor')).getJobSchedulers()).map(({ key }) => key)).toEqual([
      'check-pokemon-center-uk',
    ]);
    expect(await call('POST', '/monitoring/start')).toMatchObject({ status: 200, body: { success: true } });
    expect(await call('POST', '/monitoring/stop')).toMatchObject({
      status: 200,
      body: { message: 'Monitoring stopped.' },
    });
    expect(await (await fixture.queues.open('monitor')).getJobSchedulers()).toEqual([]);
    expect(await audited()).toMatchObject([{ action: 'monitor.start' }, { action: 'monitor.stop' }]);
  });
});

test('without a daemon a check cannot be triggered', async () => {
  await untilReady();
  expect(await call('POST', '/check')).toMatchObject({
    status: 503,
    body: { success: false, code: 'check_failed', message: 'Failed to trigger check' },
  });
});

describe('settings', () => {
  test('are listed with their effective values and changed individually', async () => {
    const changed = await call('PUT', '/settings', {
      setting_key: 'check_interval_seconds',
      setting_value: '90',
    });
    expect(changed).toMatchObject({
      status: 200,
      body: { data: { setting_key: 'check_interval_seconds', setting_value: '90' } },
    });
    const { body } = await call('GET', '/settings');
    expect(body).toMatchObject({
      data: {
        settings: expect.arrayContaining([{ setting_key: 'check_interval_seconds', setting_value: '90' }]),
        discord_webhook_url: null,
        discord_webhook_url_free: null,
        discord_webhook_url_admin: null,
      },
    });
    expect(await audited()).toEqual([
      { action: 'monitor.setting', actor_id: admin.id, subject: 'check_interval_seconds' },
    ]);
  });

  test.each([
    ['check_interval_seconds', '14', 'setting_value'],
    ['check_interval_seconds', 'often', 'setting_value'],
    ['monitoring_hours', '9-9', 'setting_value'],
    ['discord_webhook_url', 'https://discord.com/api/webhooks/1/a', 'setting_key'],
    ['__proto__', 'x', 'setting_key'],
    ['toString', 'x', 'setting_key'],
  ])('with invalid values are refused: %s = %s', async (setting_key, setting_value, field) => {
    const answer = await call('PUT', '/settings', { setting_key, setting_value });
    expect(answer).toMatchObject({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
  });

  test.each(['0', '721', '-1', '1e2', '1;--', '24.5', 'NaN', ''])(
    'a history of %j hours is refused',
    async (hours) => {
      const answer = await call('GET', `/history?hours=${encodeURIComponent(hours)}`);
      expect(answer).toMatchObject({ status: 400, body: { errors: { hours: [expect.any(String)] } } });
    },
  );
});

describe('webhooks', () => {
  test('are set, shown masked, tested and deleted', async () => {
    const url = fixture.sandbox.webhookUrl('free');
    const set = await call('PUT', '/webhook', { webhook_url: url, audience: 'free' });
    expect(set).toMatchObject({ status: 200, body: { message: 'Webhook URL updated successfully!' } });
    const { body } = await call('GET', '/settings');
    const token = url.split('/').at(-1) ?? '';
    expect(JSON.stringify(body)).not.toContain(token);
    expect(body).toMatchObject({
      data: { discord_webhook_url: null, discord_webhook_url_free: expect.stringContaining('••••') },
    });

    const tested = await call('POST', '/webhook/test', { audience: 'free' });
    expect(tested).toMatchObject({ status: 200, body: { message: 'Test alert sent successfully!' } });
    expect(fixture.sandbox.discord.messages('free')).toHaveLength(1);

    expect((await call('DELETE', '/webhook?audience=free')).status).toBe(200);
    expect((await call('POST', '/webhook/test', { audience: 'free' })).status).toBe(404);
    expect((await audited()).map(({ action }) => action)).toEqual(['webhook.set', 'webhook.delete']);
  });

  test('default to the instant audience', async () => {
    await call('PUT', '/webhook', { webhook_url: fixture.sandbox.webhookUrl('instant') });
    expect((await call('POST', '/webhook/test', {})).status).toBe(200);
    expect((await call('POST', '/webhook/test')).status).toBe(200);
    expect(fixture.sandbox.discord.messages('instant')).toHaveLength(2);
  });

  test('that Discord rejects are refused with the reason', async () => {
    await call('PUT', '/webhook', { webhook_url: fixture.sandbox.webhookUrl('instant') });
    fixture.sandbox.discord.setFaults('instant', [{ kind: 'status', status: 500 }]);
    expect(await call('POST', '/webhook/test', {})).toMatchObject({
      status: 502,
      body: {
        success: false,
        message: 'Failed to send test alert',
        reason: 'Discord answered 500 (code 0): 500: Internal Server Error.',
      },
    });
  });

  test.each([
    'http://discord.com/api/webhooks/1/a',
    'https://discord.com.evil.example/api/webhooks/1/a',
    'https://discord.com@evil.example/api/webhooks/1/a',
    'https://discord.com:8443/api/webhooks/1/a',
    'http://169.254.169.254/api/webhooks/1/a',
    'http://[::1]/api/webhooks/1/a',
    'file:///etc/passwd',
    '',
  ])('must be on Discord’s hosts: %j is refused', async (webhook_url) => {
    const answer = await call('PUT', '/webhook', { webhook_url });
    expect(answer).toMatchObject({ status: 422, body: { errors: { webhook_url: [expect.any(String)] } } });
  });
});
