import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { HOUR, MINUTE, toIso } from '#shared/clock';
import type { DomainError } from '#shared/errors';
import { runInRequest } from '~/http/server/request-context.server';
import { serverContext } from '~/http/server/context.server';
import { describeBrowser } from '#shared/accounts/describe-device';
import { endSessionUrl, newBrowserMailSchema } from '#shared/mail/new-browser-mail';
import { renderMail } from '#shared/mail/render-mail';
import * as endSessionPage from '~/routes/account/end-session';
import { createRenderedSite } from '../rendered-site';
import { findViewer, requireAdmin, requireMember } from '~/http/auth/session.server';
import { logoutBrowser } from '~/http/auth/logout.server';
import { callApi, createApiFixture, freshAddress, freshEmail, SITE, type ApiFixture } from './api-fixture';
import { loginBrowser, registerBrowser, resendBrowser, verifyBrowser } from './browser-logins';

const site = createRenderedSite({ '/end-session': endSessionPage });

let fixture: ApiFixture;
beforeAll(async () => {
  fixture = await createApiFixture();
});
afterAll(() => fixture.cleanup());

const PASSWORD = 'correct horse battery';

/** A browser with a cookie jar. */
function openBrowser(from = freshAddress()) {
  const jar = new Map<string, string>();
  return {
    jar,
    request(path = ''): Request {
      const Cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      return new Request(SITE + path, { headers: { Cookie } });
    },
    /** Calls a server function with a request of this browser. */
    send<Args extends unknown[], Result>(
      handle: (request: Request, ...args: Args) => Result,
      ...args: Args
    ): Result {
      return runInRequest({ method: 'POST', clientAddress: from }, () => handle(this.request(), ...args));
    },
    keep({ headers }: { headers: Headers }): void {
      for (const line of headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (/Max-Age=0/.test(line)) jar.delete(name);
        else jar.set(name, value);
      }
    },
  };
}

async function registered() {
  const browser = openBrowser();
  const email = freshEmail();
  browser.keep(await browser.send(registerBrowser, { email, password: PASSWORD }));
  return { browser, email };
}

