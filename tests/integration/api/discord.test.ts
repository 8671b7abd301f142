import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { MINUTE, systemClock } from '#shared/clock';
import { inTransaction } from '#shared/database/transaction';
import { SETTING_KEY } from '#shared/settings/read-settings';
import { storeSetting } from '#shared/settings/write-settings';
import { serverContext } from '~/http/server/context.server';
import { loader as loadSuccess } from '~/routes/account/discord-success';
import { action as login } from '~/routes/account/login';
import { FIRST_ROLES } from '../../../sandbox/discord/guild';
import { startSandbox, type Sandbox } from '../../../sandbox/start-sandbox';
import { callApi, createApiFixture, send, setCookie, SITE, type ApiFixture } from './api-fixture';
import { verifyBrowser } from './browser-logins';

let sandbox: Sandbox;
let fixture: ApiFixture;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  sandbox.reset();
  fixture = await createApiFixture({
    DISCORD_CLIENT_ID: sandbox.discordClientId,
    DISCORD_CLIENT_SECRET: sandbox.discordClientSecret,
    DISCORD_OAUTH_URL: sandbox.discordOauthUrl,
    DISCORD_API_URL: sandbox.discordApiUrl,
    DISCORD_CDN_URL: sandbox.discordCdnUrl,
    ADMIN_DISCORD_IDS: sandbox.adminDiscordId,
    DISCORD_BOT_TOKEN: sandbox.discordBotToken,
    DISCORD_GUILD_ID: sandbox.discordGuildId,
  });
  return () => fixture.cleanup();
});

const CALLBACK = '/api/auth/discord/callback';

interface Journey {
  /** The query that Discord appends to the redirect URI. */
  search: string;
  /** The browser's cookies. */
  cookies: string;
}

/** Starts a sign-in at Discord, where a user is chosen. */
async function goToDiscord(persona: string, search = '', scope = 'identify email'): Promise<Journey> {
  const away = await send('GET', `/api/auth/discord/login${search}`);
  expect(away.status).toBe(302);
  const address = new URL(away.headers.get('Location') ?? '');
  expect(address.origin + address.pathname).toBe(sandbox.discordOauthUrl);
  expect(Object.fromEntries(address.searchParams)).toEqual({
    client_id: sandbox.discordClientId,
    redirect_uri: `${SITE}/auth/discord/callback`,
    response_type: 'code',
    scope,
    state: expect.stringMatching(/^[\w-]{20,}$/),
  });
  expect(away.headers.getSetCookie()[0]).toMatch(/; HttpOnly; Secure; SameSite=Lax$/);
  const back = await fetch(address, {
    method: 'POST',
    body: new URLSearchParams({ persona }),
    redirect: 'manual',
  });
  return {
    search: new URL(back.headers.get('Location') ?? '').search,
    cookies: cookiesOf(away),
  };
}

/** The cookies that a response sets, as a Cookie header; deleted ones are left out. */
function cookiesOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .filter((line) => !line.includes('Expires=Thu, 01 Jan 1970'))
    .map((line) => line.split(';', 1)[0])
    .join('; ');
}

/** Calls the callback. */
function comeBack({ search, cookies }: Journey): Promise<Response> {
  return send('GET', CALLBACK + search, { cookies });
}

const locationOf = (answer: Response) => answer.headers.get('Location');

/** Signs in a new user and confirms the address. */
async function firstTime(persona: string): Promise<{ email: string; token: string }> {
  const answer = await comeBack(await goToDiscord(persona));
  expect([answer.status, locationOf(answer)]).toEqual([302, '/login?step=verify']);
  expect(setCookie(answer, '__Host-packwatch_session')).toBeNull();
  expect(answer.headers.getSetCookie().find((line) => line.startsWith('__Host-packwatch_pending='))).toMatch(
    /Max-Age=900; Path=\/; HttpOnly; Secure; SameSite=Lax/,
  );
  const { email } = await fixture.db
    .selectFrom('users')
    .select('email')
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow();
  const code = await fixture.codeFor(email);
  const Cookie = `__Host-packwatch_pending=${setCookie(answer, '__Host-packwatch_pending')}`;
  const { headers } = await verifyBrowser(new Request(SITE, { headers: { Cookie } }), { code });
  return { email, token: String(setCookie({ headers }, '__Host-packwatch_session')) };
}

