import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Account } from '#shared/accounts/account';
import { disableAccount } from '#shared/accounts/account-status.server';
import { addressBatch } from '#shared/member-alerts/read-batch';
import { sendTestAlerts } from '#shared/member-alerts/test-operations';
import { signInWithDiscord } from '#shared/accounts/discord/sign-in-with-discord';
import { serverContext } from '~/http/server/context.server';
import * as listPage from '~/routes/admin/members/list';
import * as memberPage from '~/routes/admin/members/member';
import * as errorPage from '~/routes/account/discord-error';
import { callApi, createApiFixture, send, type ApiFixture } from '../api/api-fixture';
import { createRenderedSite } from '../rendered-site';
import { discordProfile, refusalOf } from './accounts-fixture';

const PASSWORD = 'correct horse battery';

const site = createRenderedSite({
  '/dashboard/members': listPage,
  '/dashboard/members/:id': memberPage,
  '/auth/discord/error': errorPage,
});
let fixture: ApiFixture;
let admin: string;
let member: Account;
beforeEach(async () => {
  fixture = await createApiFixture();
  admin = await fixture.tokenOf('admin');
  const password_hash = await serverContext().passwords.hash(PASSWORD, 'a network');
  member = await fixture.account('pro', { password_hash });
});
afterEach(() => fixture.cleanup());

const call = (action: string, token = admin, { id } = member) =>
  callApi('POST', `/api/admin/accounts/${id}/${action}`, { token });
const dataOf = (answer: { body: Record<string, unknown> }) => answer.body.data as Record<string, unknown>;
const isSignedIn = async (as: string) => (await send('GET', '/api/auth/user', { token: as })).status === 200;
const login = () => callApi('POST', '/api/auth/login', { body: { email: member.email, password: PASSWORD } });
const auditOf = async ({ id }: Account) =>
  (await fixture.db.selectFrom('audit_log').select('action').where('subject', '=', id).execute()).map(
    ({ action }) => action,
  );

describe('a disabled account', () => {
  test('loses its sessions at once, and can sign in again when it is enabled', async () => {
    const [token, stranger] = [await fixture.signIn(member), await fixture.tokenOf('member')];
    const disabled = await call('disable');
    // No Stripe here, so its renewal cannot be cancelled.
    expect(dataOf(disabled)).toMatchObject({
      account: { email: member.email, sessions: 0, disabledAt: expect.any(String) as string },
      subscription: 'failed',
      message: expect.stringContaining(
        'one session ended. But its subscription could not be cancelled',
      ) as string,
    });
    expect(await isSignedIn(token)).toBe(false);
    expect(await isSignedIn(stranger)).toBe(true);
    expect(dataOf(await call('enable')).account).toMatchObject({ disabledAt: null });
    expect(await isSignedIn(token)).toBe(false);
    expect((await login()).status).toBe(200);
    expect(await auditOf(member)).toEqual(
      expect.arrayContaining(['account.disable', 'account.enable', 'account.sign_in']),
    );
  });

  test('is refused with a sentence by every way to sign in, but only to its owner', async () => {
    await call('disable');
    const sentence = /^This account is disabled, so it cannot sign in and gets no alerts\./;
    expect(await login()).toMatchObject({
      status: 403,
      body: { code: 'account_disabled', message: expect.stringMatching(sentence) as string },
    });
    const wrong = { email: member.email, password: 'wrong and long' };
    expect((await callApi('POST', '/api/auth/login', { body: wrong })).body.code).toBe('invalid_credentials');
    const profile = discordProfile({ email: member.email });
    const byDiscord = signInWithDiscord(serverContext(), { profile, browserKey: 'b', userAgent: null });
    expect((await refusalOf(byDiscord)).code).toBe('account_disabled');
    const shown = await site.get('/auth/discord/error?reason=account_disabled', '');
    expect(shown.text).toContain('This account is disabled');
  });

  test('is refused after the right code, too, and its code is used up', async () => {
    const email = 'unconfirmed@packwatch.example';
    await callApi('POST', '/api/auth/register', { body: { email, password: PASSWORD } });
    const { id } = await fixture.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    await call('disable', admin, { ...member, id });
    const body = { email, code: await fixture.codeFor(email) };
    expect((await callApi('POST', '/api/auth/verify', { body })).body.code).toBe('account_disabled');
    expect((await callApi('POST', '/api/auth/verify', { body })).body.code).toBe('invalid_code');
    const login = await callApi('POST', '/api/auth/login', { body: { email, password: PASSWORD } });
    expect(login.body.code).toBe('account_disabled');
  });

  test('has no session even if one was created in the same moment', async () => {
    await call('disable');
    expect(await isSignedIn(await fixture.signIn(member))).toBe(false);
  });

  test('gets no alerts, not even those that wait already', async () => {
    const { db, clock } = serverContext();
    await sendTestAlerts(db, { account: member, mailEnabled: true, clock });
    const rows = await db.selectFrom('member_deliveries').selectAll().execute();
    expect([...(await addressBatch(db, rows, clock.now())).values()]).toMatchObject([{ kind: 'email' }]);
    await call('disable');
    expect([...(await addressBatch(db, rows, clock.now())).values()]).toEqual([
      { kind: 'cancelled', reason: 'the account is disabled' },
    ]);
  });
});

