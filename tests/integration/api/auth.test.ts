import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPasswordHasher } from '#shared/accounts/passwords/password-hasher.server';
import { fromIso } from '#shared/clock';
import {
  callApi,
  createApiFixture,
  freshAddress,
  freshEmail,
  send,
  setCookie,
  SITE,
  type ApiFixture,
} from './api-fixture';
import { leastCpuTimeOf } from '../../cpu-time';

let fixture: ApiFixture;
beforeAll(async () => {
  fixture = await createApiFixture();
});
afterAll(() => fixture.cleanup());

const PASSWORD = 'correct horse battery';
const SESSION = '__Host-packwatch_session';

async function register(email = freshEmail(), password = PASSWORD): Promise<string> {
  const answer = await callApi('POST', '/api/auth/register', { body: { email, password } });
  expect(answer).toMatchObject({
    status: 201,
    body: { success: true, message: 'Verification code sent! Please check your email.' },
  });
  return email;
}

async function confirmed(): Promise<{ email: string; token: string }> {
  const email = await register();
  const code = await fixture.codeFor(email);
  const { body } = await callApi('POST', '/api/auth/verify', { body: { email, code } });
  return { email, token: String(body.token) };
}

describe('with a password', () => {
  test('registration, verification and login return a token and a cookie, and both are sessions', async () => {
    const email = await register();
    const unconfirmed = await callApi('POST', '/api/auth/login', { body: { email, password: PASSWORD } });
    expect(unconfirmed).toMatchObject({ status: 403, body: { code: 'verification_required' } });

    const code = await fixture.codeFor(email);
    const verified = await send('POST', '/api/auth/verify', { body: { email, code } });
    const body = (await verified.json()) as { token: string; user: { id: string; email: string } };
    expect(verified.status).toBe(200);
    expect(body).toEqual({
      success: true,
      token: expect.stringMatching(/^[\w-]{43}$/),
      user: { id: expect.any(String), email },
    });
    expect(setCookie(verified, SESSION)).toBe(body.token);

    const login = await callApi('POST', '/api/auth/login', {
      body: { email: email.toUpperCase(), password: PASSWORD },
    });
    expect(login).toMatchObject({ status: 200, body: { user: body.user } });
    expect(login.body.token).not.toBe(body.token);
    expect(login.headers.getSetCookie()[0]).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Lax$/);

    for (const token of [body.token, String(login.body.token)]) {
      expect((await callApi('GET', '/api/auth/user', { token })).body).toMatchObject({ user: { email } });
      expect((await callApi('GET', '/api/auth/user', { cookie: token })).body).toMatchObject({
        user: { email },
      });
    }
  });

  test('a code works once', async () => {
    const email = await register();
    const code = await fixture.codeFor(email);
    expect((await send('POST', '/api/auth/verify', { body: { email, code } })).status).toBe(200);
    const again = await callApi('POST', '/api/auth/verify', { body: { email, code } });
    expect(again).toMatchObject({ status: 422, body: { code: 'invalid_code' } });
    expect(again.headers.getSetCookie()).toEqual([]);
  });

  test.each([['12345'], ['1234567'], ['12345a'], ['']])('a code is six digits: %j', async (code) => {
    const answer = await callApi('POST', '/api/auth/verify', { body: { email: freshEmail(), code } });
    const message = 'Verification code must be 6 digits';
    expect(answer).toMatchObject({ status: 422, body: { message, errors: { code: [message] } } });
  });

  test.each([
    ['a list', ['123456']],
    ['an object', { $gt: '' }],
    ['a number', 123456],
  ])('a code is a string: %s', async (_, code) => {
    const answer = await callApi('POST', '/api/auth/verify', { body: { email: freshEmail(), code } });
    expect(answer).toMatchObject({ status: 422, body: { errors: { code: expect.any(Array) } } });
  });

  test.each([
    ['too short', 'a'.repeat(9), 422],
    ['at the minimum length', 'ten things', 201],
    ['at the maximum length', 'a'.repeat(200), 201],
    ['too long', 'a'.repeat(201), 422],
  ])('a password is %s', async (_, password, status) => {
    const body = { email: freshEmail(), password };
    expect((await send('POST', '/api/auth/register', { body })).status).toBe(status);
  });

  test.each(['password123', 'Qwertyuiop', '1234567890'])(
    'a password that many people choose is refused at its field: %s',
    async (password) => {
      const answer = await callApi('POST', '/api/auth/register', { body: { email: freshEmail(), password } });
      expect(answer).toMatchObject({
        status: 422,
        body: {
          success: false,
          code: 'common_password',
          errors: { password: [expect.stringContaining('Please choose another one')] },
        },
      });
    },
  );

  test('another code within thirty seconds is refused, with the seconds left', async () => {
    const email = await register();
    const answer = await callApi('POST', '/api/auth/resend-verification', { body: { email } });
    expect(answer.status).toBe(429);
    expect(answer.body.message).toMatch(/^Please wait (\d+) seconds before asking for another code\.$/);
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
  });
});

