import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Account } from '#shared/accounts/account';
import type { DomainError } from '#shared/errors';
import { renderMail } from '#shared/mail/render-mail';
import * as accountPage from '~/routes/account/account';
import { signInOperations } from '#shared/accounts/sign-in-operations';
import { performerOf } from '~/http/auth/run-operation.server';
import { runInRequest } from '~/http/server/request-context.server';
import { serverContext } from '~/http/server/context.server';
import { createRenderedSite } from '../rendered-site';
import { callApi, createApiFixture, freshAddress, send, SITE, type ApiFixture } from './api-fixture';

const PASSWORD = 'correct horse battery';
const NEW = 'several unusual words';

const site = createRenderedSite({ '/account': accountPage });
let fixture: ApiFixture;
let member: Account;
let token: string;
beforeEach(async () => {
  fixture = await createApiFixture();
  const password_hash = await serverContext().passwords.hash(PASSWORD, 'a network');
  member = await fixture.account('member', { username: 'Brock', password_hash });
  token = await fixture.signIn(member);
});
afterEach(() => fixture.cleanup());

const change = (body: object, as = token) => callApi('PUT', '/api/auth/password', { token: as, body });
const login = (password: string, email = member.email) =>
  callApi('POST', '/api/auth/login', { body: { email, password } });
const isSignedIn = async (as: string) => (await send('GET', '/api/auth/user', { token: as })).status === 200;
const mailsTo = (email: string) =>
  fixture.db
    .selectFrom('mails')
    .select('template')
    .where('recipient', '=', email)
    .where('status', '=', 'pending')
    .orderBy('created_at')
    .execute();
const auditOf = async (subject: string) =>
  (await fixture.db.selectFrom('audit_log').select('action').where('subject', '=', subject).execute()).map(
    ({ action }) => action,
  );

