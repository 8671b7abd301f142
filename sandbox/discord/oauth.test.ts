import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../start-sandbox';

const REDIRECT = 'https://packwatch.test/auth/discord/callback';
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

function authorizeUrl(changes: Record<string, string> = {}): string {
  const query = {
    client_id: sandbox.discordClientId,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: 'identify email',
    state: 'a state & more',
    ...changes,
  };
  return `${sandbox.discordOauthUrl}?${new URLSearchParams(query)}`;
}

async function choose(persona: string, changes: Record<string, string> = {}): Promise<URL> {
  const response = await fetch(authorizeUrl(changes), {
    method: 'POST',
    body: new URLSearchParams({ persona }),
    redirect: 'manual',
  });
  expect(response.status).toBe(302);
  return new URL(response.headers.get('location') ?? '');
}

function exchange(fields: Record<string, string>, authorization?: string): Promise<Response> {
  const basic = Buffer.from(`${sandbox.discordClientId}:${sandbox.discordClientSecret}`).toString('base64');
  return fetch(`${sandbox.discordApiUrl}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: authorization ?? `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'authorization_code', redirect_uri: REDIRECT, ...fields }),
  });
}

async function signIn(
  persona: string,
  changes: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  const code = (await choose(persona, changes)).searchParams.get('code') ?? '';
  const token = (await (await exchange({ code })).json()) as { access_token: string };
  const user = await fetch(`${sandbox.discordApiUrl}/users/@me`, {
    headers: { authorization: `Bearer ${token.access_token}` },
  });
  expect(user.status).toBe(200);
  return (await user.json()) as Record<string, unknown>;
}

describe('signing in with the stand-in for Discord', () => {
  test('the page offers every user, and a button to deny', async () => {
    const page = await (await fetch(authorizeUrl())).text();
    for (const key of ['admin', 'pro', 'free', 'new', 'unverified', 'deny'])
      expect(page).toContain(`value="${key}"`);
  });

  test('the redirect has a code and the state, and the code belongs to the chosen user', async () => {
    const back = await choose('admin');
    expect(back.origin + back.pathname).toBe(REDIRECT);
    expect(back.searchParams.get('state')).toBe('a state & more');
    const answer = await exchange({ code: back.searchParams.get('code') ?? '' });
    expect(await answer.json()).toMatchObject({
      token_type: 'Bearer',
      expires_in: 604_800,
      scope: 'identify email',
    });
    expect(await signIn('admin')).toMatchObject({
      id: sandbox.adminDiscordId,
      username: 'ada_admin',
      email: 'admin@packwatch.example',
      verified: true,
      discriminator: '0',
    });
    expect(await signIn('unverified')).toMatchObject({ verified: false });
  });

  test('a new member is a different user each time', async () => {
    const [one, other] = [await signIn('new'), await signIn('new')];
    expect(one.id).not.toBe(other.id);
    expect(one.email).not.toBe(other.email);
    expect(one.verified).toBe(true);
  });

  test('without the scope the profile has no address', async () => {
    expect(await signIn('free', { scope: 'identify' })).not.toHaveProperty('email');
  });

  test('denying redirects with Discord’s error', async () => {
    const back = await choose('deny');
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'a state & more',
    });
    expect(back.searchParams.has('code')).toBe(false);
  });

  test.each([
    [{ client_id: '1' }, 'Unknown Application'],
    [{ redirect_uri: 'https://packwatch.test/elsewhere' }, 'Invalid OAuth2 redirect_uri'],
    [{ redirect_uri: 'javascript:alert(1)' }, 'Invalid OAuth2 redirect_uri'],
    [{ response_type: 'token' }, 'Invalid OAuth2 response_type'],
    [{ scope: 'identify everything' }, 'Invalid OAuth2 scope'],
  ] as [Record<string, string>, string][])(
    'an error of the application is a page, not a redirect: %j',
    async (changes, words) => {
      for (const method of ['GET', 'POST']) {
        const response = await fetch(authorizeUrl(changes), { method, redirect: 'manual' });
        expect(response.status).toBe(400);
        expect(await response.text()).toContain(words);
      }
    },
  );

  test('a code works once, with its redirect URI, for the application only', async () => {
    const take = async () => (await choose('free')).searchParams.get('code') ?? '';
    const refused = async (answer: Response) => [answer.status, await answer.json()];
    const code = await take();
    expect((await exchange({ code })).status).toBe(200);
    expect(await refused(await exchange({ code }))).toMatchObject([400, { error: 'invalid_grant' }]);
    const elsewhere = { code: await take(), redirect_uri: 'https://evil.test/auth/discord/callback' };
    expect(await refused(await exchange(elsewhere))).toMatchObject([400, { error: 'invalid_grant' }]);
    expect(await refused(await exchange({ code: await take() }, 'Basic eDp5'))).toMatchObject([
      401,
      { error: 'invalid_client' },
    ]);
    expect(await refused(await exchange({ code: await take(), grant_type: 'password' }))).toMatchObject([
      400,
      { error: 'unsupported_grant_type' },
    ]);
  });

  test('the application may send its credentials as fields', async () => {
    const code = (await choose('free')).searchParams.get('code') ?? '';
    const named = { client_id: sandbox.discordClientId, client_secret: sandbox.discordClientSecret };
    expect((await exchange({ code, ...named }, '')).status).toBe(200);
  });

  test('an unknown token is refused', async () => {
    const answer = await fetch(`${sandbox.discordApiUrl}/users/@me`, {
      headers: { authorization: 'Bearer x' },
    });
    expect([answer.status, await answer.json()]).toEqual([401, { message: '401: Unauthorized', code: 0 }]);
  });

  test('faults and users are set through the control API', async () => {
    const put = (path: string, value: unknown) =>
      fetch(`${sandbox.origin}/control/oauth/${path}`, { method: 'PUT', body: JSON.stringify(value) });
    await put('faults', { faults: [{ at: 'token', status: 503 }] });
    expect((await exchange({ code: 'x' })).status).toBe(503);
    expect((await exchange({ code: 'x' })).status).toBe(400);
    expect((await put('faults', { faults: [{ at: 'elsewhere' }] })).status).toBe(400);

    const eve = {
      key: 'eve',
      label: 'Eve',
      id: '150000000000000666',
      username: 'eve',
      email: null,
      verified: false,
    };
    expect((await put('personas', eve)).status).toBe(200);
    expect(await signIn('eve')).toMatchObject({ id: eve.id, email: null });
    sandbox.reset();
    expect(sandbox.oauth.personas().map(({ key }) => key)).not.toContain('eve');
  });
});
