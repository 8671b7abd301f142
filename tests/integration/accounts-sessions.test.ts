import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FREE_MEMBERSHIP, type Account } from '#shared/accounts/account';
import { grantAdmin, listAdmins, revokeAdmin } from '#shared/accounts/admins';
import { updatePreferences, updateProfile } from '#shared/accounts/change-account';
import { purgeExpired } from '#shared/accounts/purge-expired';
import { toProfile } from '#shared/accounts/profile';
import {
  createSession,
  findViewer,
  listedIdOf,
  listSessions,
  revokeByTokens,
  revokeSession,
} from '#shared/accounts/sessions';
import { requestBeta } from '#shared/beta/request-beta';
import { DAY, MINUTE, SECOND } from '#shared/clock';
import { createAccountsWorld, EMAIL, refusalOf, type AccountsWorld } from './accounts-world';

let world: AccountsWorld;
let ann: Account;

beforeEach(async () => {
  world = await createAccountsWorld();
  ann = await addAccount(EMAIL);
});
afterEach(() => world.cleanup());

function addAccount(email: string): Promise<Account> {
  const now = new Date(world.clock.now()).toISOString();
  return world.db
    .insertInto('users')
    .values({ id: email, email, username: 'ann', email_verified_at: now, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow();
}

const profileOf = (account: Account) => toProfile({ account, membership: FREE_MEMBERSHIP });

const open = (account = ann, userAgent: string | null = 'a browser') =>
  createSession(world.db, { accountId: account.id, userAgent, clock: world.clock });
type Opened = Awaited<ReturnType<typeof open>>;
const look = (token: string) => findViewer(world.db, { token, clock: world.clock });

describe('a session', () => {
  it('is known by its token, of which only a hash is stored', async () => {
    const { token, session } = await open();
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(await look(token)).toMatchObject({ account: { id: ann.id }, session: { id: session.id } });
    const rows = await world.db.selectFrom('sessions').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    for (const wrong of ['', 'x', token.slice(1), session.token_hash, session.id])
      expect(await look(wrong)).toBeNull();
  });

  it('ends thirty days after it was last used', async () => {
    const { token } = await open();
    world.clock.advance(29 * DAY);
    expect(await look(token)).not.toBeNull();
    world.clock.advance(29 * DAY);
    expect(await look(token)).not.toBeNull();
    world.clock.advance(30 * DAY);
    expect(await look(token)).toBeNull();
  });

  it('is written once a minute at most', async () => {
    const { token, session } = await open();
    world.clock.advance(59 * SECOND);
    expect((await look(token))?.session).toEqual(session);
    world.clock.advance(SECOND);
    const seen = (await look(token))?.session;
    expect(seen?.last_seen_at).toBe(new Date(world.clock.now()).toISOString());
    expect(Date.parse(seen?.expires_at ?? '') - world.clock.now()).toBe(30 * DAY);
    expect(await world.db.selectFrom('sessions').selectAll().executeTakeFirst()).toEqual(seen);
  });

  it('is not lost when the disk takes no more', async () => {
    const { token } = await open();
    world.clock.advance(MINUTE);
    await sql`pragma query_only = on`.execute(world.db);
    expect(await look(token)).toMatchObject({ account: { id: ann.id } });
  });

  it('is listed with the others, the latest first, and ended by its owner alone', async () => {
    const bob = await addAccount('bob@example.org');
    const first = await open(ann, 'first');
    world.clock.advance(MINUTE);
    const second = await open(ann, 'second');
    const bobs = await open(bob);
    const listed = await listSessions(world.db, { accountId: ann.id, clock: world.clock });
    expect(listed.map(({ user_agent }) => user_agent)).toEqual(['second', 'first']);

    const foreign = revokeSession(world.db, { accountId: ann.id, sessionId: bobs.session.id });
    expect(await refusalOf(foreign)).toMatchObject({ kind: 'NotFound' });
    expect(await look(bobs.token)).not.toBeNull();
    await revokeSession(world.db, { accountId: ann.id, sessionId: first.session.id });
    expect(await look(first.token)).toBeNull();
    expect(await revokeByTokens(world.db, { tokens: [second.token] })).toBe(true);
    expect(await revokeByTokens(world.db, { tokens: [second.token] })).toBe(false);
    expect(await look(second.token)).toBeNull();
  });

  describe('of a browser that keeps a second token in local storage', () => {
    const openBoth = async () => {
      const cookie = await open();
      const local = await createSession(world.db, {
        accountId: ann.id,
        userAgent: 'a browser',
        browserSessionId: cookie.session.id,
        clock: world.clock,
      });
      return { cookie, local };
    };
    const listed = () => listSessions(world.db, { accountId: ann.id, clock: world.clock });

    it('is one entry, under the same id for both tokens', async () => {
      const { cookie, local } = await openBoth();
      expect((await listed()).map(({ id }) => id)).toEqual([cookie.session.id]);
      expect([cookie, local].map(({ session }) => listedIdOf(session))).toEqual([
        cookie.session.id,
        cookie.session.id,
      ]);
    });

    it.each([
      ['by its entry', ({ cookie }: { cookie: Opened; local: Opened }) => cookie.session.id, null],
      ['by the other session’s id', ({ local }: { cookie: Opened; local: Opened }) => local.session.id, null],
      ['by the cookie’s token', null, ({ cookie }: { cookie: Opened; local: Opened }) => cookie.token],
      ['by local storage’s token', null, ({ local }: { cookie: Opened; local: Opened }) => local.token],
    ])('ends as a whole %s', async (_how, idOf, tokenOf) => {
      const elsewhere = await open();
      const both = await openBoth();
      if (idOf !== null) await revokeSession(world.db, { accountId: ann.id, sessionId: idOf(both) });
      if (tokenOf !== null) await revokeByTokens(world.db, { tokens: [tokenOf(both)] });
      expect(await look(both.cookie.token)).toBeNull();
      expect(await look(both.local.token)).toBeNull();
      expect((await listed()).map(({ id }) => id)).toEqual([elsewhere.session.id]);
    });

    it('lives on as a whole while either of its tokens is used', async () => {
      const { cookie, local } = await openBoth();
      for (let day = 0; day < 40; day += 10) {
        world.clock.advance(10 * DAY);
        expect(await look(local.token)).not.toBeNull();
      }
      expect((await listed())[0]?.last_seen_at).toBe(new Date(world.clock.now()).toISOString());
      expect(await look(cookie.token)).not.toBeNull();
    });
  });

  it('ends with its account', async () => {
    const { token } = await open();
    await world.db.deleteFrom('users').where('id', '=', ann.id).execute();
    expect(await look(token)).toBeNull();
  });

  it('knows the role of this moment', async () => {
    const { token } = await open();
    const change = { email: EMAIL, actor: { userId: null }, clock: world.clock };
    expect(await grantAdmin(world.db, change)).toBe(true);
    expect((await look(token))?.account.role).toBe('admin');
    expect(await revokeAdmin(world.db, change)).toBe(true);
    expect((await look(token))?.account.role).toBe('member');
  });
});

describe('the admin command’s rules', () => {
  it('grant, revoke and list, each change with an audit row', async () => {
    const change = { email: EMAIL, actor: { userId: null }, clock: world.clock };
    expect(await grantAdmin(world.db, change)).toBe(true);
    expect(await grantAdmin(world.db, change)).toBe(false);
    expect((await listAdmins(world.db)).map(({ email }) => email)).toEqual([EMAIL]);
    expect(await revokeAdmin(world.db, change)).toBe(true);
    expect(await revokeAdmin(world.db, change)).toBe(false);
    expect(await listAdmins(world.db)).toEqual([]);
    const rows = await world.db.selectFrom('audit_log').select(['action', 'subject']).execute();
    expect(rows).toEqual([
      { action: 'admin.grant', subject: ann.id },
      { action: 'admin.revoke', subject: ann.id },
    ]);
    const unknown = grantAdmin(world.db, { ...change, email: 'nobody@example.org' });
    expect(await refusalOf(unknown)).toMatchObject({ kind: 'NotFound', code: 'account_not_found' });
  });
});

describe('a profile', () => {
  it('has the membership of its user: desktop access needs beta access and a paid tier', () => {
    const pro = { tier: 'pro', expiresAt: '2026-12-20T12:00:00.000Z', cancelAtPeriodEnd: false } as const;
    const approved = { ...ann, beta_approved_at: '2026-11-20T12:00:00.000Z' };
    expect(toProfile({ account: ann, membership: pro })).toMatchObject({
      subscription: pro,
      desktop_access: false,
    });
    expect(toProfile({ account: approved, membership: pro }).desktop_access).toBe(true);
    expect(profileOf(approved).desktop_access).toBe(false);
  });

  it('begins free, without beta, with alert mails on', () => {
    expect(profileOf(ann)).toEqual({
      id: ann.id,
      email: EMAIL,
      role: 'member',
      username: 'ann',
      beta_approved: false,
      beta_requested_at: null,
      desktop_access: false,
      subscription: { tier: 'free', expiresAt: null, cancelAtPeriodEnd: false },
      preferences: { alerts: { email: true, push: false }, marketing: false },
    });
  });

  it('takes a name and merges choices', async () => {
    const { db, clock } = world;
    expect((await updateProfile(db, { accountId: ann.id, username: 'Ann', clock })).username).toBe('Ann');
    expect((await updateProfile(db, { accountId: ann.id, clock })).username).toBe('Ann');
    const choose = async (preferences: Parameters<typeof updatePreferences>[1]['preferences']) =>
      profileOf(await updatePreferences(db, { accountId: ann.id, preferences, clock })).preferences;
    await choose({ alerts: { push: true } });
    await choose({ marketing: true });
    expect(await choose({ alerts: { email: false } })).toEqual({
      alerts: { email: false, push: true },
      marketing: true,
    });
  });

  it('asks for beta once, however often at once, and again after a revoke', async () => {
    const { db, clock } = world;
    const ask = () => requestBeta(db, { accountId: ann.id, clock });
    const asked = await Promise.allSettled(Array.from({ length: 20 }, ask));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await refusalOf(ask())).toMatchObject({ kind: 'Conflict', code: 'beta_already_requested' });
    await db.updateTable('users').set({ beta_approved_at: '2026-11-20T12:00:00.000Z' }).execute();
    expect((await refusalOf(ask())).kind).toBe('Conflict');
    await db.updateTable('users').set({ beta_approved_at: null, beta_requested_at: null }).execute();
    expect(profileOf(await ask()).beta_requested_at).not.toBeNull();
  });
});

describe('what has outlived its use', () => {
  it('goes, and the rest stays', async () => {
    await world.register('new@example.org');
    await world.post();
    const early = await open();
    expect(await purgeExpired(world.db, world.clock.now())).toBe(0);
    world.clock.advance(8 * DAY);
    // A request, a code, a mail.
    expect(await purgeExpired(world.db, world.clock.now())).toBe(3);
    expect(await look(early.token)).not.toBeNull();
    world.clock.advance(31 * DAY);
    expect(await purgeExpired(world.db, world.clock.now())).toBe(1);
    expect(await world.db.selectFrom('users').select('id').execute()).toHaveLength(2);
  });
});
