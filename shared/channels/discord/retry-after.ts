import { SECOND } from '../../clock';

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
