import { describe, expect, it } from 'vitest';
import { ALERT_LIFETIME_MS } from '#shared/alerts/alert-timing';
import { openWebhook } from '#shared/alerts/webhooks/webhook-seal.server';
import { MINUTE, SECOND } from '#shared/clock';
import { writeMonitorSettings } from '#shared/monitor/monitor-settings';
import {
  adminTitles,
  closeRoom,
  isMarkedAsRepeat,
  openRoom,
  readDelivery,
  requestsOf,
  untilDelivery,
  withDaemon,
} from './delivery-fixture';
import { eventually, type MonitorFixture } from '../monitor/monitor-fixture';

const THREAD = '140000000000000201';
const instant = (fixture: MonitorFixture) => fixture.sandbox.discord.messages('instant');
const withMail = (sandbox: MonitorFixture['sandbox']) => ({
  SMTP_URL: sandbox.smtpUrl,
  MAIL_FROM: 'alerts@packwatch.test',
  ADMIN_EMAILS: 'ada@packwatch.test',
});
const mailed = (fixture: MonitorFixture) => fixture.sandbox.mails.list().map(({ subject }) => subject);

describe.concurrent('an alert in threads', () => {
  it('is posted and edited in the thread that the webhook names', () =>
    withDaemon({ webhooks: [] }, async (fixture) => {
      const { discord } = fixture.sandbox;
      discord.setChannel('instant', { threads: [{ id: THREAD }] });
      await fixture.setWebhook('instant', `${fixture.sandbox.webhookUrl('instant')}?thread_id=${THREAD}`);
      await openRoom(fixture);
      await untilDelivery(fixture, 'instant', 'sent');
      await closeRoom(fixture);
      await eventually(() => expect(instant(fixture)[0]?.edits).toHaveLength(1));
      expect(instant(fixture)).toMatchObject([{ channelId: THREAD }]);
    }));

  it('gets a thread in a forum, where it is edited as well', () =>
    withDaemon({ webhooks: ['instant'] }, async (fixture) => {
      const { discord } = fixture.sandbox;
      discord.setChannel('instant', { type: 'forum' });
      await openRoom(fixture);
      const row = await untilDelivery(fixture, 'instant', 'sent');
      const [thread] = discord.threads('instant');
      expect(thread?.name).toBe('Pokemon Center UK: the waiting room is open');
      expect(openWebhook(fixture.keyring, row.sealed_webhook ?? '')).toBe(
        `${fixture.sandbox.webhookUrl('instant')}?thread_id=${thread?.id}`,
      );
      await closeRoom(fixture);
      await eventually(() => expect(instant(fixture)[0]?.edits).toHaveLength(1));
    }));
});

