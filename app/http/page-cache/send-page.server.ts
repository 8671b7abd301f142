import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { matchesEtag } from '../server/etag.server';
import {
  compressBody,
  ENCODINGS,
  type Encoding,
  type FinishedPage,
  type RenderedPage,
} from './finished-page.server';

/** A smaller response fits into one packet anyway. */
const MIN_COMPRESSED_BYTES = 1_024;

/** Browsers send the same few headers. */
const negotiated = new LRUCache<string, Encoding>({ max: 100 });

/** The encoding for an Accept-Encoding header (RFC 9110, section 12.5.3); the smallest of those it prefers equally. */
function encodingFor(header: string | string[] | undefined): Encoding {
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

/** Sends a cached page, or 304 when the client has it already. */
export function sendPage(request: IncomingMessage, response: ServerResponse, page: FinishedPage): void {
  response.setHeader('Content-Security-Policy', page.policy);
  // Browsers may cache it, and must revalidate it.
  response.setHeader('Cache-Control', 'private, no-cache');
  response.setHeader('ETag', page.etag);
  response.setHeader('Vary', 'Cookie, Accept-Encoding');
  if (matchesEtag(request.headers['if-none-match'], page.etag)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  const encoding = encodingFor(request.headers['accept-encoding']);
  const body = page.bodies[encoding];
  response.setHeader('Content-Type', page.contentType);
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  response.setHeader('Content-Length', body.byteLength);
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Sends a rendered response that is not cached: a page for one visitor, a redirect or an error page. */
export async function sendUncached(
  request: IncomingMessage,
  response: ServerResponse,
  { response: rendered, html }: RenderedPage,
): Promise<void> {
  const plain = html === undefined ? Buffer.from(await rendered.arrayBuffer()) : Buffer.from(html);
  const encoding =
    plain.byteLength < MIN_COMPRESSED_BYTES ? 'identity' : encodingFor(request.headers['accept-encoding']);
  const body = await compressBody(plain, encoding, { quick: true });
  response.statusCode = rendered.status;
  for (const [name, value] of rendered.headers) response.appendHeader(name, value);
  response.appendHeader('Vary', 'Accept-Encoding');
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  response.setHeader('Content-Length', body.byteLength);
  response.end(request.method === 'HEAD' ? undefined : body);
}
