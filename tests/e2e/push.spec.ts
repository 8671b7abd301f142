import { readFileSync } from 'node:fs';
import type { CDPSession, Page, Worker } from 'playwright/test';
import { PRODUCT_NAME } from '#shared/brand';
import { expectNoFaults } from './page-quality';
import { enterAs } from './people';
import { expect, test, type SharedStack } from './test';

const TURN_ON = 'Turn on notifications in this browser';
const TURN_OFF = 'Turn off notifications in this browser';

interface Subscription {
  id: string;
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

async function control<Answer>(stack: SharedStack, method: string, path: string): Promise<Answer> {
  const answer = await fetch(`${stack.sandbox.origin}/control/push/${path}`, { method });
  return (await answer.json()) as Answer;
}

/** The payloads that the sandbox's push service received for a subscription, decrypted. */
async function payloadsOf(stack: SharedStack, { id }: Subscription): Promise<(string | null)[]> {
  const { messages } = await control<{ messages: { subscriptionId: string; payload: string | null }[] }>(
    stack,
    'GET',
    'messages',
  );
  return messages.filter(({ subscriptionId }) => subscriptionId === id).map(({ payload }) => payload);
}

/**
 * Chromium subscribes with a push service of Google, which a test does not reach. So `PushManager` hands out a
 * subscriptions of the sandbox's push service, one after the other, and keeps the current one as the browser would.
 */
async function stubPushManager(page: Page, ...subscriptions: Subscription[]): Promise<void> {
  await page.addInitScript((all) => {
    const KEY = 'test-push-key';
    const COUNT = 'test-push-count';
    const count = () => Number(sessionStorage.getItem(COUNT) ?? 0);
    const current = () => all[Math.min(count(), all.length) - 1];
    const subscriptionFor = (key: string) => ({
      endpoint: current()?.endpoint,
      options: {
        applicationServerKey: Uint8Array.from(
          atob(key.replaceAll('-', '+').replaceAll('_', '/')),
          (character) => character.charCodeAt(0),
        ).buffer,
      },
      toJSON: () => ({ endpoint: current()?.endpoint, expirationTime: null, keys: current()?.keys }),
      unsubscribe: async () => {
        sessionStorage.removeItem(KEY);
        return true;
      },
    });
    Object.assign(PushManager.prototype, {
      async subscribe({ applicationServerKey }: { applicationServerKey: string }) {
        sessionStorage.setItem(KEY, applicationServerKey);
        sessionStorage.setItem(COUNT, String(count() + 1));
        return subscriptionFor(applicationServerKey);
      },
      async getSubscription() {
        const key = sessionStorage.getItem(KEY);
        return key === null ? null : subscriptionFor(key);
      },
    });
  }, subscriptions);
}

/**
 * Chromium's headless shell, with which the tests run, has no notifications and denies the permission whatever is granted.
 * So the page reads the permission from here: `granted` once it was requested, or what
 * `answerPermission` sets.
 */
async function stubPermission(page: Page, permission: NotificationPermission): Promise<void> {
  await page.addInitScript((first) => {
    const status = Object.assign(new EventTarget(), { state: first });
    const set = (next: NotificationPermission) => {
      sessionStorage.setItem('test-permission', next);
      Object.assign(status, { state: next });
      status.dispatchEvent(new Event('change'));
      return next;
    };
    Object.defineProperty(Notification, 'permission', {
      get: () => sessionStorage.getItem('test-permission') ?? first,
    });
    Object.assign(Notification, { requestPermission: async () => set('granted') });
    Object.assign(navigator.permissions, { query: async () => status });
    Object.assign(window, { answerPermission: set });
  }, permission);
}

/** Keeps what the worker shows in a list, for the same reason. */
function stubNotifications(worker: Worker): Promise<void> {
  return worker.evaluate(() => {
    const { registration } = self as unknown as { registration: ServiceWorkerRegistration };
    const shown: (NotificationOptions & { title: string })[] = [];
    Object.assign(registration, {
      async showNotification(title: string, options: NotificationOptions) {
        shown.push({ ...options, title });
      },
      getNotifications: async ({ tag }: { tag?: string } = {}) =>
        shown.filter((one) => tag === undefined || one.tag === tag),
    });
  });
}

/** Delivers a push message to the page's service worker, as the browser's push service would. */
async function deliver(session: CDPSession, origin: string, data: string): Promise<void> {
  const registrationId = await new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ isDeleted }) => !isDeleted);
      if (found !== undefined) resolve(found.registrationId);
    });
    void session.send('ServiceWorker.enable');
  });
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
  await session.send('ServiceWorker.disable');
}

