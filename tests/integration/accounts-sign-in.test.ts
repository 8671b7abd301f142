import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPasswordHasher } from '#shared/accounts/passwords/password-hasher.server';
import { loginWithPassword } from '#shared/accounts/passwords/login-with-password';
import { registerWithPassword } from '#shared/accounts/passwords/register-with-password';
import { resendCode } from '#shared/accounts/codes/resend-code';
import { signInWithDiscord } from '#shared/accounts/discord/sign-in-with-discord';
import { verifyCode } from '#shared/accounts/codes/verify-code';
import { SECOND } from '#shared/clock';
import {
  createAccountsWorld,
  discordProfile,
  EMAIL,
  NETWORK,
  PASSWORD,
  refusalOf,
  type AccountsWorld,
} from './accounts-world';
import { leastWorkOf } from '../work-of';

let world: AccountsWorld;

beforeEach(async () => {
  world = await createAccountsWorld();
});
afterEach(() => world.cleanup());

const userAgent = null;
const login = (
  password = PASSWORD,
  { email = EMAIL, browserKey = null }: { email?: string; browserKey?: string | null } = {},
) => loginWithPassword(world.context, { email, password, browserKey, network: NETWORK, userAgent });
const enter = (code: string, browserKey: string | null = null) =>
  verifyCode(world.context, { email: EMAIL, code, browserKey, userAgent });
const resend = (browserKey: string | null) =>
  resendCode(world.context, { email: EMAIL, browserKey, network: NETWORK });
const discord = (changes = {}, browserKey: string | null = 'browser A') =>
  signInWithDiscord(world.context, { profile: discordProfile(changes), browserKey, userAgent });
const audit = async () =>
  (await world.db.selectFrom('audit_log').selectAll().orderBy('created_at').execute()).map((row) => ({
    action: row.action,
    actor: row.actor_id,
    ...(JSON.parse(row.details ?? '{}') as object),
  }));

describe('registering and signing in with a password', () => {
  it('begins with a code, then signs in with a new token each time', async () => {
    const account = await world.member();
    const tokens = [(await login()).token, (await login()).token];
    expect(new Set(tokens).size).toBe(2);
    expect((await audit()).map(({ action }) => action)).toEqual(Array(3).fill('account.sign_in'));
    expect((await audit()).every(({ actor }) => actor === account.id)).toBe(true);
  });

  it('knows one account however the address is spelled', async () => {
    await world.member();
    expect((await world.db.selectFrom('users').selectAll().execute()).map(({ email }) => email)).toEqual([
      EMAIL,
    ]);
  });

  it('refuses wrong passwords and unknown addresses in the same words', async () => {
    await world.member();
    const wrong = await refusalOf(login('wrong password'));
    const unknown = await refusalOf(login(PASSWORD, { email: 'unknown@example.org' }));
    expect(wrong).toMatchObject({
      kind: 'NotAuthenticated',
      code: 'invalid_credentials',
      message: 'Invalid email or password',
    });
    expect([unknown.kind, unknown.code, unknown.message]).toEqual([wrong.kind, wrong.code, wrong.message]);
  });

  it('does the same work for an unknown address', async () => {
    const context = { ...world.context, passwords: createPasswordHasher() };
    const registration = { email: EMAIL, password: PASSWORD, browserKey: null, network: NETWORK };
    await registerWithPassword(context, registration);
    await enter(await world.readCode());
    const refuse = (email: string) =>
      refusalOf(
        loginWithPassword(context, { ...registration, email, password: 'wrong password', userAgent }),
      );
    const { known, unknown } = await leastWorkOf({
      known: () => refuse(EMAIL),
      unknown: () => refuse('unknown@example.org'),
    });
    expect(unknown / known).toBeGreaterThan(0.5);
    expect(unknown / known).toBeLessThan(2);
  });

  it('opens no session before the address is confirmed, and sends a code instead', async () => {
    await world.register();
    await world.post();
    world.clock.advance(30 * SECOND);
    expect(await refusalOf(login())).toMatchObject({ kind: 'Forbidden', code: 'verification_required' });
    expect(await world.db.selectFrom('sessions').selectAll().execute()).toEqual([]);
    expect((await enter(await world.readCode())).kind).toBe('session');
    expect((await login()).kind).toBe('session');
  });

  it('uses the code that was sent seconds ago', async () => {
    await world.register();
    const code = await world.readCode();
    await refusalOf(login());
    expect(await world.post()).toEqual([]);
    expect((await enter(code)).kind).toBe('session');
  });

  it('sends no code for a wrong password', async () => {
    await world.register();
    await world.post();
    world.clock.advance(30 * SECOND);
    expect((await refusalOf(login('wrong password'))).code).toBe('invalid_credentials');
    expect(await world.post()).toEqual([]);
  });

  it('tells the owner, and nobody else, when the address has an account', async () => {
    const before = await world.member();
    const answer = await registerWithPassword(world.context, {
      email: EMAIL,
      password: 'another password',
      browserKey: null,
      network: NETWORK,
    });
    expect(answer).toEqual({ pendingEmail: EMAIL });
    const [mail] = await world.post();
    expect(mail?.subject).toBe('You already have a Packwatch account');
    expect(await world.db.selectFrom('users').selectAll().execute()).toEqual([before]);
    await refusalOf(login('another password'));
  });

  it('begins one account for twelve registrations at once, and sends ten mails', async () => {
    const registrations = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) => world.register(EMAIL, { network: `198.51.${index}.0/24` })),
    );
    expect(registrations.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(await world.db.selectFrom('users').select('id').execute()).toHaveLength(1);
    const live = await world.db
      .selectFrom('verification_codes')
      .select('id')
      .where('status', '=', 'live')
      .execute();
    expect(live).toHaveLength(1);
  });

  it('is told at once when mail is switched off', async () => {
    const context = { ...world.context, mail: { enabled: false, notifyQueue: () => undefined } };
    for (const email of [EMAIL, 'unknown@example.org']) {
      const work = registerWithPassword(context, {
        email,
        password: PASSWORD,
        browserKey: null,
        network: NETWORK,
      });
      expect(await refusalOf(work)).toMatchObject({ code: 'mail_unavailable' });
    }
    expect(await world.db.selectFrom('users').select('id').execute()).toEqual([]);
  });
});

