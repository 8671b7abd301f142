import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { updatePreferences } from '#shared/accounts/change-account';
import type { PreferenceChanges } from '#shared/accounts/preferences';
import { DAY, HOUR, MINUTE, toIso } from '#shared/clock';
import { fanOutStep } from '#shared/member-alerts/fan-out';
import {
  handleMemberDeliveries,
  readMemberResults,
  retryMemberDeliveries,
} from '#shared/member-alerts/member-results';
import { subscribe } from '../../paid-accounts';
import { addMember } from './crowd';
import { adminTitles, closeRoom, openRoom } from '../alerts/delivery-fixture';
import { createMonitorFixture, eventually, type MonitorFixture } from '../monitor/monitor-fixture';

const OPERATOR = { userId: null };

let fixture: MonitorFixture;
beforeEach(async () => {
  fixture = await createMonitorFixture({
    webhooks: ['instant', 'free', 'admin'],
    environment: ({ smtpUrl, webhookHost }) => ({ SMTP_URL: smtpUrl, ALLOWED_PRIVATE_HOSTS: webhookHost }),
  });
});
afterEach(() => fixture.cleanup());

const mailedTo = (): string[] =>
  fixture.sandbox.mails.receipts().map(({ to }) => to.replace('@example.test', ''));
const pushed = () => fixture.sandbox.push.messages();

async function readResults() {
  const { id } = await fixture.db.selectFrom('alerts').select('id').executeTakeFirstOrThrow();
  const { complete, results } = await readMemberResults(fixture.db, { alertId: id });
  return { alertId: id, complete, results };
}

/** Waits until every member is listed and no delivery waits. */
async function untilFinished() {
  return eventually(async () => {
    const { complete, results, alertId } = await readResults();
    expect(complete).toBe(true);
    expect(results.map(({ waiting, sending, tryingAgain }) => waiting + sending + tryingAgain)).toEqual(
      results.map(() => 0),
    );
    return { alertId, results };
  });
}

