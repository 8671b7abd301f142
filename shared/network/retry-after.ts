import { SECOND } from '../clock';

/** A date of HTTP (RFC 9110, section 5.6.7): the preferred form, or the one of RFC 850. */
const HTTP_DATE = /^[A-Z][a-z]{2,8}, [A-Za-z0-9: -]{9,30} GMT$/;

/** `Retry-After` in ms (RFC 9110, section 10.2.3: seconds or a date), at most `maxMs`; null when absent or invalid. */
export function readRetryAfter(
  header: string | string[] | undefined,
  { now, maxMs }: { now: number; maxMs: number },
): number | null {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * SECOND, maxMs);
  const at = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.min(Math.max(0, at - now), maxMs);
}
