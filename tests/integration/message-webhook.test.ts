import { sql } from 'kysely';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { listRecentAlerts } from '#shared/alerts/list-alerts';
import { openWebhook } from '#shared/alerts/webhook-seal.server';
import { deleteWebhook, findWebhook, listWebhooks } from '#shared/alerts/webhooks';
import { DAY, HOUR, toIso } from '#shared/clock';
import { createKeyring } from '#shared/secrets.server';
import { applyRetention } from '#shared/monitor/retention';
import { showStatus } from '../../daemon/cli/show-status';
import {
  adminTitles,
  closeRoom,
  inWorld,
  openRoom,
  readDelivery,
  requestsOf,
  untilDelivery,
} from './delivery-view';
import { createWorld, eventually, type World } from './monitor-world';

const CLOSED = 'the waiting room has closed';
const titles = (world: World, audience: string) =>
  world.sandbox.discord.messages(audience).map((message) => message.embeds[0]?.title);

/** Another channel's webhook takes the place of the instant one. Returns the audience that it keeps messages under. */
async function replaceInstant(world: World): Promise<string> {
  const { id, url } = world.sandbox.discord.addWebhook();
  await world.setWebhook('instant', url);
  return id;
}

describe.concurrent('a message whose webhook is replaced while it stands', () => {
  it('is edited through the webhook that posted it, and nothing goes to the new one', () =>
    inWorld({ webhooks: ['instant', 'admin'] }, async (world) => {
      await openRoom(world);
      await untilDelivery(world, 'instant', 'sent');
      const other = await replaceInstant(world);
      await closeRoom(world);
      await eventually(() => expect(titles(world, 'instant').join()).toContain(CLOSED));
      expect(world.sandbox.discord.requests(other)).toEqual([]);
      await untilDelivery(world, 'instant', 'sent');
      expect(adminTitles(world)).toEqual([]);
    }));

  it('is edited as well after its webhook was deleted here', () =>
    inWorld({ webhooks: ['instant'] }, async (world) => {
      await openRoom(world);
      await untilDelivery(world, 'instant', 'sent');
      await deleteWebhook(world.db, { audience: 'instant', actor: { userId: null }, clock: world.clock });
      await closeRoom(world);
      await eventually(() => expect(titles(world, 'instant').join()).toContain(CLOSED));
    }));

  it('cannot be edited when Discord has forgotten the old one: the admins hear of it, and the new one is trusted', () =>
    inWorld({ webhooks: ['instant', 'admin'] }, async (world) => {
      await openRoom(world);
      await untilDelivery(world, 'instant', 'sent');
      world.sandbox.discord.setFaults('instant', [
        { kind: 'status', status: 404, persistent: true, on: ['GET', 'POST', 'PATCH'] },
      ]);
      await replaceInstant(world);
      await closeRoom(world);
      await eventually(() =>
        expect(adminTitles(world)).toEqual(['A message to the instant audience could not be updated']),
      );
      const row = await untilDelivery(world, 'instant', 'dead');
      expect(row.last_error).toMatch(/webhook that is no longer set$/);
      expect((await listWebhooks(world))[0]).toMatchObject({ audience: 'instant', fault: null });
    }));
});

describe.concurrent('an edit that Discord does not take for an hour', () => {
  it('is given up, told to the admins once, and seen at the delivery', () =>
    inWorld({ webhooks: ['instant', 'admin'] }, async (world) => {
      await openRoom(world);
      await untilDelivery(world, 'instant', 'sent');
      world.sandbox.discord.setFaults('instant', [
        { kind: 'status', status: 500, persistent: true, on: ['PATCH'] },
      ]);
      await closeRoom(world);
      await eventually(() => expect(requestsOf(world, 'instant', 'PATCH').length).toBeGreaterThan(0));
      await eventually(async () => expect((await readDelivery(world, 'instant')).last_status).toBe(500));
      world.clock.advance(HOUR);
      await eventually(() =>
        expect(adminTitles(world)).toEqual(['A message to the instant audience could not be updated']),
      );
      expect(await untilDelivery(world, 'instant', 'sent')).toMatchObject({
        last_status: 500,
        last_error: expect.stringMatching(/^Discord answered 500/),
      });
      const [alert] = await listRecentAlerts(world.db, { limit: 1 });
      expect(alert?.deliveries[0]?.lastError).toMatch(/^Discord answered 500/);
    }));
});

