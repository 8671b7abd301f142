import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '#shared/accounts/account';
import { approveBeta, revokeBeta } from '#shared/beta/decide-beta';
import { requestBeta } from '#shared/beta/request-beta';
import { readBetaStats, listApprovedUsers, listPendingUsers } from '#shared/beta/read-beta';
import { systemClock } from '#shared/clock';
import type { MailOutbox } from '#shared/mail/mails';
import { ask, createApiWorld, type ApiWorld } from './api-world';

let world: ApiWorld;
let admin: Account;
beforeAll(async () => {
  world = await createApiWorld();
});
afterAll(() => world.cleanup());
beforeEach(async () => {
  await world.db.deleteFrom('users').execute();
  admin = await world.account('admin');
});

const asked = async (requestedAt = '2026-11-20T10:00:00.000Z') =>
  world.account('member', { beta_requested_at: requestedAt, beta_ever_requested: 1 });
const outbox = { enabled: true, notifyQueue: () => undefined };
const approve = (accountId: string, mail: MailOutbox = outbox) =>
  approveBeta(world.db, { ...decision(accountId), mail });
const decision = (accountId: string) => ({ accountId, actor: { userId: admin.id }, clock: systemClock });

describe('beta access', () => {
  it('is given to who asked, and taken back so that they may ask again', async () => {
    const { id } = await asked();
    const approved = await approve(id);
    expect(approved).toMatchObject({ id, requestedAt: '2026-11-20T10:00:00.000Z' });
    expect(approved.approvedAt).not.toBeNull();
    expect(await listPendingUsers(world.db)).toEqual([]);
    expect(await listApprovedUsers(world.db)).toEqual([approved]);

    expect(await revokeBeta(world.db, decision(id))).toMatchObject({ requestedAt: null, approvedAt: null });
    await requestBeta(world.db, { accountId: id, clock: systemClock });
    expect((await listPendingUsers(world.db)).map((user) => user.id)).toEqual([id]);
    const audit = await world.db
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

  it('is decided once, however many admins press', async () => {
    const { id } = await asked();
    const decided = await Promise.allSettled([1, 2, 3].map(() => approve(id)));
    expect(decided.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(approve(id)).rejects.toMatchObject({ code: 'beta_not_pending' });
  });

  it('is nothing for somebody who did not ask, is not in, or is not there', async () => {
    const { id } = await world.account('member');
    await expect(approve(id)).rejects.toMatchObject({ code: 'beta_not_pending' });
    await expect(revokeBeta(world.db, decision(id))).rejects.toMatchObject({ code: 'beta_not_approved' });
    await expect(approve('none')).rejects.toMatchObject({ code: 'unknown_user' });
  });

  it('lists the longest wait first', async () => {
    const later = await asked('2026-11-20T12:00:00.000Z');
    const earlier = await asked('2026-11-19T12:00:00.000Z');
    expect((await listPendingUsers(world.db)).map(({ id }) => id)).toEqual([earlier.id, later.id]);
  });

  it('is counted: those whose access was taken back have asked, too', async () => {
    expect(await readBetaStats(world.db)).toEqual({
      totalUsers: 1,
      pendingRequests: 0,
      approvedUsers: 0,
      totalRequests: 0,
      approvalRate: 0,
    });
    const [one, two] = [await asked(), await asked()];
    await asked();
    await world.account('member', { email_verified_at: null });
    await approve(one.id);
    await approve(two.id);
    await revokeBeta(world.db, decision(two.id));
    expect(await readBetaStats(world.db)).toEqual({
      totalUsers: 4,
      pendingRequests: 1,
      approvedUsers: 1,
      totalRequests: 3,
      approvalRate: 33.3,
    });
  });

  it('is decided by the API as well', async () => {
    const token = await world.signIn(admin);
    const { id, username, email, created_at: accountCreated } = await asked();
    const pending = await ask('GET', '/api/admin/beta/pending', { token });
    expect(pending.body).toEqual({
      success: true,
      data: {
        users: [
          { id, username, email, requestedAt: '2026-11-20T10:00:00.000Z', accountCreated, approvedAt: null },
        ],
      },
    });
    const approve = () => ask('POST', `/api/admin/beta/approve/${id}`, { token });
    expect(await approve()).toMatchObject({ status: 200, body: { data: { user: { id } } } });
    expect(await approve()).toMatchObject({ status: 409, body: { code: 'beta_not_pending' } });
    expect((await ask('GET', '/api/admin/beta/stats', { token })).body).toMatchObject({
      data: { approvedUsers: 1, approvalRate: 100 },
    });
    const revoke = () => ask('POST', `/api/admin/beta/revoke/${id}`, { token });
    expect((await revoke()).status).toBe(200);
    expect((await revoke()).status).toBe(409);
  });
});
