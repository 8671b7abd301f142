import { describe, expect, it } from 'vitest';
import { listRecentAlerts } from '#shared/alerts/list-alerts';
import { openWebhook } from '#shared/alerts/webhooks/webhook-seal.server';
import { deleteWebhook, findWebhook, listWebhooks } from '#shared/alerts/webhooks/webhooks';
import { DAY, HOUR, toIso } from '#shared/clock';
import { createKeyring } from '#shared/secrets.server';
import { applyRetention } from '#shared/monitor/retention';
import { showStatus } from '../../../daemon/cli/monitor-commands/show-status';
import {
  adminTitles,
  closeRoom,
  withDaemon,
  openRoom,
  readDelivery,
  requestsOf,
  untilDelivery,
} from './delivery-fixture';
import { createMonitorFixture, eventually, type MonitorFixture } from '../monitor/monitor-fixture';
import { readStored } from '../database-faults';

const CLOSED = 'the waiting room has closed';
const titles = (fixture: MonitorFixture, audience: string) =>
  fixture.sandbox.discord.messages(audience).map((message) => message.embeds[0]?.title);

/** Replaces the instant webhook with that of another channel. Returns that channel's audience in the sandbox. */
async function replaceInstant(fixture: MonitorFixture): Promise<string> {
  const { id, url } = fixture.sandbox.discord.addWebhook();
  await fixture.setWebhook('instant', url);
  return id;
}

describe.concurrent('a message whose webhook is replaced while its alert is open', () => {
  it('is edited through the webhook that posted it, and nothing goes to the new one', () =>
    withDaemon({ webhooks: ['instant', 'admin'] }, async (fixture) => {
      await openRoom(fixture);
      await untilDelivery(fixture, 'instant', 'sent');
      const other = await replaceInstant(fixture);
      await closeRoom(fixture);
      await eventually(() => expect(titles(fixture, 'instant').join()).toContain(CLOSED));
      expect(fixture.sandbox.discord.requests(other)).toEqual([]);
      await untilDelivery(fixture, 'instant', 'sent');
      expect(adminTitles(fixture)).toEqual([]);
    }));

  it('is also edited after its webhook was deleted in the settings', () =>
    withDaemon({ webhooks: ['instant'] }, async (fixture) => {
      await openRoom(fixture);
      await untilDelivery(fixture, 'instant', 'sent');
      await deleteWebhook(fixture.db, { audience: 'instant', actor: { userId: null }, clock: fixture.clock });
      await closeRoom(fixture);
      await eventually(() => expect(titles(fixture, 'instant').join()).toContain(CLOSED));
    }));

  it('cannot be edited when its webhook was deleted at Discord: the admins are notified, and the new webhook stays trusted', () =>
    withDaemon({ webhooks: ['instant', 'admin'] }, async (fixture) => {
      await openRoom(fixture);
      await untilDelivery(fixture, 'instant', 'sent');
      fixture.sandbox.discord.setFaults('instant', [
        { kind: 'status', status: 404, persistent: true, on: ['GET', 'POST', 'PATCH'] },
      ]);
      await replaceInstant(fixture);
      await closeRoom(fixture);
      await eventually(() =>
        expect(adminTitles(fixture)).toEqual(['A message to the instant audience could not be updated']),
      );
      const row = await untilDelivery(fixture, 'instant', 'dead');
      expect(row.last_error).toMatch(/webhook that is no longer set$/);
      expect((await listWebhooks(fixture))[0]).toMatchObject({ audience: 'instant', fault: null });
    }));
});

describe.concurrent('an edit that Discord refuses for an hour', () => {
  it('is given up, reported to the admins once, and shown at the delivery', () =>
    withDaemon({ webhooks: ['instant', 'admin'] }, async (fixture) => {
      await openRoom(fixture);
      await untilDelivery(fixture, 'instant', 'sent');
      fixture.sandbox.discord.setFaults('instant', [
        { kind: 'status', status: 500, persistent: true, on: ['PATCH'] },
      ]);
      await closeRoom(fixture);
      await eventually(() => expect(requestsOf(fixture, 'instant', 'PATCH').length).toBeGreaterThan(0));
      await eventually(async () => expect((await readDelivery(fixture, 'instant')).last_status).toBe(500));
      fixture.clock.advance(HOUR);
      await eventually(() =>
        expect(adminTitles(fixture)).toEqual(['A message to the instant audience could not be updated']),
      );
      expect(await untilDelivery(fixture, 'instant', 'sent')).toMatchObject({
        last_status: 500,
        last_error: expect.stringMatching(/^Discord answered 500/),
      });
      const [alert] = await listRecentAlerts(fixture.db, { limit: 1 });
      expect(alert?.deliveries[0]?.lastError).toMatch(/^Discord answered 500/);
    }));
});

