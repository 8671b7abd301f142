import { createHash } from 'node:crypto';
import { NO_DOCUMENT_POLICY } from './security-headers.server';

/** Whether the client has this very text already (RFC 9110, section 13.1.2: compared weakly). */
function isKnown(request: Request, etag: string): boolean {
  const given = request.headers.get('If-None-Match');
  if (given === null) return false;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return given.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag));
}

/** A text for machines that anybody may read and keep, as long as they ask whether it has changed; 304 when it has not. */
export function publicText(request: Request, text: string, contentType: string): Response {
  // Weak: the server compresses it for whoever takes that.
  const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  const headers = { ETag: etag, 'Cache-Control': 'public, no-cache' };
  if (isKnown(request, etag)) return new Response(null, { status: 304, headers });
  return new Response(text, {
    headers: {
      ...headers,
      'Content-Type': `${contentType}; charset=utf-8`,
      'Content-Security-Policy': NO_DOCUMENT_POLICY,
    },
  });
}