describe('an alert', () => {
  it('reaches the members with Pro who want it, over the channels that they want, once', async () => {
    const add = (...input: Parameters<typeof addMember> extends [unknown, ...infer Rest] ? Rest : never) =>
      addMember(fixture, ...input);
    await add('both', { browsers: 2 });
    await add('mail-by-default', { alerts: {} });
    await add('push-alone', { alerts: { email: false, push: true, watches: ['pokemon-center-uk'] } });
    await add('another-watch', { alerts: { push: true, watches: ['another'] } });
    await add('free', { pro: false });
    await add('bounced', { bounced: true, alerts: {} });
    await add('unverified', { verified: false, alerts: {} });
    const disabled = await add('disabled', { browsers: 1, alerts: { email: true, push: true } });
    await fixture.db.updateTable('users').set({ disabled_at: 't' }).where('id', '=', disabled).execute();
    const lapsed = await add('lapsed');
    await fixture.db
      .updateTable('subscriptions')
      .set({ status: 'past_due', grace_until: '2020-01-01T00:00:00.000Z' })
      .where('user_id', '=', lapsed)
      .execute();
    await fixture.startDaemon();
    await openRoom(fixture);
    const { results } = await untilFinished();
    expect(results).toEqual([
      expect.objectContaining({ channel: 'email', sent: 2, failed: 0 }),
      expect.objectContaining({ channel: 'push', sent: 3, failed: 0 }),
    ]);
    expect(mailedTo().sort()).toEqual(['both', 'mail-by-default']);
    const [mail] = fixture.sandbox.mails.list();
    expect(mail?.headers).toMatchObject({ 'list-unsubscribe-post': 'List-Unsubscribe=One-Click' });
    expect(JSON.parse(pushed()[0]?.payload ?? '')).toMatchObject({
      title: 'Pokemon Center UK: the waiting room is open',
      url: 'https://packwatch.test/restock/pokemon-center-uk',
    });
    // A shop that stays in this state is no news.
    await fixture.check();
    await closeRoom(fixture);
    await openRoom(fixture);
    await untilFinished();
    expect([mailedTo().length, pushed().length]).toEqual([2, 3]);
    expect(adminTitles(fixture)).toEqual([]);
  });

  it('waits for the end of quiet hours by mail, makes no sound as a notification, and reaches nobody who has paused', async () => {
    const { db, clock } = fixture;
    const timeZone = 'Asia/Kolkata';
    const hourFormat = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' });
    const hour = Number(hourFormat.format(clock.now()));
    const quietHours = { from: hour, to: (hour + 2) % 24 };
    const quiet = await addMember(fixture, 'quiet', { alerts: { push: true, quietHours }, timeZone });
    const awake = await addMember(fixture, 'awake', { alerts: { quietHours }, timeZone, browsers: 0 });
    await addMember(fixture, 'elsewhere', {
      alerts: { quietHours: { from: (hour + 2) % 24, to: hour } },
      timeZone,
      browsers: 0,
    });
    await addMember(fixture, 'paused', { alerts: { push: true, pausedUntil: toIso(clock.now() + DAY) } });
    await addMember(fixture, 'pause-over', { alerts: { pausedUntil: toIso(clock.now()) }, browsers: 0 });
    await fixture.startDaemon();
    await openRoom(fixture);
    await eventually(() => expect(mailedTo().sort()).toEqual(['elsewhere', 'pause-over']));
    await eventually(() =>
      expect(pushed().map(({ payload }) => JSON.parse(payload ?? '') as unknown)).toEqual([
        expect.objectContaining({ silent: true }),
      ]),
    );
    const mailOf = (userId: string) =>
      db
        .selectFrom('member_deliveries')
        .select(['status', 'due_at', 'last_error'])
        .where('user_id', '=', userId)
        .where('channel', '=', 'email')
        .executeTakeFirstOrThrow();
    const nextHours = (hours: number): string => {
      // The zone is half an hour beside UTC's hours.
      const half = HOUR / 2;
      return toIso(Math.floor((clock.now() + half) / HOUR) * HOUR - half + hours * HOUR);
    };
    expect(await mailOf(awake)).toMatchObject({ status: 'pending', due_at: nextHours(2) });

    // Quiet hours that are taken back, and others that begin now.
    const change = (accountId: string, alerts: PreferenceChanges['alerts']) =>
      updatePreferences(db, { accountId, preferences: { alerts }, clock });
    await change(awake, { quietHours: null });
    await eventually(() => expect(mailedTo().sort()).toEqual(['awake', 'elsewhere', 'pause-over']));
    await change(quiet, { quietHours: { from: hour, to: (hour + 3) % 24 } });
    await eventually(async () =>
      expect(await mailOf(quiet)).toMatchObject({ status: 'pending', due_at: nextHours(3) }),
    );
    await change(quiet, { pausedUntil: toIso(clock.now() + DAY) });
    clock.moveTo(nextHours(3));
    await eventually(async () =>
      expect(await mailOf(quiet)).toMatchObject({
        status: 'cancelled',
        last_error: 'the member has paused their alerts',
      }),
    );
    expect(mailedTo()).toHaveLength(3);
  });

  it('that closes before it is sent is cancelled, and sent when the waiting room reopens', async () => {
    await addMember(fixture, 'late', { browsers: 0 });
    fixture.sandbox.mails.setFaults([{ code: 451, persistent: true }]);
    await fixture.startDaemon();
    await openRoom(fixture);
    await eventually(async () =>
      expect((await readResults()).results).toEqual([
        expect.objectContaining({
          tryingAgain: 1,
          reasons: [{ reason: 'the mail server answered 451', count: 1 }],
        }),
      ]),
    );
    await closeRoom(fixture);
    await untilFinished();
    expect((await readResults()).results).toEqual([expect.objectContaining({ cancelled: 1, sent: 0 })]);
    fixture.sandbox.mails.setFaults([]);
    await openRoom(fixture);
    await eventually(() => expect(mailedTo()).toEqual(['late']));
    await untilFinished();
    expect((await readResults()).results).toEqual([expect.objectContaining({ cancelled: 0, sent: 1 })]);
  });

  it('removes browsers that are gone, records addresses that bounce, and notifies the admins once', async () => {
    const refused = await addMember(fixture, 'refused', { alerts: {} });
    await addMember(fixture, 'gone', { alerts: { email: false, push: true } });
    fixture.sandbox.mails.setFaults([{ code: 550, text: '5.1.1 No such user', at: 'recipient' }]);
    fixture.sandbox.push.setFaults([{ kind: 'gone', status: 410 }]);
    await fixture.startDaemon();
    await openRoom(fixture);
    const { results } = await untilFinished();
    expect(results).toEqual([
      expect.objectContaining({ channel: 'email', failed: 1 }),
      expect.objectContaining({ channel: 'push', cancelled: 1 }),
    ]);
    expect(results[0]?.reasons[0]?.reason).toContain('refused the address with 550');
    const { mail_bounced_at } = await fixture.db
      .selectFrom('users')
      .select('mail_bounced_at')
      .where('id', '=', refused)
      .executeTakeFirstOrThrow();
    expect(mail_bounced_at).not.toBeNull();
    expect(await fixture.db.selectFrom('push_subscriptions').select('user_id').execute()).toEqual([
      expect.objectContaining({ user_id: refused }),
    ]);
    await eventually(() =>
      expect(adminTitles(fixture)).toEqual(['An alert did not reach every member by email']),
    );
  });

  it('marks no address as bounced when most get the same refusal, and notifies the admins once', async () => {
    for (let number = 0; number < 5; number += 1)
      await addMember(fixture, `member-${number}`, { browsers: 0 });
    const bounced = () =>
      fixture.db.selectFrom('users').select('email').where('mail_bounced_at', 'is not', null).execute();
    const refusal = { code: 550, at: 'recipient', persistent: true } as const;
    fixture.sandbox.mails.setFaults([refusal]);
    await fixture.startDaemon();
    await openRoom(fixture);
    const { alertId, results } = await untilFinished();
    expect(results).toEqual([expect.objectContaining({ failed: 5 })]);
    expect(await bounced()).toEqual([]);
    await eventually(() =>
      expect(adminTitles(fixture)).toEqual(['An alert did not reach every member by email']),
    );
    fixture.sandbox.mails.setFaults([{ ...refusal, to: 'member-3@*' }]);
    const { clock, db } = fixture;
    await retryMemberDeliveries(db, { alertId, channel: 'email', actor: OPERATOR, clock });
    await eventually(async () => expect(await bounced()).toEqual([{ email: 'member-3@example.test' }]));
  });

  it('that failed for good can be sent again while it is open, and be marked as handled', async () => {
    await addMember(fixture, 'first', { browsers: 0 });
    await addMember(fixture, 'second', { browsers: 0 });
    fixture.sandbox.mails.setFaults([{ code: 554, text: '5.7.1 Relay denied', count: 2 }]);
    await fixture.startDaemon();
    await openRoom(fixture);
    const { alertId, results } = await untilFinished();
    expect(results).toEqual([expect.objectContaining({ failed: 2 })]);
    const { clock, db } = fixture;
    const input = { alertId, channel: 'email' as const, actor: OPERATOR, clock };
    fixture.sandbox.mails.setFaults([{ code: 554, text: '5.7.1 Relay denied' }]);
    expect(await retryMemberDeliveries(db, input)).toBe(2);
    await untilFinished();
    expect((await readResults()).results).toEqual([expect.objectContaining({ failed: 1, sent: 1 })]);
    expect(await handleMemberDeliveries(db, input)).toBe(1);
    expect((await readResults()).results).toEqual([
      expect.objectContaining({ failed: 0, sent: 1, handled: 1, reasons: [] }),
    ]);
    await closeRoom(fixture);
    await expect(retryMemberDeliveries(db, input)).rejects.toMatchObject({ code: 'alert_closed' });
  });

  it('that the mail server never confirms is mailed twice at most, with one Message-ID', async () => {
    await addMember(fixture, 'unconfirmed', { browsers: 0 });
    fixture.sandbox.mails.setFaults([{ drop: true, persistent: true }]);
    await fixture.startDaemon();
    await openRoom(fixture);
    const { results } = await untilFinished();
    expect(results).toEqual([expect.objectContaining({ failed: 1, sent: 0 })]);
    expect(results[0]?.reasons[0]?.reason).toContain('it was sent twice without an answer');
    const receipts = fixture.sandbox.mails.receipts();
    expect(receipts).toHaveLength(2);
    expect(receipts[0]?.messageId).toBe(receipts[1]?.messageId);
  });

  it('expires ten minutes after the check', async () => {
    await addMember(fixture, 'waiting', { browsers: 0 });
    fixture.sandbox.mails.setFaults([{ code: 451, persistent: true }]);
    await fixture.startDaemon();
    await openRoom(fixture);
    await eventually(async () => expect((await readResults()).results[0]?.tryingAgain).toBe(1));
    fixture.clock.advance(10 * MINUTE);
    await untilFinished();
    expect((await readResults()).results).toEqual([expect.objectContaining({ expired: 1 })]);
  });
});

describe('the listing of members', () => {
  it('covers each one once, over pages and subscriptions and in two processes', async () => {
    const { db, clock } = fixture;
    const ids: string[] = [];
    for (let number = 0; number < 90; number += 1)
      ids.push(await addMember(fixture, `member-${number}`, { browsers: 0 }));
    for (const id of ids.slice(0, 50)) {
      await subscribe(db, id);
      await subscribe(db, id);
    }
    await fixture.startDaemon();
    fixture.sandbox.mails.setFaults([{ code: 451, persistent: true }]);
    await openRoom(fixture);
    const { alertId } = await readResults();
    // As another daemon does at the same time.
    await db.updateTable('alerts').set({ fan_out_status: 'pending', fan_out_after: null }).execute();
    for (let done = false; !done;)
      ({ done } = await fanOutStep(db, { source: { alertId }, mailEnabled: true, clock }));
    const listed = await db.selectFrom('member_deliveries').select('user_id').execute();
    expect(listed.map(({ user_id }) => user_id).sort()).toEqual(ids.sort());
  });
});
