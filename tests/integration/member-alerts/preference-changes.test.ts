import { sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createDeliverySender } from '#shared/alerts/deliveries/send-delivery.server';
import { deliveryOutbox } from '#shared/alerts/deliveries/deliveries';
import { SECOND, toIso } from '#shared/clock';
import { createDiscordWebhooks } from '#shared/channels/discord/discord-webhook.server';
import { createWriteRetrier } from '#shared/database/write-retrier';
import { createKeyring } from '#shared/secrets.server';
import { memberOutbox } from '#shared/member-alerts/member-outbox';
import { addressBatch } from '#shared/member-alerts/read-batch';
import { createMemberSender } from '#shared/member-alerts/send-member-alert.server';
import { readMemberResults, retryMemberDeliveries } from '#shared/member-alerts/member-results';
import { addMember } from './crowd';
import { storeCheck } from '../alerts/finished-check';
import { openRoom } from '../alerts/delivery-fixture';
import { createMonitorFixture, eventually, type MonitorFixture } from '../monitor/monitor-fixture';
import { usesPostgres } from '../database-faults';

let fixture: MonitorFixture;
beforeEach(async () => {
  fixture = await createMonitorFixture({
    webhooks: [],
    environment: ({ smtpUrl, webhookHost }) => ({ SMTP_URL: smtpUrl, ALLOWED_PRIVATE_HOSTS: webhookHost }),
  });
});
afterEach(() => fixture.cleanup());

const OPERATOR = { userId: null };

/** An open alert with a permanently failed row per member. */
async function failedRows(userIds: readonly string[]): Promise<string> {
  const { db, clock } = fixture;
  await storeCheck(db, clock, {
    judgement: {
      verdict: 'waiting_room',
      strength: 'strong',
      unknownReason: null,
      reason: 'A waiting room.',
      signs: [],
    },
  });
  const { id: alertId } = await db.selectFrom('alerts').select('id').executeTakeFirstOrThrow();
  const now = clock.now();
  const rows = userIds.map((userId, at) => ({
    ...memberOutbox.newRow({ dueAt: now, expiresAt: now + 60_000, owner: null, now }),
    alert_id: alertId,
    user_id: userId,
    channel: 'push' as const,
    target: `${userId} ${at}`,
    status: 'dead' as const,
  }));
  for (let from = 0; from < rows.length; from += 100)
    await db
      .insertInto('member_deliveries')
      .values(rows.slice(from, from + 100))
      .execute();
  return alertId;
}

// Its trigger is written for SQLite.
it.skipIf(usesPostgres())(
  'rows that fail again while failed ones are resent are not sent a third time',
  async () => {
    const { db, clock } = fixture;
    const member = await addMember(fixture, 'member', { browsers: 0 });
    const alertId = await failedRows(Array<string>(1_200).fill(member));
    // Like a daemon that cannot decrypt its push keys.
    await sql`create trigger fail_anew after update on member_deliveries when new.status = 'pending'
    begin update member_deliveries set status = 'dead' where id = new.id; end`.execute(db);
    const input = { alertId, channel: 'push' as const, actor: OPERATOR, clock };
    expect(await retryMemberDeliveries(db, input)).toBe(1_200);
  },
);

it('members whose Pro ended after they were listed get no alert', async () => {
  const { db, clock } = fixture;
  const [kept, ended] = [await addMember(fixture, 'kept'), await addMember(fixture, 'ended')];
  await failedRows([kept, ended]);
  await db
    .updateTable('subscriptions')
    .set({ cancel_at_period_end: 1, current_period_end: toIso(clock.now() - 1) })
    .where('user_id', '=', ended)
    .execute();
  await db
    .updateTable('member_deliveries')
    .set({ channel: 'email', target: sql`user_id` })
    .execute();
  const rows = await db.selectFrom('member_deliveries').selectAll().execute();
  const addressed = await addressBatch(db, rows, clock.now());
  expect(rows.map(({ id, user_id }) => [user_id, addressed.get(id)])).toEqual([
    [kept, expect.objectContaining({ kind: 'email', to: 'kept@example.test' })],
    [ended, { kind: 'cancelled', reason: 'the member no longer has Pro' }],
  ]);
});

