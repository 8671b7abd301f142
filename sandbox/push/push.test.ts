import webPush from 'web-push';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../start-sandbox';

const HOUR_SECONDS = 60 * 60;
const keys = webPush.generateVAPIDKeys();

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

interface Variation {
  subject?: string;
  audience?: string;
  expiresInSeconds?: number;
  signedBy?: { publicKey: string; privateKey: string };
  headers?: Record<string, string | null>;
  body?: Uint8Array<ArrayBuffer>;
}

/** Pushes "hello" to a new subscription, or to `to`, with these differences. Returns the response's status. */
async function push(
  { subject = 'https://site.example', audience, expiresInSeconds = HOUR_SECONDS, ...rest }: Variation = {},
  to = sandbox.push.subscribe(),
): Promise<number> {
  const { signedBy = keys, headers = {}, body } = rest;
  const { Authorization } = webPush.getVapidHeaders(
    audience ?? sandbox.origin,
    subject,
    signedBy.publicKey,
    signedBy.privateKey,
    'aes128gcm',
    Math.floor(Date.now() / 1_000) + expiresInSeconds,
  );
  const request = webPush.generateRequestDetails(to, 'hello', { TTL: 60, headers: { Authorization } });
  const sent = new Headers(
    Object.entries(request.headers ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
  );
  for (const [name, value] of Object.entries(headers)) {
    if (value === null) sent.delete(name);
    else sent.set(name, value);
  }
  sent.delete('Content-Length');
  const content = body ?? new Uint8Array(request.body ?? []);
  const response = await fetch(to.endpoint, { method: 'POST', headers: sent, body: content });
  return response.status;
}

test('a push is accepted, decrypted and listed', async () => {
  const subscription = sandbox.push.subscribe();
  expect(await push({ headers: { Topic: 'news' } }, subscription)).toBe(201);
  expect(sandbox.push.messages()).toMatchObject([
    { subscriptionId: subscription.id, payload: 'hello', ttlSeconds: 60, topic: 'news' },
  ]);
});

test('a push without its headers, or with a false token, is refused', async () => {
  const refused: [number, Variation][] = [
    [400, { headers: { TTL: null } }],
    [400, { headers: { Topic: 'no topic!' } }],
    [413, { body: new Uint8Array(4_097) }],
    [415, { headers: { 'Content-Encoding': null } }],
    [403, { headers: { Authorization: null } }],
    [403, { headers: { Authorization: 'vapid t=a.b.c, k=d' } }],
    [403, { audience: 'https://push.example' }],
    [403, { expiresInSeconds: -1 }],
    [403, { signedBy: { ...keys, privateKey: webPush.generateVAPIDKeys().privateKey } }],
  ];
  for (const [status, variation] of refused)
    expect(await push(variation), JSON.stringify(variation)).toBe(status);
  expect(sandbox.push.messages()).toEqual([]);
});

test('a subscription belongs to the first key that pushes to it, and a message to its browser', async () => {
  const subscription = sandbox.push.subscribe();
  expect(await push({}, subscription)).toBe(201);
  expect(await push({ signedBy: webPush.generateVAPIDKeys() }, subscription)).toBe(403);
  const other = sandbox.push.subscribe();
  expect(await push({}, { ...other, keys: subscription.keys })).toBe(201);
  expect(sandbox.push.messages().at(-1)).toMatchObject({ subscriptionId: other.id, payload: null });
});

test('faults apply to each n-th push, and an ended subscription stays ended', async () => {
  sandbox.push.setFaults([{ kind: 'status', status: 500, persistent: true, everyNth: 3 }]);
  const statuses = [await push(), await push(), await push(), await push(), await push(), await push()];
  expect(statuses).toEqual([201, 201, 500, 201, 201, 500]);
  sandbox.push.setFaults([{ kind: 'gone', status: 404 }]);
  const subscription = sandbox.push.subscribe();
  expect([await push({}, subscription), await push({}, subscription)]).toEqual([404, 410]);
});

test('the control API subscribes browsers, lists and clears messages, and sets faults', async () => {
  const order = async (method: string, path: string, value?: unknown) => {
    const body = value === undefined ? undefined : JSON.stringify(value);
    const response = await fetch(`${sandbox.origin}/control/push/${path}`, { method, body });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const made = await order('POST', 'subscriptions', { count: 3 });
  expect(made).toMatchObject({ status: 201, body: { subscriptions: { length: 3 } } });
  expect((await order('GET', 'subscriptions')).body).toEqual(made.body);
  await push({}, sandbox.push.subscriptions()[0]);
  expect((await order('GET', 'messages')).body.messages).toMatchObject([{ payload: 'hello' }]);
  expect(await (await fetch(sandbox.origin)).text()).toContain('(no title)');
  expect((await order('DELETE', 'messages')).body.messages).toEqual([]);
  const faults = [{ kind: 'delay', ms: 5, count: 1 }];
  expect((await order('PUT', 'faults', { faults })).body).toEqual({ faults });
  expect((await order('PUT', 'faults', { faults: [{ kind: 'status', status: 200 }] })).status).toBe(400);
});
