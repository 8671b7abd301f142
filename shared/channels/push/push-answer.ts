import { HOUR } from '../../clock';
import { readRetryAfter } from '../../network/retry-after';
import type { Answer } from '../../outbox/outcome';
import { firstCharacters } from '../../text';

const MAX_EXPLANATION_LENGTH = 200;
/** A longer wait is not plausible. */
const MAX_RETRY_AFTER_MS = HOUR;

/**
 * The answer of a push service (RFC 8030, sections 5 and 7.3). `gone`: the subscription no longer exists, or the service
 * refuses our `key` or token for it; do not send to it again. `retry`: a temporary refusal, or no answer.
 */
export type PushAnswer = Answer<object, 'subscription' | 'key'>;

/**
 * Phrases that refuse a key or token, with any status. Apple: developer.apple.com, "Sending web push notifications in web
 * apps and browsers", `reason`. FCM: its page or JSON names the fault. Mozilla: autopush, "Error codes", `errno` 109.
 */
const KEY_REFUSED =
  /\b(?:BadJwtToken|ExpiredJwtToken|VapidPkHashMismatch|BadAuthorizationHeader|UnauthorizedRegistration|MismatchSenderId|SenderIdMismatch|sender id mismatch|VAPID credentials)\b|"errno": ?109\b/i;
/** The same for subscriptions that do not exist. Mozilla: `errno` 102, 103, 105 and 106. */
const SUBSCRIPTION_GONE =
  /\b(?:BadDeviceToken|Unregistered|NotRegistered|InvalidRegistration)\b|"errno": ?10[2356]\b/i;

/** The explanation in the JSON of a push service (Mozilla: `message`; Apple: `reason`), or in plain text. */
function explanationOf(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null) return '';
    if ('message' in body && typeof body.message === 'string') return body.message;
    return 'reason' in body && typeof body.reason === 'string' ? body.reason : '';
  } catch {
    return text.trimStart().startsWith('<') ? '' : text;
  }
}

/** Describes a failure for the monitor screen, without addresses and long tokens: an endpoint is a secret. */
export function describeAnswer(
  { host }: Pick<URL, 'host'>,
  { status, text }: { status: number; text: string },
): string {
  const explanation = firstCharacters(
    explanationOf(text)
      .replace(/(?<!\w)\w+:\/\/\S+/g, '…')
      .replace(/[\w-]{24,}/g, '…')
      .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
      .trim(),
    MAX_EXPLANATION_LENGTH,
  );
  return `${host} answered ${status}${explanation === '' ? '' : `: ${explanation}`}`;
}

/** `Retry-After` in milliseconds, at most an hour; null when absent or invalid. */
export function readRetryAfterMs(header: string | string[] | undefined, now: number): number | null {
  return readRetryAfter(header, { now, maxMs: MAX_RETRY_AFTER_MS });
}

/** Whether a status is a temporary refusal. 406: Edge's push service (WNS) uses it for 429. */
function isForNow(status: number): boolean {
  return status === 406 || status === 408 || status === 425 || status === 429 || status >= 500;
}

/**
 * Classifies the answer of a push service. 201 is the regular success, 202 an asynchronous one (RFC 8030, sections 5 and
 * 5.1). 404 and 410: the subscription expired (section 7.3, and what services send in practice). Every other refusal that names a time is temporary. 401 and 403 are about the key or the token (RFC 8292, section 4.2).
 */
export function classifyAnswer(
  endpoint: Pick<URL, 'host'>,
  {
    status,
    retryAfter,
    text,
    now,
  }: { status: number; retryAfter: string | string[] | undefined; text: string; now: number },
): PushAnswer {
  if (status >= 200 && status < 300) return { kind: 'ok', status };
  const reason = describeAnswer(endpoint, { status, text });
  if (status === 404 || status === 410) return { kind: 'gone', what: 'subscription', status, reason };
  const waitMs = readRetryAfterMs(retryAfter, now);
  if (isForNow(status) || waitMs !== null) return { kind: 'retry', status, reason, waitMs };
  if (status === 401 || status === 403 || KEY_REFUSED.test(text))
    return { kind: 'gone', what: 'key', status, reason };
  if (SUBSCRIPTION_GONE.test(text)) return { kind: 'gone', what: 'subscription', status, reason };
  return { kind: 'rejected', status, reason };
}
