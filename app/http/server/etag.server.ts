import { createHash } from 'node:crypto';

const ENTITY_TAG = /(?:W\/)?("[^"]*")/g;

/** A weak ETag of a text. It is weak because the text is sent in several encodings. */
export function weakEtag(text: string): string {
  return `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
}

/** Whether an If-None-Match header names this ETag (RFC 9110, section 13.1.2: weak comparison). */
export function matchesEtag(ifNoneMatch: string | null | undefined, etag: string): boolean {
  if (ifNoneMatch === null || ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return [...ifNoneMatch.matchAll(ENTITY_TAG)].some(([, tag]) => tag === opaque);
}

/** Whether an If-Match header names this strong ETag (RFC 9110, section 13.1.1: strong comparison). */
export function matchesStrongEtag(ifMatch: string, etag: string): boolean {
  if (ifMatch.trim() === '*') return true;
  return [...ifMatch.matchAll(ENTITY_TAG)].some(([named]) => named === etag);
}
