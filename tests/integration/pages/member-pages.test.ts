import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '#shared/accounts/account';
import { systemClock } from '#shared/clock';
import { writeSetting } from '#shared/settings/write-settings';
import { SESSION_COOKIE } from '~/http/cookies/session-cookie.server';
import { action as saveAccount, loader as account } from '~/routes/account/account';
import { action as login } from '~/routes/account/login';
import { action as logout } from '~/routes/account/logout';
import { loader as dashboard } from '~/routes/dashboard/dashboard';
import { createApiFixture, send, SITE, type ApiFixture } from '../api/api-fixture';
import { refuseWrites } from '../database-faults';

let fixture: ApiFixture;
let member: Account;
let token: string;
beforeEach(async () => {
  fixture = await createApiFixture();
  member = await fixture.account('beta');
  token = await fixture.signIn(member);
});
afterEach(() => fixture.cleanup());

function args(path: string, fields?: Record<string, string>) {
  const headers = { Cookie: `${SESSION_COOKIE}=${token}` };
  const init = fields === undefined ? {} : { method: 'POST', body: new URLSearchParams(fields) };
  return { request: new Request(SITE + path, { headers, ...init }), params: {}, context: {} };
}

/** Makes reads of a table fail by renaming it. */
const breakTable = (name: string) => fixture.db.schema.alterTable(name).renameTo(`${name}_away`).execute();

/** Makes reads of the member's sessions fail, except of the one that is used. */
async function breakOtherSessions(): Promise<void> {
  const { db } = fixture;
  const { token_hash } = await db.selectFrom('sessions').select('token_hash').executeTakeFirstOrThrow();
  await fixture.signIn(member);
  await breakTable('sessions');
  const others = sql`cast(abs(cast('-9223372036854775807' as bigint) - length(id) / length(id)) as text)`;
  await sql`create view sessions as select id, user_id, token_hash, user_agent, created_at, last_seen_at, expires_at,
    case when token_hash = ${sql.lit(token_hash)} then browser_session_id else ${others} end as browser_session_id
    from sessions_away`.execute(db);
}

const isSignedIn = async () => (await send('GET', '/api/auth/user', { token })).status === 200;

describe('the member dashboard', () => {
  it('has the beta access and the Discord invite', async () => {
    expect(await dashboard(args('/dashboard'))).toMatchObject({
      kind: 'member',
      beta: { approved: true },
      community: { inviteUrl: null },
    });
    const value = 'https://discord.gg/packwatch';
    const write = { actor: { userId: null }, clock: systemClock };
    await writeSetting(fixture.db, { key: 'discord_invite_url', value, ...write });
    expect(await dashboard(args('/dashboard'))).toMatchObject({ community: { inviteUrl: value } });
  });

  it.each([
    ['its own data cannot be read', () => breakTable('users'), { kind: 'failed' }],
    [
      'beta access cannot be read',
      () => fixture.db.schema.alterTable('users').renameColumn('beta_requested_at', 'gone').execute(),
      { kind: 'member', beta: null, community: { inviteUrl: null } },
    ],
    [
      'the settings cannot be read',
      () => breakTable('settings'),
      { kind: 'member', beta: { approved: true }, community: null },
    ],
  ])('loads while %s', async (_, spoil, loaded) => {
    await spoil();
    expect(await dashboard(args('/dashboard'))).toMatchObject(loaded);
  });

  it('redirects visitors to the landing page, whose sign-in leads back', async () => {
    const visitor = { request: new Request(`${SITE}/dashboard`), params: {}, context: {} };
    const thrown = await dashboard(visitor).catch((reason: unknown) => reason);
    expect(thrown instanceof Response && thrown.headers.get('Location')).toBe(
      '/?auth=login&next=%2Fdashboard',
    );
  });
});

describe('the account page', () => {
  it('loads while the account or its sessions cannot be read', async () => {
    await breakOtherSessions();
    expect(await account(args('/account'))).toMatchObject({ email: member.email, sessions: null });
    await breakTable('users');
    expect(await account(args('/account'))).toBeNull();
  });

  it('reports that a profile could not be updated, and returns the entered values', async () => {
    await refuseWrites(fixture.db, 'update on users');
    expect(await saveAccount(args('/account', { intent: 'name', username: 'Ash K.' }))).toMatchObject({
      intent: 'name',
      ok: false,
      message: 'Failed to update profile',
      values: { username: 'Ash K.' },
    });
    const preferences = { intent: 'preferences', alertsByPush: 'on', marketing: 'on' };
    expect(await saveAccount(args('/account', preferences))).toEqual({
      intent: 'preferences',
      ok: false,
      message: 'Failed to update profile',
      values: { alertsByPush: 'on', marketing: 'on' },
    });
  });

  it('reports that another session could not be ended', async () => {
    await fixture.signIn(member);
    const sessions = (await account(args('/account')))?.sessions ?? [];
    const other = sessions.find(({ current }) => !current)?.id ?? '';
    await refuseWrites(fixture.db, 'delete on sessions');
    expect(await saveAccount(args('/account', { intent: 'revoke', sessionId: other }))).toMatchObject({
      intent: 'revoke',
      ok: false,
      message: 'Failed to sign out',
    });
  });
});

it('a code sent from a browser that another tab has signed in leads on', async () => {
  const answer = await login(args('/login?step=verify', { intent: 'verify', code: '123456' }));
  expect(answer instanceof Response && answer.headers.get('Location')).toBe('/dashboard');
});

describe('signing out', () => {
  const press = async (fields: Record<string, string>) => {
    const answer = await logout(args('/logout', fields));
    return {
      status: answer.status,
      leadsTo: answer.headers.get('Location'),
      cookies: answer.headers.getSetCookie(),
    };
  };

  it('ends the session and redirects to the landing page', async () => {
    expect(await press({ returnTo: '/account' })).toMatchObject({ status: 303, leadsTo: '/' });
    expect(await isSignedIn()).toBe(false);
  });

  it.each([
    ['with scripts it is a 500', { scripts: 'on', returnTo: '/account' }, { status: 500, leadsTo: null }],
    [
      'without scripts it redirects back to the page with an error',
      { returnTo: '/account?show=all' },
      { status: 303, leadsTo: '/account?show=all&sign-out=failed' },
    ],
    [
      'it never redirects to another site',
      { returnTo: '//evil.example' },
      { status: 303, leadsTo: '/?sign-out=failed' },
    ],
  ])('that fails clears no cookie: %s', async (_, fields, answer) => {
    await refuseWrites(fixture.db, 'delete on sessions');
    expect(await press(fields)).toEqual({ ...answer, cookies: [] });
    expect(await isSignedIn()).toBe(true);
  });

  it('ends both tokens of a browser or none', async () => {
    const local = await fixture.signIn(member);
    await refuseWrites(fixture.db, 'delete on sessions', 'old.id = (select max(id) from sessions)');
    expect(await press({ scripts: 'on', localToken: local })).toMatchObject({ status: 500, cookies: [] });
    expect(await isSignedIn()).toBe(true);
    expect((await send('GET', '/api/auth/user', { token: local })).status).toBe(200);
  });
});