describe('a code', () => {
  test('signs in the browser that requested it and ends the pending sign-in', async () => {
    const { browser, email } = await registered();
    const code = await fixture.codeFor(email);
    browser.keep(await browser.send(verifyBrowser, { code }));
    expect([...browser.jar.keys()]).toEqual(['__Host-packwatch_session', '__Host-packwatch_browser']);
    expect((await findViewer(browser.request()))?.account.email).toBe(email);
  });

  test('is not accepted from another browser, even one with a pending sign-in for the same address', async () => {
    const { browser, email } = await registered();
    const code = await fixture.codeFor(email);
    const other = openBrowser();
    const login = await other.send(loginBrowser, { email, password: PASSWORD });
    expect(login.kind).toBe('verify');
    other.keep(login);
    await expect(other.send(verifyBrowser, { code })).rejects.toMatchObject({ code: 'invalid_code' });
    browser.keep(await browser.send(verifyBrowser, { code }));
    expect(await findViewer(browser.request())).not.toBeNull();
  });

  test('is accepted over the API from the browser that waits for it, and another one is sent to it', async () => {
    const { browser, email } = await registered();
    const cookies = browser.request().headers.get('Cookie') ?? '';
    const code = await fixture.codeFor(email);
    const verify = (text: string, headers: Record<string, string> = { Origin: SITE }) =>
      callApi('POST', '/api/auth/verify', { body: { email, code: text }, cookies, headers });
    const foreign = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
    expect(await verify(code, foreign)).toMatchObject({ status: 403, body: { code: 'cross_origin' } });
    const resent = await callApi('POST', '/api/auth/resend-verification', {
      body: { email },
      cookies,
      headers: { Origin: SITE },
    });
    expect(resent).toMatchObject({ status: 429, body: { code: 'code_too_soon' } });
    // Not six digits are no try: the code has five.
    for (let round = 0; round < 6; round += 1) expect((await verify(`${code}7`)).status).toBe(422);
    const answer = await verify(`Your code is ${code.slice(0, 3)} ${code.slice(3)}`);
    expect(answer).toMatchObject({ status: 200, body: { user: { email } } });
    browser.keep(answer);
    expect([...browser.jar.keys()]).toEqual(['__Host-packwatch_session', '__Host-packwatch_browser']);
    expect((await findViewer(browser.request()))?.account.email).toBe(email);
  });

  test('that a browser with a pending sign-in requests over the API is for that sign-in', async () => {
    const { browser, email } = await registered();
    const { clock } = serverContext();
    vi.spyOn(clock, 'now').mockReturnValue(Date.now() + 5 * MINUTE);
    const call = (path: string, body: object) =>
      callApi('POST', path, {
        body: { email, ...body },
        cookies: browser.request().headers.get('Cookie') ?? '',
        headers: { Origin: SITE },
      });
    expect(await call('/api/auth/login', { password: PASSWORD })).toMatchObject({
      body: { code: 'verification_required' },
    });
    const code = await fixture.codeFor(email);
    expect(await call('/api/auth/verify', { code })).toMatchObject({ status: 200 });
    vi.mocked(clock.now).mockRestore();
  });

  test('that was not sent leaves no pending sign-in, and the response says when the next one is possible', async () => {
    const { email } = await registered();
    // The addresses of one network share a limit.
    const browsers = [1, 2, 3, 4].map((host) => openBrowser(`198.51.100.${host}`));
    const register = (browser: ReturnType<typeof openBrowser> | undefined, address: string) =>
      (browser ?? openBrowser()).send(registerBrowser, { email: address, password: PASSWORD });
    const last = browsers.pop();
    for (const address of [email, freshEmail()]) {
      for (const browser of browsers) await register(browser, address);
      await expect(register(last, address)).rejects.toMatchObject({
        code: 'code_too_soon',
        message: expect.stringMatching(/^Please wait (59|60) minutes before asking for another code\.$/),
      });
    }
  });

  test('cannot be requested twice within thirty seconds', async () => {
    const { browser } = await registered();
    await expect(browser.send(resendBrowser)).rejects.toMatchObject({
      code: 'code_too_soon',
      message: expect.stringMatching(/^Please wait \d+ seconds before asking for another code\.$/),
    });
  });
});

describe('the destination of a sign-in', () => {
  test('is kept while the browser waits for its code', async () => {
    const browser = openBrowser();
    const email = freshEmail();
    const signUp = browser.request('/signup?next=%2Faccount');
    browser.keep(await registerBrowser(signUp, { email, password: PASSWORD }));
    const code = await fixture.codeFor(email);
    expect(await verifyBrowser(browser.request('/login?step=verify'), { code })).toMatchObject({
      next: '/account',
    });
  });

  test('is that of the login form', async () => {
    const { browser, email } = await registered();
    browser.keep(await browser.send(verifyBrowser, { code: await fixture.codeFor(email) }));
    const logIn = (path: string) => loginBrowser(openBrowser().request(path), { email, password: PASSWORD });
    expect(await logIn('/login?next=%2Faccount')).toMatchObject({ kind: 'signed_in', next: '/account' });
    expect(await logIn('/login')).toMatchObject({ kind: 'signed_in', next: null });
    expect(await logIn('/login?next=//evil.example')).toMatchObject({ kind: 'signed_in', next: null });
  });
});

