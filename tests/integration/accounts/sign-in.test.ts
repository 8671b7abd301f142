import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loginWithPassword } from '#shared/accounts/passwords/login-with-password';
import { registerWithPassword } from '#shared/accounts/passwords/register-with-password';
import { resendCode } from '#shared/accounts/codes/resend-code';
import { signInWithDiscord } from '#shared/accounts/discord/sign-in-with-discord';
import { verifyCode } from '#shared/accounts/codes/verify-code';
import { endUnlistedAdmins } from '#shared/accounts/admin-lists';
import { grantAdmin, revokeAdmin } from '#shared/accounts/admins';
import { findViewer } from '#shared/accounts/sessions';
import { SECOND } from '#shared/clock';
import {
  createAccountsFixture,
  discordProfile,
  EMAIL,
  NETWORK,
  PASSWORD,
  refusalOf,
  type AccountsFixture,
} from './accounts-fixture';
import { createMeasurablePasswordHasher } from '../../cheap-passwords';
import { leastCpuTimeOf } from '../../cpu-time';

let fixture: AccountsFixture;

beforeEach(async () => {
  fixture = await createAccountsFixture();
});
afterEach(() => fixture.cleanup());

const userAgent = null;
const login = (
  password = PASSWORD,
  { email = EMAIL, browserKey = null }: { email?: string; browserKey?: string | null } = {},
) => loginWithPassword(fixture.context, { email, password, browserKey, network: NETWORK, userAgent });
const enter = (code: string, browserKey: string | null = null) =>
  verifyCode(fixture.context, { email: EMAIL, code, browserKey, userAgent });
const resend = (browserKey: string | null) =>
  resendCode(fixture.context, { email: EMAIL, browserKey, network: NETWORK });
const discord = (changes = {}, browserKey: string | null = 'browser A') =>
  signInWithDiscord(fixture.context, { profile: discordProfile(changes), browserKey, userAgent });
const audit = async () =>
  (await fixture.db.selectFrom('audit_log').selectAll().orderBy('created_at').execute()).map((row) => ({
    action: row.action,
    actor: row.actor_id,
    ...(JSON.parse(row.details ?? '{}') as object),
  }));

