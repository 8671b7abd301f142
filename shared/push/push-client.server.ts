import { setTimeout as startTimer } from 'node:timers';
import { request } from 'undici';
import webPush from 'web-push';
import { SECOND, systemClock, type Clock } from '../clock';
import { errorCode } from '../network/explain-fetch-failure';
import type { PublicWeb } from '../network/public-web.server';
import { readLimited } from '../network/read-limited';
import { describeAnswer, readRetryAfterMs } from './push-answer';
import { UNREADABLE_PUSH_KEYS, type PushKeys } from './push-keys.server';
import { createPushTokens } from './push-tokens.server';

/** One request, from the connection to the last byte. Shorter than a claim lasts. */
const PUSH_TIMEOUT_MS = 10 * SECOND;
const MAX_PAYLOAD_BYTES = 3 * 1024;
const MAX_ANSWER_BYTES = 4 * 1024;

/** A browser that receives web push, as stored. */
export interface PushTarget {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** What a push service answered (RFC 8030, sections 5 and 7.3). `gone`: the subscription ended and must be deleted. */
export type PushAnswer =
  | { is: 'ok'; status: number }
  | { is: 'gone'; status: number; reason: string }
  | { is: 'retry'; status: number | null; reason: string; waitMs: number | null }
  | { is: 'rejected'; status: number | null; reason: string };

export interface PushMessage {
  /** JSON for the service worker, at most 3 KB. */
  payload: string;
  /** How long the push service keeps it for a browser that is offline. */
  ttlSeconds: number;
  /** At most 32 URL-safe base64 characters: a newer message with the same topic replaces one that waits. */
  topic: string;
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
  web: Pick<PublicWeb, 'dispatcher'>;
  clock?: Clock;
}): PushClient {
  if (keys === null)
    return { send: async () => ({ is: 'rejected', status: null, reason: UNREADABLE_PUSH_KEYS }) };
  const tokens = createPushTokens({ keys, subject, clock });

  return {
    async send(target, message, signal) {
      const endpoint = URL.parse(target.endpoint);
      if (endpoint === null) return { is: 'rejected', status: null, reason: 'the endpoint is no address' };
      const encrypted = encrypt(target, message, () => tokens.of(endpoint.origin));
      if ('reason' in encrypted) return { is: 'rejected', status: null, ...encrypted };
      const attempt = new AbortController();
      const end = () => attempt.abort();
      const timer = startTimer(end, PUSH_TIMEOUT_MS);
      signal?.addEventListener('abort', end, { once: true });
      try {
        const { statusCode, headers, body } = await request(endpoint, {
          dispatcher: web.dispatcher,
          method: 'POST',
          headers: encrypted.headers,
          body: encrypted.body,
          signal: attempt.signal,
        });
        const text = await readLimited(body, { maxBytes: MAX_ANSWER_BYTES });
        if (statusCode === 401 || statusCode === 403) tokens.forget(endpoint.origin);
        return classifyAnswer(endpoint, { status: statusCode, headers, text, now: clock.now() });
      } catch (error) {
        if (errorCode(error) === 'ADDRESS_NOT_PUBLIC')
          return { is: 'rejected', status: null, reason: `${endpoint.host} is not on the public internet` };
        return { is: 'retry', status: null, reason: describeFault(endpoint, error), waitMs: null };
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

/**
 * 201 is the regular success, 202 an asynchronous one (RFC 8030, sections 5 and 5.1). 404 and 410: the subscription
 * expired (section 7.3, and what services send in practice). 429 with Retry-After: section 8.4.
 */
function classifyAnswer(
  endpoint: URL,
  {
    status,
    headers,
    text,
    now,
  }: { status: number; headers: Record<string, string | string[] | undefined>; text: string; now: number },
): PushAnswer {
  if (status >= 200 && status < 300) return { is: 'ok', status };
  const reason = describeAnswer(endpoint, { status, text });
  if (status === 404 || status === 410) return { is: 'gone', status, reason };
  if (status === 429 || status === 408 || status >= 500)
    return { is: 'retry', status, reason, waitMs: readRetryAfterMs(headers['retry-after'], now) };
  return { is: 'rejected', status, reason };
}

function describeFault(endpoint: URL, error: unknown): string {
  if (error instanceof Error && error.name === 'AbortError')
    return `${endpoint.host} did not answer within ${PUSH_TIMEOUT_MS / SECOND} s`;
  const code = errorCode(error);
  return `${endpoint.host} did not answer${code === null ? '' : ` (${code})`}`;
}
