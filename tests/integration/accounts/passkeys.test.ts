import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Account, Viewer } from '#shared/accounts/account';
import { passkeyOperations, passkeySignInOperations } from '#shared/accounts/passkeys/passkey-operations';
import { MAX_PASSKEYS } from '#shared/accounts/passkeys/passkeys';
import { passwordOperations } from '#shared/accounts/passwords/password-operations';
import { purgeExpired } from '#shared/accounts/purge-expired';
import { createSession, findViewer } from '#shared/accounts/sessions';
import { MINUTE, SECOND, toIso } from '#shared/clock';
import type { Client } from '#shared/operation';
import { SoftwareAuthenticator, type Forgery } from '../../software-authenticator';
import {
  createAccountsFixture,
  EMAIL,
  NETWORK,
  PASSKEYS,
  PASSWORD,
  refusalOf,
  type AccountsFixture,
} from './accounts-fixture';

const CHROME = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';
const client: Client = { network: NETWORK, userAgent: CHROME, earlierSignIns: [] };
const browserKey = 'the key of a browser';

let fixture: AccountsFixture;
let account: Account;
let owner: Viewer & Client;
beforeEach(async () => {
  fixture = await createAccountsFixture();
  account = await fixture.member();
  owner = await ownerOf(account);
  await fixture.sendDueMails();
});
afterEach(() => fixture.cleanup());

async function ownerOf({ id }: Account): Promise<Viewer & Client> {
  const { db, clock } = fixture;
  const { token } = await createSession(db, { accountId: id, userAgent: CHROME, clock });
  const viewer = await findViewer(db, { token, clock });
  if (viewer === null) throw new Error('the account is not signed in');
  return { ...viewer, ...client };
}

const startAdding = (proof: { currentPassword?: string; code?: string } = { currentPassword: PASSWORD }) =>
  passkeyOperations.startAdding.run(fixture.context, owner, proof);
const sendNew = (response: string, as = owner) =>
  passkeyOperations.add.run(fixture.context, as, { response });

async function added(authenticator = new SoftwareAuthenticator()): Promise<SoftwareAuthenticator> {
  await sendNew(authenticator.create(await startAdding()));
  return authenticator;
}

const start = (key = browserKey) =>
  passkeySignInOperations.start.run(fixture.context, client, { browserKey: key });
const sendSignIn = (response: string, key = browserKey) =>
  passkeySignInOperations.signIn.run(fixture.context, client, { browserKey: key, response });
const signIn = async (authenticator: SoftwareAuthenticator, forgery: Forgery = {}) =>
  sendSignIn(authenticator.signIn(await start(), forgery));

const rows = () => fixture.db.selectFrom('passkeys').selectAll().orderBy('created_at').execute();
const subjects = async () => (await fixture.sendDueMails()).map(({ subject }) => subject);
const codeOf = async (work: Promise<unknown>) => (await refusalOf(work)).code;

