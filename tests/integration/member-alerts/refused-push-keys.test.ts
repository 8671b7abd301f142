import { afterEach, beforeEach, expect, it } from 'vitest';
import { listPushSubscriptions } from '#shared/push/push-subscriptions';
import { readMemberResults, retryMemberDeliveries } from '#shared/member-alerts/member-results';
import { adminTitles, openRoom } from '../alerts/delivery-fixture';
import { createMonitorFixture, eventually, type MonitorFixture } from '../monitor/monitor-fixture';
import { addMember } from './crowd';

let fixture: MonitorFixture;
beforeEach(async () => {
  fixture = await createMonitorFixture({
    webhooks: ['instant', 'admin'],
    environment: ({ webhookHost }) => ({ ALLOWED_PRIVATE_HOSTS: webhookHost }),
  });
});
afterEach(() => fixture.cleanup());

const byPush = { alerts: { email: false, push: true } };

async function untilFinished() {
  return eventually(async () => {
    const { id: alertId } = await fixture.db.selectFrom('alerts').select('id').executeTakeFirstOrThrow();
    const { complete, results } = await readMemberResults(fixture.db, { alertId });
    const [push] = results;
    if (!complete || push === undefined) throw new Error('the members are not listed yet');
    expect(push.waiting + push.sending + push.tryingAgain).toBe(0);
    return { alertId, push };
  });
}

it('a refused key and an expired subscription end quietly, once, and their members see it', async () => {
  const { db, sandbox } = fixture;
  const ended = await addMember(fixture, 'ended', { ...byPush, browsers: 2 });
  const ids = (await listPushSubscriptions(db, { userId: ended })).map(({ id }) => id);
  sandbox.push.setFaults([
    { kind: 'status', status: 400, body: '{"reason":"VapidPkHashMismatch"}' },
    { kind: 'gone', status: 410 },
  ]);
  await fixture.startDaemon();
  await openRoom(fixture);
  expect((await untilFinished()).push).toMatchObject({ cancelled: 2, failed: 0 });
  expect(sandbox.push.pushes()).toBe(2);
  const devices = await listPushSubscriptions(db, { userId: ended });
  expect(devices.map(({ id }) => id).sort()).toEqual(ids.sort());
  expect(devices.every(({ endedAt }) => endedAt !== null)).toBe(true);
  expect(adminTitles(fixture)).toEqual([]);
});

it('a fault that hits most subscriptions ends none, is told to the admins once, and can be sent again', async () => {
  const { db, sandbox, clock } = fixture;
  for (let number = 0; number < 8; number += 1) await addMember(fixture, `member-${number}`, byPush);
  sandbox.push.setFaults([
    { kind: 'status', status: 403, body: '{"reason":"ExpiredJwtToken"}', persistent: true },
  ]);
  await fixture.startDaemon();
  await openRoom(fixture);
  const { alertId, push } = await untilFinished();
  expect(push).toMatchObject({ failed: 8, cancelled: 0 });
  expect(push.reasons[0]?.reason).toContain('ExpiredJwtToken');
  expect(await db.selectFrom('push_subscriptions').select('id').execute()).toHaveLength(8);
  expect(await db.selectFrom('ended_push_subscriptions').select('id').execute()).toEqual([]);
  await eventually(() =>
    expect(adminTitles(fixture).sort()).toEqual([
      'An alert did not reach every member by web push',
      'Web push fails for most members',
    ]),
  );
  sandbox.push.setFaults([]);
  await retryMemberDeliveries(db, { alertId, channel: 'push', actor: { userId: null }, clock });
  expect((await untilFinished()).push).toMatchObject({ sent: 8, failed: 0 });
});
