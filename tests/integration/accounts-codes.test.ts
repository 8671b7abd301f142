import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resendCode } from '#shared/accounts/codes/resend-code';
import { verifyCode } from '#shared/accounts/codes/verify-code';
import { HOUR, MINUTE, SECOND } from '#shared/clock';
import { signInWithDiscord } from '#shared/accounts/discord/sign-in-with-discord';
import { loginWithPassword } from '#shared/accounts/passwords/login-with-password';
import {
  createAccountsWorld,
  discordProfile,
  EMAIL,
  NETWORK,
  otherCode,
  PASSWORD,
  refusalOf,
  type AccountsWorld,
} from './accounts-world';

let world: AccountsWorld;

beforeEach(async () => {
  world = await createAccountsWorld();
});
afterEach(() => world.cleanup());

const enter = (
  code: string,
  { browserKey = null, email = EMAIL }: { browserKey?: string | null; email?: string } = {},
) => verifyCode(world.context, { email, code, browserKey, userAgent: 'a test' });
const resend = (email = EMAIL, browserKey: string | null = null, network = NETWORK) =>
  resendCode(world.context, { email, browserKey, network });
const discord = (browserKey: string) =>
  signInWithDiscord(world.context, { profile: discordProfile(), browserKey, userAgent: null });
const login = (browserKey: string | null = null) =>
  loginWithPassword(world.context, {
    email: EMAIL,
    password: PASSWORD,
    browserKey,
    network: NETWORK,
    userAgent: null,
  });
/** The network with this number: each has a budget of its own. */
const network = (number: number) => `198.51.${number}.0/24`;
const codesOf = async () =>
  world.db.selectFrom('verification_codes').selectAll().orderBy('created_at').execute();
const sessions = () => world.db.selectFrom('sessions').selectAll().execute();