/** What the worker shows now. */
function shownNotifications(worker: Worker) {
  return worker.evaluate(async () => {
    const { registration } = self as unknown as { registration: ServiceWorkerRegistration };
    const shown = await registration.getNotifications();
    return shown.map(({ title, body, tag, data }) => ({ title, body, tag, url: data?.url as unknown }));
  });
}

/**
 * Clicks a notification that leads to an address. The browser lets a worker open a window for a real click alone, which a
 * test cannot make, so `openWindow` is replaced. Returns the address that the worker wanted to open.
 */
function clickNotification(worker: Worker, url: unknown): Promise<string> {
  return worker.evaluate((address) => {
    const scope = self as unknown as {
      clients: { openWindow(target: string): Promise<null> };
      ExtendableEvent: new (type: string) => Event;
      dispatchEvent(event: Event): boolean;
    };
    const notification = { data: { url: address }, close: () => undefined };
    return new Promise<string>((resolve) => {
      scope.clients.openWindow = (target) => {
        resolve(target);
        return Promise.resolve(null);
      };
      scope.dispatchEvent(Object.assign(new scope.ExtendableEvent('notificationclick'), { notification }));
    });
  }, url);
}

/** Notifies the worker that the browser has replaced its subscription, as browsers do when keys or endpoints expire. */
function renewSubscription(worker: Worker, { endpoint, keys }: Subscription): Promise<void> {
  return worker.evaluate(
    (newSubscription) => {
      const scope = self as unknown as {
        ExtendableEvent: new (type: string) => Event;
        dispatchEvent(event: Event): boolean;
      };
      const event = new scope.ExtendableEvent('pushsubscriptionchange');
      scope.dispatchEvent(Object.assign(event, { newSubscription }));
    },
    { endpoint, keys },
  );
}

async function subscribe(stack: SharedStack): Promise<Subscription> {
  const { subscriptions } = await control<{ subscriptions: [Subscription] }>(stack, 'POST', 'subscriptions');
  return subscriptions[0];
}

test('a member turns notifications on, receives one, and turns them off again @own-context', async ({
  page,
  context,
  stack,
}) => {
  await enterAs(page, stack, 'member');
  await stubPermission(page, 'default');
  const subscription = await subscribe(stack);
  await stubPushManager(page, subscription);

  await page.goto('/account');
  await page.getByRole('button', { name: TURN_ON }).click();
  await expect(page.getByRole('button', { name: TURN_OFF })).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'Alerts as notifications' })).toBeChecked();
  await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(1);
  await page.reload();
  await expect(page.getByRole('button', { name: TURN_OFF })).toBeVisible();
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
  await expectNoFaults(page);

  await page.getByRole('button', { name: 'Send me a test' }).click();
  await expect.poll(() => payloadsOf(stack, subscription), { timeout: 60_000 }).toHaveLength(1);
  const [payload] = await payloadsOf(stack, subscription);
  const [worker] = context.serviceWorkers();
  if (worker === undefined) throw new Error('there is no service worker');
  await stubNotifications(worker);
  const session = await context.newCDPSession(page);
  await deliver(session, stack.siteUrl, payload ?? '');
  await expect.poll(() => shownNotifications(worker)).toHaveLength(1);
  expect(await shownNotifications(worker)).toEqual([
    {
      title: `Test: alerts from ${PRODUCT_NAME} reach you`,
      body: 'Nothing has opened. This is the test that you requested.',
      tag: 'test',
      url: `${stack.siteUrl}/account`,
    },
  ]);
  expect(await clickNotification(worker, `${stack.siteUrl}/restock/x`)).toBe(`${stack.siteUrl}/restock/x`);
  for (const foreign of ['https://evil.example/', 'javascript:alert(1)', null])
    expect(await clickNotification(worker, foreign)).toBe(`${stack.siteUrl}/`);
  await deliver(session, stack.siteUrl, 'no JSON');
  await expect
    .poll(async () => (await shownNotifications(worker)).map(({ title }) => title))
    .toContain('A new alert');

  await page.getByRole('button', { name: TURN_OFF }).click();
  await expect(page.getByRole('button', { name: TURN_ON })).toBeVisible();
  await expect(page.getByText('None of your devices receive notifications yet.')).toBeVisible();

  await renewSubscription(worker, await subscribe(stack));
  await expect(async () => {
    await page.reload();
    await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(1, { timeout: 1_000 });
  }).toPass();
});