/** The success page's loader data, and the redirect of a browser without scripts. */
async function openSuccess(address: URL, cookie: string | null) {
  const headers = cookie === null ? undefined : { Cookie: `__Host-packwatch_session=${cookie}` };
  const request = new Request(address, { headers });
  const loaded = await loadSuccess({ request, params: {}, context: {} });
  return { data: loaded.data, refresh: new Headers(loaded.init?.headers).get('Refresh') };
}

describe('signing in with Discord', () => {
  test('needs a code the first time, then links the account', async () => {
    const { email, token } = await firstTime('free');
    const { body } = await callApi('GET', '/api/auth/user', { token });
    expect(body.user).toMatchObject({ email, discord: { id: '150000000000000003', username: 'fred_free' } });
  });

  test('needs no code later, and gives two sessions: one by cookie, one by the token in the redirect', async () => {
    await firstTime('free');
    const answer = await comeBack(await goToDiscord('free'));
    const [, token = ''] =
      /^\/auth\/discord\/success\?token=([\w-]{43})$/.exec(locationOf(answer) ?? '') ?? [];
    const cookie = setCookie(answer, '__Host-packwatch_session');
    expect(cookie).toMatch(/^[\w-]{43}$/);
    expect(cookie).not.toBe(token);
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    const { body } = await callApi('GET', '/api/auth/sessions', { token });
    // The session of this browser, and that of the client that entered the code.
    const sessions = body.sessions as { id: string; current: boolean }[];
    expect(sessions.map(({ current }) => current).sort()).toEqual([false, true]);
    const byCookie = await callApi('GET', '/api/auth/sessions', { cookie });
    expect(byCookie.body.sessions).toEqual(sessions);

    const id = sessions.find(({ current }) => current)?.id ?? '';
    const elsewhere = await fixture.signIn(
      await fixture.db.selectFrom('users').selectAll().executeTakeFirstOrThrow(),
    );
    expect((await send('DELETE', `/api/auth/sessions/${id}`, { token: elsewhere })).status).toBe(200);
    expect((await send('GET', '/api/auth/user', { token })).status).toBe(401);
    expect((await send('GET', '/api/auth/user', { cookie })).status).toBe(401);
  });

  test('logging out with either token ends both sessions', async () => {
    await firstTime('free');
    for (const by of ['token', 'cookie'] as const) {
      const answer = await comeBack(await goToDiscord('free'));
      const both = {
        token: new URL(locationOf(answer) ?? '', SITE).searchParams.get('token'),
        cookie: setCookie(answer, '__Host-packwatch_session'),
      };
      await send('POST', '/api/auth/logout', { [by]: both[by], headers: { Origin: SITE } });
      expect((await send('GET', '/api/auth/user', { token: both.token })).status).toBe(401);
      expect((await send('GET', '/api/auth/user', { cookie: both.cookie })).status).toBe(401);
    }
  });

  test('grants the admin role to listed Discord ids', async () => {
    const { token } = await firstTime('admin');
    expect((await send('GET', '/api/pokemon-center/status', { token })).status).toBe(200);
  });

  test('reports that the user denied access', async () => {
    const answer = await comeBack(await goToDiscord('deny'));
    expect(locationOf(answer)).toBe('/auth/discord/error?reason=access_denied');
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-packwatch_discord_[\w-]{36}=; Path=\/; Expires=Thu, 01 Jan 1970 /),
    ]);
  });

  test('is refused with an address that Discord has not verified', async () => {
    const answer = await comeBack(await goToDiscord('unverified'));
    expect(locationOf(answer)).toBe('/auth/discord/error?reason=email_unverified');
    expect(await fixture.db.selectFrom('users').select('id').execute()).toEqual([]);
  });
});

describe('a member’s avatar', () => {
  const profileOf = async (token: string) =>
    (await callApi('GET', '/api/auth/user', { token })).body.user as { discord?: { avatar: string | null } };

  test('is copied from Discord', async () => {
    const { token } = await firstTime('pro');
    await serverContext().discordImages.settled();
    expect((await profileOf(token)).discord?.avatar).toMatch(/^\/uploads\/[\da-f-]{36}\/128\.webp$/);
  });

  test('does not delay the sign-in while Discord does not respond', async () => {
    sandbox.oauth.setFaults([{ at: 'avatar', kind: 'hang', status: 500, persistent: true }]);
    const { token } = await firstTime('pro');
    expect((await profileOf(token)).discord?.avatar).toBeNull();
    expect(locationOf(await comeBack(await goToDiscord('pro')))).toMatch(/^\/auth\/discord\/success\?/);
  });
});

