import { describe, expect, it } from 'vitest';
import { listWebhooks } from '#shared/alerts/webhooks';
import { MINUTE } from '#shared/clock';
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
import { eventually, type World } from './monitor-world';
import { startOddWebhookServer } from './odd-webhook-server';

const instant = (world: World) => world.sandbox.discord.messages('instant');

async function readFault(world: World, audience: 'instant' | 'admin'): Promise<string | null> {
  return (await listWebhooks(world)).find((row) => row.audience === audience)?.fault ?? null;
}

describe.concurrent('a webhook that is gone', () => {
  it('ends its delivery with the reason, is marked, and the admins hear of it once', () =>
    inWorld({ webhooks: ['instant', 'admin'] }, async (world) => {
      world.sandbox.discord.setFaults('instant', [
        { kind: 'status', status: 404, persistent: true, on: ['GET', 'POST'] },
      ]);
      await openRoom(world);
      const row = await untilDelivery(world, 'instant', 'dead');
      expect(row).toMatchObject({ last_status: 404, attempts: 1 });
      expect(row.last_error).toBe('Discord answered 404 (code 10015): Unknown Webhook');
      expect(await readFault(world, 'instant')).toBe(row.last_error);
      await eventually(() =>
        expect(adminTitles(world)).toEqual(['An alert did not reach the instant audience']),
      );
      expect(world.sandbox.discord.messages('admin')[0]?.embeds[0]?.description).toContain('Unknown Webhook');

      const shown = (await showStatus(world.db, world.keyring)).lines.join('\n');
      expect(shown).toMatch(/Webhook instant .*refused: Discord answered 404/);
      expect(shown).not.toContain(world.sandbox.webhookUrl('instant'));

      world.clock.advance(5 * MINUTE);
      await world.check();
      expect(requestsOf(world, 'instant', 'POST')).toHaveLength(1);
      expect(adminTitles(world)).toHaveLength(1);
    }));

  it('is asked before the next alert and used again when it is back', () =>
    inWorld({ webhooks: ['instant', 'admin'] }, async (world) => {
      world.sandbox.discord.setFaults('instant', [
        { kind: 'status', status: 404, persistent: true, on: ['GET', 'POST'] },
      ]);
      await openRoom(world);
      await untilDelivery(world, 'instant', 'dead');

      await closeRoom(world);
      world.clock.advance(6 * MINUTE);
      await openRoom(world);
      await eventually(() => expect(adminTitles(world)).toHaveLength(2));
      expect(requestsOf(world, 'instant', 'GET')).toHaveLength(1);
      expect(requestsOf(world, 'instant', 'POST')).toHaveLength(1);

      world.sandbox.discord.setFaults('instant', []);
      await closeRoom(world);
      world.clock.advance(6 * MINUTE);
      await openRoom(world);
      await eventually(() => expect(instant(world)).toHaveLength(1));
      const methods = world.sandbox.discord.requests('instant').map((request) => request.method);
      expect(methods).toEqual(['POST', 'GET', 'GET', 'POST']);
      expect(await readFault(world, 'instant')).toBeNull();
      expect(adminTitles(world)).toHaveLength(2);
    }));

  it.each([401, 403] as const)('is recognised by a %i as well', (status) =>
    inWorld({ webhooks: ['instant'] }, async (world) => {
      world.sandbox.discord.setFaults('instant', [{ kind: 'status', status }]);
      await openRoom(world);
      await untilDelivery(world, 'instant', 'dead');
      expect(await readFault(world, 'instant')).toMatch(new RegExp(`^Discord answered ${status} `));
    }),
  );

  it('is not suspected when Discord refuses the message: its words are kept', () =>
    inWorld({ webhooks: ['instant', 'admin'] }, async (world) => {
      world.sandbox.discord.setFaults('instant', [{ kind: 'status', status: 400 }]);
      await openRoom(world);
      const row = await untilDelivery(world, 'instant', 'dead');
      expect(row.last_error).toBe('Discord answered 400 (code 50035): Invalid Form Body');
      expect(await readFault(world, 'instant')).toBeNull();
      await eventually(() => expect(adminTitles(world)).toHaveLength(1));
    }));

  it('is not suspected when only the message was deleted: the edit ends quietly', () =>
    inWorld({ webhooks: ['instant', 'admin'] }, async (world) => {
      await openRoom(world);
      const { message_id: messageId } = await untilDelivery(world, 'instant', 'sent');
      const address = `${world.sandbox.webhookUrl('instant')}/messages/${messageId}`;
      expect((await fetch(address, { method: 'DELETE' })).status).toBe(204);
      await closeRoom(world);
      await eventually(() =>
        expect(requestsOf(world, 'instant', 'PATCH').map(({ status }) => status)).toEqual([404]),
      );
      const row = await untilDelivery(world, 'instant', 'sent');
      expect(row.message_id).toBeNull();
      await openRoom(world);
      await world.check();
      expect(requestsOf(world, 'instant', 'PATCH')).toHaveLength(1);
      expect(instant(world)).toHaveLength(1);
      expect(await readFault(world, 'instant')).toBeNull();
      expect(adminTitles(world)).toEqual([]);
    }));
});