describe.concurrent('a change of the monitored page during an alert', () => {
  /** Restarts the daemon with another MONITOR_TARGET_URL. */
  async function move(fixture: MonitorFixture, daemon: { stop(): Promise<void> }): Promise<void> {
    await daemon.stop();
    fixture.config.monitor.targetUrl = `${fixture.sandbox.shopUrl}?another`;
    await fixture.startDaemon();
  }

  it.each([false, true])(
    'closes the alert with the reason in its message (paused before: %s)',
    async (paused) => {
      const fixture = await createMonitorFixture({ webhooks: ['instant', 'free'] });
      try {
        const daemon = await fixture.startDaemon();
        await openRoom(fixture);
        await untilDelivery(fixture, 'instant', 'sent');
        if (paused)
          await fixture.db
            .updateTable('alerts')
            .set({ status: 'suspended', suspended_at: toIso(fixture.clock.now()) })
            .execute();
        await move(fixture, daemon);
        await eventually(() => expect(titles(fixture, 'instant').join()).toContain('monitoring has moved'));
        const [alert] = await fixture.db.selectFrom('alerts').selectAll().execute();
        expect(alert).toMatchObject({
          status: 'closed',
          close_reason: 'moved',
          closed_at: alert?.last_seen_at,
          closing_check_id: null,
        });
        expect((await readDelivery(fixture, 'free')).status).toBe('cancelled');
        expect(requestsOf(fixture, 'instant', 'POST')).toHaveLength(1);

        fixture.sandbox.shop.show('imperva-room');
        await fixture.check();
        await eventually(() => expect(requestsOf(fixture, 'instant', 'POST')).toHaveLength(2));
      } finally {
        await fixture.cleanup();
      }
    },
  );

  it('reopens the alert when the address returns within minutes', async () => {
    const fixture = await createMonitorFixture({ webhooks: ['instant'] });
    try {
      const first = await fixture.startDaemon();
      await openRoom(fixture);
      await untilDelivery(fixture, 'instant', 'sent');
      await first.stop();
      fixture.config.monitor.targetUrl = `${fixture.sandbox.shopUrl}?another`;
      const second = await fixture.startDaemon();
      await eventually(() => expect(titles(fixture, 'instant').join()).toContain('monitoring has moved'));
      await second.stop();
      fixture.config.monitor.targetUrl = fixture.sandbox.shopUrl;
      await fixture.startDaemon();
      await openRoom(fixture);
      await eventually(() => expect(titles(fixture, 'instant').join()).toContain('the waiting room is open'));
      expect(titles(fixture, 'instant')).toHaveLength(1);
    } finally {
      await fixture.cleanup();
    }
  });

  it('starts without the verdicts of the old page', async () => {
    const fixture = await createMonitorFixture({ webhooks: ['instant'] });
    try {
      const daemon = await fixture.startDaemon();
      fixture.sandbox.shop.show('words-room');
      await fixture.check();
      const weak = async () =>
        (await fixture.db.selectFrom('watches').selectAll().executeTakeFirstOrThrow()).weak_since;
      expect(await weak()).not.toBeNull();
      await move(fixture, daemon);
      expect(await weak()).toBeNull();
      await fixture.check();
      expect(requestsOf(fixture, 'instant', 'POST')).toEqual([]);
    } finally {
      await fixture.cleanup();
    }
  });
});

