import { createHash } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import { readPushState } from './push-browser';

afterEach(() => vi.unstubAllGlobals());

const ENDPOINT = 'https://push.example/a-browser';
const HASH = createHash('sha256').update(ENDPOINT).digest('base64url');

/** A browser with push, so far as its state is read; Node has none. */
function stubBrowser(permission: NotificationPermission, subscription: { endpoint: string } | null): void {
  const registration = { pushManager: { getSubscription: async () => subscription } };
  vi.stubGlobal('window', { PushManager: class {}, Notification: class {} });
  vi.stubGlobal('Notification', { permission });
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => registration } });
}

it('a browser without push cannot receive notifications; Safari of an iPhone can from the Home Screen', async () => {
  vi.stubGlobal('window', {});
  vi.stubGlobal('navigator', { serviceWorker: {} });
  expect(await readPushState([])).toEqual({ is: 'unsupported' });
  vi.stubGlobal('navigator', { serviceWorker: {}, standalone: false });
  expect(await readPushState([])).toEqual({ is: 'add-to-home-screen' });
});

it('a browser is on exactly if it is allowed, subscribed, and stored for this member', async () => {
  const devices = [{ id: 'this-one', endpointHash: HASH }];
  stubBrowser('granted', { endpoint: ENDPOINT });
  expect(await readPushState(devices)).toEqual({ is: 'on', deviceId: 'this-one' });
  expect(await readPushState([{ id: 'other', endpointHash: 'x' }])).toEqual({ is: 'off' });
  stubBrowser('granted', null);
  expect(await readPushState(devices)).toEqual({ is: 'off' });
  stubBrowser('default', { endpoint: ENDPOINT });
  expect(await readPushState(devices)).toEqual({ is: 'off' });
  stubBrowser('denied', { endpoint: ENDPOINT });
  expect(await readPushState(devices)).toEqual({ is: 'denied' });
});