describe('adding', () => {
  test('takes the password, asks for a passkey without an attestation that names its account, and mails the owner', async () => {
    const options = await startAdding();
    expect(options).toMatchObject({
      rp: { id: PASSKEYS.rpId, name: 'Packwatch' },
      user: { name: EMAIL },
      attestation: 'none',
      timeout: 5 * MINUTE,
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    await sendNew(new SoftwareAuthenticator().create(options));
    expect(await rows()).toMatchObject([
      {
        user_id: account.id,
        name: 'Made in Chrome on Windows',
        counter: 0,
        last_used_at: null,
        refused_at: null,
      },
    ]);
    const [mail] = await fixture.sendDueMails();
    expect(mail).toMatchObject({ to: EMAIL, subject: 'A passkey was added to your Packwatch account' });
    expect(mail?.text).toContain('“Made in Chrome on Windows”');
    expect(mail?.text).toContain('https://packwatch.test/account#passkeys');
    const audited = await fixture.db.selectFrom('audit_log').select('action').execute();
    expect(audited).toContainEqual({ action: 'account.passkey_added' });
  });

  test('names the passkey after its authenticator', async () => {
    await added(new SoftwareAuthenticator({ aaguid: 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd' }));
    expect(await rows()).toMatchObject([{ name: expect.stringMatching(/iCloud Keychain|Apple Passwords/) }]);
  });

  test.each<[string, { currentPassword?: string; code?: string }, string]>([
    ['no password', {}, 'current_password_required'],
    ['a wrong password', { currentPassword: 'wrong and long' }, 'wrong_password'],
    ['a code instead', { code: '123456' }, 'current_password_required'],
  ])('is refused with %s', async (_name, proof, code) => {
    expect(await codeOf(startAdding(proof))).toBe(code);
  });

  test('of an account without a password takes a code of its session, once', async () => {
    await fixture.db.updateTable('users').set({ password_hash: null }).execute();
    owner = await ownerOf(account);
    expect(await codeOf(startAdding({}))).toBe('code_required');
    await passwordOperations.sendCode.run(fixture.context, owner, {});
    const code = await fixture.readCode();
    const elsewhere = await ownerOf(account);
    expect(await codeOf(passkeyOperations.startAdding.run(fixture.context, elsewhere, { code }))).toBe(
      'invalid_code',
    );
    await startAdding({ code });
    expect(await codeOf(startAdding({ code }))).toBe('invalid_code');
  });

  test.each<[string, Parameters<SoftwareAuthenticator['create']>[1]]>([
    ['another origin', { origin: 'https://packwatch.evil' }],
    ['another site', { rpId: 'evil.test' }],
    ['an authenticator that did not check its user', { verified: false }],
    ['the answer of a sign-in', { type: 'webauthn.get' }],
    [
      'a certificate, whose addresses the server would request',
      { attestation: { fmt: 'packed', attStmt: new Map([['x5c', [new Uint8Array(4)]]]) } },
    ],
    ['an unknown attestation', { attestation: { fmt: 'constructor', attStmt: new Map() } }],
  ])('refuses %s', async (_name, forgery) => {
    const request = vi.spyOn(globalThis, 'fetch');
    const response = new SoftwareAuthenticator().create(await startAdding(), forgery);
    expect(await codeOf(sendNew(response))).toBe('passkey_invalid');
    expect(request).not.toHaveBeenCalled();
    request.mockRestore();
    expect(await rows()).toEqual([]);
  });

  test('takes each challenge once, in its own session, for five minutes, and none of a sign-in', async () => {
    const options = await startAdding();
    const [first, second] = [new SoftwareAuthenticator(), new SoftwareAuthenticator()];
    expect(await codeOf(sendNew(first.create(options), await ownerOf(account)))).toBe('passkey_expired');
    await sendNew(first.create(options));
    expect(await codeOf(sendNew(second.create(options)))).toBe('passkey_expired');
    const { challenge } = await start();
    expect(await codeOf(sendNew(second.create({ ...options, challenge })))).toBe('passkey_expired');
    const late = await startAdding();
    fixture.clock.advance(5 * MINUTE);
    expect(await codeOf(sendNew(second.create(late)))).toBe('passkey_expired');
    expect(await rows()).toHaveLength(1);
  });

  test('stops at a dozen, also when two are added at the same time, and takes a passkey once', async () => {
    const authenticator = await added();
    const { excludeCredentials = [], ...options } = await startAdding();
    expect(excludeCredentials.map(({ id }) => id)).toEqual([authenticator.credentialId]);
    expect(await codeOf(sendNew(authenticator.create(options)))).toBe('passkey_exists');
    for (let count = 1; count < MAX_PASSKEYS - 1; count += 1) await added();
    const [one, other] = [await startAdding(), await startAdding()];
    const outcomes = await Promise.allSettled([
      sendNew(new SoftwareAuthenticator().create(one)),
      sendNew(new SoftwareAuthenticator().create(other)),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await codeOf(startAdding())).toBe('too_many_passkeys');
    expect(await rows()).toHaveLength(MAX_PASSKEYS);
  });
});

describe('a sign-in', () => {
  test('needs no code, notes when the passkey was used, and is told to the owner of a new browser', async () => {
    const authenticator = await added(new SoftwareAuthenticator({ counter: 7 }));
    await fixture.sendDueMails();
    fixture.clock.advance(SECOND);
    const { token, account: signedIn } = await signIn(authenticator);
    expect(signedIn.id).toBe(account.id);
    expect(await findViewer(fixture.db, { token, clock: fixture.clock })).not.toBeNull();
    expect(await rows()).toMatchObject([{ counter: 8, last_used_at: toIso(fixture.clock.now()) }]);
    expect(await subjects()).toEqual(['New sign-in to your Packwatch account']);
    const audited = await fixture.db.selectFrom('audit_log').select(['action', 'details']).execute();
    expect(audited).toContainEqual({
      action: 'account.sign_in',
      details: expect.stringContaining('"by":"passkey"'),
    });
  });

  test.each<[string, Forgery]>([
    ['another origin', { origin: 'https://packwatch.evil' }],
    ['the site over http', { origin: 'http://packwatch.test' }],
    ['another site', { rpId: 'evil.test' }],
    ['a frame of another site', { crossOrigin: true }],
    ['an authenticator that did not check its user', { verified: false }],
    ['the answer of a new passkey', { type: 'webauthn.create' }],
    ['data that was changed', { broken: true }],
    ['another account', { userHandle: Buffer.from('another').toString('base64url') }],
    ['no account', { userHandle: null }],
  ])('is refused with %s', async (_name, forgery) => {
    const authenticator = await added();
    expect(await codeOf(signIn(authenticator, forgery))).toBe('passkey_invalid');
    await signIn(authenticator);
  });

  test('is refused with the passkey of another account under one’s own name', async () => {
    const authenticator = await added();
    const stranger = await fixture.member('stranger@example.org');
    const userHandle = Buffer.from(stranger.id).toString('base64url');
    expect(await codeOf(signIn(authenticator, { userHandle }))).toBe('passkey_invalid');
  });

  test.each<[string, string]>([
    ['nothing', ''],
    ['no JSON', '{'],
    ['a list', '[]'],
    ['null', 'null'],
    ['other types', '{"id":1,"rawId":{},"type":"public-key","response":[]}'],
    [
      'names of prototypes',
      '{"__proto__":{"id":"a"},"id":"constructor","rawId":"constructor","type":"public-key","response":{"clientDataJSON":"constructor","authenticatorData":"__proto__","signature":"x"}}',
    ],
    ['deep JSON', `${'['.repeat(8_000)}${']'.repeat(8_000)}`],
  ])('is refused with %s', async (_name, response) => {
    expect(await codeOf(sendSignIn(response))).toBe('passkey_invalid');
    expect(await codeOf(sendNew(response))).toBe('passkey_invalid');
  });

  test('of an id that we do not know says so, whatever the id', async () => {
    const stranger = new SoftwareAuthenticator();
    const userHandle = 'anybody';
    expect(await codeOf(signIn(stranger, { userHandle }))).toBe('passkey_unknown');
    const named = JSON.parse(stranger.signIn(await start(), { userHandle })) as object;
    const response = JSON.stringify({ ...named, id: 'constructor', rawId: 'constructor' });
    expect(await codeOf(sendSignIn(response))).toBe('passkey_unknown');
  });

  test('takes each challenge once, from its own browser, for five minutes, and none of a new passkey', async () => {
    const authenticator = await added();
    const response = authenticator.signIn(await start());
    expect(await codeOf(sendSignIn(response, 'another browser'))).toBe('passkey_expired');
    const twice = await Promise.allSettled([sendSignIn(response), sendSignIn(response)]);
    expect(twice.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await codeOf(sendSignIn(response))).toBe('passkey_expired');

    const late = authenticator.signIn(await start());
    fixture.clock.advance(5 * MINUTE);
    expect(await codeOf(sendSignIn(late))).toBe('passkey_expired');
    const { challenge } = await startAdding();
    expect(await codeOf(signIn(authenticator, { challenge }))).toBe('passkey_expired');
    const forged = Buffer.from(`a.${fixture.clock.now()}.b`).toString('base64url');
    expect(await codeOf(signIn(authenticator, { challenge: forged }))).toBe('passkey_expired');
  });

  test('uses up its challenge even if it is refused', async () => {
    const authenticator = await added();
    const options = await start();
    expect(await codeOf(sendSignIn(authenticator.signIn(options, { broken: true })))).toBe('passkey_invalid');
    expect(await codeOf(sendSignIn(authenticator.signIn(options)))).toBe('passkey_expired');
  });

  test('of two tabs of a browser each have their own challenge', async () => {
    const authenticator = await added();
    const [first, second] = [await start(), await start()];
    await sendSignIn(authenticator.signIn(first));
    await sendSignIn(authenticator.signIn(second));
  });

  test('of a synced passkey always has the counter 0', async () => {
    const authenticator = await added();
    await signIn(authenticator);
    await signIn(authenticator);
    expect(await rows()).toMatchObject([{ counter: 0, refused_at: null }]);
  });

  test('whose counter went back is refused, marks the passkey and is told to its owner once', async () => {
    const authenticator = await added(new SoftwareAuthenticator({ counter: 10 }));
    await signIn(authenticator);
    await fixture.sendDueMails();
    authenticator.counter = 5;
    // Somebody without the key cannot have it refused.
    expect(await codeOf(signIn(authenticator, { broken: true }))).toBe('passkey_invalid');
    expect(await rows()).toMatchObject([{ counter: 11, refused_at: null }]);
    expect(await codeOf(signIn(authenticator))).toBe('passkey_refused');
    expect(await rows()).toMatchObject([{ counter: 11, refused_at: toIso(fixture.clock.now()) }]);
    expect(await subjects()).toEqual(['A sign-in to your Packwatch account was refused']);
    authenticator.counter = 50;
    expect(await codeOf(signIn(authenticator))).toBe('passkey_refused');
    expect(await subjects()).toEqual([]);
  });

  test('with the counter of the last one is refused: both copies count', async () => {
    const authenticator = await added(new SoftwareAuthenticator({ counter: 10 }));
    await signIn(authenticator);
    authenticator.counter = 10;
    expect(await codeOf(signIn(authenticator))).toBe('passkey_refused');
  });

  test('holds the largest counter', async () => {
    const authenticator = await added(new SoftwareAuthenticator({ counter: 2 ** 32 - 2 }));
    await signIn(authenticator);
    expect(await rows()).toMatchObject([{ counter: 2 ** 32 - 1 }]);
  });

  test('of a disabled account is refused, as with its password', async () => {
    const authenticator = await added();
    await fixture.db
      .updateTable('users')
      .set({ disabled_at: toIso(fixture.clock.now()) })
      .execute();
    expect(await codeOf(signIn(authenticator))).toBe('account_disabled');
    expect(await rows()).toMatchObject([{ last_used_at: null }]);
  });

  test('is not known any more once its account is deleted', async () => {
    const authenticator = await added();
    await fixture.db.deleteFrom('users').where('id', '=', account.id).execute();
    expect(await codeOf(signIn(authenticator))).toBe('passkey_unknown');
  });

  test('where the site’s address allows no passkeys says so', async () => {
    const context = { ...fixture.context, config: { ...fixture.context.config, passkeys: null } };
    const run = passkeySignInOperations.start.run(context, client, { browserKey });
    expect(await codeOf(run)).toBe('passkeys_unavailable');
  });
});

describe('a passkey', () => {
  test('is renamed and removed by its owner alone, who is told of the removal', async () => {
    const authenticator = await added();
    await fixture.sendDueMails();
    const [passkey] = await rows();
    const id = passkey?.id ?? '';
    const stranger = await ownerOf(await fixture.member('stranger@example.org'));
    await fixture.sendDueMails();
    const { rename, remove } = passkeyOperations;
    expect(await codeOf(rename.run(fixture.context, stranger, { id, name: 'Mine' }))).toBe(
      'passkey_not_found',
    );
    expect(await codeOf(remove.run(fixture.context, stranger, { id }))).toBe('passkey_not_found');
    await rename.run(fixture.context, owner, { id, name: 'My phone' });
    expect(await rows()).toMatchObject([{ name: 'My phone' }]);
    await remove.run(fixture.context, owner, { id });
    expect(await codeOf(remove.run(fixture.context, owner, { id }))).toBe('passkey_not_found');
    expect(await subjects()).toEqual(['A passkey was removed from your Packwatch account']);
    expect(await codeOf(signIn(authenticator))).toBe('passkey_unknown');
  });

  test('has a name of at most 60 visible characters', () => {
    const { input } = passkeyOperations.rename;
    for (const name of ['', '  ', '\u200b', 'x'.repeat(61), 'a\u202eb'])
      expect(input.safeParse({ id: 'an id', name }).success, JSON.stringify(name)).toBe(false);
    expect(input.parse({ id: 'an id', name: '  The  <b>blue</b> one 🔑' }).name).toBe(
      'The <b>blue</b> one 🔑',
    );
  });
});

test('challenges that were answered are kept as long as they are valid', async () => {
  await signIn(await added());
  const count = async () => (await fixture.db.selectFrom('used_challenges').select('id').execute()).length;
  expect(await count()).toBe(2);
  await purgeExpired(fixture.db, fixture.clock.now());
  expect(await count()).toBe(2);
  await purgeExpired(fixture.db, fixture.clock.now() + 5 * MINUTE + SECOND);
  expect(await count()).toBe(0);
});
