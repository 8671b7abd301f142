import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDiscordWebhooks, type DiscordWebhooks } from '#shared/channels/discord/discord-webhook.server';
import { MINUTE } from '#shared/clock';
import { addWatch, type WatchContext } from '#shared/monitor/watches/add-watch.server';
import { changeWatch } from '#shared/monitor/watches/change-watch.server';
import { removeWatch } from '#shared/monitor/watches/remove-watch.server';
import { NEW_WATCH } from '#shared/monitor/watches/watch-fields';
import { takeCheckLease } from '#shared/monitor/checks/check-lease';
import { applyRetention } from '#shared/monitor/retention';
import { switchMonitoring } from '#shared/monitor/start-stop';
import { readWatch, type Watch } from '#shared/monitor/watches/watches';
import { createPublicWeb, type PublicWeb } from '#shared/network/public-web.server';
import { createMonitorFixture, eventually, type MonitorFixture } from './monitor-fixture';

const OPERATOR = { userId: null };
const ROOM = { kind: 'waiting_room', ...NEW_WATCH.waiting_room } as const;

let fixture: MonitorFixture;
let discord: DiscordWebhooks;
let web: PublicWeb;
let context: WatchContext;
let watch: Watch;

/** A server of our own network that is not allowed. */
let inside: Server;
let insideUrl = '';
let reached = 0;
beforeAll(async () => {
  inside = createServer((_, response) => {
    reached += 1;
    response.end('internal');
  });
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
  insideUrl = `http://127.0.0.1:${(inside.address() as AddressInfo).port}/`;
});
afterAll(() => void inside.close());

beforeEach(async () => {
  fixture = await createMonitorFixture({
    webhooks: [],
    environment: (sandbox) => ({ ALLOWED_PRIVATE_HOSTS: new URL(sandbox.shopUrl).host }),
  });
  const { db, keyring, clock, queues, config, sandbox } = fixture;
  discord = createDiscordWebhooks({ appUrl: config.appUrl });
  web = createPublicWeb({ allowedPrivateHosts: config.allowedPrivateHosts });
  context = {
    db,
    keyring,
    discord,
    allowedHosts: config.discord.webhookHosts,
    web,
    targetUrl: config.monitor.targetUrl,
    queues,
    clock,
  };
  watch = await addWatch(context, {
    fields: { ...ROOM, shop: 'Card Shop', title: 'Card Shop', url: sandbox.shopUrl, hours: '0-24' },
    webhooks: { instant: sandbox.webhookUrl('instant'), free: sandbox.webhookUrl('free'), admin: ' ' },
    actor: OPERATOR,
  });
});
afterEach(async () => {
  await Promise.all([discord.close(), web.close()]);
  await fixture.cleanup();
});

const titles = (audience: 'instant' | 'free') =>
  fixture.sandbox.discord.messages(audience).map(({ embeds }) => embeds[0]?.title);
const readAlerts = () =>
  fixture.db
    .selectFrom('alerts')
    .select(['status', 'close_reason'])
    .where('watch_id', '=', watch.id)
    .execute();
const readDeliveries = () =>
  fixture.db
    .selectFrom('alert_deliveries')
    .select(['audience', 'status'])
    .orderBy('audience', 'desc')
    .execute();
const readWebhooks = () =>
  fixture.db
    .selectFrom('webhooks')
    .select('audience')
    .where('watch_id', '=', watch.id)
    .orderBy('audience')
    .execute();

async function openRoom(): Promise<void> {
  await fixture.startDaemon();
  fixture.sandbox.shop.show('imperva-room');
  expect((await fixture.check(watch.id)).queue_detected).toBe(true);
  await eventually(() => expect(titles('instant')).toEqual(['Card Shop: the waiting room is open']));
}

/** Starts a check whose page takes long, and resolves once the shop has its request. */
async function startSlowCheck(): Promise<{ ended: Promise<unknown> }> {
  fixture.sandbox.shop.show('slow', { delayMs: 1_500 });
  const seen = fixture.sandbox.shop.requests().length;
  const ended = fixture.check(watch.id).catch((error: unknown) => error);
  await eventually(() => expect(fixture.sandbox.shop.requests().length).toBeGreaterThan(seen));
  return { ended };
}

test('a watch with a webhook that Discord does not know, or with an invalid address, is not added', async () => {
  const add = (webhook: string) =>
    addWatch(context, {
      fields: { ...ROOM, shop: 'Other', title: 'Other', url: fixture.sandbox.shopUrl },
      webhooks: { free: webhook },
      actor: OPERATOR,
    });
  const unknown = fixture.sandbox.webhookUrl('free').replace(/webhooks\/\d+/, 'webhooks/1499999999999999999');
  for (const webhook of [unknown, 'https://discord.com@evil.example/api/webhooks/1/a'])
    await expect(add(webhook)).rejects.toMatchObject({
      kind: 'Invalid',
      fieldErrors: { webhookFree: [expect.any(String)] },
    });
  expect(await fixture.db.selectFrom('watches').select('slug').orderBy('slug').execute()).toEqual([
    { slug: 'card-shop' },
    { slug: 'pokemon-center-uk' },
  ]);
});

