import { describe, expect, it } from 'vitest';
import { listWebhooks } from '#shared/alerts/webhooks/webhooks';
import { MINUTE } from '#shared/clock';
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
import { eventually, type MonitorFixture } from '../monitor/monitor-fixture';
import { startFakeWebhookServer } from './fake-webhook-server';

const instant = (fixture: MonitorFixture) => fixture.sandbox.discord.messages('instant');

async function readFault(fixture: MonitorFixture, audience: 'instant' | 'admin'): Promise<string | null> {
  return (await listWebhooks(fixture)).find((row) => row.audience === audience)?.fault ?? null;
}

describe.concurrent('a deleted webhook', () => {
  it('ends its delivery with the reason, is marked, and the admins are notified once', () =>
    withDaemon({ webhooks: ['instant', 'admin'] }, async (fixture) => {
      fixture.sandbox.discord.setFaults('instant', [
        { kind: 'status', status: 404, persistent: true, on: ['GET', 'POST'] },
      ]);
      await openRoom(fixture);
      const row = await untilDelivery(fixture, 'instant', 'dead');
      expect(row).toMatchObject({ last_status: 404, attempts: 1 });
      expect(row.last_error).toBe('Discord answered 404 (code 10015): Unknown Webhook');
      expect(await readFault(fixture, 'instant')).toBe(row.last_error);
      await eventually(() =>
        expect(adminTitles(fixture)).toEqual(['An alert did not reach the instant audience']),
      );
      expect(fixture.sandbox.discord.messages('admin')[0]?.embeds[0]?.description).toContain(
        'Unknown Webhook',
      );

      const shown = (await showStatus(fixture, fixture.keyring)).lines.join('\n');
      expect(shown).toMatch(/Webhook instant .*refused: Discord answered 404/);
      expect(shown).not.toContain(fixture.sandbox.webhookUrl('instant'));

      fixture.clock.advance(5 * MINUTE);
      await fixture.check();
      expect(requestsOf(fixture, 'instant', 'POST')).toHaveLength(1);
      expect(adminTitles(fixture)).toHaveLength(1);
    }));

  it('is verified before the next alert and used again when it exists again', () =>
    withDaemon({ webhooks: ['instant', 'admin'] }, async (fixture) => {
      fixture.sandbox.discord.setFaults('instant', [
        { kind: 'status', status: 404, persistent: true, on: ['GET', 'POST'] },
      ]);
      await openRoom(fixture);
      await untilDelivery(fixture, 'instant', 'dead');

      await closeRoom(fixture);
      fixture.clock.advance(6 * MINUTE);
      await openRoom(fixture);
      await eventually(() => expect(adminTitles(fixture)).toHaveLength(2));
      expect(requestsOf(fixture, 'instant', 'GET')).toHaveLength(1);
      expect(requestsOf(fixture, 'instant', 'POST')).toHaveLength(1);

      fixture.sandbox.discord.setFaults('instant', []);
      await closeRoom(fixture);
      fixture.clock.advance(6 * MINUTE);
      await openRoom(fixture);
      await eventually(() => expect(instant(fixture)).toHaveLength(1));
      const methods = fixture.sandbox.discord.requests('instant').map((request) => request.method);
      expect(methods).toEqual(['POST', 'GET', 'GET', 'POST']);
      expect(await readFault(fixture, 'instant')).toBeNull();
      expect(adminTitles(fixture)).toHaveLength(2);
    }));

  it.each([401, 403] as const)('is also recognised by a %i', (status) =>
    withDaemon({ webhooks: ['instant'] }, async (fixture) => {
      fixture.sandbox.discord.setFaults('instant', [{ kind: 'status', status }]);
      await openRoom(fixture);
      await untilDelivery(fixture, 'instant', 'dead');
      expect(await readFault(fixture, 'instant')).toMatch(new RegExp(`^Discord answered ${status} `));
    }),
  );

  it('stays trusted when Discord rejects the message, and the reason is stored', () =>
    withDaemon({ webhooks: ['instant', 'admin'] }, async (fixture) => {
      fixture.sandbox.discord.setFaults('instant', [{ kind: 'status', status: 400 }]);
      await openRoom(fixture);
      const row = await untilDelivery(fixture, 'instant', 'dead');
      expect(row.last_error).toBe('Discord answered 400 (code 50035): Invalid Form Body');
      expect(await readFault(fixture, 'instant')).toBeNull();
      await eventually(() => expect(adminTitles(fixture)).toHaveLength(1));
    }));

  it('stays trusted when only the message was deleted: the edit ends without a notice', () =>
    withDaemon({ webhooks: ['instant', 'admin'] }, async (fixture) => {
      await openRoom(fixture);
      const { message_id: messageId } = await untilDelivery(fixture, 'instant', 'sent');
      const address = `${fixture.sandbox.webhookUrl('instant')}/messages/${messageId}`;
      expect((await fetch(address, { method: 'DELETE' })).status).toBe(204);
      await closeRoom(fixture);
      await eventually(() =>
        expect(requestsOf(fixture, 'instant', 'PATCH').map(({ status }) => status)).toEqual([404]),
      );
      const row = await untilDelivery(fixture, 'instant', 'sent');
      expect(row.message_id).toBeNull();
      await openRoom(fixture);
      await fixture.check();
      expect(requestsOf(fixture, 'instant', 'PATCH')).toHaveLength(1);
      expect(instant(fixture)).toHaveLength(1);
      expect(await readFault(fixture, 'instant')).toBeNull();
      expect(adminTitles(fixture)).toEqual([]);
    }));
});

