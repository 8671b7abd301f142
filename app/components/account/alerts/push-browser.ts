import { SECOND } from '#shared/clock';

/** The address of the service worker. It is registered for a path without pages, so it controls none. */
const WORKER_PATH = '/push-worker.js';
const WORKER_SCOPE = '/push/';
const TIMEOUT_MS = 15 * SECOND;
/** Browsers set no limit while their push service is out of reach. */
const SUBSCRIBE_LIMIT_MS = 30 * SECOND;

/** Shown when the site does not answer. */
const NOT_SENT = 'This could not be saved. Check your connection, and try again.';

/** Where this browser keeps the hash of the endpoint that it stored on the site, to know its own device again. */
const OWN_DEVICE_KEY = 'packwatch-push-device';

/** A stored browser of the member. `endpointHash`: SHA-256, base64url. `endedAt`: when its push service ended it. */
export interface KnownDevice {
  id: string;
  endpointHash: string;
  endedAt: string | null;
}

/**
 * Whether this browser receives notifications. `add-to-home-screen`: Safari of iPhone and iPad, which offers push only to
 * sites on the home screen (webkit.org/blog/13878). `deviceId`: the stored browser that is this one. `lost`: it is stored,
 * and receives nothing any more, because its subscription ended or was made with another key of the site: it must
 * subscribe again.
 */
export type PushState =
  | { kind: 'unsupported' | 'add-to-home-screen' | 'denied' | 'off' }
  | { kind: 'on' | 'lost'; deviceId: string };

/** A failure with a sentence for the member. */
export class PushFailure extends Error {}

function isSupported(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}

/** Whether this is an iPhone or iPad outside the Home Screen: only Safari has `standalone`, others name the device. */
function needsHomeScreen(): boolean {
  if ('standalone' in navigator && typeof navigator.standalone === 'boolean') return !navigator.standalone;
  return /\b(?:iPhone|iPad|iPod)\b/.test(navigator.userAgent);
}

function toBase64Url(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={0,2}$/, '');
}

async function hashOf(endpoint: string): Promise<string> {
  return toBase64Url(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint)));
}

async function findSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(WORKER_SCOPE);
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** The hash that this browser has kept; null without one, or where storage is switched off. */
function readOwnHash(): string | null {
  try {
    return localStorage.getItem(OWN_DEVICE_KEY);
  } catch {
    return null;
  }
}

function keepOwnHash(hash: string | null): void {
  try {
    if (hash === null) localStorage.removeItem(OWN_DEVICE_KEY);
    else localStorage.setItem(OWN_DEVICE_KEY, hash);
  } catch {
    // Then an ended subscription is noticed only while the browser still has it.
  }
}

/** Whether a subscription was made with another key than the site's. Some browsers do not say. */
function hasOtherKey({ options }: PushSubscription, publicKey: string | null): boolean {
  const own = options?.applicationServerKey ?? null;
  return own !== null && publicKey !== null && toBase64Url(own) !== publicKey;
}

/** Reads the state of this browser, without asking for anything. `publicKey`: the site's, if known. */
export async function readPushState(
  devices: readonly KnownDevice[],
  publicKey: string | null,
): Promise<PushState> {
  if (!isSupported()) return { kind: needsHomeScreen() ? 'add-to-home-screen' : 'unsupported' };
  if (Notification.permission === 'denied') return { kind: 'denied' };
  const subscription = Notification.permission === 'granted' ? await findSubscription() : null;
  if (Notification.permission !== 'granted') return { kind: 'off' };
  const hash = subscription === null ? readOwnHash() : await hashOf(subscription.endpoint);
  // A device that the member has removed is not stored: it stays off.
  const device = devices.find(({ endpointHash }) => endpointHash === hash);
  if (device === undefined) return { kind: 'off' };
  const lost = subscription === null || device.endedAt !== null || hasOtherKey(subscription, publicKey);
  return { kind: lost ? 'lost' : 'on', deviceId: device.id };
}

