import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import webPush from 'web-push';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSandbox, type Sandbox } from '../../../sandbox/start-sandbox';
import { DAY, HOUR, SECOND } from '../../../shared/clock';
import { createPublicWeb, type PublicWeb } from '../../../shared/network/public-web.server';
import {
  createPushClient,
  type PushMessage,
  type PushTarget,
} from '../../../shared/channels/push/push-client.server';
import { UNREADABLE_PUSH_KEYS } from '../../../shared/channels/push/push-keys.server';

const MESSAGE: PushMessage = { payload: '{"title":"Öffnung ⚡"}', ttlSeconds: 600, topic: 'alert-1' };
const keys = webPush.generateVAPIDKeys();

let sandbox: Sandbox;
let web: PublicWeb;
let now = Date.now();

function client(subject = 'https://packwatch.example') {
  return createPushClient({ keys, subject, web, clock: { now: () => now } });
}

function subscribe(): PushTarget & { id: string } {
  const { id, endpoint, keys } = sandbox.push.subscribe();
  return { id, endpoint, ...keys };
}

beforeAll(async () => {
  sandbox = await startSandbox();
  web = createPublicWeb({ allowedPrivateHosts: [new URL(sandbox.origin).host] });
});
afterAll(async () => {
  await web.close();
  await sandbox.close();
});
beforeEach(() => {
  sandbox.reset();
  now = Date.now();
});

describe('the push client', () => {
  it('sends a message that only the browser can read, with its lifetime, topic and urgency', async () => {
    const target = subscribe();
    expect(await client().send(target, MESSAGE)).toEqual({ kind: 'ok', status: 201 });
    expect(sandbox.push.messages()).toEqual([
      expect.objectContaining({
        subscriptionId: target.id,
        ttlSeconds: 600,
        urgency: 'high',
        topic: 'alert-1',
        payload: MESSAGE.payload,
      }),
    ]);
  });

  it('names a mail address as contact where the site has no https address', async () => {
    expect(await client('http://localhost:3000').send(subscribe(), MESSAGE)).toMatchObject({ kind: 'ok' });
  });

  it('signs a new token before the old one ends, and after the clock was set back', async () => {
    const sender = client();
    now -= 2 * DAY;
    expect(await sender.send(subscribe(), MESSAGE)).toMatchObject({ kind: 'gone', what: 'key', status: 403 });
    now += 2 * DAY;
    expect(await sender.send(subscribe(), MESSAGE)).toMatchObject({ kind: 'ok' });
    now += 11.5 * HOUR;
    expect(await sender.send(subscribe(), MESSAGE)).toMatchObject({ kind: 'ok' });
    now -= 11.5 * HOUR;
    expect(await sender.send(subscribe(), MESSAGE)).toMatchObject({ kind: 'ok' });
  });

  it.each([
    [
      { kind: 'gone', status: 410 },
      { kind: 'gone', status: 410 },
    ],
    [
      { kind: 'gone', status: 404 },
      { kind: 'gone', status: 404 },
    ],
    [
      { kind: 'status', status: 429, retryAfter: 7 },
      { kind: 'retry', status: 429, waitMs: 7 * SECOND },
    ],
    [
      { kind: 'status', status: 500 },
      { kind: 'retry', status: 500, waitMs: null },
    ],
    [
      { kind: 'status', status: 413 },
      { kind: 'rejected', status: 413 },
    ],
  ] as const)('classifies %j', async (fault, answer) => {
    sandbox.push.setFaults([fault]);
    const target = subscribe();
    const result = await client().send(target, MESSAGE);
    expect(result).toMatchObject(answer);
    expect(JSON.stringify(result)).not.toContain(target.id);
    if (fault.kind === 'gone')
      expect(await client().send(target, MESSAGE)).toMatchObject({ kind: 'gone', status: 410 });
  });

  it('tries again later when the service does not answer, and rejects an address in our own network', async () => {
    sandbox.push.setFaults([{ kind: 'hang' }]);
    const ended = AbortSignal.timeout(50);
    expect(await client().send(subscribe(), MESSAGE, ended)).toMatchObject({ kind: 'retry', status: null });
    const inside = { ...subscribe(), endpoint: 'https://127.0.0.1:9/push' };
    expect(await client().send(inside, MESSAGE)).toEqual({
      kind: 'rejected',
      status: null,
      reason: '127.0.0.1:9 is not on the public internet',
    });
  });

  it('has sent a message that was accepted, although the rest of the answer is lost', async () => {
    let answers = 0;
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(201, { 'content-length': 1_000 }).write('{');
      answers += 1;
      if (answers === 1) setImmediate(() => response.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const local = createPublicWeb({ allowedPrivateHosts: [host] });
    const sender = createPushClient({ keys, subject: 'https://packwatch.example', web: local });
    try {
      const target = { ...subscribe(), endpoint: `http://${host}/push` };
      // The first connection breaks, the second answer stops.
      for (const timeoutMs of [SECOND, 200])
        expect(await sender.send(target, { ...MESSAGE, timeoutMs })).toEqual({ kind: 'ok', status: 201 });
    } finally {
      await local.close();
      server.closeAllConnections();
      server.close();
    }
  });

  it('rejects keys that cannot be used, without sending', async () => {
    const target = subscribe();
    for (const wrong of [
      { ...target, p256dh: randomBytes(65).toString('base64url') },
      { ...target, auth: '' },
      { ...target, endpoint: 'nowhere' },
    ])
      expect(await client().send(wrong, MESSAGE)).toMatchObject({ kind: 'rejected', status: null });
    const large = { ...MESSAGE, payload: 'x'.repeat(3_100) };
    expect(await client().send(target, large)).toMatchObject({ kind: 'rejected', status: null });
    const unreadable = createPushClient({ keys: null, subject: 'https://packwatch.example', web });
    expect(await unreadable.send(target, MESSAGE)).toMatchObject({ reason: UNREADABLE_PUSH_KEYS });
    expect(sandbox.push.pushes()).toBe(0);
  });
});
