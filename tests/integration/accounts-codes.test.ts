import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resendCode } from '#shared/accounts/resend-code';
import { verifyCode } from '#shared/accounts/verify-code';
import { HOUR, MINUTE, SECOND } from '#shared/clock';
import { createAccountsWorld, EMAIL, otherCode, refusalOf, type AccountsWorld } from './accounts-world';

let world: AccountsWorld;

beforeEach(async () => {
  world = await createAccountsWorld();
});
afterEach(() => world.cleanup());

const enter = (
  code: string,
  { browserKey = null, email = EMAIL }: { browserKey?: string | null; email?: string } = {},
) => verifyCode(world.context, { email, code, browserKey, userAgent: 'a test' });
const resend = (email = EMAIL, browserKey: string | null = null) =>
  resendCode(world.context, { email, browserKey });
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

  it('that one browser asked for is of no use to another, and the try counts', async () => {
    await world.register(EMAIL, { browserKey: 'browser A' });
    const code = await world.readCode();
    await refusalOf(enter(code, { browserKey: 'browser B' }));
    expect((await world.db.selectFrom('verification_codes').select('tries').executeTakeFirst())?.tries).toBe(
      1,
    );
    expect((await enter(code, { browserKey: 'browser A' })).kind).toBe('session');
  });

  it('that a bare call asked for is of no use to a browser’s sign-in', async () => {
    await world.register();
    await refusalOf(enter(await world.readCode(), { browserKey: 'browser B' }));
  });

  it('that a browser asked for can be entered by a bare call', async () => {
    await world.register(EMAIL, { browserKey: 'browser A' });
    expect((await enter(await world.readCode())).kind).toBe('session');
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

  it('brings five mails an hour at most, whichever call asks', async () => {
    await world.register();
    await world.register();
    for (let round = 0; round < 10; round += 1) {
      world.clock.advance(31 * SECOND);
      await resend().catch(() => undefined);
      await world.register();
    }
    await world.post();
    expect(await world.db.selectFrom('mails').select('id').execute()).toHaveLength(5);
    expect((await refusalOf(resend())).retryAfterSeconds).toBeGreaterThan(40 * 60);
    world.clock.advance(HOUR);
    await resend();
    expect(await world.post()).toHaveLength(1);
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
    for (let round = 0; round < 3; round += 1) {
      world.clock.advance(31 * SECOND);
      for (const email of emails) await resend(email);
    }
    world.clock.advance(31 * SECOND);
    const last = await Promise.allSettled([resend('unknown@example.org'), resend('unconfirmed@example.org')]);
    expect(last.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect((await refusalOf(resend('member@example.org'))).kind).toBe('RateLimited');
  });

  it('keeps no address of somebody unknown', async () => {
    await resend('unknown@example.org');
    const rows = await world.db.selectFrom('code_requests').selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain('unknown@example.org');
    expect(await world.db.selectFrom('users').select('id').execute()).toEqual([]);
  });

  it('is told at once when mail is switched off', async () => {
    const context = { ...world.context, mail: { enabled: false, wake: () => undefined } };
    expect(await refusalOf(resendCode(context, { email: EMAIL, browserKey: null }))).toMatchObject({
      kind: 'Unavailable',
      code: 'mail_unavailable',
      message: 'We cannot send email right now. Please try again later.',
    });
  });
});