/** Calls the API. Throws `PushFailure` with the API's sentence. */
async function callApi(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) {
  const response = await fetch(`/api${path}`, {
    method,
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => {
    throw new PushFailure(NOT_SENT);
  });
  const answer = (await response.json().catch(() => ({}))) as {
    message?: unknown;
    publicKey?: unknown;
    id?: unknown;
  };
  if (response.ok || (method === 'DELETE' && response.status === 404)) return answer;
  throw new PushFailure(typeof answer.message === 'string' ? answer.message : NOT_SENT);
}

/** Registers the service worker and waits until it is active: only then may it subscribe. */
async function startWorker(): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.register(WORKER_PATH, { scope: WORKER_SCOPE });
  const worker = registration.installing ?? registration.waiting;
  if (registration.active === null && worker !== null)
    await new Promise<void>((resolve, reject) => {
      worker.addEventListener('statechange', () => {
        if (worker.state === 'activated') resolve();
        else if (worker.state === 'redundant') reject(new Error('the service worker could not start'));
      });
    });
  return registration;
}

/** Rejects when `work` takes longer than `ms`. */
function within<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('it took too long')), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** The browser's subscription for this key. One for another key is ended: it cannot get our messages. `anew`: a new one. */
async function subscribe(
  { pushManager }: ServiceWorkerRegistration,
  publicKey: string,
  anew: boolean,
): Promise<PushSubscription> {
  const existing = await pushManager.getSubscription();
  const existingKey = existing?.options.applicationServerKey ?? null;
  if (!anew && existing !== null && existingKey !== null && toBase64Url(existingKey) === publicKey)
    return existing;
  await existing?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
}

/**
 * Asks for permission (so: call it on a press only), subscribes this browser and stores it. `wanted`: whether the
 * preferences ask for notifications already. Throws `PushFailure`.
 */
export async function turnPushOn({ wanted }: { wanted: boolean }): Promise<void> {
  const permission = await Notification.requestPermission();
  // The page shows how to allow them; the button could not ask again.
  if (permission === 'denied') throw new PushFailure('The browser did not allow notifications.');
  if (permission !== 'granted')
    throw new PushFailure(
      'The browser did not allow notifications. Press the button again, and allow them. If the browser does not ask, look for a bell icon next to the address.',
    );
  await storeSubscription({ anew: false });
  if (!wanted) await callApi('PUT', '/auth/preferences', { preferences: { alerts: { push: true } } });
}

/** Subscribes this browser again in place of its lost device, without asking: it was allowed. Throws `PushFailure`. */
export async function renewPush(deviceId: string): Promise<void> {
  const { id } = await storeSubscription({ anew: true });
  if (id !== deviceId) await callApi('DELETE', `/push/subscriptions/${encodeURIComponent(deviceId)}`);
}

/** Subscribes this browser and stores it. Returns its device. Throws `PushFailure`. */
async function storeSubscription({ anew }: { anew: boolean }): Promise<{ id: unknown }> {
  const { publicKey } = await callApi('GET', '/push/key');
  let subscription: PushSubscription;
  try {
    const work = startWorker().then((registration) => subscribe(registration, String(publicKey), anew));
    subscription = await within(SUBSCRIBE_LIMIT_MS, work);
  } catch {
    throw new PushFailure(
      'This browser could not reach its push service. Check your connection and the browser’s notification settings, and try again.',
    );
  }
  const { id } = await callApi('POST', '/push/subscriptions', subscription);
  keepOwnHash(await hashOf(subscription.endpoint));
  return { id };
}

/** Removes this browser from the site and ends its subscription. Throws `PushFailure`. */
export async function turnPushOff(deviceId: string): Promise<void> {
  await callApi('DELETE', `/push/subscriptions/${encodeURIComponent(deviceId)}`);
  keepOwnHash(null);
  const subscription = await findSubscription();
  // The site has removed it; a subscription that stays receives nothing.
  await subscription?.unsubscribe().catch(() => false);
}

/** Calls `onChange` when the member changes the permission in the browser's settings. Returns how to stop. */
export function watchPermission(onChange: () => void): () => void {
  let status: PermissionStatus | null = null;
  let stopped = false;
  navigator.permissions
    ?.query({ name: 'notifications' })
    .then((found) => {
      if (stopped) return;
      status = found;
      status.addEventListener('change', onChange);
    })
    .catch(() => undefined);
  return () => {
    stopped = true;
    status?.removeEventListener('change', onChange);
  };
}
