import { createHash } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import { readPushState } from './push-browser';

afterEach(() => vi.unstubAllGlobals());

const ENDPOINT = 'https://push.example/a-browser';
const HASH = createHash('sha256').update(ENDPOINT).digest('base64url');

/** The site's key, and another one, as a browser has them and as the site sends them. */
const KEY = Buffer.alloc(65, 4).toString('base64url');
const OTHER_KEY = Buffer.alloc(65, 5).toString('base64url');

interface Subscription {
  endpoint: string;
  options?: { applicationServerKey: ArrayBuffer | null };
}

/** The subscription of this browser, made with a key. */
function subscriptionOf(key: string | null): Subscription {
  const applicationServerKey = key === null ? null : new Uint8Array(Buffer.from(key, 'base64url')).buffer;
  return { endpoint: ENDPOINT, options: { applicationServerKey } };
}

/** A browser with push, with the state that the code reads; Node has none. `kept`: the stored device. */
function stubBrowser(
  permission: NotificationPermission,
  subscription: Subscription | null,
  kept: string | null = null,
): void {
  vi.stubGlobal('localStorage', { getItem: () => kept });
  const registration = { pushManager: { getSubscription: async () => subscription } };
  vi.stubGlobal('window', { PushManager: class {}, Notification: class {} });
  vi.stubGlobal('Notification', { permission });
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => registration } });
}

it('a browser without push cannot receive notifications; Safari of an iPhone can from the Home Screen', async () => {
  vi.stubGlobal('window', {});
  vi.stubGlobal('navigator', { serviceWorker: {}, userAgent: 'Mozilla/5.0 (Windows NT 10.0)' });
  expect(await readPushState([], null)).toEqual({ kind: 'unsupported' });
  vi.stubGlobal('navigator', { serviceWorker: {}, standalone: false });
  expect(await readPushState([], null)).toEqual({ kind: 'add-to-home-screen' });
  const chrome = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) CriOS/120 Mobile Safari/604.1';
  vi.stubGlobal('navigator', { userAgent: chrome });
  expect(await readPushState([], null)).toEqual({ kind: 'add-to-home-screen' });
  vi.stubGlobal('navigator', { userAgent: chrome, standalone: true });
  expect(await readPushState([], null)).toEqual({ kind: 'unsupported' });
});

it('a browser is on exactly if it is allowed, subscribed, and stored for this member', async () => {
  const devices = [{ id: 'this-one', endpointHash: HASH, endedAt: null }];
  stubBrowser('granted', { endpoint: ENDPOINT });
  expect(await readPushState(devices, KEY)).toEqual({ kind: 'on', deviceId: 'this-one' });
  expect(await readPushState([{ id: 'other', endpointHash: 'x', endedAt: null }], KEY)).toEqual({
    kind: 'off',
  });
  stubBrowser('granted', null);
  expect(await readPushState(devices, KEY)).toEqual({ kind: 'off' });
  stubBrowser('default', { endpoint: ENDPOINT });
  expect(await readPushState(devices, KEY)).toEqual({ kind: 'off' });
  stubBrowser('denied', { endpoint: ENDPOINT });
  expect(await readPushState(devices, KEY)).toEqual({ kind: 'denied' });
});

it('a stored browser is lost when its subscription ended, is missing, or was made with another key', async () => {
  const devices = [{ id: 'this-one', endpointHash: HASH, endedAt: null }];
  const lost = { kind: 'lost', deviceId: 'this-one' };
  const ended = devices.map((device) => ({ ...device, endedAt: '2026-11-20T10:30:02.000Z' }));
  for (const key of [KEY, null]) {
    stubBrowser('granted', subscriptionOf(key));
    expect(await readPushState(devices, KEY)).toEqual({ kind: 'on', deviceId: 'this-one' });
    expect(await readPushState(ended, KEY)).toEqual(lost);
  }
  stubBrowser('granted', subscriptionOf(OTHER_KEY));
  expect(await readPushState(devices, KEY)).toEqual(lost);
  expect(await readPushState(devices, null)).toEqual({ kind: 'on', deviceId: 'this-one' });
  // The browser has dropped its subscription, and knows its device from before.
  stubBrowser('granted', null, HASH);
  expect(await readPushState(devices, KEY)).toEqual(lost);
  // The member removed the device elsewhere, or revoked the permission.
  expect(await readPushState([], KEY)).toEqual({ kind: 'off' });
  stubBrowser('default', null, HASH);
  expect(await readPushState(devices, KEY)).toEqual({ kind: 'off' });
});
