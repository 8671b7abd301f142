import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ActionFunctionArgs } from '@remix-run/node';
import type { FormResult } from '#shared/site/form-result';
import { findViewer } from '~/http/auth/session.server';
import { serverContext } from '~/http/server/context.server';
import { runInRequest } from '~/http/server/request-context.server';
import * as accountPage from '~/routes/account/account';
import * as loginPage from '~/routes/account/login';
import { SoftwareAuthenticator } from '../../software-authenticator';
import { createRenderedSite } from '../rendered-site';
import { createApiFixture, freshAddress, SITE, type ApiFixture } from './api-fixture';

const PASSWORD = 'correct horse battery';
const site = createRenderedSite({ '/login': loginPage, '/account': accountPage });

let fixture: ApiFixture;
beforeAll(async () => {
  fixture = await createApiFixture();
});
afterAll(() => fixture.cleanup());

/** The options that WebAuthn gets of either kind. */
interface Options {
  challenge: string;
  rp: { id: string };
  user: { id: string };
  rpId: string;
}

/** A browser with scripts, which sends the forms of our pages. */
function openBrowser(jar = new Map<string, string>()) {
  const from = freshAddress();
  const request = (path: string, fields?: Record<string, string>): Request =>
    new Request(SITE + path, {
      ...(fields !== undefined && { method: 'POST', body: new URLSearchParams(fields) }),
      headers: { Cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
  return {
    jar,
    viewer: () => findViewer(request('/')),
    async send(path: string, fields: Record<string, string>): Promise<FormResult<Options>> {
      const { action } = path.startsWith('/login') ? loginPage : accountPage;
      const args = { request: request(path, fields), params: {}, context: {} } as ActionFunctionArgs;
      const answer = await runInRequest({ method: 'POST', clientAddress: from }, () => action(args));
      const { data, init } = answer as unknown as { data: FormResult<Options>; init: ResponseInit | null };
      const headers = answer instanceof Response ? answer.headers : new Headers(init?.headers);
      for (const line of headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (/Max-Age=0/.test(line)) jar.delete(name);
        else jar.set(name, value);
      }
      return data ?? answer;
    },
  };
}

const COOKIE = '__Host-packwatch_passkey';
const detailsOf = ({ details }: FormResult<Options>): Options => {
  if (details === undefined) throw new Error('the form was refused');
  return details;
};

async function memberWithPasskey() {
  const password_hash = await serverContext().passwords.hash(PASSWORD, 'a network');
  const account = await fixture.account('member', { password_hash });
  const token = await fixture.signIn(account);
  const browser = openBrowser(new Map([['__Host-packwatch_session', token]]));
  const authenticator = new SoftwareAuthenticator();
  const started = await browser.send('/account', { intent: 'startPasskey', currentPassword: PASSWORD });
  const response = authenticator.create(detailsOf(started));
  await browser.send('/account', { intent: 'addPasskey', response });
  return { account, token, authenticator };
}

test('a passkey signs a browser in, which is known by a signed cookie, and keeps the path to open', async () => {
  const { account, authenticator } = await memberWithPasskey();
  const browser = openBrowser();
  const started = await browser.send('/login', { intent: 'passkeyStart', scripts: 'on' });
  expect([...browser.jar.keys()]).toEqual([COOKIE]);
  const response = authenticator.signIn(detailsOf(started));
  expect(await browser.send('/login?next=%2Faccount', { intent: 'passkey', response })).toMatchObject({
    ok: true,
    details: { path: '/account', localSession: { user: { id: account.id } } },
  });
  expect([...browser.jar.keys()]).toEqual(['__Host-packwatch_session', '__Host-packwatch_browser']);
  expect((await browser.viewer())?.account.id).toBe(account.id);
});

test.each<[string, (jar: Map<string, string>) => void]>([
  ['another browser', (jar) => jar.delete(COOKIE)],
  ['a changed cookie', (jar) => jar.set(COOKIE, (jar.get(COOKIE) ?? '').replace(/^.{9}/, 'AAAAAAAAA'))],
])('a challenge is not accepted with %s, and the answer is not sent back', async (_name, change) => {
  const { authenticator } = await memberWithPasskey();
  const browser = openBrowser();
  const options = detailsOf(await browser.send('/login', { intent: 'passkeyStart', scripts: 'on' }));
  change(browser.jar);
  const refused = await browser.send('/login', {
    intent: 'passkey',
    response: authenticator.signIn(options),
  });
  expect(refused).toMatchObject({ ok: false, code: 'passkey_expired' });
  expect(refused.values).not.toHaveProperty('response');
  expect(await browser.viewer()).toBeNull();
});

test('challenges and refused sign-ins of one network are limited', async () => {
  const browser = openBrowser();
  const refusals = async (fields: Record<string, string>, tries: number) => {
    for (let count = 0; count < tries; count += 1) await browser.send('/login', fields);
    return browser.send('/login', fields);
  };
  expect(await refusals({ intent: 'passkey', response: '{}' }, 60)).toMatchObject({ code: 'rate_limited' });
  expect(await refusals({ intent: 'passkeyStart', scripts: 'on' }, 120)).toMatchObject({
    code: 'rate_limited',
  });
});

test('an answer of any size and kind is a refusal', async () => {
  for (const response of ['x'.repeat(17_000), '{"constructor":1}', ''])
    expect(await openBrowser().send('/login', { intent: 'passkey', response })).toMatchObject({ ok: false });
});

test('without scripts the pages say what else signs in, and a passkey is renamed and removed', async () => {
  const { token, account } = await memberWithPasskey();
  const login = await site.get('/login', '');
  expect(login.text).toContain('Signing in with a passkey needs JavaScript.');
  const pressed = await site.post('/login', '', { intent: 'passkeyStart' });
  expect(pressed.text).toContain('Sign in with Discord, or with your email address and password.');
  const page = await site.get('/account', token);
  expect(page.text).toContain('Adding a passkey needs JavaScript.');
  expect(page.text).toContain('Never used');
  const { id } = await fixture.db
    .selectFrom('passkeys')
    .select('id')
    .where('user_id', '=', account.id)
    .executeTakeFirstOrThrow();
  expect((await site.post('/account', token, { intent: 'renamePasskey', id, name: ' ' })).text).toContain(
    'Please enter a name.',
  );
  await site.post('/account', token, { intent: 'renamePasskey', id, name: '<b>Blue</b>' });
  expect((await site.get('/account', token)).html).toContain('&lt;b&gt;Blue&lt;/b&gt;');
  await site.post('/account', token, { intent: 'removePasskey', id });
  expect((await site.get('/account', token)).html).not.toContain('Blue');
});