describe('a deleted watch', () => {
  test('is not checked by a request that waited for another check', async () => {
    const { db, clock, queues, sandbox } = fixture;
    await fixture.startDaemon();
    sandbox.shop.show('imperva-room');
    await takeCheckLease(db, { watchId: watch.id, owner: 'another daemon', clock });
    const ended = fixture.check(watch.id).catch((error: unknown) => error);
    await eventually(async () => expect(await (await queues.open('monitor')).getActiveCount()).toBe(1));
    await removeWatch(context, { watch, actor: OPERATOR });
    expect(await ended).toBeInstanceOf(Error);
    expect(await readAlerts()).toEqual([]);
  });

  test('ends its alert: messages are edited, the free one is cancelled, webhooks and scheduler go', async () => {
    await switchMonitoring(context, { on: true, actor: OPERATOR, watchId: watch.id });
    await openRoom();
    await eventually(async () =>
      expect(await (await fixture.queues.open('monitor')).getJobSchedulersCount()).toBe(1),
    );
    await removeWatch(context, { watch: await readWatch(fixture.db, watch.id), actor: OPERATOR });
    expect(await (await fixture.queues.open('monitor')).getJobSchedulersCount()).toBe(0);
    expect(await readAlerts()).toEqual([{ status: 'closed', close_reason: 'removed' }]);
    await eventually(async () =>
      expect(await readDeliveries()).toEqual([
        { audience: 'instant', status: 'sent' },
        { audience: 'free', status: 'cancelled' },
      ]),
    );
    await eventually(() => expect(titles('instant')).toEqual(['Card Shop: no longer watched']));
    expect(titles('free')).toEqual([]);
    // The edit needed them; the next housekeeping run deletes what is left.
    await applyRetention(fixture.db, fixture.clock.now());
    expect(await readWebhooks()).toEqual([]);
    expect(await readWatch(fixture.db, watch.id)).toMatchObject({
      running: 0,
      slug: `deleted-${watch.id}`,
      deleted_at: expect.any(String),
    });
  });

  test('opens no alert by a check that was being made, and is not checked again', async () => {
    await fixture.startDaemon();
    const { ended } = await startSlowCheck();
    fixture.sandbox.shop.show('imperva-room');
    await removeWatch(context, { watch, actor: OPERATOR });
    await ended;
    expect(await readAlerts()).toEqual([]);
    const { checks } = await fixture.db
      .selectFrom('monitor_checks')
      .select((select) => select.fn.countAll<number>().as('checks'))
      .executeTakeFirstOrThrow();
    expect(Number(checks)).toBe(0);
    expect(await readWebhooks()).toEqual([]);
  });

  test('posts no message that Discord has not taken yet', async () => {
    fixture.sandbox.discord.setFaults('instant', [{ kind: 'status', status: 500, persistent: true }]);
    await fixture.startDaemon();
    fixture.sandbox.shop.show('imperva-room');
    await fixture.check(watch.id);
    await eventually(() => expect(fixture.sandbox.discord.requests('instant').length).toBeGreaterThan(0));
    await removeWatch(context, { watch, actor: OPERATOR });
    fixture.sandbox.discord.setFaults('instant', []);
    fixture.clock.advance(MINUTE);
    await eventually(async () =>
      expect((await readDeliveries()).map(({ status }) => status)).toEqual(['cancelled', 'cancelled']),
    );
    expect([titles('instant'), titles('free')]).toEqual([[], []]);
    await applyRetention(fixture.db, fixture.clock.now());
    expect(await readWebhooks()).toEqual([]);
  });
});

test('a watch whose page changes ends the alert of the old page and drops a check of it', async () => {
  await openRoom();
  const { ended } = await startSlowCheck();
  fixture.sandbox.shop.show('open');
  const page = `${fixture.sandbox.shopUrl}?page=2`;
  const changed = await changeWatch(context, { watch, changes: { url: page }, actor: OPERATOR });
  expect(changed.url).toBe(page);
  expect(await readAlerts()).toEqual([{ status: 'closed', close_reason: 'moved' }]);
  await eventually(() => expect(titles('instant')).toEqual(['Card Shop: monitoring has moved']));
  await ended;
  const pages = await fixture.db
    .selectFrom('monitor_checks')
    .select('target_url')
    .orderBy('check_timestamp')
    .execute();
  expect(pages.map(({ target_url }) => target_url)).toEqual([fixture.sandbox.shopUrl, page]);
});

test('an address of our own network that is placed straight in the database is not fetched', async () => {
  await fixture.db.updateTable('watches').set({ url: insideUrl }).where('id', '=', watch.id).execute();
  await fixture.startDaemon();
  const check = await fixture.check(watch.id);
  expect(check).toMatchObject({ queue_detected: false, http_status_code: null, raw_response: '' });
  expect(check.error_message).toMatch(/could not be fetched: it is not on the public internet\.$/);
  expect(reached).toBe(0);
});