test('a browser whose subscription ended, or was made with another key, subscribes again automatically @own-context', async ({
  page,
  stack,
}) => {
  await enterAs(page, stack, 'member');
  await stubPermission(page, 'default');
  await stubPushManager(page, await subscribe(stack), await subscribe(stack), await subscribe(stack));
  await page.goto('/account');
  await page.getByRole('button', { name: TURN_ON }).click();
  await expect(page.getByRole('button', { name: TURN_OFF })).toBeVisible();

  // The push service refuses the key once: the test says so, and the page mends it.
  await fetch(`${stack.sandbox.origin}/control/push/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      faults: [{ kind: 'status', status: 403, body: '{"reason":"VapidPkHashMismatch"}' }],
    }),
  });
  const stored = page.waitForResponse(
    (response) => response.url().endsWith('/api/push/subscriptions') && response.status() === 201,
  );
  await page.getByRole('button', { name: 'Send me a test' }).click();
  await stored;
  await expect(page.getByText('VapidPkHashMismatch')).toBeVisible();
  await expect(page.getByRole('button', { name: TURN_OFF })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(1);

  // The site's key has changed since the browser subscribed.
  const key = await page.evaluate(() => sessionStorage.getItem('test-push-key'));
  await page.evaluate(() => sessionStorage.setItem('test-push-key', `B${'A'.repeat(86)}`));
  await page.reload();
  await expect
    .poll(() => page.evaluate(() => sessionStorage.getItem('test-push-key')), { timeout: 60_000 })
    .toBe(key);
  await expect(page.getByRole('button', { name: TURN_OFF })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(1);
});

test('a browser that blocks notifications says what to do @own-context', async ({ page, stack }) => {
  await enterAs(page, stack, 'member');
  await stubPermission(page, 'denied');
  await page.goto('/account');
  await expect(page.getByText('Notifications from this site are blocked.')).toBeVisible();
  await expect(page.getByText('Set Notifications to Allow')).toBeVisible();
  await expect(page.getByText('Is this a private window?')).toBeVisible();
  await expect(page.getByRole('button', { name: TURN_ON })).toBeHidden();
  await expectNoFaults(page);
  // The member allows notifications in the browser's settings.
  await page.evaluate(() =>
    (window as unknown as { answerPermission(state: string): void }).answerPermission('default'),
  );
  await expect(page.getByRole('button', { name: TURN_ON })).toBeVisible();
});

test('without scripts, the page says what notifications need @no-scripts', async ({ page, stack }) => {
  await enterAs(page, stack, 'member');
  await page.goto('/account');
  await expect(page.getByText('Turning on notifications in a browser needs JavaScript.')).toBeVisible();
});

test('the worker is never served from an old copy, and may call this site alone', async ({ request }) => {
  const answer = await request.get('/push-worker.js');
  expect(answer.headers()).toMatchObject({
    'cache-control': 'no-cache',
    'content-security-policy': "default-src 'none'; connect-src 'self'; img-src 'self'",
  });
  expect(answer.headers()['content-type']).toContain('javascript');
  const manifest = (await (await request.get('/manifest.webmanifest')).json()) as Record<string, unknown>;
  expect(manifest).toMatchObject({ name: PRODUCT_NAME, short_name: PRODUCT_NAME, display: 'standalone' });
  expect(await answer.text()).toBe(readFileSync('public/push-worker.js', 'utf8'));
});