describe('the destination of a Discord sign-in', () => {
  const NEXT = '/dashboard/articles?page=2';

  test('is kept through Discord’s redirects, which end at the success page', async () => {
    await firstTime('free');
    const answer = await comeBack(await goToDiscord('free', `?${new URLSearchParams({ next: NEXT })}`));
    const cookie = setCookie(answer, '__Host-packwatch_session');
    const address = new URL(locationOf(answer) ?? '', SITE);
    expect([address.pathname, address.searchParams.get('next')]).toEqual(['/auth/discord/success', NEXT]);

    const { data } = await openSuccess(address, cookie);
    expect(data).toMatchObject({ kind: 'token', next: NEXT });
    const byStranger = await openSuccess(address, null);
    expect(byStranger).toMatchObject({ data: { kind: 'failed' }, refresh: '2; url=/' });
  });

  test('is kept through Discord’s redirects and the emailed code', async () => {
    const away = await goToDiscord('free', `?${new URLSearchParams({ next: NEXT })}`);
    const back = await comeBack(away);
    expect(locationOf(back)).toBe('/login?step=verify');
    const code = await fixture.codeFor('free@packwatch.example');
    const answer = await login({
      request: new Request(`${SITE}/login?step=verify`, {
        method: 'POST',
        headers: { Cookie: `__Host-packwatch_pending=${setCookie(back, '__Host-packwatch_pending')}` },
        body: new URLSearchParams({ intent: 'verify', code }),
      }),
      params: {},
      context: {},
    });
    expect(answer).toBeInstanceOf(Response);
    expect(answer instanceof Response && locationOf(answer)).toBe(NEXT);
  });

  test.each(['https://evil.example/', '//evil.example', '/\\evil.example', '/.//evil.example', '/'])(
    'is never another site: %s',
    async (next) => {
      await firstTime('free');
      const answer = await comeBack(await goToDiscord('free', `?${new URLSearchParams({ next })}`));
      expect(locationOf(answer)).toMatch(/^\/auth\/discord\/success\?token=[\w-]{43}$/);
      const address = new URL(locationOf(answer) ?? '', SITE);
      address.searchParams.set('next', next);
      const arrival = await openSuccess(address, setCookie(answer, '__Host-packwatch_session'));
      expect(arrival).toMatchObject({ data: { kind: 'token', next: null }, refresh: '1; url=/dashboard' });
    },
  );
});

describe('the success page', () => {
  test.each([
    ['without a token and a session', null, { kind: 'no_token', signedIn: false }],
    ['without a token, with a session', 'member' as const, { kind: 'no_token', signedIn: true }],
  ])('does not claim a sign-in that failed: %s', async (_, persona, arrival) => {
    const cookie = persona === null ? null : await fixture.tokenOf(persona);
    const opened = await openSuccess(new URL('/auth/discord/success?next=/account', SITE), cookie);
    expect(opened).toEqual({ data: arrival, refresh: '2; url=/dashboard' });
  });
});

