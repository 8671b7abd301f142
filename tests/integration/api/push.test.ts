import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#shared/clock';
import { openDatabase } from '#shared/database/connection.server';
import { ensurePushKeys, sealPushKeysAgain } from '#shared/channels/push/push-keys.server';
import { listPushSubscriptions } from '#shared/push/push-subscriptions';
import { createKeyring } from '#shared/secrets.server';
import { startSandbox, type Sandbox } from '../../../sandbox/start-sandbox';
import { callApi, createApiFixture, type ApiFixture } from './api-fixture';
import { createTestDatabase } from '../database';

let sandbox: Sandbox;
let fixture: ApiFixture;
beforeAll(async () => {
  sandbox = await startSandbox();
  fixture = await createApiFixture({ ALLOWED_PRIVATE_HOSTS: sandbox.webhookHost });
});
afterAll(async () => {
  await fixture.cleanup();
  await sandbox.close();
});

const SUBSCRIPTIONS = '/api/push/subscriptions';

/** A subscription of a new browser, as it is posted. */
function newBrowser() {
  const { endpoint, keys } = sandbox.push.subscribe();
  return { endpoint, keys };
}

describe('the push keys', () => {
  it('are made once, also by two processes at the same time, and survive a rotation of the secret', async () => {
    const { config, db, cleanup } = await createTestDatabase();
    const other = openDatabase(config);
    try {
      const old = createKeyring(['an old secret of the tests']);
      const [one, two] = await Promise.all([
        ensurePushKeys(db, old, systemClock),
        ensurePushKeys(other, old, systemClock),
      ]);
      expect(one).not.toBeNull();
      expect(two).toEqual(one);
      const stored = await db.selectFrom('push_keys').selectAll().executeTakeFirstOrThrow();
      expect(JSON.stringify(stored)).not.toContain(one?.privateKey);

      const rotated = createKeyring(['a new secret of the tests', 'an old secret of the tests']);
      expect(await sealPushKeysAgain(db, rotated)).toBe(true);
      const renewed = createKeyring(['a new secret of the tests']);
      expect(await ensurePushKeys(db, renewed, systemClock)).toEqual(one);
      expect(await ensurePushKeys(db, old, systemClock)).toBeNull();
      expect(await sealPushKeysAgain(db, old)).toBe(false);
    } finally {
      await other.destroy();
      await cleanup();
    }
  });

  it('are public in their public part, and missing with a sentence when no secret opens them', async () => {
    const token = await fixture.tokenOf('member');
    const { body } = await callApi('GET', '/api/push/key', { token });
    expect(Buffer.from(String(body.publicKey), 'base64url')).toHaveLength(65);
    const again = await callApi('GET', '/api/push/key', { token });
    expect(again.body).toEqual(body);

    const { sealed_private_key: sealed } = await fixture.db
      .selectFrom('push_keys')
      .select('sealed_private_key')
      .executeTakeFirstOrThrow();
    const seal = (value: string) =>
      fixture.db.updateTable('push_keys').set({ sealed_private_key: value }).execute();
    await seal(createKeyring(['another secret']).seal('push', 'x'));
    expect(await callApi('GET', '/api/push/key', { token })).toMatchObject({
      status: 503,
      body: { code: 'push_unavailable' },
    });
    await seal(sealed);
  });
});