describe('a verification code', () => {
  it('confirms the address and signs in', async () => {
    await world.register();
    const { token, account, session } = await enter(await world.readCode());
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(account.email_verified_at).not.toBeNull();
    expect(session.user_agent).toBe('a test');
  });

  it('is stored only as a keyed hash, and sealed for as long as its mail waits', async () => {
    await world.register();
    const [waiting] = await world.db.selectFrom('mails').selectAll().execute();
    expect(waiting?.sealed_code).not.toBeNull();
    const code = await world.readCode();
    for (const table of ['mails', 'verification_codes', 'users', 'audit_log'] as const) {
      const rows: unknown[] = await world.db.selectFrom(table).selectAll().execute();
      expect(JSON.stringify(rows), table).not.toContain(code);
    }
    const [sent] = await world.db.selectFrom('mails').selectAll().execute();
    expect(sent).toMatchObject({ status: 'sent', sealed_code: null });
    expect(JSON.stringify(waiting)).not.toContain(code);
  });

  it('works once', async () => {
    await world.register();
    const code = await world.readCode();
    await enter(code);
    expect(await refusalOf(enter(code))).toMatchObject({ kind: 'Invalid', code: 'invalid_code' });
    expect(await sessions()).toHaveLength(1);
  });

  it('opens one session when the right one comes fifty times at once', async () => {
    await world.register();
    const code = await world.readCode();
    const tries = await Promise.allSettled(Array.from({ length: 50 }, () => enter(code)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await sessions()).toHaveLength(1);
  });

  it.each([
    [10 * MINUTE - SECOND, true],
    [10 * MINUTE, false],
    [10 * MINUTE + SECOND, false],
  ])('after %d ms is good: %s', async (ms, good) => {
    await world.register();
    const code = await world.readCode();
    world.clock.advance(ms);
    const result = await Promise.allSettled([enter(code)]);
    expect(result[0].status).toBe(good ? 'fulfilled' : 'rejected');
  });

  it('survives four wrong tries', async () => {
    await world.register();
    const code = await world.readCode();
    for (let step = 1; step <= 4; step += 1) await refusalOf(enter(otherCode(code, step)));
    expect((await enter(code)).kind).toBe('session');
  });

  it('is dead after five wrong tries, for the right one too', async () => {
    await world.register();
    const code = await world.readCode();
    for (let step = 1; step <= 5; step += 1) await refusalOf(enter(otherCode(code, step)));
    expect(await refusalOf(enter(code))).toMatchObject({ code: 'invalid_code' });
    const [row] = await world.db.selectFrom('verification_codes').selectAll().execute();
    expect(row).toMatchObject({ status: 'guessed', tries: 5 });
  });

  it('is dead after fifty parallel wrong tries, of which five were looked at', async () => {
    await world.register();
    const code = await world.readCode();
    const tries = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) => enter(otherCode(code, index + 1))),
    );
    expect(tries.every(({ status }) => status === 'rejected')).toBe(true);
    const [row] = await world.db.selectFrom('verification_codes').selectAll().execute();
    expect(row?.tries).toBe(5);
    await refusalOf(enter(code));
    expect(await sessions()).toHaveLength(0);
  });

  it('is not opened by the right one when forty-nine wrong tries come with it', async () => {
    await world.register();
    const code = await world.readCode();
    const guesses = Array.from({ length: 50 }, (_, index) => otherCode(code, index + 1));
    guesses[49] = code;
    const tries = await Promise.allSettled(guesses.map((guess) => enter(guess)));
    expect(tries.every(({ status }) => status === 'rejected')).toBe(true);
  });

  it('is of no use once a newer one was sent', async () => {
    await world.register();
    const first = await world.readCode();
    world.clock.advance(30 * SECOND);
    await resend();
    const second = await world.readCode();
    await refusalOf(enter(first === second ? otherCode(first) : first));
    expect((await enter(second)).kind).toBe('session');
  });

  it('can be finished by its owner after somebody burnt the tries', async () => {
    await world.register();
    const code = await world.readCode();
    for (let step = 1; step <= 5; step += 1) await refusalOf(enter(otherCode(code, step)));
    world.clock.advance(30 * SECOND);
    await resend();
    expect((await enter(await world.readCode())).kind).toBe('session');
  });

  it('that one browser asked for can be tried by that browser alone: other tries do not wear it out', async () => {
    await world.register(EMAIL, { browserKey: 'browser A' });
    const code = await world.readCode();
    for (let step = 0; step < 6; step += 1)
      for (const browserKey of ['browser B', null]) await refusalOf(enter(code, { browserKey }));
    expect((await codesOf()).map(({ tries, status }) => [tries, status])).toEqual([[0, 'live']]);
    expect((await enter(code, { browserKey: 'browser A' })).kind).toBe('session');
  });

  it('lives beside those of other sign-ins, and confirming the address ends what could only confirm it', async () => {
    await world.register(EMAIL, { browserKey: 'browser A' });
    await world.register(EMAIL);
    await discord('browser B');
    expect((await codesOf()).map(({ status }) => status)).toEqual(['live', 'live', 'live']);
    const discordCode = await world.readCode();
    await enter(discordCode, { browserKey: 'browser B' });
    expect((await codesOf()).map(({ status }) => status).sort()).toEqual(['replaced', 'replaced', 'used']);
  });

  it('of a proven API sign-in is not replaced by an anonymous API call', async () => {
    await world.register();
    world.clock.advance(31 * SECOND);
    await refusalOf(login());
    const code = await world.readCode();
    world.clock.advance(31 * SECOND);
    await resend();
    await world.post();
    expect((await enter(code)).kind).toBe('session');
  });

  it('that a bare call asked for is of no use to a browser’s sign-in', async () => {
    await world.register();
    await refusalOf(enter(await world.readCode(), { browserKey: 'browser B' }));
  });

  it('that a browser asked for cannot be entered by a bare call', async () => {
    await world.register(EMAIL, { browserKey: 'browser A' });
    await refusalOf(enter(await world.readCode()));
  });

  it('of one account does not open another', async () => {
    await world.register();
    const code = await world.readCode();
    await world.register('bob@example.org');
    const bobs = await world.readCode('bob@example.org');
    await refusalOf(enter(code === bobs ? otherCode(code) : code, { email: 'bob@example.org' }));
    await refusalOf(enter(code, { email: 'nobody@example.org' }));
  });
});