describe('a password set before the address was confirmed', () => {
  it('goes when Discord’s sign-in confirms it', async () => {
    await world.register();
    await world.post();
    world.clock.advance(30 * SECOND);
    expect(await discord()).toEqual({ kind: 'verify', email: EMAIL });
    const { account } = await enter(await world.readCode(), 'browser A');
    expect(account).toMatchObject({ password_hash: null, discord_id: discordProfile().id });
    expect((await refusalOf(login())).code).toBe('invalid_credentials');
  });

  it('goes when somebody else’s resend confirms it', async () => {
    await world.register(EMAIL, { browserKey: 'an attacker' });
    world.clock.advance(30 * SECOND);
    await resend('the owner');
    await enter(await world.readCode(), 'the owner');
    expect((await refusalOf(login())).code).toBe('invalid_credentials');
  });

  it('stays when its own browser asked for another code, whatever came between', async () => {
    await world.register(EMAIL, { browserKey: 'the owner' });
    world.clock.advance(30 * SECOND);
    await resend(null);
    world.clock.advance(30 * SECOND);
    await resend('the owner');
    await enter(await world.readCode(), 'the owner');
    expect((await login()).kind).toBe('session');
  });

  it('is the newest registration’s', async () => {
    await world.register(EMAIL, { password: 'set by somebody else' });
    await world.register(EMAIL, { password: PASSWORD });
    await enter(await world.readCode());
    expect((await login()).kind).toBe('session');
    await refusalOf(login('set by somebody else'));
  });

  it('can be put right by the same browser within seconds, without another mail', async () => {
    await world.register(EMAIL, { password: 'mistyped password', browserKey: 'browser A' });
    const code = await world.readCode();
    await world.register(EMAIL, { browserKey: 'browser A' });
    expect(await world.post()).toEqual([]);
    await enter(code, 'browser A');
    expect((await login()).kind).toBe('session');
  });

  it('is of no use to whoever registers again while the owner’s code is under way', async () => {
    await world.register(EMAIL, { browserKey: 'the owner' });
    await world.register(EMAIL, { password: 'set by an attacker', browserKey: 'an attacker' });
    await refusalOf(enter(await world.readCode(), 'the owner'));
    world.clock.advance(30 * SECOND);
    await resend('the owner');
    await enter(await world.readCode(), 'the owner');
    await refusalOf(login('set by an attacker'));
  });
});

