import type { AnswerHeaders } from '../http/app';

/** Observed by many: five posts per webhook in two seconds; only shown in the headers, never counted here. */
const SHOWN_LIMIT = 5;

/** Timers may fire slightly early: a caller that waited as long as asked must not be refused for the last fraction. */
const TOLERANCE_MS = 2;

export interface Limit {
  /** Epoch milliseconds at which requests are welcome again. */
  until: number;
  global: boolean;
  scope: 'user' | 'global' | 'shared';
}

export interface TooManyRequests {
  body: { message: string; retry_after: number; global: boolean };
  headers: AnswerHeaders;
}

/** Whether a limit still holds at this moment (epoch milliseconds). */
export function stillHolds(limit: Limit | null, now: number): limit is Limit {
  return limit !== null && now < limit.until - TOLERANCE_MS;
}

/**
 * Discord's answer with status 429: `retry_after` in seconds with a fraction in the body, whole seconds (rounded
 * up) in `Retry-After`. Source: Discord docs, "Rate Limits › Exceeding A Rate Limit".
 * @param now epoch milliseconds
 */
export function tooManyRequests(limit: Limit, webhookId: string, now: number): TooManyRequests {
  const seconds = Math.max(1, Math.ceil(limit.until - now)) / 1_000;
  const headers: AnswerHeaders = {
    'retry-after': String(Math.ceil(seconds)),
    'x-ratelimit-scope': limit.scope,
  };
  if (limit.global) {
    headers['x-ratelimit-global'] = 'true';
  } else {
    headers['x-ratelimit-limit'] = String(SHOWN_LIMIT);
    headers['x-ratelimit-remaining'] = '0';
    headers['x-ratelimit-reset'] = (limit.until / 1_000).toFixed(3);
    headers['x-ratelimit-reset-after'] = seconds.toFixed(3);
    headers['x-ratelimit-bucket'] = `sandbox-${webhookId}`;
  }
  const message = 'You are being rate limited.';
  return { body: { message, retry_after: seconds, global: limit.global }, headers };
}