describe('registering and signing in with a password', () => {
  it('needs a code first, then signs in with a new token each time', async () => {
    const account = await fixture.member();
    const tokens = [(await login()).token, (await login()).token];
    expect(new Set(tokens).size).toBe(2);
    expect((await audit()).map(({ action }) => action)).toEqual(Array(3).fill('account.sign_in'));
    expect((await audit()).every(({ actor }) => actor === account.id)).toBe(true);
  });

  it('finds one account for every spelling of the address', async () => {
    await fixture.member();
    expect((await fixture.db.selectFrom('users').selectAll().execute()).map(({ email }) => email)).toEqual([
      EMAIL,
    ]);
  });

  it('refuses wrong passwords and unknown addresses with the same message', async () => {
    await fixture.member();
    const wrong = await refusalOf(login('wrong password'));
    const unknown = await refusalOf(login(PASSWORD, { email: 'unknown@example.org' }));
    expect(wrong).toMatchObject({
      kind: 'NotAuthenticated',
      code: 'invalid_credentials',
      message: 'Invalid email or password',
    });
    expect([unknown.kind, unknown.code, unknown.message]).toEqual([wrong.kind, wrong.code, wrong.message]);
  });

  it('takes as much processor time for an unknown address', async () => {
    const context = { ...fixture.context, passwords: createMeasurablePasswordHasher() };
    const registration = { email: EMAIL, password: PASSWORD, browserKey: null, network: NETWORK };
    await registerWithPassword(context, registration);
    await enter(await fixture.readCode());
    const refuse = (email: string) =>
      refusalOf(
        loginWithPassword(context, { ...registration, email, password: 'wrong password', userAgent }),
      );
    const { known, unknown } = await leastCpuTimeOf({
      known: () => refuse(EMAIL),
      unknown: () => refuse('unknown@example.org'),
    });
    expect(unknown / known).toBeGreaterThan(0.5);
    expect(unknown / known).toBeLessThan(2);
  });

  it('opens no session before the address is confirmed, and sends a code instead', async () => {
    await fixture.register();
    await fixture.sendDueMails();
    fixture.clock.advance(30 * SECOND);
    expect(await refusalOf(login())).toMatchObject({ kind: 'Forbidden', code: 'verification_required' });
    expect(await fixture.db.selectFrom('sessions').selectAll().execute()).toEqual([]);
    expect((await enter(await fixture.readCode())).kind).toBe('session');
    expect((await login()).kind).toBe('session');
  });

  it('reuses the code that was sent seconds before', async () => {
    await fixture.register();
    const code = await fixture.readCode();
    await refusalOf(login());
    expect(await fixture.sendDueMails()).toEqual([]);
    expect((await enter(code)).kind).toBe('session');
  });

  it('sends no code for a wrong password', async () => {
    await fixture.register();
    await fixture.sendDueMails();
    fixture.clock.advance(30 * SECOND);
    expect((await refusalOf(login('wrong password'))).code).toBe('invalid_credentials');
    expect(await fixture.sendDueMails()).toEqual([]);
  });

  it('notifies only the owner when the address has an account', async () => {
    const before = await fixture.member();
    const answer = await registerWithPassword(fixture.context, {
      email: EMAIL,
      password: 'another password',
      browserKey: null,
      network: NETWORK,
    });
    expect(answer).toEqual({ pendingEmail: EMAIL });
    const [mail] = await fixture.sendDueMails();
    expect(mail?.subject).toBe('You already have a Packwatch account');
    expect(await fixture.db.selectFrom('users').selectAll().execute()).toEqual([before]);
    await refusalOf(login('another password'));
  });

  it('creates one account for twelve concurrent registrations, and accepts ten of them', async () => {
    const registrations = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) => fixture.register(EMAIL, { network: `198.51.${index}.0/24` })),
    );
    expect(registrations.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(await fixture.db.selectFrom('users').select('id').execute()).toHaveLength(1);
    const live = await fixture.db
      .selectFrom('verification_codes')
      .select('id')
      .where('status', '=', 'live')
      .execute();
    expect(live).toHaveLength(1);
  });

  it('is refused when mail is disabled', async () => {
    const context = { ...fixture.context, mail: { enabled: false, notifyQueue: () => undefined } };
    for (const email of [EMAIL, 'unknown@example.org']) {
      const work = registerWithPassword(context, {
        email,
        password: PASSWORD,
        browserKey: null,
        network: NETWORK,
      });
      expect(await refusalOf(work)).toMatchObject({ code: 'mail_unavailable' });
    }
    expect(await fixture.db.selectFrom('users').select('id').execute()).toEqual([]);
  });
});

describe('a password set before the address was confirmed', () => {
  it('is removed when a Discord sign-in confirms the address', async () => {
    await fixture.register();
    await fixture.sendDueMails();
    fixture.clock.advance(30 * SECOND);
    expect(await discord()).toEqual({ kind: 'verify', email: EMAIL });
    const { account } = await enter(await fixture.readCode(), 'browser A');
    expect(account).toMatchObject({ password_hash: null, discord_id: discordProfile().id });
    expect((await refusalOf(login())).code).toBe('invalid_credentials');
  });

  it('is removed when a code requested by another browser confirms the address', async () => {
    await fixture.register(EMAIL, { browserKey: 'an attacker' });
    fixture.clock.advance(30 * SECOND);
    await resend('the owner');
    await enter(await fixture.readCode(), 'the owner');
    expect((await refusalOf(login())).code).toBe('invalid_credentials');
  });

  it('is kept when its own browser requested another code, despite requests in between', async () => {
    await fixture.register(EMAIL, { browserKey: 'the owner' });
    fixture.clock.advance(30 * SECOND);
    await resend(null);
    fixture.clock.advance(30 * SECOND);
    await resend('the owner');
    await enter(await fixture.readCode(), 'the owner');
    expect((await login()).kind).toBe('session');
  });

  it('is that of the newest registration', async () => {
    await fixture.register(EMAIL, { password: 'set by another person' });
    await fixture.register(EMAIL, { password: PASSWORD });
    await enter(await fixture.readCode());
    expect((await login()).kind).toBe('session');
    await refusalOf(login('set by another person'));
  });

  it('can be corrected by the same browser within seconds, without another mail', async () => {
    await fixture.register(EMAIL, { password: 'mistyped password', browserKey: 'browser A' });
    const code = await fixture.readCode();
    await fixture.register(EMAIL, { browserKey: 'browser A' });
    expect(await fixture.sendDueMails()).toEqual([]);
    await enter(code, 'browser A');
    expect((await login()).kind).toBe('session');
  });

  it('set by an attacker while the owner’s code is on its way does not work', async () => {
    await fixture.register(EMAIL, { browserKey: 'the owner' });
    await fixture.register(EMAIL, { password: 'set by an attacker', browserKey: 'an attacker' });
    await refusalOf(enter(await fixture.readCode(), 'the owner'));
    fixture.clock.advance(30 * SECOND);
    await resend('the owner');
    await enter(await fixture.readCode(), 'the owner');
    await refusalOf(login('set by an attacker'));
  });
});