describe('asking for another code', () => {
  it('is refused for thirty seconds, counted from the first code, in words', async () => {
    await world.register();
    world.clock.advance(10 * SECOND);
    const refusal = await refusalOf(resend());
    expect(refusal).toMatchObject({
      kind: 'RateLimited',
      message: 'Please wait 20 seconds before asking for another code.',
      retryAfterSeconds: 20,
    });
    world.clock.advance(20 * SECOND);
    await resend();
    expect(await world.post()).toHaveLength(1);
  });

  it('brings three mails an hour at most for one network, whichever call asks, and says when the next can be', async () => {
    await world.register();
    for (let round = 0; round < 4; round += 1) {
      world.clock.advance(31 * SECOND);
      await resend().catch(() => undefined);
      await world.register().catch(() => undefined);
    }
    await world.post();
    expect(await world.db.selectFrom('mails').select('id').execute()).toHaveLength(3);
    for (const refused of [resend(), world.register()]) {
      const refusal = await refusalOf(refused);
      expect(refusal).toMatchObject({
        kind: 'RateLimited',
        message: 'Please wait 58 minutes before asking for another code.',
      });
      expect(refusal.retryAfterSeconds).toBe(HOUR / SECOND - 4 * 31);
    }
    world.clock.advance(30 * SECOND);
    await resend(EMAIL, null, network(1));
    expect(await world.post()).toHaveLength(1);
    world.clock.advance(HOUR);
    await resend();
    expect(await world.post()).toHaveLength(1);
  });

  it('brings ten mails an hour at most for all networks', async () => {
    await world.register();
    for (let round = 0; round < 20; round += 1) {
      world.clock.advance(31 * SECOND);
      await resend(EMAIL, null, network(round)).catch(() => undefined);
      await world.post();
    }
    expect(await world.db.selectFrom('mails').select('id').execute()).toHaveLength(10);
    expect((await refusalOf(resend(EMAIL, null, network(30)))).kind).toBe('RateLimited');
  });

  it('is counted for a taken address and its notices as for a free one', async () => {
    await world.member();
    await world.post();
    world.clock.advance(HOUR);
    const free = 'free@example.org';
    for (const email of [EMAIL, free]) {
      for (let round = 0; round < 3; round += 1) await world.register(email);
      for (let round = 0; round < 2; round += 1)
        expect(await refusalOf(world.register(email))).toMatchObject({ kind: 'RateLimited' });
    }
    const sent = (await world.db.selectFrom('mails').select(['recipient', 'template']).execute()).map(
      ({ recipient, template }) => `${recipient} ${template}`,
    );
    expect(sent.filter((mail) => mail === `${EMAIL} already_registered`)).toHaveLength(3);
    expect(sent.filter((mail) => mail === `${free} code`)).toHaveLength(3);
  });

  it('sends the notice again to a browser that registered with a taken address, and nothing to a bare call', async () => {
    await world.member();
    world.clock.advance(HOUR);
    await world.register(EMAIL, { browserKey: 'browser A' });
    await world.post();
    world.clock.advance(31 * SECOND);
    await resend(EMAIL, 'browser A');
    expect((await world.post()).map(({ subject }) => subject)).toEqual([
      'You already have a Packwatch account',
    ]);
    world.clock.advance(31 * SECOND);
    await resend();
    expect(await world.post()).toEqual([]);
  });

  it('twice by one browser within seconds is one request, for a taken address, too', async () => {
    await world.member();
    world.clock.advance(HOUR);
    for (const email of [EMAIL, 'free@example.org'])
      for (let round = 0; round < 2; round += 1) await world.register(email, { browserKey: 'browser A' });
    const rows = world.db.selectFrom('code_requests').select('id').where('browser_hash', 'is not', null);
    expect(await rows.execute()).toHaveLength(2);
  });

  it('twenty times at once brings one mail', async () => {
    await world.register();
    world.clock.advance(30 * SECOND);
    await world.post();
    const asked = await Promise.allSettled(Array.from({ length: 20 }, () => resend()));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await world.post()).toHaveLength(1);
  });

  it('answers the same for unknown, unconfirmed and confirmed addresses, and mails only who needs a code', async () => {
    await world.member('member@example.org');
    await world.register('unconfirmed@example.org');
    await world.post();
    world.clock.advance(31 * SECOND);
    const emails = ['member@example.org', 'unconfirmed@example.org', 'unknown@example.org'];
    for (const email of emails) await expect(resend(email)).resolves.toBeUndefined();
    expect((await world.post()).map(({ to }) => to)).toEqual(['unconfirmed@example.org']);
    const words = await Promise.all(emails.map(async (email) => (await refusalOf(resend(email))).message));
    expect(new Set(words).size).toBe(1);
    world.clock.advance(31 * SECOND);
    for (const email of emails) await resend(email);
    world.clock.advance(31 * SECOND);
    // The other two have registered before, which counts.
    await resend('unknown@example.org');
    world.clock.advance(31 * SECOND);
    const refusals = await Promise.all(emails.map((email) => refusalOf(resend(email))));
    expect(refusals.map(({ kind }) => kind)).toEqual(Array(3).fill('RateLimited'));
  });

  it('keeps no address of somebody unknown', async () => {
    await resend('unknown@example.org');
    const rows = await world.db.selectFrom('code_requests').selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain('unknown@example.org');
    expect(await world.db.selectFrom('users').select('id').execute()).toEqual([]);
  });

  it('is told at once when mail is switched off', async () => {
    const context = { ...world.context, mail: { enabled: false, notifyQueue: () => undefined } };
    expect(
      await refusalOf(resendCode(context, { email: EMAIL, browserKey: null, network: NETWORK })),
    ).toMatchObject({
      kind: 'Unavailable',
      code: 'mail_unavailable',
      message: 'We cannot send email right now. Please try again later.',
    });
  });
});