describe('the subscriptions of a member', () => {
  it('are added, listed without their secrets, and removed by their member alone', async () => {
    const account = await fixture.account('pro');
    const token = await fixture.signIn(account);
    const stranger = await fixture.tokenOf('member');
    const browser = newBrowser();

    const added = await callApi('POST', SUBSCRIPTIONS, { token, body: browser });
    expect(added.status).toBe(201);
    expect(await callApi('POST', SUBSCRIPTIONS, { token, body: browser })).toMatchObject({
      status: 201,
      body: { id: added.body.id },
    });
    const { body } = await callApi('GET', SUBSCRIPTIONS, { token });
    expect(body.subscriptions).toEqual([
      { id: added.body.id, userAgent: 'api-test', createdAt: expect.any(String) as string },
    ]);
    expect((await callApi('GET', SUBSCRIPTIONS, { token: stranger })).body.subscriptions).toEqual([]);
    const [device] = await listPushSubscriptions(fixture.db, { userId: account.id });
    expect(JSON.stringify(device)).not.toContain(browser.endpoint);

    const path = `${SUBSCRIPTIONS}/${String(added.body.id)}`;
    expect((await callApi('DELETE', path, { token: stranger })).status).toBe(404);
    expect((await callApi('DELETE', path, { token })).status).toBe(200);
    expect((await callApi('DELETE', path, { token })).status).toBe(404);
  });

  it('moves with its browser to the member who signs in there next, under a new id', async () => {
    const [first, second] = [await fixture.tokenOf('member'), await fixture.tokenOf('member')];
    const browser = newBrowser();
    const before = await callApi('POST', SUBSCRIPTIONS, { token: first, body: browser });
    const after = await callApi('POST', SUBSCRIPTIONS, { token: second, body: browser });
    expect(after.body.id).not.toBe(before.body.id);
    expect((await callApi('GET', SUBSCRIPTIONS, { token: first })).body.subscriptions).toEqual([]);
    expect((await callApi('GET', SUBSCRIPTIONS, { token: second })).body.subscriptions).toHaveLength(1);
  });

  it('is the same browser in every spelling of its address', async () => {
    const token = await fixture.tokenOf('member');
    const { endpoint, keys } = newBrowser();
    const ids = new Set<unknown>();
    for (const spelling of [endpoint, ` ${endpoint}`, `${endpoint}#`, `${endpoint}#2`]) {
      const body = { endpoint: spelling, keys };
      ids.add((await callApi('POST', SUBSCRIPTIONS, { token, body })).body.id);
    }
    expect(ids.size).toBe(1);
  });

  it('refuses addresses that are not https or not public, and keys that nothing can encrypt for', async () => {
    const token = await fixture.tokenOf('member');
    const { endpoint, keys } = newBrowser();
    const wrong = {
      'endpoint http': { endpoint: 'http://203.0.113.7/push', keys },
      'endpoint private': { endpoint: 'https://127.0.0.1:9/push', keys },
      'endpoint metadata': { endpoint: 'https://169.254.169.254/push', keys },
      'endpoint user': { endpoint: 'https://me:secret@203.0.113.7/push', keys },
      'endpoint file': { endpoint: 'file:///etc/passwd', keys },
      'endpoint long': { endpoint: `https://203.0.113.7/${'x'.repeat(2_000)}`, keys },
      'keys.p256dh short': { endpoint, keys: { ...keys, p256dh: 'AAAA' } },
      'keys.p256dh point': {
        endpoint,
        keys: { ...keys, p256dh: Buffer.concat([Buffer.of(4), randomBytes(64)]).toString('base64url') },
      },
      'keys.auth': { endpoint, keys: { ...keys, auth: 'AAAA' } },
      'keys.auth trailing': { endpoint, keys: { ...keys, auth: `${keys.auth}!!` } },
      'keys.auth inside': {
        endpoint,
        keys: { ...keys, auth: `${keys.auth.slice(0, 4)} ${keys.auth.slice(4)}` },
      },
      'keys.p256dh trailing': { endpoint, keys: { ...keys, p256dh: `${keys.p256dh}$%&` } },
      'keys.p256dh padding': { endpoint, keys: { ...keys, p256dh: `${keys.p256dh}===` } },
      keys: { endpoint },
    };
    for (const [name, body] of Object.entries(wrong)) {
      const answer = await callApi('POST', SUBSCRIPTIONS, { token, body });
      expect(answer, name).toMatchObject({
        status: 422,
        body: { errors: { [name.split(' ')[0] ?? '']: [expect.any(String)] } },
      });
    }
    expect((await callApi('GET', SUBSCRIPTIONS, { token })).body.subscriptions).toEqual([]);
  });

  it('are at most 20', async () => {
    const token = await fixture.tokenOf('member');
    for (let count = 0; count < 20; count += 1)
      expect((await callApi('POST', SUBSCRIPTIONS, { token, body: newBrowser() })).status).toBe(201);
    expect(await callApi('POST', SUBSCRIPTIONS, { token, body: newBrowser() })).toMatchObject({
      status: 409,
      body: { code: 'too_many_devices' },
    });
  });
});

it('a test goes to the address, and to the devices of a member who wants notifications', async () => {
  const token = await fixture.tokenOf('pro');
  await callApi('POST', SUBSCRIPTIONS, { token, body: newBrowser() });
  expect((await callApi('GET', '/api/push/test', { token })).body).toMatchObject({ test: null });
  expect((await callApi('POST', '/api/push/test', { token })).body).toMatchObject({
    sent: { email: 1, push: 0 },
  });
  expect((await callApi('GET', '/api/push/test', { token })).body).toMatchObject({
    test: { results: [{ channel: 'email', userAgent: null, state: 'waiting', reason: null }] },
  });
  const preferences = { alerts: { email: false, push: true } };
  await callApi('PUT', '/api/auth/preferences', { token, body: { preferences } });
  expect((await callApi('POST', '/api/push/test', { token })).body).toMatchObject({
    sent: { email: 0, push: 1 },
  });
  const waiting = await fixture.db
    .selectFrom('member_deliveries')
    .select(['channel', 'status'])
    .where('alert_id', 'is', null)
    .execute();
  expect(waiting.map(({ channel }) => channel).sort()).toEqual(['email', 'push']);
});
