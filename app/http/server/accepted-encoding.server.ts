import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

/** The encodings that we send, the preferred one first. */
export const ENCODINGS = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Browsers send the same few headers. */
const negotiated = new LRUCache<string, Encoding>({ max: 100 });

/** The encoding for an Accept-Encoding header (RFC 9110, section 12.5.3); the smallest of those it prefers equally. */
export function encodingFor(header: string | string[] | undefined): Encoding {
  const acceptEncoding = Array.isArray(header) ? header.join() : header;
  if (acceptEncoding === undefined) return 'identity';
  const known = negotiated.get(acceptEncoding);
  if (known !== undefined) return known;
  const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } }) as {
    // @types/negotiator does not know the second argument of negotiator 1.
    encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined;
  };
  const chosen = negotiator.encoding([...ENCODINGS], { preferred: [...ENCODINGS] });
  const encoding = ENCODINGS.find((candidate) => candidate === chosen) ?? 'identity';
  negotiated.set(acceptEncoding, encoding);
  return encoding;
}