describe.concurrent('webhooks in the database', () => {
  const stored = async (fixture: MonitorFixture) =>
    (
      await fixture.db
        .selectFrom('webhooks')
        .select('sealed_url')
        .where('audience', '=', 'instant')
        .executeTakeFirstOrThrow()
    ).sealed_url;

  it('are sealed, also those stored with messages, and do not appear in the database', () =>
    withDaemon({ webhooks: ['instant', 'free', 'admin'] }, async (fixture) => {
      await openRoom(fixture);
      const row = await untilDelivery(fixture, 'instant', 'sent');
      expect(openWebhook(fixture.keyring, row.sealed_webhook ?? '')).toBe(
        fixture.sandbox.webhookUrl('instant'),
      );
      const stored = await readStored(fixture.db);
      for (const audience of ['instant', 'free', 'admin'] as const)
        expect(stored).not.toContain(fixture.sandbox.webhookUrl(audience).split('/').at(-1));
    }));

  it('of an earlier release are sealed by the daemon, without a trace in the database, and used', async () => {
    const fixture = await createMonitorFixture({ webhooks: [] });
    try {
      const url = fixture.sandbox.webhookUrl('instant');
      await fixture.db
        .insertInto('webhooks')
        .values({ watch_id: 'pokemon-center-uk', audience: 'instant', sealed_url: url, updated_at: '' })
        .execute();
      await fixture.startDaemon();
      expect(await stored(fixture)).toMatch(/^sealed:/);
      expect((await findWebhook(fixture, { audience: 'instant' }))?.url).toBe(url);
      expect(await readStored(fixture.db)).not.toContain(url.split('/').at(-1));
      await openRoom(fixture);
      await untilDelivery(fixture, 'instant', 'sent');
    } finally {
      await fixture.cleanup();
    }
  });

  it('stay readable when a new secret is put before the old one, and then need only the new one', async () => {
    const fixture = await createMonitorFixture({ webhooks: ['instant'] });
    try {
      const [old = ''] = fixture.config.sessionSecrets;
      fixture.config.sessionSecrets = ['a newer secret, long enough', old];
      await fixture.startDaemon();
      await openRoom(fixture);
      await untilDelivery(fixture, 'instant', 'sent');
      const newest = createKeyring(['a newer secret, long enough']);
      expect(openWebhook(newest, await stored(fixture))).toBe(fixture.sandbox.webhookUrl('instant'));
    } finally {
      await fixture.cleanup();
    }
  });

  it('that no secret opens count as not set: it is logged, and the admins are notified by mail', async () => {
    const fixture = await createMonitorFixture({
      webhooks: ['instant', 'admin'],
      environment: (sandbox) => ({
        SMTP_URL: sandbox.smtpUrl,
        MAIL_FROM: 'alerts@packwatch.test',
        ADMIN_EMAILS: 'ada@packwatch.test',
      }),
    });
    try {
      fixture.config.sessionSecrets = ['another secret altogether'];
      await fixture.startDaemon();
      const keyring = createKeyring(fixture.config.sessionSecrets);
      expect((await listWebhooks({ db: fixture.db, keyring }))[0]).toMatchObject({
        webhook: null,
        fault: expect.stringContaining('SESSION_SECRET'),
      });
      expect((await showStatus(fixture, keyring)).lines.join('\n')).toMatch(
        /Webhook instant +not set \(.*SESSION_SECRET/,
      );
      await openRoom(fixture);
      expect((await untilDelivery(fixture, 'instant', 'dead')).last_error).toContain('SESSION_SECRET');
      await eventually(() =>
        expect(fixture.sandbox.mails.list().map((mail) => mail.subject)).toEqual([
          'An alert did not reach the instant audience',
        ]),
      );
      expect(fixture.sandbox.discord.requests()).toEqual([]);
    } finally {
      await fixture.cleanup();
    }
  });

  it('are deleted a day after their last message', () =>
    withDaemon({ webhooks: ['instant'] }, async (fixture) => {
      await openRoom(fixture);
      await untilDelivery(fixture, 'instant', 'sent');
      await applyRetention(fixture.db, fixture.clock.now() + 2 * DAY);
      expect((await readDelivery(fixture, 'instant')).sealed_webhook).not.toBeNull();
      await closeRoom(fixture);
      await eventually(() => expect(titles(fixture, 'instant').join()).toContain(CLOSED));
      await untilDelivery(fixture, 'instant', 'sent');
      await applyRetention(fixture.db, fixture.clock.now() + DAY / 2);
      expect((await readDelivery(fixture, 'instant')).sealed_webhook).not.toBeNull();
      await applyRetention(fixture.db, fixture.clock.now() + 2 * DAY);
      expect((await readDelivery(fixture, 'instant')).sealed_webhook).toBeNull();
    }));
});