describe('signing in with Discord', () => {
  const confirm = async () => enter(await world.readCode(), 'browser A');

  it('needs a code the first time and none afterwards', async () => {
    expect(await discord()).toEqual({ kind: 'verify', email: EMAIL });
    expect(await world.db.selectFrom('sessions').select('id').execute()).toEqual([]);
    const { account } = await confirm();
    expect(account).toMatchObject({
      discord_id: discordProfile().id,
      discord_username: 'ann',
      username: 'ann',
    });
    const again = await discord();
    expect(again).toMatchObject({ kind: 'session', account: { id: account.id } });
  });

  it('is by Discord’s id: another address there changes nothing here', async () => {
    await discord();
    const { account } = await confirm();
    expect(await discord({ email: 'new@example.org', username: 'anna', avatar: 'abc' })).toMatchObject({
      kind: 'session',
      account: { id: account.id, email: EMAIL, discord_username: 'anna', discord_avatar: 'abc' },
    });
  });

  it('keeps what it was about when the code is sent again', async () => {
    await discord();
    world.clock.advance(30 * SECOND);
    await resend('browser A');
    expect((await confirm()).account.discord_id).toBe(discordProfile().id);
  });

  it.each([
    ['an unverified address', { verified: false }],
    ['no address', { email: null }],
    ['something that is no address', { email: 'ann' }],
  ])('is refused with %s, for a known account too', async (_what, changes) => {
    await discord();
    await confirm();
    for (const id of [discordProfile().id, '150000000000000077'])
      expect(await refusalOf(discord({ id, ...changes }))).toMatchObject({
        kind: 'Forbidden',
        code: 'discord_email_unverified',
      });
  });

  it('finds a confirmed account by the verified address, in any spelling, and stays with it', async () => {
    const member = await world.member();
    const found = await discord({ email: 'Ann@Example.ORG' });
    expect(found).toMatchObject({
      kind: 'session',
      account: { id: member.id, discord_id: discordProfile().id },
    });
    expect((await login()).account.id).toBe(member.id);
    expect((await audit()).map(({ action }) => action)).toContain('account.link_discord');
  });

  it('asks for a code when the address belongs to somebody else’s Discord account', async () => {
    await discord();
    await confirm();
    world.clock.advance(30 * SECOND);
    expect(await discord({ id: '150000000000000077' })).toMatchObject({ kind: 'verify' });
    const [user] = await world.db.selectFrom('users').selectAll().execute();
    expect(user?.discord_id).toBe(discordProfile().id);
    const { account } = await confirm();
    expect(account).toMatchObject({ id: user?.id, discord_id: '150000000000000077' });
  });

  it('links nothing for a code that nobody enters', async () => {
    await discord();
    await world.register();
    await world.db.updateTable('code_requests').set({ requested_at: '2026-01-01T00:00:00.000Z' }).execute();
    await enter(await world.readCode());
    const [user] = await world.db.selectFrom('users').selectAll().execute();
    expect(user?.discord_id).toBeNull();
  });

  it('is told when a code cannot be sent', async () => {
    const context = { ...world.context, mail: { enabled: false, notifyQueue: () => undefined } };
    const work = signInWithDiscord(context, { profile: discordProfile(), browserKey: null, userAgent });
    expect((await refusalOf(work)).code).toBe('mail_unavailable');
    expect(await world.db.selectFrom('users').select('id').execute()).toEqual([]);
  });
});

describe('the operator’s lists', () => {
  it('grant the admin role at sign-in, by address or Discord id, with an audit row', async () => {
    await world.cleanup();
    world = await createAccountsWorld({
      adminEmails: ['boss@example.org'],
      adminDiscordIds: [discordProfile().id],
    });
    expect((await world.member('boss@example.org')).role).toBe('admin');
    await discord();
    expect((await enter(await world.readCode(), 'browser A')).account.role).toBe('admin');
    const grants = (await audit()).filter(({ action }) => action === 'admin.grant');
    expect(grants).toEqual([
      { action: 'admin.grant', actor: null, by: 'ADMIN_EMAILS' },
      { action: 'admin.grant', actor: null, by: 'ADMIN_DISCORD_IDS' },
    ]);
  });

  it('grant nothing to anybody else', async () => {
    expect((await world.member()).role).toBe('member');
    expect((await audit()).map(({ action }) => action)).not.toContain('admin.grant');
  });
});