describe('signing in with Discord', () => {
  const confirm = async () => enter(await fixture.readCode(), 'browser A');

  it('needs a code the first time and none afterwards', async () => {
    expect(await discord()).toEqual({ kind: 'verify', email: EMAIL });
    expect(await fixture.db.selectFrom('sessions').select('id').execute()).toEqual([]);
    const { account } = await confirm();
    expect(account).toMatchObject({
      discord_id: discordProfile().id,
      discord_username: 'ann',
      username: 'ann',
    });
    const again = await discord();
    expect(again).toMatchObject({ kind: 'session', account: { id: account.id } });
  });

  it('identifies the account by the Discord id: another address at Discord changes nothing', async () => {
    await discord();
    const { account } = await confirm();
    expect(await discord({ email: 'new@example.org', username: 'anna', avatar: 'abc' })).toMatchObject({
      kind: 'session',
      account: { id: account.id, email: EMAIL, discord_username: 'anna', discord_avatar: 'abc' },
    });
  });

  it('still links the Discord account when the code is sent again', async () => {
    await discord();
    fixture.clock.advance(30 * SECOND);
    await resend('browser A');
    expect((await confirm()).account.discord_id).toBe(discordProfile().id);
  });

  it.each([
    ['an unverified address', { verified: false }],
    ['no address', { email: null }],
    ['an invalid address', { email: 'ann' }],
  ])('is refused with %s, also for a linked account', async (_what, changes) => {
    await discord();
    await confirm();
    for (const id of [discordProfile().id, '150000000000000077'])
      expect(await refusalOf(discord({ id, ...changes }))).toMatchObject({
        kind: 'Forbidden',
        code: 'discord_email_unverified',
      });
  });

  it('links the confirmed account with the verified address, in any spelling', async () => {
    const member = await fixture.member();
    const found = await discord({ email: 'Ann@Example.ORG' });
    expect(found).toMatchObject({
      kind: 'session',
      account: { id: member.id, discord_id: discordProfile().id },
    });
    expect((await login()).account.id).toBe(member.id);
    expect((await audit()).map(({ action }) => action)).toContain('account.link_discord');
  });

  it('requires a code when the address is linked to another Discord account', async () => {
    await discord();
    await confirm();
    fixture.clock.advance(30 * SECOND);
    expect(await discord({ id: '150000000000000077' })).toMatchObject({ kind: 'verify' });
    const [user] = await fixture.db.selectFrom('users').selectAll().execute();
    expect(user?.discord_id).toBe(discordProfile().id);
    const { account } = await confirm();
    expect(account).toMatchObject({ id: user?.id, discord_id: '150000000000000077' });
  });

  it('links nothing when its code is not entered', async () => {
    await discord();
    await fixture.register();
    await fixture.db.updateTable('code_requests').set({ requested_at: '2026-01-01T00:00:00.000Z' }).execute();
    await enter(await fixture.readCode());
    const [user] = await fixture.db.selectFrom('users').selectAll().execute();
    expect(user?.discord_id).toBeNull();
  });

  it('is refused when a code cannot be sent', async () => {
    const context = { ...fixture.context, mail: { enabled: false, notifyQueue: () => undefined } };
    const work = signInWithDiscord(context, { profile: discordProfile(), browserKey: null, userAgent });
    expect((await refusalOf(work)).code).toBe('mail_unavailable');
    expect(await fixture.db.selectFrom('users').select('id').execute()).toEqual([]);
  });
});

