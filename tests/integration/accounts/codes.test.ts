import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resendCode } from '#shared/accounts/codes/resend-code';
import { verifyCode } from '#shared/accounts/codes/verify-code';
import { HOUR, MINUTE, SECOND } from '#shared/clock';
import { signInWithDiscord } from '#shared/accounts/discord/sign-in-with-discord';
import { loginWithPassword } from '#shared/accounts/passwords/login-with-password';
import {
  createAccountsFixture,
  discordProfile,
  EMAIL,
  NETWORK,
  otherCode,
  PASSWORD,
  refusalOf,
  type AccountsFixture,
} from './accounts-fixture';

let fixture: AccountsFixture;

beforeEach(async () => {
  fixture = await createAccountsFixture();
});
afterEach(() => fixture.cleanup());

const enter = (
  code: string,
  { browserKey = null, email = EMAIL }: { browserKey?: string | null; email?: string } = {},
) => verifyCode(fixture.context, { email, code, browserKey, userAgent: 'a test' });
const resend = (email = EMAIL, browserKey: string | null = null, network = NETWORK) =>
  resendCode(fixture.context, { email, browserKey, network });
const discord = (browserKey: string) =>
  signInWithDiscord(fixture.context, { profile: discordProfile(), browserKey, userAgent: null });
const login = (browserKey: string | null = null) =>
  loginWithPassword(fixture.context, {
    email: EMAIL,
    password: PASSWORD,
    browserKey,
    network: NETWORK,
    userAgent: null,
  });
/** The network with this number; each network has its own limit. */
const network = (number: number) => `198.51.${number}.0/24`;
const codesOf = async () =>
  fixture.db.selectFrom('verification_codes').selectAll().orderBy('created_at').execute();
const sessions = () => fixture.db.selectFrom('sessions').selectAll().execute();

