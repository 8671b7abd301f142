import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '#shared/clock';
import { readTestResults } from '#shared/member-alerts/read-test-results';
import { sendTestAlerts } from '#shared/member-alerts/test-operations';
import { addMember } from '../member-alerts/crowd';
import { createMonitorFixture, eventually, type MonitorFixture } from '../monitor/monitor-fixture';

let fixture: MonitorFixture;
beforeEach(async () => {
  fixture = await createMonitorFixture({
    environment: ({ smtpUrl, webhookHost }) => ({ SMTP_URL: smtpUrl, ALLOWED_PRIVATE_HOSTS: webhookHost }),
  });
});
afterEach(() => fixture.cleanup());

it('a test to an address that bounced is sent all the same, and alert mails go there again once it is accepted', async () => {
  const { db, sandbox } = fixture;
  // Without Pro: a test is for everyone.
  const userId = await addMember(fixture, 'bounced', { bounced: true, pro: false });
  const account = () => db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow();
  const request = async () =>
    sendTestAlerts(db, { account: await account(), mailEnabled: true, clock: systemClock });
  const untilResults = (states: object) =>
    eventually(async () => {
      const { results = [] } = (await readTestResults(db, { userId })) ?? {};
      expect(Object.fromEntries(results.map(({ channel, state }) => [channel, state]))).toEqual(states);
      return results;
    });
  await fixture.startDaemon();

  sandbox.mails.setFaults([{ code: 550, text: '5.1.1 No such user', at: 'recipient' }]);
  expect(await request()).toEqual({ email: 1, push: 1 });
  const results = await untilResults({ email: 'failed', push: 'sent' });
  expect(results[0]?.reason).toBe('the mail server refused the address with 550 5.1.1');
  expect((await account()).mail_bounce_reason).toBe('the mail server refused the address with 550 5.1.1');

  await request();
  await untilResults({ email: 'sent', push: 'sent' });
  expect(await account()).toMatchObject({ mail_bounced_at: null, mail_bounce_reason: null });
  const [mail] = sandbox.mails.list();
  expect(mail).toMatchObject({ subject: 'Test: alerts from Packwatch reach you' });
  expect(mail?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
});