describe.concurrent('another page is monitored while an alert is open', () => {
  /** The daemon stops, MONITOR_TARGET_URL changes, and a daemon starts. */
  async function move(world: World, daemon: { stop(): Promise<void> }): Promise<void> {
    await daemon.stop();
    world.config.monitor.targetUrl = `${world.sandbox.shopUrl}?another`;
    await world.startDaemon();
  }

  it.each([false, true])('the alert ends and its message says why (paused before: %s)', async (paused) => {
    const world = await createWorld({ webhooks: ['instant', 'free'] });
    try {
      const daemon = await world.startDaemon();
      await openRoom(world);
      await untilDelivery(world, 'instant', 'sent');
      if (paused)
        await world.db
          .updateTable('alerts')
          .set({ status: 'suspended', suspended_at: toIso(world.clock.now()) })
          .execute();
      await move(world, daemon);
      await eventually(() => expect(titles(world, 'instant').join()).toContain('monitoring has moved'));
      const [alert] = await world.db.selectFrom('alerts').selectAll().execute();
      expect(alert).toMatchObject({
        status: 'closed',
        close_reason: 'moved',
        closed_at: alert?.last_seen_at,
        closing_check_id: null,
      });
      expect((await readDelivery(world, 'free')).status).toBe('cancelled');
      expect(requestsOf(world, 'instant', 'POST')).toHaveLength(1);

      world.sandbox.shop.show('imperva-room');
      await world.check();
      await eventually(() => expect(requestsOf(world, 'instant', 'POST')).toHaveLength(2));
    } finally {
      await world.cleanup();
    }
  });

  it('and is the same as before when the address comes back within minutes', async () => {
    const world = await createWorld({ webhooks: ['instant'] });
    try {
      const first = await world.startDaemon();
      await openRoom(world);
      await untilDelivery(world, 'instant', 'sent');
      await first.stop();
      world.config.monitor.targetUrl = `${world.sandbox.shopUrl}?another`;
      const second = await world.startDaemon();
      await eventually(() => expect(titles(world, 'instant').join()).toContain('monitoring has moved'));
      await second.stop();
      world.config.monitor.targetUrl = world.sandbox.shopUrl;
      await world.startDaemon();
      await openRoom(world);
      await eventually(() => expect(titles(world, 'instant').join()).toContain('the waiting room is open'));
      expect(titles(world, 'instant')).toHaveLength(1);
    } finally {
      await world.cleanup();
    }
  });

  it('what was seen of the old page decides nothing about the new one', async () => {
    const world = await createWorld({ webhooks: ['instant'] });
    try {
      const daemon = await world.startDaemon();
      world.sandbox.shop.show('words-room');
      await world.check();
      const weak = async () =>
        (await world.db.selectFrom('watches').selectAll().executeTakeFirstOrThrow()).weak_since;
      expect(await weak()).not.toBeNull();
      await move(world, daemon);
      expect(await weak()).toBeNull();
      await world.check();
      expect(requestsOf(world, 'instant', 'POST')).toEqual([]);
    } finally {
      await world.cleanup();
    }
  });
});