test('signing an account out ends its sessions and lets it sign in again', async () => {
  const tokens = [await fixture.signIn(member), await fixture.signIn(member)];
  expect(dataOf(await call('sign-out')).message).toBe(
    `${member.email} is signed out everywhere: 2 sessions ended.`,
  );
  for (const token of tokens) expect(await isSignedIn(token)).toBe(false);
  expect((await login()).status).toBe(200);
});

test('no admin disables the own account or the last admin', async () => {
  const first = await fixture.db
    .selectFrom('users')
    .selectAll()
    .where('role', '=', 'admin')
    .executeTakeFirstOrThrow();
  expect((await call('disable', admin, first)).body).toMatchObject({ code: 'own_account' });
  const second = await fixture.account('admin');
  const token = await fixture.signIn(second);
  expect((await call('disable', token, first)).status).toBe(200);
  expect(await isSignedIn(admin)).toBe(false);
  // The first one is disabled, so the second is the last, also for the command on the machine.
  const { db, clock, payments } = serverContext();
  const change = { accountId: second.id, actor: { userId: null }, clock, payments };
  expect((await refusalOf(disableAccount(db, change))).code).toBe('last_admin');
});

test('the admin finds an account by its address, disables and enables it, all without scripts', async () => {
  const email = member.email.toUpperCase();
  const found = await site.post('/dashboard/members', admin, { intent: 'find', text: email });
  const page = `/dashboard/members/${member.id}`;
  expect(found).toMatchObject({ status: 303, leadsTo: page });
  const shown = await site.get(page, admin);
  expect(shown.html).toContain(member.email);
  expect((await site.get(`${page}?ask=disable`, admin)).html).toContain(
    'It is signed out everywhere at once',
  );
  expect(await site.post(page, admin, { intent: 'disable' })).toMatchObject({ status: 303, leadsTo: page });
  expect((await site.get(page, admin)).html).toContain('Disabled account');
  expect((await login()).status).toBe(403);
  expect(await site.post(page, admin, { intent: 'enable' })).toMatchObject({ status: 303 });
  expect(await site.post(page, admin, { intent: 'signOut' })).toMatchObject({ status: 303 });
  expect((await login()).status).toBe(200);
  // Members are sent to their dashboard.
  expect(await site.get(page, await fixture.tokenOf('member'))).toMatchObject({ leadsTo: '/dashboard' });
  expect(await site.get('/dashboard/members/none', admin)).toMatchObject({ leadsTo: '/dashboard/members' });
});
