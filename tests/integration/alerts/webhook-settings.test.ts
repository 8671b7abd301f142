import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pino } from 'pino';
import { createDeliverySender } from '#shared/alerts/deliveries/send-delivery.server';
import { createDiscordWebhooks, type DiscordWebhooks } from '#shared/channels/discord/discord-webhook.server';
import {
  deleteWebhook,
  findWebhook,
  listRetailerWebhooks,
  listWebhooks,
  sendTestAlert,
  setWebhook,
  WEBHOOK_SETTING,
} from '#shared/alerts/webhooks/webhooks';
import { systemClock } from '#shared/clock';
import { createWriteRetrier } from '#shared/database/write-retrier';
import { createKeyring } from '#shared/secrets.server';
import { listMonitorSettings, writeMonitorSettings } from '#shared/monitor/monitor-settings';
import { startSandbox, type Sandbox } from '../../../sandbox/start-sandbox';
import { insertProductWatch, OUT, productCheck } from '../monitor/product-watch';
import { createTestDatabase, type TestDatabase } from '../database';
import { startFakeWebhookServer } from './fake-webhook-server';
import { storeCheck } from './finished-check';
import { attempt } from '../../attempt';

const keyring = createKeyring(['a secret of the tests']);
const APP_URL = 'https://packwatch.test';
let test: TestDatabase;
let sandbox: Sandbox;
let discord: DiscordWebhooks;

beforeEach(async () => {
  [test, sandbox] = await Promise.all([createTestDatabase(), startSandbox()]);
  discord = createDiscordWebhooks({ appUrl: APP_URL });
});
afterEach(async () => {
  await Promise.all([discord.close(), sandbox.close(), test.cleanup()]);
});

const context = (...more: string[]) => ({
  db: test.db,
  keyring,
  discord,
  allowedHosts: [sandbox.webhookHost, ...more],
  clock: systemClock,
  appUrl: APP_URL,
});
const stored = async () => (await findWebhook(context(), { audience: 'instant' }))?.url ?? null;
const actor = { userId: null };
const set = (url = sandbox.webhookUrl('instant')) =>
  setWebhook(context(), { audience: 'instant', url, actor });

describe('setting a webhook', () => {
  it('verifies it at Discord without a post, and stores it as it will be requested', async () => {
    await set(`  ${sandbox.webhookUrl('instant')}/ `);
    expect(sandbox.discord.requests().map((request) => request.method)).toEqual(['GET']);
    expect(await stored()).toBe(sandbox.webhookUrl('instant'));
  });

  it('keeps the previous one when the new one is unknown to Discord', async () => {
    await set();
    const unknown = sandbox.webhookUrl('instant').replace(/.{8}$/, 'deleted0');
    await expect(set(unknown)).rejects.toMatchObject({ kind: 'Invalid', code: 'unknown_webhook' });
    expect(await stored()).toBe(sandbox.webhookUrl('instant'));
  });

  it.each([
    [{ kind: 'status', status: 500, on: ['GET'] }],
    [{ kind: 'status', status: 429, on: ['GET'] }],
    [{ kind: 'reset', on: ['GET'] }],
  ] as const)('says that Discord could not confirm it after %j', async (fault) => {
    sandbox.discord.setFaults('instant', [{ ...fault, on: ['GET'] }]);
    await expect(set()).rejects.toMatchObject({ kind: 'BadGateway', code: 'discord_unavailable' });
    expect(await stored()).toBeNull();
  });

  it('says what Discord answered when it refuses the webhook', async () => {
    sandbox.discord.setFaults('instant', [{ kind: 'status', status: 403, on: ['GET'] }]);
    await expect(set()).rejects.toMatchObject({
      code: 'unknown_webhook',
      message: 'Discord refuses this webhook: Discord answered 403 (code 50013): Missing Permissions.',
    });
  });

  it('neither follows a redirect nor stores an address that redirects', async () => {
    const target = sandbox.webhookUrl('free');
    const odd = await startFakeWebhookServer((response) =>
      response.writeHead(302, { location: target }).end(),
    );
    try {
      const setting = setWebhook(context(odd.host), { audience: 'instant', url: odd.webhookUrl, actor });
      await expect(setting).rejects.toMatchObject({ kind: 'Invalid' });
      expect(sandbox.discord.requests()).toEqual([]);
      expect(await stored()).toBeNull();
    } finally {
      await odd.close();
    }
  });

  it('clears the fault of the previous one', async () => {
    await set();
    await test.db.updateTable('webhooks').set({ state: 'rejected', last_fault: 'gone' }).execute();
    expect((await listWebhooks(context()))[0]).toMatchObject({ audience: 'instant', fault: 'gone' });
    await set();
    expect((await listWebhooks(context()))[0]).toMatchObject({ fault: null });
  });

  it('is undone by deleting it, also repeatedly', async () => {
    await set();
    const instant = { audience: 'instant', actor, clock: systemClock } as const;
    await deleteWebhook(test.db, instant);
    await deleteWebhook(test.db, instant);
    expect(await listWebhooks(context())).toEqual(
      (['instant', 'free', 'admin'] as const).map((audience) => ({
        audience,
        webhook: null,
        fault: null,
        inherited: null,
      })),
    );
  });
});