describe('ADMIN_EMAILS and ADMIN_DISCORD_IDS', () => {
  it('grant the admin role at sign-in, with an audit row', async () => {
    await fixture.cleanup();
    fixture = await createAccountsFixture({
      adminEmails: ['boss@example.org'],
      adminDiscordIds: [discordProfile().id],
    });
    expect((await fixture.member('boss@example.org')).role).toBe('admin');
    await discord();
    expect((await enter(await fixture.readCode(), 'browser A')).account.role).toBe('admin');
    const grants = (await audit()).filter(({ action }) => action === 'admin.grant');
    expect(grants).toEqual([
      { action: 'admin.grant', actor: null, by: 'ADMIN_EMAILS' },
      { action: 'admin.grant', actor: null, by: 'ADMIN_DISCORD_IDS' },
    ]);
  });

  describe('that no longer name an admin', () => {
    const boss = 'boss@example.org';
    const lists = (adminEmails: string[]) => ({ adminEmails, adminDiscordIds: [], passkeys: null });
    const signIn = (adminEmails: string[], email = boss) =>
      loginWithPassword(
        { ...fixture.context, config: lists(adminEmails) },
        { email, password: PASSWORD, browserKey: null, network: NETWORK, userAgent },
      );
    const start = (adminEmails: string[]) =>
      endUnlistedAdmins(fixture.db, { lists: lists(adminEmails), now: fixture.clock.now() });
    const command = (email = boss) => ({ email, actor: { userId: null }, clock: fixture.clock });
    beforeEach(async () => {
      await fixture.member(boss);
      await signIn([boss]);
    });

    it('revoke the role that they granted, at the next sign-in', async () => {
      expect((await signIn([boss])).account.role).toBe('admin');
      expect((await signIn([])).account.role).toBe('member');
      expect((await signIn([boss])).account.role).toBe('admin');
      const actions = (await audit()).map(({ action }) => action).filter((action) => /^admin/.test(action));
      expect(actions).toEqual(['admin.grant', 'admin.revoke', 'admin.grant']);
    });

    it('revoke it at the next start, for a session that continues', async () => {
      const { token } = await signIn([boss]);
      expect(await start([boss])).toEqual([]);
      expect(await start([])).toHaveLength(1);
      const viewer = await findViewer(fixture.db, { token, clock: fixture.clock });
      expect(viewer?.account).toMatchObject({ role: 'member', admin_granted_by: null });
      expect(await start([])).toEqual([]);
    });

    it('do not revoke a role that the command granted', async () => {
      await fixture.member();
      await grantAdmin(fixture.db, command(EMAIL));
      // Granted by the list first, and then by the command as well.
      expect(await grantAdmin(fixture.db, command())).toBe(true);
      expect(await start([])).toEqual([]);
      expect((await signIn([])).account.role).toBe('admin');
      expect((await signIn([], EMAIL)).account.role).toBe('admin');
      expect(await revokeAdmin(fixture.db, { ...command(), lists: lists([]) })).toBe(true);
    });

    it('must lose the address before the command revokes the role', async () => {
      const refused = await refusalOf(revokeAdmin(fixture.db, { ...command(), lists: lists([boss]) }));
      expect(refused).toMatchObject({ kind: 'Conflict', code: 'admin_listed' });
      expect(refused.message).toContain('Remove it from ADMIN_EMAILS first');
    });
  });

  it('grant nothing to other accounts', async () => {
    expect((await fixture.member()).role).toBe('member');
    expect((await audit()).map(({ action }) => action)).not.toContain('admin.grant');
  });
});