describe('a verification code', () => {
  it('confirms the address and signs in', async () => {
    await fixture.register();
    const { token, account, session } = await enter(await fixture.readCode());
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(account.email_verified_at).not.toBeNull();
    expect(session.user_agent).toBe('a test');
  });

  it('is stored as a keyed hash, and sealed in the mail row until the mail is sent', async () => {
    await fixture.register();
    const [waiting] = await fixture.db.selectFrom('mails').selectAll().execute();
    expect(waiting?.sealed_code).not.toBeNull();
    const code = await fixture.readCode();
    for (const table of ['mails', 'verification_codes', 'users', 'audit_log'] as const) {
      const rows: unknown[] = await fixture.db.selectFrom(table).selectAll().execute();
      expect(JSON.stringify(rows), table).not.toContain(code);
    }
    const [sent] = await fixture.db.selectFrom('mails').selectAll().execute();
    expect(sent).toMatchObject({ status: 'sent', sealed_code: null });
    expect(JSON.stringify(waiting)).not.toContain(code);
  });

  it('works once', async () => {
    await fixture.register();
    const code = await fixture.readCode();
    await enter(code);
    expect(await refusalOf(enter(code))).toMatchObject({ kind: 'Invalid', code: 'invalid_code' });
    expect(await sessions()).toHaveLength(1);
  });

  it('opens one session when it is entered fifty times concurrently', async () => {
    await fixture.register();
    const code = await fixture.readCode();
    const tries = await Promise.allSettled(Array.from({ length: 50 }, () => enter(code)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await sessions()).toHaveLength(1);
  });

  it.each([
    [10 * MINUTE - SECOND, true],
    [10 * MINUTE, false],
    [10 * MINUTE + SECOND, false],
  ])('is valid %d ms after it was sent: %s', async (ms, good) => {
    await fixture.register();
    const code = await fixture.readCode();
    fixture.clock.advance(ms);
    const result = await Promise.allSettled([enter(code)]);
    expect(result[0].status).toBe(good ? 'fulfilled' : 'rejected');
  });

  it('stays valid after four wrong attempts', async () => {
    await fixture.register();
    const code = await fixture.readCode();
    for (let step = 1; step <= 4; step += 1) await refusalOf(enter(otherCode(code, step)));
    expect((await enter(code)).kind).toBe('session');
  });

  it('is invalid after five wrong attempts', async () => {
    await fixture.register();
    const code = await fixture.readCode();
    for (let step = 1; step <= 5; step += 1) await refusalOf(enter(otherCode(code, step)));
    expect(await refusalOf(enter(code))).toMatchObject({ code: 'invalid_code' });
    const [row] = await fixture.db.selectFrom('verification_codes').selectAll().execute();
    expect(row).toMatchObject({ status: 'guessed', tries: 5 });
  });

  it('is invalid after fifty concurrent wrong attempts, of which five are compared', async () => {
    await fixture.register();
    const code = await fixture.readCode();
    const tries = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) => enter(otherCode(code, index + 1))),
    );
    expect(tries.every(({ status }) => status === 'rejected')).toBe(true);
    const [row] = await fixture.db.selectFrom('verification_codes').selectAll().execute();
    expect(row?.tries).toBe(5);
    await refusalOf(enter(code));
    expect(await sessions()).toHaveLength(0);
  });

  it('is not accepted together with forty-nine concurrent wrong attempts', async () => {
    await fixture.register();
    const code = await fixture.readCode();
    const guesses = Array.from({ length: 50 }, (_, index) => otherCode(code, index + 1));
    guesses[49] = code;
    const tries = await Promise.allSettled(guesses.map((guess) => enter(guess)));
    expect(tries.every(({ status }) => status === 'rejected')).toBe(true);
  });

  it('is invalid once a newer code was sent', async () => {
    await fixture.register();
    const first = await fixture.readCode();
    fixture.clock.advance(30 * SECOND);
    await resend();
    const second = await fixture.readCode();
    await refusalOf(enter(first === second ? otherCode(first) : first));
    expect((await enter(second)).kind).toBe('session');
  });

  it('does not lock its owner out: after five wrong attempts a new code signs in', async () => {
    await fixture.register();
    const code = await fixture.readCode();
    for (let step = 1; step <= 5; step += 1) await refusalOf(enter(otherCode(code, step)));
    fixture.clock.advance(30 * SECOND);
    await resend();
    expect((await enter(await fixture.readCode())).kind).toBe('session');
  });

  it('requested by one browser is accepted from that browser alone, and attempts of other browsers do not count', async () => {
    await fixture.register(EMAIL, { browserKey: 'browser A' });
    const code = await fixture.readCode();
    for (let step = 0; step < 6; step += 1)
      for (const browserKey of ['browser B', null]) await refusalOf(enter(code, { browserKey }));
    expect((await codesOf()).map(({ tries, status }) => [tries, status])).toEqual([[0, 'live']]);
    expect((await enter(code, { browserKey: 'browser A' })).kind).toBe('session');
  });

  it('stays valid beside codes of other sign-ins, until one of them confirms the address', async () => {
    await fixture.register(EMAIL, { browserKey: 'browser A' });
    await fixture.register(EMAIL);
    await discord('browser B');
    expect((await codesOf()).map(({ status }) => status)).toEqual(['live', 'live', 'live']);
    const discordCode = await fixture.readCode();
    await enter(discordCode, { browserKey: 'browser B' });
    expect((await codesOf()).map(({ status }) => status).sort()).toEqual(['replaced', 'replaced', 'used']);
  });

  it('requested by an API login with the right password is not replaced by an anonymous API call', async () => {
    await fixture.register();
    fixture.clock.advance(31 * SECOND);
    await refusalOf(login());
    const code = await fixture.readCode();
    fixture.clock.advance(31 * SECOND);
    await resend();
    await fixture.sendDueMails();
    expect((await enter(code)).kind).toBe('session');
  });

  it('requested by an API call without a cookie is not accepted from a browser', async () => {
    await fixture.register();
    await refusalOf(enter(await fixture.readCode(), { browserKey: 'browser B' }));
  });

  it('requested by a browser is not accepted from an API call without a cookie', async () => {
    await fixture.register(EMAIL, { browserKey: 'browser A' });
    await refusalOf(enter(await fixture.readCode()));
  });

  it('of one account does not sign in to another', async () => {
    await fixture.register();
    const code = await fixture.readCode();
    await fixture.register('bob@example.org');
    const bobs = await fixture.readCode('bob@example.org');
    await refusalOf(enter(code === bobs ? otherCode(code) : code, { email: 'bob@example.org' }));
    await refusalOf(enter(code, { email: 'nobody@example.org' }));
  });
});

