import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '#shared/accounts/account';
import { FREE_MEMBERSHIP } from '#shared/subscriptions/membership';
import { grantAdmin, listAdmins, revokeAdmin } from '#shared/accounts/admins';
import { updatePreferences, updateProfile } from '#shared/accounts/change-account';
import { purgeExpired } from '#shared/accounts/purge-expired';
import { toProfile } from '#shared/accounts/profile';
import {
  createSession,
  endOtherSessions,
  findViewer,
  listedIdOf,
  listSessions,
  revokeByTokens,
  revokeSession,
} from '#shared/accounts/sessions';
import { requestBeta } from '#shared/beta/beta-operations';
import { DAY, MINUTE, SECOND } from '#shared/clock';
import { createAccountsFixture, EMAIL, refusalOf, type AccountsFixture } from './accounts-fixture';
import { setReadOnly } from '../database-faults';

let fixture: AccountsFixture;
let ann: Account;

beforeEach(async () => {
  fixture = await createAccountsFixture();
  ann = await addAccount(EMAIL);
});
afterEach(() => fixture.cleanup());

function addAccount(email: string): Promise<Account> {
  const now = new Date(fixture.clock.now()).toISOString();
  return fixture.db
    .insertInto('users')
    .values({ id: email, email, username: 'ann', email_verified_at: now, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow();
}

const profileOf = (account: Account) => toProfile({ account, membership: FREE_MEMBERSHIP });

const open = (account = ann, userAgent: string | null = 'a browser') =>
  createSession(fixture.db, { accountId: account.id, userAgent, clock: fixture.clock });
type Opened = Awaited<ReturnType<typeof open>>;
const findSession = (token: string) => findViewer(fixture.db, { token, clock: fixture.clock });

describe('a session', () => {
  it('is found by its token, of which only a hash is stored', async () => {
    const { token, session } = await open();
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(await findSession(token)).toMatchObject({ account: { id: ann.id }, session: { id: session.id } });
    const rows = await fixture.db.selectFrom('sessions').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    for (const wrong of ['', 'x', token.slice(1), session.token_hash, session.id])
      expect(await findSession(wrong)).toBeNull();
  });

  it('expires thirty days after its last use', async () => {
    const { token } = await open();
    fixture.clock.advance(29 * DAY);
    expect(await findSession(token)).not.toBeNull();
    fixture.clock.advance(29 * DAY);
    expect(await findSession(token)).not.toBeNull();
    fixture.clock.advance(30 * DAY);
    expect(await findSession(token)).toBeNull();
  });

  it('ends ninety days after the sign-in, however often it is used', async () => {
    const { token } = await open();
    for (let day = 0; day < 80; day += 20) {
      fixture.clock.advance(20 * DAY);
      expect(await findSession(token)).not.toBeNull();
    }
    const stored = await fixture.db.selectFrom('sessions').selectAll().executeTakeFirstOrThrow();
    expect(Date.parse(stored.expires_at) - fixture.clock.now()).toBe(10 * DAY);
    // As a release without this limit stored it.
    await fixture.db.updateTable('sessions').set({ expires_at: '2099-01-01T00:00:00.000Z' }).execute();
    fixture.clock.advance(10 * DAY);
    expect(await findSession(token)).toBeNull();
    expect(await listSessions(fixture.db, { accountId: ann.id, clock: fixture.clock })).toEqual([]);
  });

  it('ends when the account signs in a twentieth time after it, unless it was used since', async () => {
    const bobs = await open(await addAccount('bob@example.org'));
    const [first, second] = [await open(), await open()];
    const local = await createSession(fixture.db, {
      accountId: ann.id,
      userAgent: null,
      browserSessionId: second.session.id,
      clock: fixture.clock,
    });
    fixture.clock.advance(MINUTE);
    expect(await findSession(first.token)).not.toBeNull();
    for (let count = 3; count <= 20; count += 1) {
      fixture.clock.advance(SECOND);
      await open();
    }
    expect(await findSession(local.token)).not.toBeNull();
    await fixture.db
      .updateTable('sessions')
      .set({ last_seen_at: second.session.last_seen_at })
      .where('user_id', '=', ann.id)
      .where('id', 'in', [second.session.id, local.session.id])
      .execute();
    const newest = await open();
    expect(await findSession(second.token)).toBeNull();
    expect(await findSession(local.token)).toBeNull();
    for (const { token } of [first, newest, bobs]) expect(await findSession(token)).not.toBeNull();
    expect(await listSessions(fixture.db, { accountId: ann.id, clock: fixture.clock })).toHaveLength(20);
  });

  it('can end all others of its account, with their local storage tokens, and stays itself', async () => {
    const bobs = await open(await addAccount('bob@example.org'));
    const mine = await open();
    const ofBrowser = { accountId: ann.id, userAgent: null, clock: fixture.clock };
    const local = await createSession(fixture.db, { ...ofBrowser, browserSessionId: mine.session.id });
    const other = await open();
    const foreignLocal = await createSession(fixture.db, {
      ...ofBrowser,
      browserSessionId: other.session.id,
    });
    // By the token of local storage: the browser's cookie stays, too.
    const { session } = local;
    expect(await endOtherSessions(fixture.db, { session, clock: fixture.clock })).toBe(1);
    for (const { token } of [bobs, mine, local]) expect(await findSession(token)).not.toBeNull();
    for (const { token } of [other, foreignLocal]) expect(await findSession(token)).toBeNull();
    const audit = await fixture.db.selectFrom('audit_log').select(['action', 'details']).execute();
    expect(audit).toEqual([{ action: 'account.sign_out_elsewhere', details: '{"ended":1}' }]);
  });

  it('is updated at most once a minute', async () => {
    const { token, session } = await open();
    fixture.clock.advance(59 * SECOND);
    expect((await findSession(token))?.session).toEqual(session);
    fixture.clock.advance(SECOND);
    const seen = (await findSession(token))?.session;
    expect(seen?.last_seen_at).toBe(new Date(fixture.clock.now()).toISOString());
    expect(Date.parse(seen?.expires_at ?? '') - fixture.clock.now()).toBe(30 * DAY);
    expect(await fixture.db.selectFrom('sessions').selectAll().executeTakeFirst()).toEqual(seen);
  });

  it('stays valid when the disk is full', async () => {
    const { token } = await open();
    fixture.clock.advance(MINUTE);
    await setReadOnly(fixture.db, true);
    expect(await findSession(token)).toMatchObject({ account: { id: ann.id } });
  });

  it('is listed with the account’s other sessions, latest first, and can be ended by its owner only', async () => {
    const bob = await addAccount('bob@example.org');
    const first = await open(ann, 'first');
    fixture.clock.advance(MINUTE);
    const second = await open(ann, 'second');
    const bobs = await open(bob);
    const listed = await listSessions(fixture.db, { accountId: ann.id, clock: fixture.clock });
    expect(listed.map(({ userAgent }) => userAgent)).toEqual(['second', 'first']);

    const foreign = revokeSession(fixture.db, { accountId: ann.id, sessionId: bobs.session.id });
    expect(await refusalOf(foreign)).toMatchObject({ kind: 'NotFound' });
    expect(await findSession(bobs.token)).not.toBeNull();
    await revokeSession(fixture.db, { accountId: ann.id, sessionId: first.session.id });
    expect(await findSession(first.token)).toBeNull();
    expect(await revokeByTokens(fixture.db, { tokens: [second.token] })).toBe(true);
    expect(await revokeByTokens(fixture.db, { tokens: [second.token] })).toBe(false);
    expect(await findSession(second.token)).toBeNull();
  });

  describe('of a browser with a second token in local storage', () => {
    const openBoth = async () => {
      const cookie = await open();
      const local = await createSession(fixture.db, {
        accountId: ann.id,
        userAgent: 'a browser',
        browserSessionId: cookie.session.id,
        clock: fixture.clock,
      });
      return { cookie, local };
    };
    const listed = () => listSessions(fixture.db, { accountId: ann.id, clock: fixture.clock });

    it('is listed once, under the same id for both tokens', async () => {
      const { cookie, local } = await openBoth();
      expect((await listed()).map(({ id }) => id)).toEqual([cookie.session.id]);
      expect([cookie, local].map(({ session }) => listedIdOf(session))).toEqual([
        cookie.session.id,
        cookie.session.id,
      ]);
    });

    it.each([
      [
        'when it is ended in the list',
        ({ cookie }: { cookie: Opened; local: Opened }) => cookie.session.id,
        null,
      ],
      [
        'when it is ended by the other session’s id',
        ({ local }: { cookie: Opened; local: Opened }) => local.session.id,
        null,
      ],
      [
        'when the cookie’s token logs out',
        null,
        ({ cookie }: { cookie: Opened; local: Opened }) => cookie.token,
      ],
      [
        'when the local storage’s token logs out',
        null,
        ({ local }: { cookie: Opened; local: Opened }) => local.token,
      ],
    ])('ends for both tokens %s', async (_how, idOf, tokenOf) => {
      const elsewhere = await open();
      const both = await openBoth();
      if (idOf !== null) await revokeSession(fixture.db, { accountId: ann.id, sessionId: idOf(both) });
      if (tokenOf !== null) await revokeByTokens(fixture.db, { tokens: [tokenOf(both)] });
      expect(await findSession(both.cookie.token)).toBeNull();
      expect(await findSession(both.local.token)).toBeNull();
      expect((await listed()).map(({ id }) => id)).toEqual([elsewhere.session.id]);
    });

    it('stays valid for both tokens while either of them is used', async () => {
      const { cookie, local } = await openBoth();
      for (let day = 0; day < 40; day += 10) {
        fixture.clock.advance(10 * DAY);
        expect(await findSession(local.token)).not.toBeNull();
      }
      expect((await listed())[0]?.lastSeenAt).toBe(new Date(fixture.clock.now()).toISOString());
      expect(await findSession(cookie.token)).not.toBeNull();
    });
  });

  it('is deleted with its account', async () => {
    const { token } = await open();
    await fixture.db.deleteFrom('users').where('id', '=', ann.id).execute();
    expect(await findSession(token)).toBeNull();
  });

  it('reads the current role', async () => {
    const { token } = await open();
    const change = { email: EMAIL, actor: { userId: null }, clock: fixture.clock };
    expect(await grantAdmin(fixture.db, change)).toBe(true);
    expect((await findSession(token))?.account.role).toBe('admin');
    expect(await revokeAdmin(fixture.db, change)).toBe(true);
    expect((await findSession(token))?.account.role).toBe('member');
  });
});

describe('the functions of the admin command', () => {
  it('grant, revoke and list the admin role, with an audit row per change', async () => {
    const change = { email: EMAIL, actor: { userId: null }, clock: fixture.clock };
    expect(await grantAdmin(fixture.db, change)).toBe(true);
    expect(await grantAdmin(fixture.db, change)).toBe(false);
    expect((await listAdmins(fixture.db)).map(({ email }) => email)).toEqual([EMAIL]);
    expect(await revokeAdmin(fixture.db, change)).toBe(true);
    expect(await revokeAdmin(fixture.db, change)).toBe(false);
    expect(await listAdmins(fixture.db)).toEqual([]);
    const rows = await fixture.db.selectFrom('audit_log').select(['action', 'subject']).execute();
    expect(rows).toEqual([
      { action: 'admin.grant', subject: ann.id },
      { action: 'admin.revoke', subject: ann.id },
    ]);
    const unknown = grantAdmin(fixture.db, { ...change, email: 'nobody@example.org' });
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

  it('starts with the free tier, without beta access, with alert mails enabled', () => {
    expect(profileOf(ann)).toEqual({
      id: ann.id,
      email: EMAIL,
      role: 'member',
      username: 'ann',
      beta_approved: false,
      beta_requested_at: null,
      desktop_access: false,
      subscription: { tier: 'free', expiresAt: null, cancelAtPeriodEnd: false },
      preferences: {
        alerts: { email: true, push: false, watches: null, quietHours: null, pausedUntil: null },
        timeZone: 'Europe/London',
        marketing: false,
      },
    });
  });

  it('stores a name and merges preferences', async () => {
    const { db, clock } = fixture;
    expect((await updateProfile(db, { accountId: ann.id, username: 'Ann', clock })).username).toBe('Ann');
    expect((await updateProfile(db, { accountId: ann.id, clock })).username).toBe('Ann');
    const choose = async (preferences: Parameters<typeof updatePreferences>[1]['preferences']) =>
      profileOf(await updatePreferences(db, { accountId: ann.id, preferences, clock })).preferences;
    await choose({ alerts: { push: true } });
    await choose({ marketing: true });
    expect(await choose({ alerts: { email: false } })).toMatchObject({
      alerts: { email: false, push: true, watches: null },
      marketing: true,
    });
  });

  it('requests beta access once, also concurrently, and again after it was revoked', async () => {
    const { db, clock } = fixture;
    const ask = () => requestBeta(db, { accountId: ann.id, clock });
    const results = await Promise.allSettled(Array.from({ length: 20 }, ask));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await refusalOf(ask())).toMatchObject({ kind: 'Conflict', code: 'beta_already_requested' });
    await db.updateTable('users').set({ beta_approved_at: '2026-11-20T12:00:00.000Z' }).execute();
    expect((await refusalOf(ask())).kind).toBe('Conflict');
    await db.updateTable('users').set({ beta_approved_at: null, beta_requested_at: null }).execute();
    expect(profileOf(await ask()).beta_requested_at).not.toBeNull();
  });
});

describe('expired data', () => {
  it('is purged, and the rest is kept', async () => {
    await fixture.register('new@example.org');
    await fixture.sendDueMails();
    const early = await open();
    expect(await purgeExpired(fixture.db, fixture.clock.now())).toBe(0);
    fixture.clock.advance(8 * DAY);
    // A request, a code, a mail.
    expect(await purgeExpired(fixture.db, fixture.clock.now())).toBe(3);
    expect(await findSession(early.token)).not.toBeNull();
    fixture.clock.advance(31 * DAY);
    // The session, and the account that was never confirmed.
    expect(await purgeExpired(fixture.db, fixture.clock.now())).toBe(2);
    expect(await fixture.db.selectFrom('users').select('email').execute()).toEqual([{ email: ann.email }]);
  });
});