describe('the API does not reveal which addresses have an account', () => {
  const same = async (path: string, bodies: unknown[]) => {
    const answers = await Promise.all(bodies.map((body) => callApi('POST', path, { body })));
    for (const { status, body, headers } of answers)
      expect([status, body, headers.getSetCookie()]).toEqual([answers[0]?.status, answers[0]?.body, []]);
    return answers[0];
  };

  test('by its responses', async () => {
    const { email } = await confirmed();
    const pending = await register();
    const stranger = freshEmail();
    const code = '000000';
    expect(
      await same(
        '/api/auth/register',
        [email, stranger].map((one) => ({ email: one, password: PASSWORD })),
      ),
    ).toMatchObject({ status: 201 });
    expect(
      await same('/api/auth/login', [
        { email, password: 'wrong and long' },
        { email: pending, password: 'wrong and long' },
        { email: freshEmail(), password: 'wrong and long' },
      ]),
    ).toMatchObject({ status: 401, body: { message: 'Invalid email or password' } });
    expect(
      await same(
        '/api/auth/verify',
        [email, pending, freshEmail()].map((one) => ({ email: one, code })),
      ),
    ).toMatchObject({ status: 422, body: { code: 'invalid_code' } });
    const again = await Promise.all(
      [email, pending, stranger].map((one) =>
        callApi('POST', '/api/auth/resend-verification', { body: { email: one } }),
      ),
    );
    expect(again.map(({ status }) => status)).toEqual([429, 429, 429]);
    const fresh = await Promise.all(
      [await fixture.account('member').then((account) => account.email), freshEmail()].map((one) =>
        callApi('POST', '/api/auth/resend-verification', { body: { email: one } }),
      ),
    );
    expect(fresh[0]?.body).toEqual(fresh[1]?.body);
  });

  test('by the processor time of a refused login', () =>
    fixture.atMeasurableCost(async () => {
      const { email } = await confirmed();
      const refuse = (address: string) =>
        send('POST', '/api/auth/login', { body: { email: address, password: 'wrong and long' } });
      const { known, unknown } = await leastCpuTimeOf({
        known: () => refuse(email),
        unknown: () => refuse(freshEmail()),
      });
      expect(Math.abs(known - unknown)).toBeLessThan(0.5 * known);
    }));
});

describe('sessions', () => {
  test('are listed, and one can be ended from another', async () => {
    const account = await fixture.account('member');
    const [here, there] = [await fixture.signIn(account), await fixture.signIn(account)];
    const { body } = await callApi('GET', '/api/auth/sessions', { token: here });
    const sessions = body.sessions as { id: string; current: boolean; lastSeenAt: string }[];
    expect(sessions).toHaveLength(2);
    expect(sessions.filter(({ current }) => current)).toHaveLength(1);
    for (const { lastSeenAt } of sessions) expect(fromIso(lastSeenAt)).toBeGreaterThan(0);

    const other = sessions.find(({ current }) => !current);
    const ended = await callApi('DELETE', `/api/auth/sessions/${other?.id}`, { token: here });
    expect(ended).toMatchObject({ status: 200, body: { success: true } });
    expect((await send('GET', '/api/auth/user', { token: there })).status).toBe(401);
    expect((await send('GET', '/api/auth/user', { token: here })).status).toBe(200);
  });

  test('of another account cannot be ended', async () => {
    const [mine, theirs] = [await fixture.account('member'), await fixture.account('member')];
    const token = await fixture.signIn(mine);
    const their = await fixture.signIn(theirs);
    const { body } = await callApi('GET', '/api/auth/sessions', { token: their });
    const [session] = body.sessions as { id: string }[];
    expect((await send('DELETE', `/api/auth/sessions/${session?.id}`, { token })).status).toBe(404);
    expect((await send('GET', '/api/auth/user', { token: their })).status).toBe(200);
  });

  test('end on the server with logout', async () => {
    const account = await fixture.account('member');
    const [token, cookie] = [await fixture.signIn(account), await fixture.signIn(account)];
    const answer = await callApi('POST', '/api/auth/logout', { token, cookie, headers: { Origin: SITE } });
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    expect(answer.headers.getSetCookie()[0]).toMatch(/^__Host-packwatch_session=; Max-Age=0/);
    for (const ended of [token, cookie])
      expect((await send('GET', '/api/auth/user', { token: ended })).status).toBe(401);
  });

  test('cannot be ended by another site', async () => {
    const cookie = await fixture.tokenOf('member');
    const headers = { Origin: 'https://evil.example' };
    expect((await send('POST', '/api/auth/logout', { cookie, headers })).status).toBe(403);
    expect((await send('GET', '/api/auth/user', { cookie })).status).toBe(200);
  });

  test('of a browser end when it signs in again', async () => {
    const { email, token } = await confirmed();
    const sent = { cookie: token, body: { email, password: PASSWORD }, headers: { Origin: SITE } };
    expect((await send('POST', '/api/auth/login', sent)).status).toBe(200);
    expect((await send('GET', '/api/auth/user', { cookie: token })).status).toBe(401);
  });
});