describe('requesting another code', () => {
  it('is refused for thirty seconds after the first code, with the seconds left', async () => {
    await fixture.register();
    fixture.clock.advance(10 * SECOND);
    const refusal = await refusalOf(resend());
    expect(refusal).toMatchObject({
      kind: 'RateLimited',
      message: 'Please wait 20 seconds before asking for another code.',
      retryAfterSeconds: 20,
    });
    fixture.clock.advance(20 * SECOND);
    await resend();
    expect(await fixture.sendDueMails()).toHaveLength(1);
  });

  it('sends at most three mails an hour for one network, over all calls, and says when the next one is possible', async () => {
    await fixture.register();
    for (let round = 0; round < 4; round += 1) {
      fixture.clock.advance(31 * SECOND);
      await resend().catch(() => undefined);
      await fixture.register().catch(() => undefined);
    }
    await fixture.sendDueMails();
    expect(await fixture.db.selectFrom('mails').select('id').execute()).toHaveLength(3);
    for (const request of [resend, fixture.register]) {
      const refusal = await refusalOf(request());
      expect(refusal).toMatchObject({
        kind: 'RateLimited',
        message: 'Please wait 58 minutes before asking for another code.',
      });
      expect(refusal.retryAfterSeconds).toBe(HOUR / SECOND - 4 * 31);
    }
    fixture.clock.advance(30 * SECOND);
    await resend(EMAIL, null, network(1));
    expect(await fixture.sendDueMails()).toHaveLength(1);
    fixture.clock.advance(HOUR);
    await resend();
    expect(await fixture.sendDueMails()).toHaveLength(1);
  });

  it('sends at most ten mails an hour over all networks', async () => {
    await fixture.register();
    for (let round = 0; round < 20; round += 1) {
      fixture.clock.advance(31 * SECOND);
      await resend(EMAIL, null, network(round)).catch(() => undefined);
      await fixture.sendDueMails();
    }
    expect(await fixture.db.selectFrom('mails').select('id').execute()).toHaveLength(10);
    expect((await refusalOf(resend(EMAIL, null, network(30)))).kind).toBe('RateLimited');
  });

  it('counts the notices to a registered address like the codes to a new one', async () => {
    await fixture.member();
    await fixture.sendDueMails();
    fixture.clock.advance(HOUR);
    const free = 'free@example.org';
    for (const email of [EMAIL, free]) {
      for (let round = 0; round < 3; round += 1) await fixture.register(email);
      for (let round = 0; round < 2; round += 1)
        expect(await refusalOf(fixture.register(email))).toMatchObject({ kind: 'RateLimited' });
    }
    const sent = (await fixture.db.selectFrom('mails').select(['recipient', 'template']).execute()).map(
      ({ recipient, template }) => `${recipient} ${template}`,
    );
    expect(sent.filter((mail) => mail === `${EMAIL} already_registered`)).toHaveLength(3);
    expect(sent.filter((mail) => mail === `${free} code`)).toHaveLength(3);
  });

  it('sends the notice again to the browser that registered with a registered address, and nothing after an API call without a cookie', async () => {
    await fixture.member();
    fixture.clock.advance(HOUR);
    await fixture.register(EMAIL, { browserKey: 'browser A' });
    await fixture.sendDueMails();
    fixture.clock.advance(31 * SECOND);
    await resend(EMAIL, 'browser A');
    expect((await fixture.sendDueMails()).map(({ subject }) => subject)).toEqual([
      'You already have a Packwatch account',
    ]);
    fixture.clock.advance(31 * SECOND);
    await resend();
    expect(await fixture.sendDueMails()).toEqual([]);
  });

  it('counts two requests of one browser within seconds as one, also for a registered address', async () => {
    await fixture.member();
    fixture.clock.advance(HOUR);
    for (const email of [EMAIL, 'free@example.org'])
      for (let round = 0; round < 2; round += 1) await fixture.register(email, { browserKey: 'browser A' });
    const rows = fixture.db.selectFrom('code_requests').select('id').where('browser_hash', 'is not', null);
    expect(await rows.execute()).toHaveLength(2);
  });

  it('sends one mail for twenty concurrent requests', async () => {
    await fixture.register();
    fixture.clock.advance(30 * SECOND);
    await fixture.sendDueMails();
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => resend()));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await fixture.sendDueMails()).toHaveLength(1);
  });

  it('responds alike for unknown, unconfirmed and confirmed addresses, and mails only the unconfirmed one', async () => {
    await fixture.member('member@example.org');
    await fixture.register('unconfirmed@example.org');
    await fixture.sendDueMails();
    fixture.clock.advance(31 * SECOND);
    const emails = ['member@example.org', 'unconfirmed@example.org', 'unknown@example.org'];
    for (const email of emails) await expect(resend(email)).resolves.toBeUndefined();
    expect((await fixture.sendDueMails()).map(({ to }) => to)).toEqual(['unconfirmed@example.org']);
    const words = await Promise.all(emails.map(async (email) => (await refusalOf(resend(email))).message));
    expect(new Set(words).size).toBe(1);
    fixture.clock.advance(31 * SECOND);
    for (const email of emails) await resend(email);
    fixture.clock.advance(31 * SECOND);
    // The other two addresses have a registration, which counts.
    await resend('unknown@example.org');
    fixture.clock.advance(31 * SECOND);
    const refusals = await Promise.all(emails.map((email) => refusalOf(resend(email))));
    expect(refusals.map(({ kind }) => kind)).toEqual(Array(3).fill('RateLimited'));
  });

  it('does not store an unknown address', async () => {
    await resend('unknown@example.org');
    const rows = await fixture.db.selectFrom('code_requests').selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain('unknown@example.org');
    expect(await fixture.db.selectFrom('users').select('id').execute()).toEqual([]);
  });

  it('is refused when mail is disabled', async () => {
    const context = { ...fixture.context, mail: { enabled: false, notifyQueue: () => undefined } };
    expect(
      await refusalOf(resendCode(context, { email: EMAIL, browserKey: null, network: NETWORK })),
    ).toMatchObject({
      kind: 'Unavailable',
      code: 'mail_unavailable',
      message: 'We cannot send email right now. Please try again later.',
    });
  });
});