describe('changing the password', () => {
  test('takes the current one, ends the other sessions and mails the owner', async () => {
    const [elsewhere, stranger] = [await fixture.signIn(member), await fixture.tokenOf('member')];
    expect(await change({ currentPassword: PASSWORD, newPassword: NEW })).toMatchObject({
      status: 200,
      body: { success: true, message: 'Your password is changed. You have been signed out everywhere else.' },
    });
    expect(await isSignedIn(token)).toBe(true);
    expect(await isSignedIn(elsewhere)).toBe(false);
    expect(await isSignedIn(stranger)).toBe(true);
    expect((await login(PASSWORD)).status).toBe(401);
    expect((await login(NEW)).status).toBe(200);
    // The sign-in above came from a client without cookies.
    expect(await mailsTo(member.email)).toEqual([
      { template: 'password_changed' },
      { template: 'new_browser' },
    ]);
    expect(await auditOf(member.id)).toContain('account.change_password');
    const { subject, text } = renderMail({ template: 'password_changed' }, 'https://packwatch.example');
    expect(subject).toBe('Your Packwatch password was changed');
    expect(text).toContain('If it was not you, sign in with Discord');
  });

  test.each<[string, object, string, string]>([
    ['a wrong one', { currentPassword: 'wrong and long' }, 'currentPassword', 'wrong_password'],
    ['none', {}, 'currentPassword', 'current_password_required'],
    ['a code instead', { code: '123456' }, 'currentPassword', 'current_password_required'],
    ['the same again', { currentPassword: PASSWORD, newPassword: PASSWORD }, 'newPassword', 'same_password'],
    ['a short new one', { currentPassword: PASSWORD, newPassword: 'short' }, 'newPassword', 'invalid_input'],
    [
      'a common new one',
      { currentPassword: PASSWORD, newPassword: 'Password123' },
      'newPassword',
      'common_password',
    ],
    [
      'an own word',
      { currentPassword: PASSWORD, newPassword: 'P0kemon12345' },
      'newPassword',
      'own_word_password',
    ],
    [
      'the own name',
      { currentPassword: PASSWORD, newPassword: 'brockbrock' },
      'newPassword',
      'own_word_password',
    ],
  ])('is refused at its field with %s', async (_what, body, field, code) => {
    const elsewhere = await fixture.signIn(member);
    const answer = await change({ newPassword: NEW, ...body });
    expect(answer).toMatchObject({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
    if (code !== 'invalid_input') expect(answer.body.code).toBe(code);
    expect(await isSignedIn(elsewhere)).toBe(true);
    expect((await login(PASSWORD)).status).toBe(200);
  });

  test('is limited to ten wrong tries, from whatever network', async () => {
    const statuses: number[] = [];
    for (let round = 0; round < 11; round += 1)
      statuses.push((await change({ currentPassword: 'wrong and long', newPassword: NEW })).status);
    expect(statuses).toEqual([...Array<number>(10).fill(422), 429]);
  });

  test('works on the account page without scripts, and never sends a password back', async () => {
    const shown = await site.get('/account', token);
    expect(shown.text).toContain('Current password');
    expect(shown.text).not.toContain('Send me a code');
    const refused = await site.post('/account', token, {
      intent: 'password',
      currentPassword: 'wrong and long',
      newPassword: NEW,
    });
    expect(refused.text).toContain('This is not your current password.');
    expect(refused.html).not.toContain('wrong and long');
    expect(refused.html).not.toContain(NEW);
    const saved = await site.post('/account', token, {
      intent: 'password',
      currentPassword: PASSWORD,
      newPassword: NEW,
    });
    expect(saved).toMatchObject({ status: 303, leadsTo: '/account' });
    expect((await login(NEW)).status).toBe(200);
  });
});

describe('an account without a password', () => {
  let codeless: Account;
  let mine: string;
  beforeEach(async () => {
    codeless = await fixture.account('member');
    mine = await fixture.signIn(codeless);
  });
  const askForCode = (as = mine) => callApi('POST', '/api/auth/password/code', { token: as });

  test('sets its first with a code of the same session', async () => {
    const other = await fixture.signIn(codeless);
    expect((await change({ newPassword: NEW }, mine)).body.code).toBe('code_required');
    expect((await askForCode()).body.message).toContain(`We have sent a code to ${codeless.email}.`);
    const code = await fixture.codeFor(codeless.email);
    // Not with the code of another session, and not for a sign-in.
    expect((await change({ newPassword: NEW, code }, other)).body.code).toBe('invalid_code');
    const body = { email: codeless.email, code };
    expect((await callApi('POST', '/api/auth/verify', { body })).body.code).toBe('invalid_code');

    expect(
      (await change({ newPassword: NEW, code: ` ${code.slice(0, 3)} ${code.slice(3)}` }, mine)).status,
    ).toBe(200);
    expect(await isSignedIn(other)).toBe(false);
    expect((await login(NEW, codeless.email)).status).toBe(200);
    expect(await auditOf(codeless.id)).toContain('account.set_password');
    expect(await askForCode()).toMatchObject({ status: 409, body: { code: 'has_password' } });
  });

  test('loses its code after five wrong tries', async () => {
    await askForCode();
    const code = await fixture.codeFor(codeless.email);
    const wrong = code === '000000' ? '000001' : '000000';
    for (let round = 0; round < 5; round += 1)
      expect((await change({ newPassword: NEW, code: wrong }, mine)).status).toBe(422);
    expect((await change({ newPassword: NEW, code }, mine)).body.code).toBe('invalid_code');
  });

  test('does so on the account page without scripts', async () => {
    expect((await site.get('/account', mine)).text).toContain('Your account has no password.');
    expect(await site.post('/account', mine, { intent: 'passwordCode' })).toMatchObject({ status: 303 });
    const code = await fixture.codeFor(codeless.email);
    const saved = await site.post('/account', mine, { intent: 'password', code, newPassword: NEW });
    expect(saved).toMatchObject({ status: 303, leadsTo: '/account' });
    expect((await login(NEW, codeless.email)).status).toBe(200);
  });
});

test('a registration refuses own words, and words of its address', async () => {
  for (const password of ['packwatch2026', 'Waterflower!1']) {
    const body = { email: 'misty.waterflower@example.org', password };
    expect(await callApi('POST', '/api/auth/register', { body })).toMatchObject({
      status: 422,
      body: { code: 'own_word_password', errors: { password: [expect.stringContaining('easy to guess')] } },
    });
  }
});

test('all other sessions end with one button, and with one call', async () => {
  const elsewhere = () => fixture.signIn(member);
  const [one, two] = [await elsewhere(), await elsewhere()];
  expect((await site.get('/account', token)).text).toContain('Sign out everywhere else');
  expect(await site.post('/account', token, { intent: 'revokeOthers' })).toMatchObject({ status: 303 });
  for (const ended of [one, two]) expect(await isSignedIn(ended)).toBe(false);
  await elsewhere();
  expect(await callApi('DELETE', '/api/auth/sessions', { token })).toMatchObject({ body: { ended: 1 } });
  expect(await isSignedIn(token)).toBe(true);
  expect((await site.get('/account', token)).text).not.toContain('Sign out everywhere else');
});

describe('guesses from many networks', () => {
  const guess = (email: string, password = 'wrong and long') =>
    callApi('POST', '/api/auth/login', { from: freshAddress(), body: { email, password } });

  test('of a password are limited per account; the same for an unknown address', async () => {
    for (const email of [member.email, 'nobody@packwatch.example']) {
      for (let round = 0; round < 50; round += 1) expect((await guess(email)).status).toBe(401);
      const refused = await guess(email, PASSWORD);
      expect(refused).toMatchObject({ status: 429, body: { code: 'account_guessed' } });
      expect(refused.body.message).toMatch(/Sign in with Discord, or try again in \d+ minutes\.$/);
    }
    expect((await guess('other@packwatch.example')).status).toBe(401);
  });

  test('of a password do not count when it is right', async () => {
    for (let round = 0; round < 52; round += 1)
      expect((await guess(member.email, PASSWORD)).status).toBe(200);
  });

  test('of a code are limited per account, but for a sign-in that Discord has authenticated', async () => {
    const guessCode = (from: string, byDiscord: boolean) =>
      runInRequest({ method: 'POST', clientAddress: freshAddress() }, () =>
        performerOf(signInOperations.verify, { viewer: null, request: new Request(SITE) })({
          email: member.email,
          code: '000000',
          browserKey: from,
          byDiscord,
        }),
      ).catch((error: unknown) => (error as DomainError).code);
    for (let round = 0; round < 40; round += 1)
      expect(await guessCode(`browser ${round}`, false)).toBe('invalid_code');
    expect(await guessCode('another', false)).toBe('rate_limited');
    expect(await guessCode('the owner', true)).toBe('invalid_code');
  });
});