describe.concurrent('a stored webhook', () => {
  it('is refused at send when it lies on a host that nobody listed', async () => {
    const elsewhere = await startOddWebhookServer((response) => response.writeHead(200).end('{"id":"1"}'));
    try {
      await inWorld({ webhooks: ['admin'] }, async (world) => {
        await world.setWebhook('instant', elsewhere.webhookUrl);
        await openRoom(world);
        const row = await untilDelivery(world, 'instant', 'dead');
        expect(row.last_error).toBe('the stored webhook is not on an allowed Discord host');
        await eventually(() => expect(adminTitles(world)).toHaveLength(1));
        expect(elsewhere.requests).toEqual([]);
      });
    } finally {
      await elsewhere.close();
    }
  });

  it('is not followed when it redirects', async () => {
    let target = '';
    const redirecting = await startOddWebhookServer((response) =>
      response.writeHead(307, { location: target }).end(),
    );
    try {
      const environment = (sandbox: World['sandbox']) => ({
        DISCORD_WEBHOOK_HOSTS: `${redirecting.host},${sandbox.webhookHost}`,
      });
      await inWorld({ webhooks: [], environment }, async (world) => {
        target = world.sandbox.webhookUrl('free');
        await world.setWebhook('instant', redirecting.webhookUrl);
        await openRoom(world);
        const row = await untilDelivery(world, 'instant', 'dead');
        expect(row.last_error).toBe('Discord answered 307');
        expect(redirecting.requests).toHaveLength(1);
        expect(world.sandbox.discord.requests()).toEqual([]);
      });
    } finally {
      await redirecting.close();
    }
  });

  it('that was deleted after the room opened ends its delivery and tells the admins', () =>
    inWorld({ webhooks: ['instant', 'admin'] }, async (world) => {
      world.sandbox.discord.setFaults('instant', [{ kind: 'status', status: 500 }]);
      await openRoom(world);
      await eventually(async () => expect((await readDelivery(world, 'instant')).last_status).toBe(500));
      await world.db.deleteFrom('webhooks').where('audience', '=', 'instant').execute();
      const row = await untilDelivery(world, 'instant', 'dead');
      expect(row.last_error).toBe('the webhook is no longer set');
      await eventually(() => expect(adminTitles(world)).toHaveLength(1));
    }));
});

describe.concurrent('a notice to the admins', () => {
  const ADMINS = ['ada@packwatch.test', 'ben@packwatch.test'];
  const withMail = (sandbox: World['sandbox']) => ({
    SMTP_URL: sandbox.smtpUrl,
    MAIL_FROM: 'alerts@packwatch.test',
    ADMIN_EMAILS: ADMINS.join(', '),
  });
  const receivers = (world: World) =>
    world.sandbox.mails
      .list()
      .flatMap((mail) => mail.envelope.to)
      .sort();

  it('goes by mail when their webhook is gone', () =>
    inWorld({ webhooks: ['instant', 'admin'], environment: withMail }, async (world) => {
      world.sandbox.discord.setFaults('admin', [
        { kind: 'status', status: 404, persistent: true, on: ['GET', 'POST'] },
      ]);
      world.sandbox.discord.setFaults('instant', [{ kind: 'status', status: 400 }]);
      await openRoom(world);
      await eventually(() => expect(receivers(world)).toEqual(ADMINS));
      const [mail] = world.sandbox.mails.list();
      expect(mail?.subject).toBe('An alert did not reach the instant audience');
      expect(mail?.text).toContain('Invalid Form Body');
      expect(mail?.envelope.from).toBe('alerts@packwatch.test');
      expect(await readFault(world, 'admin')).toMatch(/^Discord answered 404/);
      world.clock.advance(MINUTE);
      await world.check();
      expect(receivers(world)).toEqual(ADMINS);
    }));

  it('goes by mail when they have no webhook, and again when the mail server asks for patience', () =>
    inWorld({ webhooks: ['instant'], environment: withMail }, async (world) => {
      world.sandbox.mails.setFaults([{ code: 451 }]);
      world.sandbox.discord.setFaults('instant', [{ kind: 'status', status: 400 }]);
      await openRoom(world);
      await eventually(() => expect(receivers(world)).toEqual(ADMINS));
      const rows = await eventually(async () => {
        const mails = await world.db
          .selectFrom('alert_deliveries')
          .selectAll()
          .where('channel', '=', 'email')
          .execute();
        expect(mails.map((row) => row.status)).toEqual(['sent', 'sent']);
        return mails;
      });
      expect(rows.map((row) => row.attempts).sort()).toEqual([1, 2]);
    }));

  it('is given up where the mail server refuses for good, and the other address still hears', () =>
    inWorld({ webhooks: ['instant'], environment: withMail }, async (world) => {
      world.sandbox.mails.setFaults([{ code: 550, at: 'recipient' }]);
      world.sandbox.discord.setFaults('instant', [{ kind: 'status', status: 400 }]);
      await openRoom(world);
      await eventually(async () => {
        const rows = await world.db
          .selectFrom('alert_deliveries')
          .select(['status', 'last_error'])
          .where('channel', '=', 'email')
          .execute();
        expect(rows.map((row) => row.status).sort()).toEqual(['dead', 'sent']);
        expect(rows.find((row) => row.status === 'dead')?.last_error).toBe(
          'the mail server refused with 550',
        );
      });
      expect(receivers(world)).toHaveLength(1);
    }));

  it('is silently kept in the database when nobody can be reached', () =>
    inWorld({ webhooks: ['instant'] }, async (world) => {
      world.sandbox.discord.setFaults('instant', [{ kind: 'status', status: 400 }]);
      await openRoom(world);
      await untilDelivery(world, 'instant', 'dead');
      const notices = await world.db.selectFrom('admin_notices').select(['kind', 'title']).execute();
      expect(notices).toEqual([
        { kind: 'delivery_failed', title: 'An alert did not reach the instant audience' },
      ]);
    }));
});