describe('wrong codes', () => {
  const WRONG = '000000';

  test.each(['attempts for an account', 'attempts for an unknown address'])(
    '%s are limited to fifteen an hour over the API, from all client addresses',
    async (whose) => {
      const { browser, email } = await registered();
      const code = await fixture.codeFor(email);
      const tried = whose === 'attempts for an account' ? email : freshEmail();
      const statuses: number[] = [];
      for (let round = 0; round < 17; round += 1)
        statuses.push(
          (await callApi('POST', '/api/auth/verify', { body: { email: tried, code: WRONG } })).status,
        );
      expect(statuses).toEqual([...Array<number>(15).fill(422), 429, 429]);
      browser.keep(await browser.send(verifyBrowser, { code }));
      expect(await findViewer(browser.request())).not.toBeNull();
    },
  );

  test('are limited to fifteen an hour per browser', async () => {
    const { browser, email } = await registered();
    const other = openBrowser();
    other.keep(await other.send(loginBrowser, { email, password: PASSWORD }));
    const codes: string[] = [];
    for (let round = 0; round < 16; round += 1)
      await browser.send(verifyBrowser, { code: WRONG }).catch((error: unknown) => {
        codes.push((error as DomainError).code);
      });
    expect(codes).toEqual([...Array<string>(15).fill('invalid_code'), 'rate_limited']);
    other.keep(await other.send(verifyBrowser, { code: await fixture.codeFor(email) }));
    expect(await findViewer(other.request())).not.toBeNull();
  });
});

describe('the pending cookie', () => {
  test.each([
    ['is missing', () => undefined],
    ['was altered', (value: string) => `${value.slice(0, -2)}xx`],
    ['was not made by us', () => Buffer.from(JSON.stringify({ text: '{}', until: 9e15 })).toString('base64')],
  ])('is ignored when it %s', async (_, spoil) => {
    const { browser, email } = await registered();
    const spoilt = spoil(browser.jar.get('__Host-packwatch_pending') ?? '');
    if (spoilt === undefined) browser.jar.clear();
    else browser.jar.set('__Host-packwatch_pending', spoilt);
    const code = await fixture.codeFor(email);
    await expect(browser.send(verifyBrowser, { code })).rejects.toMatchObject({ code: 'no_pending' });
  });

  test('expires after fifteen minutes on the server', async () => {
    const { browser } = await registered();
    vi.spyOn(serverContext().clock, 'now').mockReturnValue(Date.now() + 15 * MINUTE + 1);
    try {
      await expect(browser.send(resendBrowser)).rejects.toMatchObject({ code: 'no_pending' });
    } finally {
      vi.restoreAllMocks();
    }
  });
});

describe('a browser’s session', () => {
  test('is new at each sign-in, and the previous one ends', async () => {
    const { browser, email } = await registered();
    browser.keep(await browser.send(verifyBrowser, { code: await fixture.codeFor(email) }));
    const before = browser.request();
    const login = await browser.send(loginBrowser, { email, password: PASSWORD });
    expect(login).toMatchObject({ kind: 'signed_in', account: { email } });
    browser.keep(login);
    expect(await findViewer(browser.request())).not.toBeNull();
    expect(await findViewer(new Request(before))).toBeNull();
  });

  test('ends with logout on the server and in the browser', async () => {
    const { browser, email } = await registered();
    browser.keep(await browser.send(verifyBrowser, { code: await fixture.codeFor(email) }));
    const before = browser.request();
    browser.keep(await logoutBrowser(browser.request()));
    expect([...browser.jar.keys()]).toEqual(['__Host-packwatch_browser']);
    expect(await findViewer(before)).toBeNull();
  });

  test('gives access to its pages, and other pages redirect', async () => {
    const requestOf = async (persona: 'member' | 'admin') =>
      new Request(SITE, {
        headers: { Cookie: `__Host-packwatch_session=${await fixture.tokenOf(persona)}` },
      });
    const leadsTo = (promise: Promise<unknown>) =>
      promise.then(
        () => 'here',
        (thrown: unknown) => (thrown instanceof Response ? thrown.headers.get('Location') : thrown),
      );
    const visitor = new Request(SITE);
    expect(await leadsTo(requireMember(visitor))).toBe('/');
    expect(await leadsTo(requireAdmin(visitor))).toBe('/');
    for (const path of ['/dashboard', '/dashboard/', '/dashboard/subscription?tab=tokens']) {
      const address = new URL(String(await leadsTo(requireMember(new Request(SITE + path)))), SITE);
      expect([address.origin, address.pathname]).toEqual([new URL(SITE).origin, '/']);
      expect(Object.fromEntries(address.searchParams)).toEqual({ auth: 'login', next: path });
    }
    // A path that browsers read as another host is not kept.
    expect(await leadsTo(requireMember(new Request(`${new URL(SITE).origin}//evil.example/`)))).toBe(
      '/?auth=login',
    );
    expect(await leadsTo(requireMember(new Request(`${SITE}/account`)))).toBe('/?auth=login&next=%2Faccount');
    expect(await leadsTo(requireAdmin(new Request(`${SITE}/dashboard/articles?page=2`)))).toBe(
      '/?auth=login&next=%2Fdashboard%2Farticles%3Fpage%3D2',
    );
    const unknown = 'A'.repeat((await fixture.tokenOf('member')).length);
    const stale = { headers: { Cookie: `__Host-packwatch_session=${unknown}` } };
    expect(await leadsTo(requireMember(new Request(`${SITE}/account`, stale)))).toBe(
      '/?auth=login&next=%2Faccount&ended=1',
    );
    expect(await leadsTo(requireMember(await requestOf('member')))).toBe('here');
    expect(await leadsTo(requireAdmin(await requestOf('member')))).toBe('/dashboard');
    expect(await leadsTo(requireAdmin(await requestOf('admin')))).toBe('here');
  });
});