describe.concurrent('webhooks in the database', () => {
  const stored = async (world: World) =>
    (
      await world.db
        .selectFrom('webhooks')
        .select('sealed_url')
        .where('audience', '=', 'instant')
        .executeTakeFirstOrThrow()
    ).sealed_url;

  it('are sealed, those with their messages as well, and nothing of them is in the file', () =>
    inWorld({ webhooks: ['instant', 'free', 'admin'] }, async (world) => {
      await openRoom(world);
      const row = await untilDelivery(world, 'instant', 'sent');
      expect(openWebhook(world.keyring, row.sealed_webhook ?? '')).toBe(world.sandbox.webhookUrl('instant'));
      await sql`pragma wal_checkpoint(truncate)`.execute(world.db);
      const file = readFileSync(world.file, 'latin1');
      for (const audience of ['instant', 'free', 'admin'] as const)
        expect(file).not.toContain(world.sandbox.webhookUrl(audience).split('/').at(-1));
    }));

  it('of an earlier release are sealed by the daemon, without a trace in the file, and used', async () => {
    const world = await createWorld({ webhooks: [] });
    try {
      const url = world.sandbox.webhookUrl('instant');
      await world.db
        .insertInto('webhooks')
        .values({ watch_id: 'pokemon-center-uk', audience: 'instant', sealed_url: url, updated_at: '' })
        .execute();
      await world.startDaemon();
      expect(await stored(world)).toMatch(/^sealed:/);
      expect((await findWebhook(world, { audience: 'instant' }))?.url).toBe(url);
      await sql`pragma wal_checkpoint(truncate)`.execute(world.db);
      expect(readFileSync(world.file, 'latin1')).not.toContain(url.split('/').at(-1));
      await openRoom(world);
      await untilDelivery(world, 'instant', 'sent');
    } finally {
      await world.cleanup();
    }
  });

  it('stay readable when a new secret is put before the old one, and then need the new one only', async () => {
    const world = await createWorld({ webhooks: ['instant'] });
    try {
      const [old = ''] = world.config.sessionSecrets;
      world.config.sessionSecrets = ['a newer secret, long enough', old];
      await world.startDaemon();
      await openRoom(world);
      await untilDelivery(world, 'instant', 'sent');
      const newest = createKeyring(['a newer secret, long enough']);
      expect(openWebhook(newest, await stored(world))).toBe(world.sandbox.webhookUrl('instant'));
    } finally {
      await world.cleanup();
    }
  });

  it('that no secret opens count as not set: it is said, and the admins hear by mail', async () => {
    const world = await createWorld({
      webhooks: ['instant', 'admin'],
      environment: (sandbox) => ({
        SMTP_URL: sandbox.smtpUrl,
        MAIL_FROM: 'alerts@packwatch.test',
        ADMIN_EMAILS: 'ada@packwatch.test',
      }),
    });
    try {
      world.config.sessionSecrets = ['another secret altogether'];
      await world.startDaemon();
      const keyring = createKeyring(world.config.sessionSecrets);
      expect((await listWebhooks({ db: world.db, keyring }))[0]).toMatchObject({
        webhook: null,
        fault: expect.stringContaining('SESSION_SECRET'),
      });
      expect((await showStatus(world.db, keyring)).lines.join('\n')).toMatch(
        /Webhook instant +not set \(.*SESSION_SECRET/,
      );
      await openRoom(world);
      expect((await untilDelivery(world, 'instant', 'dead')).last_error).toContain('SESSION_SECRET');
      await eventually(() =>
        expect(world.sandbox.mails.list().map((mail) => mail.subject)).toEqual([
          'An alert did not reach the instant audience',
        ]),
      );
      expect(world.sandbox.discord.requests()).toEqual([]);
    } finally {
      await world.cleanup();
    }
  });

  it('are forgotten a day after the last message through them', () =>
    inWorld({ webhooks: ['instant'] }, async (world) => {
      await openRoom(world);
      await untilDelivery(world, 'instant', 'sent');
      await applyRetention(world.db, world.clock.now() + 2 * DAY);
      expect((await readDelivery(world, 'instant')).sealed_webhook).not.toBeNull();
      await closeRoom(world);
      await eventually(() => expect(titles(world, 'instant').join()).toContain(CLOSED));
      await untilDelivery(world, 'instant', 'sent');
      await applyRetention(world.db, world.clock.now() + DAY / 2);
      expect((await readDelivery(world, 'instant')).sealed_webhook).not.toBeNull();
      await applyRetention(world.db, world.clock.now() + 2 * DAY);
      expect((await readDelivery(world, 'instant')).sealed_webhook).toBeNull();
    }));
});