describe('a test alert', () => {
  it('is refused without a webhook, and when Discord rejects it, with Discord’s reason beside the message', async () => {
    await expect(sendTestAlert(context(), { audience: 'instant' })).rejects.toMatchObject({
      kind: 'NotFound',
      code: 'no_webhook',
    });
    await set();
    sandbox.discord.setFaults('instant', [{ kind: 'status', status: 404 }]);
    await expect(sendTestAlert(context(), { audience: 'instant' })).rejects.toMatchObject({
      kind: 'BadGateway',
      message: 'Failed to send test alert',
      reason: 'Discord answered 404 (code 10015): Unknown Webhook.',
    });
  });

  it('goes to the thread of the webhook, which is stored and shown with it', async () => {
    const thread = '140000000000000201';
    const { discord } = sandbox;
    discord.setChannel('instant', { threads: [{ id: thread }] });
    await set(`${sandbox.webhookUrl('instant')}?thread_id=${thread}`);
    await sendTestAlert(context(), { audience: 'instant' });
    expect(discord.messages('instant')).toMatchObject([{ channelId: thread }]);
    expect((await listWebhooks(context()))[0]?.webhook).toMatch(
      /\/webhooks\/1400…\/••••.{4}\?thread_id=140000000000000201$/,
    );
    discord.setChannel('instant', {});
    await expect(sendTestAlert(context(), { audience: 'instant' })).rejects.toMatchObject({
      operatorMessage: expect.stringMatching(/^Failed to send test alert: .*Unknown Channel\. The thread/),
    });
  });

  it('in a forum makes a thread', async () => {
    sandbox.discord.setChannel('instant', { type: 'forum' });
    await set();
    await sendTestAlert(context(), { audience: 'instant' });
    expect(sandbox.discord.threads('instant')).toHaveLength(1);
  });

  it('restores trust in a webhook that works again', async () => {
    await set();
    await test.db.updateTable('webhooks').set({ state: 'rejected', last_fault: 'gone' }).execute();
    await sendTestAlert(context(), { audience: 'instant' });
    expect(sandbox.discord.messages('instant')).toHaveLength(1);
    expect((await listWebhooks(context()))[0]?.fault).toBeNull();
  });
});

describe('the monitor’s settings', () => {
  const write = (key: string, value: string) => {
    const settings = [{ setting_key: key, setting_value: value }];
    return writeMonitorSettings(test.db, { settings, actor, clock: systemClock });
  };

  it.each([
    ['check_interval_seconds', '15', '3600', ['14', '3601', '1.5', '', 'abc', '-30']],
    ['monitoring_hours', '20-2', '9-21', ['9', '24-9', '9-25', '9-9', '-1-5', '09:00-21:00']],
    ['scrappey_daily_limit', '0', '1440', ['-1', '1e3', '']],
    ['discord_role_id_instant', '', '123456789012345678', ['123', '@everyone', '<@&123456789012345678>']],
  ] as const)('%s takes %s and %s and nothing else', async (key, low, high, refused) => {
    for (const value of refused) {
      await expect(write(key, value), value).rejects.toMatchObject({
        kind: 'Invalid',
        code: 'invalid_setting',
      });
    }
    for (const value of [low, high])
      expect((await write(key, ` ${value} `)).settings).toEqual([{ setting_key: key, setting_value: value }]);
    expect((await write(key, high)).changed).toEqual([]);
    const { rows, broken } = await listMonitorSettings(test.db);
    expect(rows).toContainEqual({ setting_key: key, setting_value: high });
    expect(broken).toEqual([]);
  });

  it('cannot set a webhook', async () => {
    await expect(write(WEBHOOK_SETTING.instant, sandbox.webhookUrl('instant'))).rejects.toMatchObject({
      code: 'unknown_setting',
    });
    await expect(write('constructor', '1')).rejects.toMatchObject({ code: 'unknown_setting' });
  });
});

