const ENTITY_TAG = /(?:W\/)?("[^"]*")/g;

/**
 * Whether the client has this very answer already: `ifNoneMatch` is its header, `etag` the answer's (RFC 9110, section
 * 13.1.2: compared weakly).
 */
export function isKnown(ifNoneMatch: string | null | undefined, etag: string): boolean {
  if (ifNoneMatch === null || ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return [...ifNoneMatch.matchAll(ENTITY_TAG)].some(([, given]) => given === opaque);
}