describe.concurrent('a stored webhook', () => {
  it('is refused at sending when its host is not allowed', async () => {
    const elsewhere = await startFakeWebhookServer((response) => response.writeHead(200).end('{"id":"1"}'));
    try {
      await withDaemon({ webhooks: ['admin'] }, async (fixture) => {
        await fixture.setWebhook('instant', elsewhere.webhookUrl);
        await openRoom(fixture);
        const row = await untilDelivery(fixture, 'instant', 'dead');
        expect(row.last_error).toBe('the stored webhook is not on an allowed Discord host');
        await eventually(() => expect(adminTitles(fixture)).toHaveLength(1));
        expect(elsewhere.requests).toEqual([]);
      });
    } finally {
      await elsewhere.close();
    }
  });

  it('is not followed to another address when it redirects', async () => {
    let target = '';
    const redirecting = await startFakeWebhookServer((response) =>
      response.writeHead(307, { location: target }).end(),
    );
    try {
      const environment = (sandbox: MonitorFixture['sandbox']) => ({
        DISCORD_WEBHOOK_HOSTS: `${redirecting.host},${sandbox.webhookHost}`,
      });
      await withDaemon({ webhooks: [], environment }, async (fixture) => {
        target = fixture.sandbox.webhookUrl('free');
        await fixture.setWebhook('instant', redirecting.webhookUrl);
        await openRoom(fixture);
        const row = await untilDelivery(fixture, 'instant', 'dead');
        expect(row.last_error).toBe('Discord answered 307');
        expect(redirecting.requests).toHaveLength(1);
        expect(fixture.sandbox.discord.requests()).toEqual([]);
      });
    } finally {
      await redirecting.close();
    }
  });

  it('that was deleted after the room opened ends its delivery and the admins are notified', () =>
    withDaemon({ webhooks: ['instant', 'admin'] }, async (fixture) => {
      fixture.sandbox.discord.setFaults('instant', [{ kind: 'status', status: 500 }]);
      await openRoom(fixture);
      await eventually(async () => expect((await readDelivery(fixture, 'instant')).last_status).toBe(500));
      await fixture.db.deleteFrom('webhooks').where('audience', '=', 'instant').execute();
      const row = await untilDelivery(fixture, 'instant', 'dead');
      expect(row.last_error).toBe('the webhook is no longer set');
      await eventually(() => expect(adminTitles(fixture)).toHaveLength(1));
    }));
});