describe('the first sign-in of a browser', () => {
  const notices = (email: string) =>
    serverContext()
      .db.selectFrom('mails')
      .select(['id', 'data'])
      .where('recipient', '=', email)
      .where('template', '=', 'new_browser')
      .orderBy('created_at')
      .execute();
  const signIn = async (browser: ReturnType<typeof openBrowser>, email: string) => {
    const login = await browser.send(loginBrowser, { email, password: PASSWORD });
    if (login.kind === 'verify') throw new Error('no code is needed');
    browser.keep(login);
    return login.session;
  };
  /** The path of the link in the last mail, as the daemon renders it. */
  const linkOf = async (email: string) => {
    const { data } = (await notices(email)).at(-1) ?? { data: null };
    const facts = newBrowserMailSchema.parse(JSON.parse(data ?? 'null'));
    return endSessionUrl({ keyring: serverContext().keyring, appUrl: '' }, facts);
  };

  test('is told to the owner, except the first of the account and one by an earlier browser', async () => {
    const { browser, email } = await registered();
    browser.keep(await browser.send(verifyBrowser, { code: await fixture.codeFor(email) }));
    expect(await notices(email)).toEqual([]);
    browser.keep(await logoutBrowser(browser.request()));
    await signIn(browser, email);
    expect(await notices(email)).toEqual([]);

    const other = openBrowser();
    await signIn(other, email);
    await signIn(other, email);
    expect(await notices(email)).toHaveLength(1);
    // A second account of the browser is new to it, and the first one stays known.
    const second = await registered();
    for (const [name, value] of second.browser.jar) browser.jar.set(name, value);
    browser.keep(await browser.send(verifyBrowser, { code: await fixture.codeFor(second.email) }));
    await signIn(browser, second.email);
    await signIn(browser, email);
    expect(await notices(second.email)).toEqual([]);
    expect(await notices(email)).toHaveLength(1);

    // A value that was signed for another cookie proves nothing, and keeps no browser from the sign-in.
    const pending = (await registered()).browser.jar.get('__Host-packwatch_pending') ?? '';
    const mistaken = openBrowser();
    mistaken.jar.set('__Host-packwatch_browser', pending);
    await signIn(mistaken, email);
    expect(await notices(email)).toHaveLength(2);

    // Clients without cookies, and browsers with a cookie that we did not sign, are new each time: the fourth mail is about all, and the
    // last one.
    for (const jar of [
      [],
      [],
      [['__Host-packwatch_browser', browser.jar.get('__Host-packwatch_browser')?.replace(/^.{9}/, '') ?? '']],
    ] as const) {
      const stranger = openBrowser();
      for (const [name, value] of jar) stranger.jar.set(name, value);
      await signIn(stranger, email);
    }
    const all = await notices(email);
    expect(all).toHaveLength(4);
    const last = newBrowserMailSchema.parse(JSON.parse(all[3]?.data ?? 'null'));
    expect(all.map(({ data }) => data?.includes('since'))).toEqual([false, false, false, true]);
    const mail = renderMail({ ...last, url: SITE }, SITE);
    expect(mail.subject).toBe('Several new sign-ins to your Packwatch account');
    expect(mail.text).toContain('It is at least the fourth within an hour.');
  });

  test('of several within an hour: one link ends all, also those after its mail, and no earlier one', async () => {
    const { browser, email } = await registered();
    browser.keep(await browser.send(verifyBrowser, { code: await fixture.codeFor(email) }));
    await serverContext()
      .db.updateTable('sessions')
      .set({ created_at: toIso(Date.now() - 2 * HOUR) })
      .where('user_id', 'in', (from) => from.selectFrom('users').select('id').where('email', '=', email))
      .execute();
    const strangers = Array.from({ length: 6 }, () => openBrowser());
    for (const stranger of strangers) await signIn(stranger, email);
    const link = await linkOf(email);
    const asked = await site.get(link, '');
    expect(asked.text).toContain('Sign those browsers out?');
    expect(asked.text.match(/signed in to your account on/g)).toHaveLength(6);
    expect(asked.html).not.toContain(email);
    expect(await site.post(link, '', { intent: 'end' })).toMatchObject({ status: 303, leadsTo: link });
    for (const stranger of strangers) expect(await findViewer(stranger.request())).toBeNull();
    expect(await findViewer(browser.request())).not.toBeNull();
    expect((await site.get(link, '')).text).toContain('Those browsers are signed out');
  });

  test('can be ended by the link of its mail, asked first, after which every browser is new', async () => {
    const { browser, email } = await registered();
    browser.keep(await browser.send(verifyBrowser, { code: await fixture.codeFor(email) }));
    const stranger = openBrowser();
    await signIn(stranger, email);
    const link = await linkOf(email);
    const asked = await site.get(link, '');
    expect(asked.text).toMatch(
      /An app signed in to your account on \d+ \w+ \d{4} at \d\d:\d\d \(UK time\)\./,
    );
    expect(asked.html).not.toContain(email);
    expect(await findViewer(stranger.request())).not.toBeNull();

    expect(await site.post(link, '', { intent: 'end' })).toMatchObject({ status: 303, leadsTo: link });
    expect(await findViewer(stranger.request())).toBeNull();
    expect(await findViewer(browser.request())).not.toBeNull();
    expect((await site.get(link, '')).text).toContain('That browser is signed out');
    expect(await site.post(link, '', { intent: 'end' })).toMatchObject({ status: 303 });

    const before = (await notices(email)).length;
    await signIn(browser, email);
    expect(await notices(email)).toHaveLength(before + 1);
    await signIn(browser, email);
    expect(await notices(email)).toHaveLength(before + 1);

    for (const path of [link.slice(0, -1), '/end-session', '/end-session?token=constructor']) {
      expect((await site.get(path, '')).text).toContain('This link is not complete');
      expect((await site.post(path, '', { intent: 'end' })).text).toContain('This link is not complete');
    }
  });

  test('is told with the browser and the time in the UK', () => {
    const chrome =
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';
    const mail = renderMail(
      {
        template: 'new_browser',
        browser: describeBrowser(chrome),
        signedInAt: '2026-07-01T23:30:00.000Z',
        url: `${SITE}/end-session?token=x`,
      },
      SITE,
    );
    expect(mail.text).toContain('account: Chrome on Windows, on 2 July 2026 at 00:30 (UK time).');
    expect(mail.text).toContain(`It was not me: sign it out: ${SITE}/end-session?token=x`);
    // A client chooses its own words.
    expect(describeBrowser('https://evil.example/ now')).toBe('an app');
  });
});