describe.concurrent('an alert without an answer from Discord', () => {
  it('is repeated once, without the ping and with a mark, and the admins are told', () =>
    withDaemon({ webhooks: ['instant', 'admin'] }, async (fixture) => {
      const role = '123456789012345678';
      await writeMonitorSettings(fixture.db, {
        settings: [{ setting_key: 'discord_role_id_instant', setting_value: role }],
        actor: { userId: null },
        clock: fixture.clock,
      });
      fixture.sandbox.discord.setFaults('instant', [{ kind: 'reset', accept: true, persistent: true }]);
      await openRoom(fixture);
      const row = await untilDelivery(fixture, 'instant', 'dead');
      expect(row).toMatchObject({ attempts: 2, uncertain: 1 });
      expect(row.last_error).toMatch(/sent twice without an answer/);
      expect(instant(fixture).map(isMarkedAsRepeat)).toEqual([false, true]);
      expect(instant(fixture).map(({ pings }) => pings.roles)).toEqual([[role], []]);
      expect(instant(fixture)[1]).toMatchObject({ content: '', allowedMentions: { parse: [] } });
      await eventually(() =>
        expect(adminTitles(fixture)).toEqual([
          'An alert to the instant audience may appear twice',
          'An alert did not reach the instant audience',
        ]),
      );
      fixture.clock.advance(MINUTE);
      await fixture.check();
      expect(requestsOf(fixture, 'instant', 'POST')).toHaveLength(2);
    }));

  it('is not repeated again after two senders died with it', () =>
    withDaemon({ webhooks: ['instant', 'admin'] }, async (fixture) => {
      fixture.sandbox.discord.setFaults('instant', [{ kind: 'status', status: 503, persistent: true }]);
      await openRoom(fixture);
      // Between two attempts, so that no request of this daemon is under way.
      const posted = await eventually(async () => {
        const posts = requestsOf(fixture, 'instant', 'POST').length;
        const past = new Date(fixture.clock.now() - SECOND).toISOString();
        const { numUpdatedRows } = await fixture.db
          .updateTable('alert_deliveries')
          .set({ status: 'sending', uncertain: 1, claimed_by: 'dead', claimed_until: past })
          .where('audience', '=', 'instant')
          .where('status', '=', 'pending')
          .where('last_status', '=', 503)
          .executeTakeFirst();
        expect(Number(numUpdatedRows)).toBe(1);
        return posts;
      });
      const row = await untilDelivery(fixture, 'instant', 'dead');
      expect(row.last_error).toMatch(/sent twice without an answer/);
      await eventually(() => expect(adminTitles(fixture)).toHaveLength(1));
      expect(requestsOf(fixture, 'instant', 'POST')).toHaveLength(posted);
    }));
});

describe.concurrent('while Discord is away', () => {
  it.each([
    { kind: 'status', status: 503, persistent: true },
    { kind: 'ban', persistent: true },
  ] as const)('the admins are told by mail within minutes, once, and by webhook later: %j', (fault) =>
    withDaemon({ webhooks: ['instant', 'admin'], environment: withMail }, async (fixture) => {
      for (const audience of ['instant', 'admin'] as const)
        fixture.sandbox.discord.setFaults(audience, [fault]);
      await openRoom(fixture);
      await eventually(async () => {
        fixture.clock.advance(5 * SECOND);
        expect(mailed(fixture)).toContain('An alert is late for the instant audience');
      });
      const { created_at } = await readDelivery(fixture, 'instant');
      expect(fixture.clock.now() - Date.parse(created_at)).toBeLessThan(ALERT_LIFETIME_MS);

      await eventually(async () => {
        fixture.clock.advance(30 * SECOND);
        expect((await readDelivery(fixture, 'instant')).status).toBe('expired');
      });
      await eventually(() => {
        fixture.clock.advance(5 * SECOND);
        expect(mailed(fixture).sort()).toEqual([
          'An alert did not reach the instant audience',
          'An alert is late for the instant audience',
        ]);
      });
      if (fault.kind === 'ban')
        // Tries after 0, 5, 20, 65, 185, 305 … s, for all webhooks of the host together.
        expect(fixture.sandbox.discord.requests().length).toBeLessThan(30);

      for (const audience of ['instant', 'admin'] as const) fixture.sandbox.discord.setFaults(audience, []);
      await eventually(() => {
        fixture.clock.advance(2 * MINUTE);
        expect(adminTitles(fixture).sort()).toEqual(mailed(fixture).sort());
      });
      expect(mailed(fixture)).toHaveLength(2);
      expect(instant(fixture)).toEqual([]);
    }),
  );

  it('an alert expires when Discord asks for half an hour, and the admins are told by mail at once', () =>
    withDaemon({ webhooks: ['instant', 'admin'], environment: withMail }, async (fixture) => {
      for (const audience of ['instant', 'admin'] as const)
        fixture.sandbox.discord.setFaults(audience, [{ kind: 'status', status: 429, retryAfter: 1_800 }]);
      await openRoom(fixture);
      await eventually(() =>
        expect(mailed(fixture)).toEqual(['An alert did not reach the instant audience']),
      );
      expect((await readDelivery(fixture, 'instant')).status).toBe('expired');
      expect(requestsOf(fixture, 'admin', 'POST')).toHaveLength(1);
    }));
});
