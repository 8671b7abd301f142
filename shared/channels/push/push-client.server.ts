import { setTimeout as startTimer } from 'node:timers';
import webPush from 'web-push';
import { SECOND, systemClock, type Clock, HOUR } from '../../clock';
import { errorCode } from '../../network/explain-fetch-failure';
import type { PublicWeb } from '../../network/public-web.server';
import { readLimited } from '../../network/read-limited';
import { classifyAnswer, type PushAnswer } from './push-answer';
import { UNREADABLE_PUSH_KEYS, type PushKeys } from './push-keys.server';

/** At most 24 hours ahead (RFC 8292, section 2). Half of that, in case the push service's clock differs. */
const LIFETIME_MS = 12 * HOUR;
const RENEW_BEFORE_END_MS = HOUR;
/** Push endpoints come from browsers, so the number of origins has a limit. */
const MAX_ORIGINS = 200;

/** The `Authorization` header that identifies us to a push service. */
interface PushTokens {
  of(origin: string): string;
  /** After a push service refused the token of its origin. */
  forget(origin: string): void;
}

/**
 * The contact in the tokens: `https:` and `mailto:` addresses alone are allowed (RFC 8292, section 2.1), so an http
 * APP_URL, as in development, is replaced with a mail address on its host.
 */
function contactOf(subject: string): string {
  if (/^(https|mailto):/.test(subject)) return subject;
  return `mailto:webmaster@${new URL(subject).hostname}`;
}

/** Signs one token per origin and reuses it for hours: a signature costs more than the encryption of a message. */
function createPushTokens({
  keys,
  subject,
  clock,
}: {
  keys: PushKeys;
  subject: string;
  clock: Clock;
}): PushTokens {
  const contact = contactOf(subject);
  const tokens = new Map<string, { header: string; expiresAt: number }>();
  return {
    of(origin) {
      const now = clock.now();
      const cached = tokens.get(origin);
      // The token expires too late: the clock was set back.
      if (
        cached !== undefined &&
        cached.expiresAt - now > RENEW_BEFORE_END_MS &&
        cached.expiresAt - now <= LIFETIME_MS
      )
        return cached.header;
      const expiresAt = now + LIFETIME_MS;
      const { Authorization: header } = webPush.getVapidHeaders(
        origin,
        contact,
        keys.publicKey,
        keys.privateKey,
        'aes128gcm',
        Math.floor(expiresAt / SECOND),
      );
      tokens.delete(origin);
      const [oldest] = tokens.keys();
      if (tokens.size >= MAX_ORIGINS && oldest !== undefined) tokens.delete(oldest);
      tokens.set(origin, { header, expiresAt });
      return header;
    },
    forget(origin) {
      tokens.delete(origin);
    },
  };
}

/** For one request, from the connection to the last byte. Shorter than a claim. */
const PUSH_TIMEOUT_MS = 10 * SECOND;
const MAX_PAYLOAD_BYTES = 3 * 1024;
const MAX_ANSWER_BYTES = 4 * 1024;

/** A browser that receives web push, as stored. */
export interface PushTarget {
  endpoint: string;
  p256dh: string;
  auth: string;
}

export interface PushMessage {
  /** JSON for the service worker, at most 3 KB. */
  payload: string;
  /** How long the push service keeps it for a browser that is offline. */
  ttlSeconds: number;
  /** At most 32 URL-safe base64 characters: a newer message with the same topic replaces one that waits. */
  topic: string;
  /** How long the push service may take, from the connection to the last byte (default: ten seconds). */
  timeoutMs?: number;
}

export interface PushClient {
  /** Encrypts and sends one message. Never throws: it classifies faults. `signal` ends the attempt. */
  send(target: PushTarget, message: PushMessage, signal?: AbortSignal): Promise<PushAnswer>;
}

/**
 * The client of push services. Redirects are never followed.
 *
 * `keys`: null when no secret opens them; each message is then rejected with that reason. `subject`: APP_URL or a mailto
 * address, for the push services' operators (RFC 8292, section 2.1).
 */
export function createPushClient({
  keys,
  subject,
  web,
  clock = systemClock,
}: {
  keys: PushKeys | null;
  subject: string;
  web: Pick<PublicWeb, 'request'>;
  clock?: Clock;
}): PushClient {
  if (keys === null)
    return { send: async () => ({ kind: 'rejected', status: null, reason: UNREADABLE_PUSH_KEYS }) };
  const tokens = createPushTokens({ keys, subject, clock });

  return {
    async send(target, message, signal) {
      const endpoint = URL.parse(target.endpoint);
      if (endpoint === null)
        return { kind: 'rejected', status: null, reason: 'the endpoint is not an address' };
      const encrypted = encrypt(target, message, () => tokens.of(endpoint.origin));
      if ('reason' in encrypted) return { kind: 'rejected', status: null, ...encrypted };
      const attempt = new AbortController();
      const end = () => attempt.abort();
      const { timeoutMs = PUSH_TIMEOUT_MS } = message;
      const timer = startTimer(end, timeoutMs);
      signal?.addEventListener('abort', end, { once: true });
      try {
        const { statusCode, headers, body } = await web.request(endpoint, {
          method: 'POST',
          headers: encrypted.headers,
          body: encrypted.body,
          signal: attempt.signal,
        });
        // An accepted message is sent even if the rest of the response is lost.
        const isAccepted = statusCode >= 200 && statusCode < 300;
        const text = await readLimited(body, { maxBytes: MAX_ANSWER_BYTES }).catch((error: unknown) => {
          if (isAccepted) return '';
          throw error;
        });
        if (statusCode === 401 || statusCode === 403) tokens.forget(endpoint.origin);
        return classifyAnswer(endpoint, {
          status: statusCode,
          retryAfter: headers['retry-after'],
          text,
          now: clock.now(),
        });
      } catch (error) {
        if (errorCode(error) === 'ADDRESS_NOT_PUBLIC')
          return { kind: 'rejected', status: null, reason: `${endpoint.host} is not on the public internet` };
        return {
          kind: 'retry',
          status: null,
          reason: describeFault(endpoint, error, timeoutMs),
          waitMs: null,
        };
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
      }
    },
  };
}

/** Encrypts a message (RFC 8291). Returns the reason when the browser's keys or the message are invalid. */
function encrypt(
  { endpoint, p256dh, auth }: PushTarget,
  { payload, ttlSeconds, topic }: PushMessage,
  authorize: () => string,
): { headers: Record<string, string>; body: Buffer } | { reason: string } {
  if (Buffer.byteLength(payload) > MAX_PAYLOAD_BYTES)
    return { reason: `the message has more than ${MAX_PAYLOAD_BYTES} bytes` };
  try {
    const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
      TTL: ttlSeconds,
      topic,
      urgency: 'high',
      headers: { Authorization: authorize() },
    });
    const texts = Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]);
    return { headers: Object.fromEntries(texts) as Record<string, string>, body };
  } catch (error) {
    return { reason: `cannot encrypt for this browser: ${error instanceof Error ? error.message : 'fault'}` };
  }
}

function describeFault(endpoint: URL, error: unknown, timeoutMs: number): string {
  if (error instanceof Error && error.name === 'AbortError')
    return `${endpoint.host} did not answer within ${timeoutMs / SECOND} s`;
  const code = errorCode(error);
  return `${endpoint.host} did not answer${code === null ? '' : ` (${code})`}`;
}
