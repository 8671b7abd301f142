/*
 * The service worker for push alone: it shows the notifications that alerts send, and opens their pages. It is registered
 * for a path without pages and listens to no requests, so it never changes how the site loads.
 * The payload is JSON: { title, body, url, tag, at, silent }, see shared/member-alerts/send-member-alert.server.ts.
 */

/** Shown for a payload that cannot be read: browsers require a notification for each push (W3C Push API, userVisibleOnly). */
const UNREADABLE = { title: 'A new alert', body: 'Open the site to see it.' };

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('push', (event) => event.waitUntil(showMessage(readMessage(event.data))));

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data?.url));
});

// The browser or the push service replaced the subscription: the site must learn the new one.
self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event.newSubscription)));

function readMessage(data) {
  try {
    const message = data.json();
    return typeof message.title === 'string' && message.title !== '' ? message : UNREADABLE;
  } catch {
    return UNREADABLE;
  }
}

async function showMessage({ title, body, url, tag = 'alert', at, silent = false }) {
  const shown = await self.registration.getNotifications({ tag });
  await self.registration.showNotification(title, {
    body,
    tag,
    // A message that was sent twice makes one sound; the next alert with the same tag makes its own.
    renotify: !silent && !shown.some(({ data }) => data?.at === at),
    silent,
    requireInteraction: true,
    icon: '/apple-touch-icon.png',
    timestamp: Date.parse(at) || Date.now(),
    data: { url, at },
  });
}

/** The page of a notification; the home page instead of another site's. */
function pageOf(url) {
  const { origin } = self.location;
  const page = typeof url === 'string' && URL.canParse(url, origin) ? new URL(url, origin) : null;
  return page?.origin === origin ? page.href : `${origin}/`;
}

/** Shows the tab that has the page open, or opens one. */
async function openPage(url) {
  const page = pageOf(url);
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = tabs.find((tab) => tab.url === page);
  await (open === undefined ? self.clients.openWindow(page) : open.focus());
}

async function renew(newSubscription) {
  const subscription = newSubscription ?? (await subscribeAgain());
  await fetch('/api/push/subscriptions', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(subscription),
  });
}

async function subscribeAgain() {
  const response = await fetch('/api/push/key');
  const { publicKey } = await response.json();
  return self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
}
