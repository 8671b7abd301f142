import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '#shared/accounts/account';
import { approveBeta, revokeBeta, requestBeta } from '#shared/beta/beta-operations';
import { readBetaStats, listApprovedUsers, listPendingUsers } from '#shared/beta/read-beta';
import { systemClock } from '#shared/clock';
import type { MailOutbox } from '#shared/mail/mails';
import { callApi, createApiFixture, type ApiFixture } from '../api/api-fixture';

let fixture: ApiFixture;
let admin: Account;
beforeAll(async () => {
  fixture = await createApiFixture();
});
afterAll(() => fixture.cleanup());
beforeEach(async () => {
  await fixture.db.deleteFrom('users').execute();
  admin = await fixture.account('admin');
});

const userWithRequest = async (requestedAt = '2026-11-20T10:00:00.000Z') =>
  fixture.account('member', { beta_requested_at: requestedAt, beta_ever_requested: 1 });
const outbox = { enabled: true, notifyQueue: () => undefined };
const approve = (accountId: string, mail: MailOutbox = outbox) =>
  approveBeta(fixture.db, { ...decision(accountId), mail });
const decision = (accountId: string) => ({ accountId, actor: { userId: admin.id }, clock: systemClock });

describe('beta access', () => {
  it('is granted on request, and can be requested again after it was revoked', async () => {
    const { id } = await userWithRequest();
    const approved = await approve(id);
    expect(approved).toMatchObject({ id, requestedAt: '2026-11-20T10:00:00.000Z' });
    expect(approved.approvedAt).not.toBeNull();
    expect(await listPendingUsers(fixture.db)).toEqual([]);
    expect(await listApprovedUsers(fixture.db)).toEqual([approved]);

    expect(await revokeBeta(fixture.db, decision(id))).toMatchObject({ requestedAt: null, approvedAt: null });
    await requestBeta(fixture.db, { accountId: id, clock: systemClock });
    expect((await listPendingUsers(fixture.db)).map((user) => user.id)).toEqual([id]);
    const audit = await fixture.db
      .selectFrom('audit_log')
      .select(['actor_id', 'action'])
      .where('subject', '=', id)
      .orderBy('created_at')
      .execute();
    expect(audit).toEqual([
      { actor_id: admin.id, action: 'beta.approve' },
      { actor_id: admin.id, action: 'beta.revoke' },
    ]);
  });

  it('is decided once by concurrent admins', async () => {
    const { id } = await userWithRequest();
    const decided = await Promise.allSettled([1, 2, 3].map(() => approve(id)));
    expect(decided.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(approve(id)).rejects.toMatchObject({ code: 'beta_not_pending' });
  });

  it('is refused for users without a request, without access, or unknown', async () => {
    const { id } = await fixture.account('member');
    await expect(approve(id)).rejects.toMatchObject({ code: 'beta_not_pending' });
    await expect(revokeBeta(fixture.db, decision(id))).rejects.toMatchObject({ code: 'beta_not_approved' });
    await expect(approve('none')).rejects.toMatchObject({ code: 'unknown_user' });
  });

  it('lists the oldest request first', async () => {
    const later = await userWithRequest('2026-11-20T12:00:00.000Z');
    const earlier = await userWithRequest('2026-11-19T12:00:00.000Z');
    expect((await listPendingUsers(fixture.db)).map(({ id }) => id)).toEqual([earlier.id, later.id]);
  });

  it('counts users whose access was revoked as having requested it', async () => {
    expect(await readBetaStats(fixture.db)).toEqual({
      totalUsers: 1,
      pendingRequests: 0,
      approvedUsers: 0,
      totalRequests: 0,
      approvalRate: 0,
    });
    const [one, two] = [await userWithRequest(), await userWithRequest()];
    await userWithRequest();
    await fixture.account('member', { email_verified_at: null });
    await approve(one.id);
    await approve(two.id);
    await revokeBeta(fixture.db, decision(two.id));
    expect(await readBetaStats(fixture.db)).toEqual({
      totalUsers: 4,
      pendingRequests: 1,
      approvedUsers: 1,
      totalRequests: 3,
      approvalRate: 33.3,
    });
  });

  it('is also decided through the API', async () => {
    const token = await fixture.signIn(admin);
    const { id, username, email, created_at: accountCreated } = await userWithRequest();
    const pending = await callApi('GET', '/api/admin/beta/pending', { token });
    expect(pending.body).toEqual({
      success: true,
      data: {
        users: [
          { id, username, email, requestedAt: '2026-11-20T10:00:00.000Z', accountCreated, approvedAt: null },
        ],
      },
    });
    const approve = () => callApi('POST', `/api/admin/beta/approve/${id}`, { token });
    expect(await approve()).toMatchObject({ status: 200, body: { data: { user: { id } } } });
    expect(await approve()).toMatchObject({ status: 409, body: { code: 'beta_not_pending' } });
    expect((await callApi('GET', '/api/admin/beta/stats', { token })).body).toMatchObject({
      data: { approvedUsers: 1, approvalRate: 100 },
    });
    const revoke = () => callApi('POST', `/api/admin/beta/revoke/${id}`, { token });
    expect((await revoke()).status).toBe(200);
    expect((await revoke()).status).toBe(409);
  });
});