describe('an alert of a product', () => {
  const ROLE = '803511102246789121';

  /** Opens an alert of a new watch, sends its instant message, and returns where it went and whom it pinged. */
  async function alert(own: string | null = null) {
    const watchId = await insertProductWatch(test.db);
    if (own !== null) await setWebhook(context(), { watchId, audience: 'instant', url: own, actor });
    let now = Date.now() - 10_000;
    const clock = { now: () => now };
    await storeCheck(test.db, clock, productCheck(watchId, OUT));
    return {
      watchId,
      async send() {
        now += 5_000;
        await storeCheck(test.db, clock, productCheck(watchId));
        const { id } = await test.db
          .selectFrom('alert_deliveries')
          .innerJoin('alerts', 'alerts.id', 'alert_id')
          .select('alert_deliveries.id')
          .where('watch_id', '=', watchId)
          .where('audience', '=', 'instant')
          .executeTakeFirstOrThrow();
        const sender = createDeliverySender({
          ...context(),
          clock: systemClock,
          logger: pino({ level: 'silent' }),
          owner: 'one',
          mailer: null,
          webhookHosts: [sandbox.webhookHost],
          adminContacts: { emails: [] },
          outcomes: createWriteRetrier({ onWait: () => undefined }),
        });
        sandbox.discord.clearMessages();
        await attempt(sender, id);
        return (['instant', 'free', 'admin'] as const).flatMap((channel) =>
          sandbox.discord.messages(channel).map(({ content }) => [channel, content?.match(/\d{18}/)?.[0]]),
        );
      },
    };
  }

  it('goes to the webhook of its watch, else to that of the retailer, else to that of the first watch', async () => {
    await set();
    const ofRetailer = (retailerId: string) => ({ retailerId, audience: 'instant' as const });
    const first = await alert();
    expect(await first.send()).toEqual([['instant', undefined]]);

    const second = await alert();
    const theirs = ofRetailer(second.watchId);
    await setWebhook(context(), { ...theirs, url: sandbox.webhookUrl('free'), actor });
    await test.db
      .updateTable('retailers')
      .set({ role_id_instant: ROLE })
      .where('id', '=', second.watchId)
      .execute();
    expect((await listWebhooks(context(), second.watchId))[0]).toEqual({
      audience: 'instant',
      webhook: null,
      fault: null,
      inherited: { from: 'retailer', webhook: expect.stringContaining('…') as string, fault: null },
    });
    expect(await second.send()).toEqual([['free', ROLE]]);
    sandbox.discord.clearMessages();
    await sendTestAlert(context(), theirs);
    await sendTestAlert(context(), { watchId: second.watchId, audience: 'instant' });
    expect(sandbox.discord.messages('free')).toHaveLength(2);

    const third = await alert(sandbox.webhookUrl('admin'));
    await setWebhook(context(), { ...ofRetailer(third.watchId), url: sandbox.webhookUrl('free'), actor });
    expect(await third.send()).toEqual([['admin', undefined]]);

    // Discord no longer knows the webhook of a retailer.
    const fourth = await alert();
    const gone = ofRetailer(fourth.watchId);
    await setWebhook(context(), { ...gone, url: sandbox.webhookUrl('free'), actor });
    sandbox.discord.setFaults('free', [{ kind: 'status', status: 404 }]);
    await fourth.send();
    expect(await findWebhook(context(), gone)).toMatchObject({ fault: expect.any(String) as string });
    expect((await listRetailerWebhooks(context(), fourth.watchId))[0]?.fault).not.toBeNull();
    await deleteWebhook(test.db, { ...gone, actor, clock: systemClock });
    expect((await listRetailerWebhooks(context(), fourth.watchId))[0]).toMatchObject({
      webhook: null,
      inherited: { from: 'default' },
    });
    await expect(
      setWebhook(context(), { retailerId: fourth.watchId, audience: 'admin', url: 'x', actor }),
    ).rejects.toMatchObject({ kind: 'Invalid' });
  });
});