describe('the profile', () => {
  test('has exactly the documented fields', async () => {
    const account = await fixture.account('member', { discord_id: '42', discord_username: 'ash' });
    const { body } = await callApi('GET', '/api/auth/user', { token: await fixture.signIn(account) });
    expect(body).toEqual({
      success: true,
      user: {
        id: account.id,
        email: account.email,
        role: 'member',
        username: 'member',
        beta_approved: false,
        beta_requested_at: null,
        desktop_access: false,
        subscription: { tier: 'free', expiresAt: null, cancelAtPeriodEnd: false },
        discord: { id: '42', avatar: null, username: 'ash' },
        preferences: {
          alerts: { email: true, push: false, watches: null, quietHours: null, pausedUntil: null },
          timeZone: 'Europe/London',
          marketing: false,
        },
      },
    });
  });

  test('changes only in the fields that the account may change', async () => {
    const account = await fixture.account('member');
    const token = await fixture.signIn(account);
    const forged = {
      id: 'x',
      role: 'admin',
      email: 'x@x.example',
      beta_approved: true,
      balance: 9,
      subscription: { tier: 'pro' },
    };
    const { body } = await callApi('PUT', '/api/auth/user', {
      token,
      body: { ...forged, profile: { ...forged, username: ' Misty ' } },
    });
    expect(body.user).toMatchObject({
      id: account.id,
      role: 'member',
      email: account.email,
      username: 'Misty',
      beta_approved: false,
      subscription: { tier: 'free' },
    });
  });

  test('merges preferences', async () => {
    const token = await fixture.tokenOf('member');
    await callApi('PUT', '/api/auth/preferences', {
      token,
      body: { preferences: { alerts: { push: true } } },
    });
    const { body } = await callApi('PUT', '/api/auth/preferences', {
      token,
      body: { preferences: { marketing: true } },
    });
    expect(body.user).toMatchObject({
      preferences: { alerts: { email: true, push: true, watches: null }, marketing: true },
    });
    const wrong = await callApi('PUT', '/api/auth/preferences', {
      token,
      body: { preferences: { marketing: 'yes' } },
    });
    expect(wrong).toMatchObject({
      status: 422,
      body: { errors: { 'preferences.marketing': ['preferences.marketing must be true or false.'] } },
    });
  });
});

test('code attempts are limited per browser', async () => {
  const from = freshAddress();
  const statuses: number[] = [];
  for (let round = 0; round < 11; round += 1) {
    const body = { email: freshEmail(), password: PASSWORD };
    statuses.push((await send('POST', '/api/auth/register', { from, body })).status);
  }
  expect(statuses).toEqual([...Array<number>(10).fill(201), 429]);
  const body = { email: freshEmail(), password: PASSWORD };
  expect((await send('POST', '/api/auth/register', { body })).status).toBe(201);
});

test('a flood of logins from one address gets 503, and other addresses can still log in', async () => {
  // A check of this stored password takes half a second of processor time; that of the other address takes a millisecond.
  const passwordHash = await createPasswordHasher().hash(PASSWORD, 'test');
  const accounts = await Promise.all(
    Array.from({ length: 30 }, () => fixture.account('member', { password_hash: passwordHash })),
  );
  const from = freshAddress();
  let answered = 0;
  const flood = accounts.map(async ({ email }) => {
    const answer = await callApi('POST', '/api/auth/login', {
      from,
      body: { email, password: 'wrong and long' },
    });
    if (answer.status !== 503) answered += 1;
    return answer;
  });
  const body = { email: freshEmail(), password: 'wrong and long' };
  expect((await send('POST', '/api/auth/login', { body })).status).toBe(401);
  // The one that runs at that time and, on a busy machine, the next one.
  expect(answered).toBeLessThanOrEqual(2);
  const answers = await Promise.all(flood);
  const refused = answers.filter(({ status }) => status === 503);
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
  expect(refused).toHaveLength(25);
  for (const { body: refusal, headers } of refused) {
    expect(refusal).toMatchObject({ success: false, code: 'busy' });
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
  }
});
