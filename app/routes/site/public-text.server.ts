import { matchesEtag, weakEtag } from '~/http/server/etag.server';
import { NO_DOCUMENT_POLICY } from '~/http/server/security-headers.server';

/** A public text that clients cache and revalidate; 304 when unchanged. `policy`: its Content-Security-Policy. */
export function publicText(
  request: Request,
  text: string,
  contentType: string,
  policy = NO_DOCUMENT_POLICY,
): Response {
  const etag = weakEtag(text);
  const headers = { ETag: etag, 'Cache-Control': 'public, no-cache' };
  if (matchesEtag(request.headers.get('If-None-Match'), etag))
    return new Response(null, { status: 304, headers });
  return new Response(text, {
    headers: {
      ...headers,
      'Content-Type': `${contentType}; charset=utf-8`,
      'Content-Security-Policy': policy,
    },
  });
}
