import { growingWaitMs } from '../backoff';
import { SECOND } from '../clock';

const LONGEST_BACKOFF_MS = 30 * SECOND;
/** Waits of several deliveries end apart from each other, and never early. */
const RATE_LIMIT_SPREAD_MS = 50;
const UNSAID_WAIT_MS = SECOND;

/** 1, 2, 4, 8 … 30 s after the 1st, 2nd, 3rd … failed attempt, spread by up to a fifth either way. */
export function backoffMs(attempt: number, random: () => number = Math.random): number {
  return growingWaitMs({ attempt, firstMs: SECOND, longestMs: LONGEST_BACKOFF_MS, random });
}

function seconds(value: unknown): number | null {
  const text = Array.isArray(value) ? value[0] : value;
  if (typeof text === 'number') return Number.isFinite(text) && text >= 0 ? text : null;
  return typeof text === 'string' && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : null;
}

/**
 * How long a 429 asks us to wait, in milliseconds rounded up. Asked are the body's `retry_after` (seconds with
 * decimals), `X-RateLimit-Reset-After` and `Retry-After` (seconds, or a date); Discord docs, "Rate limits".
 * The longest counts, but a whole-second `Retry-After` that is only the finer number rounded up does not.
 */
export function retryAfterMs(
  headers: Record<string, string | string[] | undefined>,
  body: unknown,
  now: number,
): number {
  const said =
    typeof body === 'object' && body !== null && 'retry_after' in body ? seconds(body.retry_after) : null;
  const fine = Math.max(said ?? -1, seconds(headers['x-ratelimit-reset-after']) ?? -1);
  const coarse = seconds(headers['retry-after']) ?? -1;
  const wait =
    Number.isInteger(coarse) && fine >= 0 && coarse === Math.ceil(fine) ? fine : Math.max(fine, coarse);
  if (wait >= 0) return Math.ceil(wait * SECOND);
  const date = String(headers['retry-after'] ?? '');
  const at = / GMT$/.test(date) ? Date.parse(date) : Number.NaN;
  return Number.isNaN(at) ? UNSAID_WAIT_MS : Math.max(0, at - now);
}

/** The asked wait and a little more. */
export function rateLimitWaitMs(waitMs: number, random: () => number = Math.random): number {
  return waitMs + Math.ceil(random() * RATE_LIMIT_SPREAD_MS);
}
