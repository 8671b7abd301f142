import { SECOND } from '#shared/clock';

/** The address of the service worker. It is registered for a path without pages, so it controls none. */
const WORKER_PATH = '/push-worker.js';
const WORKER_SCOPE = '/push/';
const TIMEOUT_MS = 15 * SECOND;
/** Browsers set no limit of their own while their push service is out of reach. */
const SUBSCRIBE_LIMIT_MS = 30 * SECOND;

/** Shown when the site does not answer. */
const NOT_SENT = 'This could not be saved. Check your connection, and try again.';

/** A stored browser of the member. `endpointHash`: SHA-256 of its endpoint, base64url. */
export interface KnownDevice {
  id: string;
  endpointHash: string;
}

/**
 * Whether this browser receives notifications. `add-to-home-screen`: Safari of iPhone and iPad, which offers push only to
 * sites on the home screen (webkit.org/blog/13878). `deviceId`: the stored browser that is this one.
 */
export type PushState =
  | { is: 'unsupported' | 'add-to-home-screen' | 'denied' | 'off' }
  | { is: 'on'; deviceId: string };

/** A failure with a sentence for the member. */
export class PushFailure extends Error {}

function isSupported(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}

/** Only Safari of iPhone and iPad has `navigator.standalone`; it is false outside the home screen. */
function needsHomeScreen(): boolean {
  return 'standalone' in navigator && navigator.standalone === false;
}

function toBase64Url(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

async function hashOf(endpoint: string): Promise<string> {
  return toBase64Url(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint)));
}

async function findSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(WORKER_SCOPE);
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Reads the state of this browser, without asking for anything. */
export async function readPushState(devices: readonly KnownDevice[]): Promise<PushState> {
  if (!isSupported()) return { is: needsHomeScreen() ? 'add-to-home-screen' : 'unsupported' };
  if (Notification.permission === 'denied') return { is: 'denied' };
  const subscription = Notification.permission === 'granted' ? await findSubscription() : null;
  if (subscription === null) return { is: 'off' };
  const hash = await hashOf(subscription.endpoint);
  const device = devices.find(({ endpointHash }) => endpointHash === hash);
  return device === undefined ? { is: 'off' } : { is: 'on', deviceId: device.id };
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
  const answer = (await response.json().catch(() => ({}))) as { message?: unknown; publicKey?: unknown };
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

/** The browser's subscription for this key. One for another key is ended: push services refuse our messages to it. */
async function subscribe(
  { pushManager }: ServiceWorkerRegistration,
  publicKey: string,
): Promise<PushSubscription> {
  const existing = await pushManager.getSubscription();
  const existingKey = existing?.options.applicationServerKey ?? null;
  if (existing !== null && existingKey !== null && toBase64Url(existingKey) === publicKey) return existing;
  await existing?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
}

/**
 * Asks for permission (so: call it on a press only), subscribes this browser and stores it. `wanted`: whether the
 * preferences ask for notifications already. Throws `PushFailure`.
 */
export async function turnPushOn({ wanted }: { wanted: boolean }): Promise<void> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted')
    throw new PushFailure('The browser did not allow notifications. Press the button again, and allow them.');
  const { publicKey } = await callApi('GET', '/push/key');
  let subscription: PushSubscription;
  try {
    const work = startWorker().then((registration) => subscribe(registration, String(publicKey)));
    subscription = await within(SUBSCRIBE_LIMIT_MS, work);
  } catch {
    throw new PushFailure(
      'This browser could not reach its push service. Check your connection and the browser’s notification settings, and try again.',
    );
  }
  await callApi('POST', '/push/subscriptions', subscription);
  if (!wanted) await callApi('PUT', '/auth/preferences', { preferences: { alerts: { push: true } } });
}

/** Removes this browser from the site and ends its subscription. Throws `PushFailure`. */
export async function turnPushOff(deviceId: string): Promise<void> {
  await callApi('DELETE', `/push/subscriptions/${encodeURIComponent(deviceId)}`);
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