it('a message that is cancelled while its waiting room reopens is sent after all, and the free one not early', async () => {
  const { db, clock } = fixture;
  await fixture.setWebhook('free');
  await failedRows([await addMember(fixture, 'member')]);
  await db.updateTable('member_deliveries').set({ status: 'pending' }).execute();
  const at = clock.now() + 30 * SECOND;
  const free = await db.selectFrom('alert_deliveries').select('id').executeTakeFirstOrThrow();
  const [claimedFree] = await deliveryOutbox.claim(db, { ids: [free.id], owner: 'one', now: at });
  const due = await memberOutbox.listDue(db, { now: at, only: { channel: 'push' } });
  const [row] = await memberOutbox.claim(db, { ids: due.map(({ id }) => id), owner: 'one', now: at });
  if (claimedFree === undefined || row === undefined) throw new Error('both were due');

  await db
    .updateTable('alerts')
    .set({ status: 'closed', closed_at: toIso(at) })
    .execute();
  const outcome = (await addressBatch(db, [row], at)).get(row.id);
  if (outcome?.kind !== 'cancelled') throw new Error('the waiting room is closed');
  await db.updateTable('alerts').set({ status: 'open', closed_at: null }).execute();
  const context = {
    ...{ db, clock, owner: 'one', mailer: null, adminContacts: { emails: [] } },
    ...{ logger: pino({ level: 'silent' }), outcomes: createWriteRetrier({ onWait: () => undefined }) },
    ...{ keyring: createKeyring(['a secret of the tests']), appUrl: 'https://packwatch.test' },
  };
  const push = { send: () => Promise.reject(new Error('nothing is sent')) };
  await createMemberSender({ ...context, push }).settle([{ row, outcome, endedAt: at }]);
  const before = clock.now();
  const discord = createDiscordWebhooks({ appUrl: context.appUrl });
  await createDeliverySender({ ...context, discord, webhookHosts: [] }).settle([
    { row: claimedFree, outcome: { kind: 'cancelled' }, endedAt: at },
  ]);
  await discord.close();
  const columns = ['status', 'due_at'] as const;
  const member = await db.selectFrom('member_deliveries').select(columns).executeTakeFirstOrThrow();
  const again = await db.selectFrom('alert_deliveries').select(columns).executeTakeFirstOrThrow();
  expect([member.status, again.status]).toEqual(['pending', 'pending']);
  expect(Date.parse(again.due_at) - before).toBeGreaterThan(29 * SECOND);
});

it('two daemons send and one of them stops: each member is notified once', async () => {
  const { sandbox, db } = fixture;
  for (let number = 0; number < 90; number += 1) await addMember(fixture, `member-${number}`);
  sandbox.mails.setFaults([{ delayMs: 100, persistent: true }]);
  sandbox.push.setFaults([{ kind: 'delay', ms: 200, everyNth: 5, count: 50 }]);
  const first = await fixture.startDaemon();
  await fixture.startDaemon();
  await openRoom(fixture);
  await eventually(() => expect(sandbox.mails.receipts().length).toBeGreaterThan(10));
  await first.stop();
  await eventually(async () => {
    const { id } = await db.selectFrom('alerts').select('id').executeTakeFirstOrThrow();
    const { complete, results } = await readMemberResults(db, { alertId: id });
    expect([complete, results.map(({ sent }) => sent)]).toEqual([true, [90, 90]]);
  });
  expect(new Set(sandbox.mails.receipts().map(({ to }) => to)).size).toBe(90);
  expect([sandbox.mails.receipts().length, sandbox.push.messages().length]).toEqual([90, 90]);
});