describe('the state', () => {
  test.each([
    [
      'without one',
      (journey: Journey) => ({ ...journey, search: journey.search.replace(/&state=[^&]*/, '') }),
    ],
    ['with another', (journey: Journey) => ({ ...journey, search: `${journey.search}x` })],
    ['in another browser', (journey: Journey) => ({ ...journey, cookies: '' })],
    [
      'with a cookie that is not ours',
      (journey: Journey) => ({ ...journey, cookies: `${journey.cookies}x` }),
    ],
  ])('binds the callback to the browser: %s it is refused', async (_, spoil) => {
    const answer = await comeBack(spoil(await goToDiscord('free')));
    expect(locationOf(answer)).toBe('/auth/discord/error?reason=invalid_state');
    expect(setCookie(answer, '__Host-packwatch_session')).toBeNull();
    expect(sandbox.oauth.requests()).toEqual([]);
  });

  test('is accepted once, even with a copied cookie', async () => {
    const journey = await goToDiscord('free');
    expect(locationOf(await comeBack(journey))).toBe('/login?step=verify');
    expect(locationOf(await comeBack(journey))).toBe('/auth/discord/error?reason=invalid_state');
  });

  test('leads a signed-in browser that returns twice to its page', async () => {
    await firstTime('free');
    for (const [search, page] of [
      ['', '/dashboard'],
      ['?next=%2Faccount', '/account'],
    ] as const) {
      const journey = await goToDiscord('free', search);
      const first = await comeBack(journey);
      expect(locationOf(first)).toMatch(/^\/auth\/discord\/success\?/);
      // Once more with the cookies of before, and then with those that the first return has left.
      for (const before of [journey.cookies, ''])
        expect(
          locationOf(
            await comeBack({ ...journey, cookies: [before, cookiesOf(first)].filter(Boolean).join('; ') }),
          ),
        ).toBe(page);
      expect(locationOf(await comeBack(journey))).toBe(
        `/auth/discord/error?reason=invalid_state${search.replace('?', '&')}`,
      );
    }
  });

  test('of each of several sign-ins in one browser ends alone and leads to its own page', async () => {
    await firstTime('free');
    const pages = ['/account', '/news', '/dashboard/articles'];
    const journeys = await Promise.all(
      pages.map((page) => goToDiscord('free', `?${new URLSearchParams({ next: page })}`)),
    );
    const denied = await goToDiscord('deny', '?next=%2Fdevelopers');
    const jar = new Map(
      [...journeys, denied].map(({ cookies }) => cookies.split('=', 2) as [string, string]),
    );
    const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const arrivals: (string | null)[] = [];
    for (const { search } of [denied, ...journeys].reverse()) {
      const answer = await comeBack({ search, cookies: cookies() });
      arrivals.push(locationOf(answer));
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (name.startsWith('__Host-packwatch_discord')) jar.set(name, value);
      }
    }
    const nextOf = (path: string | null) => new URL(path ?? '', SITE).searchParams.get('next');
    expect(arrivals.map(nextOf)).toEqual([...pages.reverse(), '/developers']);
    expect(arrivals.at(-1)).toMatch(/reason=access_denied/);
  });

  test('is kept for the last five sign-ins', async () => {
    let cookies = '';
    for (let round = 0; round < 7; round += 1) {
      const away = await send('GET', '/api/auth/discord/login', { cookies });
      const deleted = away.headers.getSetCookie().filter((line) => line.includes('Expires=Thu, 01 Jan 1970'));
      expect(deleted).toHaveLength(round < 5 ? 0 : 1);
      const gone = deleted.map((line) => line.split('=', 1)[0]);
      cookies = [
        ...cookies.split('; ').filter((pair) => !gone.includes(pair.split('=', 1)[0])),
        cookiesOf(away),
      ]
        .filter(Boolean)
        .join('; ');
    }
    expect(cookies.split('; ')).toHaveLength(5);
  });

  test('expires after ten minutes', async () => {
    const journey = await goToDiscord('free');
    const { clock } = serverContext();
    vi.spyOn(clock, 'now').mockReturnValue(Date.now() + 10 * MINUTE + 1);
    try {
      expect(locationOf(await comeBack(journey))).toBe('/auth/discord/error?reason=invalid_state');
    } finally {
      vi.restoreAllMocks();
    }
  });
});

test('a Discord account over its limit of codes gets the time of the next one', async () => {
  for (let round = 0; round < 5; round += 1)
    expect(locationOf(await comeBack(await goToDiscord('free')))).toBe('/login?step=verify');
  const answer = await comeBack(await goToDiscord('free'));
  expect(locationOf(answer)).toMatch(/^\/auth\/discord\/error\?reason=code_too_soon&minutes=(59|60)$/);
  expect(setCookie(answer, '__Host-packwatch_pending')).toBeNull();
  expect(await fixture.db.selectFrom('mails').select('id').execute()).toHaveLength(5);
});