describe.concurrent('a notice to the admins', () => {
  const ADMINS = ['ada@packwatch.test', 'ben@packwatch.test'];
  const withMail = (sandbox: MonitorFixture['sandbox']) => ({
    SMTP_URL: sandbox.smtpUrl,
    MAIL_FROM: 'alerts@packwatch.test',
    ADMIN_EMAILS: ADMINS.join(', '),
  });
  const receivers = (fixture: MonitorFixture) =>
    fixture.sandbox.mails
      .list()
      .flatMap((mail) => mail.envelope.to)
      .sort();

  it('goes by mail when the admin webhook was deleted', () =>
    withDaemon({ webhooks: ['instant', 'admin'], environment: withMail }, async (fixture) => {
      fixture.sandbox.discord.setFaults('admin', [
        { kind: 'status', status: 404, persistent: true, on: ['GET', 'POST'] },
      ]);
      fixture.sandbox.discord.setFaults('instant', [{ kind: 'status', status: 400 }]);
      await openRoom(fixture);
      await eventually(() => expect(receivers(fixture)).toEqual(ADMINS));
      const [mail] = fixture.sandbox.mails.list();
      expect(mail?.subject).toBe('An alert did not reach the instant audience');
      expect(mail?.text).toContain('Invalid Form Body');
      expect(mail?.envelope.from).toBe('alerts@packwatch.test');
      expect(await readFault(fixture, 'admin')).toMatch(/^Discord answered 404/);
      fixture.clock.advance(MINUTE);
      await fixture.check();
      expect(receivers(fixture)).toEqual(ADMINS);
    }));

  it('goes by mail without an admin webhook, and is retried after a temporary refusal', () =>
    withDaemon({ webhooks: ['instant'], environment: withMail }, async (fixture) => {
      fixture.sandbox.mails.setFaults([{ code: 451 }]);
      fixture.sandbox.discord.setFaults('instant', [{ kind: 'status', status: 400 }]);
      await openRoom(fixture);
      await eventually(() => expect(receivers(fixture)).toEqual(ADMINS));
      const rows = await eventually(async () => {
        const mails = await fixture.db
          .selectFrom('alert_deliveries')
          .selectAll()
          .where('channel', '=', 'email')
          .execute();
        expect(mails.map((row) => row.status)).toEqual(['sent', 'sent']);
        return mails;
      });
      expect(rows.map((row) => row.attempts).sort()).toEqual([1, 2]);
    }));

  it('fails for the address that the mail server rejects permanently, and is sent to the other one', () =>
    withDaemon({ webhooks: ['instant'], environment: withMail }, async (fixture) => {
      fixture.sandbox.mails.setFaults([{ code: 550, at: 'recipient' }]);
      fixture.sandbox.discord.setFaults('instant', [{ kind: 'status', status: 400 }]);
      await openRoom(fixture);
      await eventually(async () => {
        const rows = await fixture.db
          .selectFrom('alert_deliveries')
          .select(['status', 'last_error'])
          .where('channel', '=', 'email')
          .execute();
        expect(rows.map((row) => row.status).sort()).toEqual(['dead', 'sent']);
        expect(rows.find((row) => row.status === 'dead')?.last_error).toBe(
          'the mail server refused the address with 550',
        );
      });
      expect(receivers(fixture)).toHaveLength(1);
    }));

  it('is stored without an error when there is no way to notify the admins', () =>
    withDaemon({ webhooks: ['instant'] }, async (fixture) => {
      fixture.sandbox.discord.setFaults('instant', [{ kind: 'status', status: 400 }]);
      await openRoom(fixture);
      await untilDelivery(fixture, 'instant', 'dead');
      const notices = await fixture.db.selectFrom('admin_notices').select(['kind', 'title']).execute();
      expect(notices).toEqual([
        { kind: 'delivery_failed', title: 'An alert did not reach the instant audience' },
      ]);
    }));
});