describe('a proven sign-in', () => {
  /** Uses up everything that anonymous requests may ask for. */
  async function exhaustAnonymousBudget(): Promise<void> {
    for (let round = 0; round < 11; round += 1) {
      world.clock.advance(31 * SECOND);
      await resend(EMAIL, null, network(round)).catch(() => undefined);
    }
    expect((await refusalOf(resend(EMAIL, null, network(99)))).kind).toBe('RateLimited');
  }

  it('gets a code of its own whatever strangers have asked for, with Discord', async () => {
    await exhaustAnonymousBudget();
    expect(await discord('browser A')).toEqual({ kind: 'verify', email: EMAIL });
    expect((await enter(await world.readCode(), { browserKey: 'browser A' })).kind).toBe('session');
  });

  it('gets one with the right password, too', async () => {
    await world.register();
    await exhaustAnonymousBudget();
    world.clock.advance(11 * MINUTE);
    expect((await refusalOf(login('browser A'))).code).toBe('verification_required');
    expect((await enter(await world.readCode(), { browserKey: 'browser A' })).kind).toBe('session');
  });

  it('has five codes an hour, which use up no other budget, and hears when the next can be', async () => {
    for (let round = 0; round < 5; round += 1) {
      await discord('browser A');
      expect(await world.post()).toHaveLength(1);
      world.clock.advance(31 * SECOND);
    }
    // The fifth code is still of use.
    await discord('browser A');
    expect(await world.post()).toEqual([]);
    world.clock.advance(10 * MINUTE);
    expect(await refusalOf(discord('browser A'))).toMatchObject({
      kind: 'RateLimited',
      code: 'code_too_soon',
      message: 'Please wait 48 minutes before asking for another code.',
    });
    await resend();
    expect(await world.post()).toHaveLength(1);
    world.clock.advance(48 * MINUTE);
    await discord('browser A');
    expect(await world.post()).toHaveLength(1);
  });

  it('again in the same browser within seconds keeps its live code, another browser gets its own', async () => {
    await discord('browser A');
    const code = await world.readCode();
    world.clock.advance(29 * SECOND);
    await discord('browser A');
    expect(await world.post()).toEqual([]);
    await discord('browser B');
    const other = await world.readCode();
    expect((await codesOf()).map(({ status }) => status)).toEqual(['live', 'live']);
    expect((await enter(code, { browserKey: 'browser A' })).kind).toBe('session');
    expect((await enter(other, { browserKey: 'browser B' })).kind).toBe('session');
  });

  it('replaces what the same browser asked for before it was proven', async () => {
    await world.register(EMAIL, { browserKey: 'browser A' });
    await discord('browser A');
    const { account } = await enter(await world.readCode(), { browserKey: 'browser A' });
    expect(account).toMatchObject({ discord_id: discordProfile().id, password_hash: null });
    expect((await codesOf()).map(({ status }) => status).sort()).toEqual(['replaced', 'used']);
  });

  it('that needs no code any more has the budget of anonymous requests for notices', async () => {
    await world.register();
    await refusalOf(login('browser A'));
    await discord('browser B');
    await enter(await world.readCode(), { browserKey: 'browser B' });
    world.clock.advance(HOUR / 2);
    for (let round = 0; round < 6; round += 1) {
      world.clock.advance(31 * SECOND);
      await resend(EMAIL, 'browser A').catch(() => undefined);
    }
    // The registration was the first of three.
    const notices = (await world.post()).map(({ subject }) => subject);
    expect(notices).toEqual(Array(2).fill('You already have a Packwatch account'));
  });

  it('asks for another code with its own budget', async () => {
    await discord('browser A');
    expect((await refusalOf(resend(EMAIL, 'browser A'))).message).toBe(
      'Please wait 30 seconds before asking for another code.',
    );
    await exhaustAnonymousBudget();
    await world.post();
    await resend(EMAIL, 'browser A');
    expect((await enter(await world.readCode(), { browserKey: 'browser A' })).kind).toBe('session');
  });
});
