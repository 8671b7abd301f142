import { createHash } from 'node:crypto';
import { isKnown } from '../../http/server/etag.server';
import { NO_DOCUMENT_POLICY } from '../../http/server/security-headers.server';

/** A text for machines that anybody may read and keep, as long as they ask whether it has changed; 304 when it has not. */
export function publicText(request: Request, text: string, contentType: string): Response {
  // Weak: the server compresses it for whoever takes that.
  const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  const headers = { ETag: etag, 'Cache-Control': 'public, no-cache' };
  if (isKnown(request.headers.get('If-None-Match'), etag))
    return new Response(null, { status: 304, headers });
  return new Response(text, {
    headers: {
      ...headers,
      'Content-Type': `${contentType}; charset=utf-8`,
      'Content-Security-Policy': NO_DOCUMENT_POLICY,
    },
  });
}