describe('joining the server at sign-in', () => {
  const FRED = '150000000000000003';
  const INSTANT = FIRST_ROLES.instant;
  const askToJoin = (joinAtSignIn: boolean) =>
    inTransaction(fixture.db, (trx) =>
      storeSetting(
        trx,
        {
          key: SETTING_KEY.discordRoles,
          value: JSON.stringify({ instant: INSTANT, free: '', joinAtSignIn }),
        },
        { actor: { userId: null }, clock: systemClock },
      ),
    );
  const consent = (persona: string) => goToDiscord(persona, '', 'identify email guilds.join');
  const joins = () => sandbox.guild.requests().filter(({ at }) => at === 'join');
  const rolesOf = (discordId: string) =>
    fixture.db
      .selectFrom('member_roles')
      .select(['found', 'status'])
      .where('discord_id', '=', discordId)
      .execute();
  /** Comes back from Discord; resolves when the background has ended, too. */
  async function arrive(journey: Journey): Promise<string | null> {
    const answer = await comeBack(journey);
    await serverContext().serverJoins.settled();
    return locationOf(answer);
  }
  /** What the log says; nothing of it is a secret. */
  const noteWarnings = () => vi.spyOn(serverContext().log, 'warn').mockReturnValue(undefined);

  beforeEach(async () => {
    await firstTime('free');
    sandbox.guild.removeMember(FRED, { ban: false });
    sandbox.guild.clearRequests();
    await askToJoin(true);
  });

  test('adds a user who consents, once, and checks the roles', async () => {
    expect(await arrive(await consent('free'))).toMatch(/^\/auth\/discord\/success\?/);
    expect(sandbox.guild.rolesOf(FRED)).toEqual([]);
    expect(await rolesOf(FRED)).toEqual([{ found: 'unknown', status: 'pending' }]);
    // A member stays as it is.
    sandbox.guild.putMember(FRED, { roles: [FIRST_ROLES.moderator] });
    await arrive(await consent('free'));
    expect(joins().map(({ status }) => status)).toEqual([201, 204]);
    expect(sandbox.guild.rolesOf(FRED)).toEqual([FIRST_ROLES.moderator]);
  });

  test('adds no user without the consent, nor while the setting is off', async () => {
    expect(await arrive(await consent('deny'))).toBe('/auth/discord/error?reason=access_denied');
    await askToJoin(false);
    // The setting is switched on while the user is at Discord, which asked for nothing.
    const early = await goToDiscord('free');
    await askToJoin(true);
    expect(await arrive(early)).toMatch(/success/);
    // It has been switched off since.
    const late = await consent('free');
    await askToJoin(false);
    expect(await arrive(late)).toMatch(/success/);
    expect(joins()).toEqual([]);
    expect(sandbox.guild.rolesOf(FRED)).toBeNull();
  });

  test('notes a ban, which a later departure does not hide', async () => {
    sandbox.guild.removeMember(FRED, { ban: true });
    expect(await arrive(await consent('free'))).toMatch(/success/);
    expect(joins().map(({ status }) => status)).toEqual([403]);
    expect(await rolesOf(FRED)).toEqual([{ found: 'banned', status: 'pending' }]);
  });

  test.each([
    ['an expired token', { status: 403, code: 50_025, message: 'Invalid OAuth2 access token' }, 'code 50025'],
    ['a bot that may not invite', { status: 403, code: 50_013 }, 'give the bot’s role “Create Invite”'],
    ['a limit', { status: 429, retryAfter: 2 }, '429'],
    ['a fault of Discord', { status: 500 }, '500'],
  ])('the sign-in succeeds despite %s, and the log says why', async (_, fault, reason) => {
    const warn = noteWarnings();
    sandbox.guild.setFaults([{ kind: 'status', ...fault, at: ['join'] }]);
    expect(await arrive(await consent('free'))).toMatch(/success/);
    expect(warn).toHaveBeenCalledWith(
      { reason: expect.stringContaining(reason) },
      'could not add a user to the Discord server',
    );
    expect(await rolesOf(FRED)).toEqual([]);
    warn.mockRestore();
  });

  test('does not wait for a silent Discord', async () => {
    sandbox.guild.setFaults([{ kind: 'hang', at: ['join'] }]);
    expect(locationOf(await comeBack(await consent('free')))).toMatch(/success/);
  });
});

describe('when Discord fails', () => {
  test.each([
    ['the token call', { at: 'token' as const, kind: 'status' as const, status: 500 }],
    ['the user call', { at: 'user' as const, kind: 'status' as const, status: 401 }],
    ['garbage for a token', { at: 'token' as const, kind: 'garbage' as const, status: 500 }],
    ['garbage for a user', { at: 'user' as const, kind: 'garbage' as const, status: 500 }],
  ])('the error page names the reason: %s', async (_, fault) => {
    const journey = await goToDiscord('free');
    sandbox.oauth.setFaults([fault]);
    const answer = await comeBack(journey);
    expect(locationOf(answer)).toBe('/auth/discord/error?reason=server_error');
    expect(setCookie(answer, '__Host-packwatch_session')).toBeNull();
  });
});
