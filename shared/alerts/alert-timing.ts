import { DAY, HOUR, MINUTE, SECOND } from '../clock';
import { exponentialBackoffMs } from '../backoff';

/** The head start of the instant audience. */
export const FREE_DELAY_MS = 30 * SECOND;
/** An alert that is not sent this long after detection expires. */
export const ALERT_LIFETIME_MS = 10 * MINUTE;
/** An edit of a posted message is tried for this long. */
export const EDIT_LIFETIME_MS = HOUR;
/** A notice stays relevant overnight. */
export const NOTICE_LIFETIME_MS = DAY;
/**
 * How long Discord may take to answer a message. It answers within a second, but during its incidents it has accepted
 * messages and answered after ten seconds and more (discord/discord-api-docs and discord.js, "Repeat messages sent while
 * API response times are high").
 */
export const DISCORD_ANSWER_MS = 30 * SECOND;
/** Longer than one request: a claim older than this belongs to a dead sender. */
export const CLAIM_LIFETIME_MS = DISCORD_ANSWER_MS + 10 * SECOND;
/** The admins are told of an alert that is not sent so long after it was due. */
export const LATE_AFTER_MS = MINUTE;
/** A notice to the admins that has not reached their webhook by then, or after so many attempts, goes by mail as well. */
export const NOTICE_MAIL_AFTER_MS = MINUTE;
export const NOTICE_MAIL_AFTER_ATTEMPTS = 3;

const MAX_BACKOFF_MS = 30 * SECOND;
/** Spreads the retries of several deliveries, always after the requested wait. */
const RATE_LIMIT_SPREAD_MS = 50;

/** 1, 2, 4, 8 … 30 s after the 1st, 2nd, 3rd … failed attempt, spread by up to a fifth either way. */
export function backoffMs(attempt: number, random: () => number = Math.random): number {
  return exponentialBackoffMs({ attempt, firstMs: SECOND, maxMs: MAX_BACKOFF_MS, random });
}

function seconds(value: unknown): number | null {
  const text = Array.isArray(value) ? value[0] : value;
  if (typeof text === 'number') return Number.isFinite(text) && text >= 0 ? text : null;
  return typeof text === 'string' && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : null;
}

/**
 * How long a 429 response requires us to wait, in milliseconds rounded up. Reads the body's `retry_after` (seconds
 * with decimals), `X-RateLimit-Reset-After` and `Retry-After` (seconds, or a date); Discord docs, "Rate limits". The
 * longest wins, except a whole-second `Retry-After` that is only the finer value rounded up. Null without a time to wait,
 * as in the responses of the edge in front of Discord, which blocks an address.
 */
export function retryAfterMs(
  headers: Record<string, string | string[] | undefined>,
  body: unknown,
  now: number,
): number | null {
  const fromBody =
    typeof body === 'object' && body !== null && 'retry_after' in body ? seconds(body.retry_after) : null;
  const fine = Math.max(fromBody ?? -1, seconds(headers['x-ratelimit-reset-after']) ?? -1);
  const coarse = seconds(headers['retry-after']) ?? -1;
  const wait =
    Number.isInteger(coarse) && fine >= 0 && coarse === Math.ceil(fine) ? fine : Math.max(fine, coarse);
  if (wait > 0) return Math.ceil(wait * SECOND);
  const date = String(headers['retry-after'] ?? '');
  const at = / GMT$/.test(date) ? Date.parse(date) : Number.NaN;
  return at > now ? at - now : null;
}

/** The required wait plus a small random spread. */
export function rateLimitWaitMs(waitMs: number, random: () => number = Math.random): number {
  return waitMs + Math.ceil(random() * RATE_LIMIT_SPREAD_MS);
}