describe('a sign-in with proven credentials', () => {
  /** Uses up the limit of anonymous requests. */
  async function exhaustAnonymousBudget(): Promise<void> {
    for (let round = 0; round < 11; round += 1) {
      fixture.clock.advance(31 * SECOND);
      await resend(EMAIL, null, network(round)).catch(() => undefined);
    }
    expect((await refusalOf(resend(EMAIL, null, network(99)))).kind).toBe('RateLimited');
  }

  it('gets its own code although anonymous requests used up their limit, with Discord', async () => {
    await exhaustAnonymousBudget();
    expect(await discord('browser A')).toEqual({ kind: 'verify', email: EMAIL });
    expect((await enter(await fixture.readCode(), { browserKey: 'browser A' })).kind).toBe('session');
  });

  it('gets its own code although anonymous requests used up their limit, with a password', async () => {
    await fixture.register();
    await exhaustAnonymousBudget();
    fixture.clock.advance(11 * MINUTE);
    expect((await refusalOf(login('browser A'))).code).toBe('verification_required');
    expect((await enter(await fixture.readCode(), { browserKey: 'browser A' })).kind).toBe('session');
  });

  it('gets five codes an hour, which count against no other limit, and then the time of the next one', async () => {
    for (let round = 0; round < 5; round += 1) {
      await discord('browser A');
      expect(await fixture.sendDueMails()).toHaveLength(1);
      fixture.clock.advance(31 * SECOND);
    }
    // The fifth code is still valid.
    await discord('browser A');
    expect(await fixture.sendDueMails()).toEqual([]);
    fixture.clock.advance(10 * MINUTE);
    expect(await refusalOf(discord('browser A'))).toMatchObject({
      kind: 'RateLimited',
      code: 'code_too_soon',
      message: 'Please wait 48 minutes before asking for another code.',
    });
    await resend();
    expect(await fixture.sendDueMails()).toHaveLength(1);
    fixture.clock.advance(48 * MINUTE);
    await discord('browser A');
    expect(await fixture.sendDueMails()).toHaveLength(1);
  });

  it('keeps its code when the same browser repeats it within seconds; another browser gets its own', async () => {
    await discord('browser A');
    const code = await fixture.readCode();
    fixture.clock.advance(29 * SECOND);
    await discord('browser A');
    expect(await fixture.sendDueMails()).toEqual([]);
    await discord('browser B');
    const other = await fixture.readCode();
    expect((await codesOf()).map(({ status }) => status)).toEqual(['live', 'live']);
    expect((await enter(code, { browserKey: 'browser A' })).kind).toBe('session');
    expect((await enter(other, { browserKey: 'browser B' })).kind).toBe('session');
  });

  it('replaces the code that the same browser requested before it proved its credentials', async () => {
    await fixture.register(EMAIL, { browserKey: 'browser A' });
    await discord('browser A');
    const { account } = await enter(await fixture.readCode(), { browserKey: 'browser A' });
    expect(account).toMatchObject({ discord_id: discordProfile().id, password_hash: null });
    expect((await codesOf()).map(({ status }) => status).sort()).toEqual(['replaced', 'used']);
  });

  it('that needs no code counts against the anonymous limit of notices', async () => {
    await fixture.register();
    await refusalOf(login('browser A'));
    await discord('browser B');
    await enter(await fixture.readCode(), { browserKey: 'browser B' });
    fixture.clock.advance(HOUR / 2);
    for (let round = 0; round < 6; round += 1) {
      fixture.clock.advance(31 * SECOND);
      await resend(EMAIL, 'browser A').catch(() => undefined);
    }
    // The registration was the first of three.
    const notices = (await fixture.sendDueMails()).map(({ subject }) => subject);
    expect(notices).toEqual(Array(2).fill('You already have a Packwatch account'));
  });

  it('requests another code within its own limit', async () => {
    await discord('browser A');
    expect((await refusalOf(resend(EMAIL, 'browser A'))).message).toBe(
      'Please wait 30 seconds before asking for another code.',
    );
    await exhaustAnonymousBudget();
    await fixture.sendDueMails();
    await resend(EMAIL, 'browser A');
    expect((await enter(await fixture.readCode(), { browserKey: 'browser A' })).kind).toBe('session');
  });
});
