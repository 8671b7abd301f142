import { SECOND } from '../clock';
import { firstCharacters } from '../text';

const MAX_EXPLANATION_LENGTH = 200;

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

/**
 * Describes a failure for the monitor screen. Leaves out addresses and long tokens: a push service may repeat the
 * endpoint, which is a secret.
 */
export function describeAnswer(
  { host }: Pick<URL, 'host'>,
  { status, text }: { status: number; text: string },
): string {
  const explanation = firstCharacters(
    explanationOf(text)
      .replace(/\w+:\/\/\S+/g, '…')
      .replace(/[\w-]{24,}/g, '…')
      .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
      .trim(),
    MAX_EXPLANATION_LENGTH,
  );
  return `${host} answered ${status}${explanation === '' ? '' : `: ${explanation}`}`;
}

/** `Retry-After` in milliseconds (RFC 9110, section 10.2.3: seconds or a date); null when absent or invalid. */
export function readRetryAfterMs(header: string | string[] | undefined, now: number): number | null {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * SECOND;
  const at = / GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
