import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { isKnown } from '../server/etag.server';
import { ENCODINGS, type Encoding, type RenderedPage } from './rendered-page.server';

/** Bytes; what is smaller fits into one packet anyway. */
const WORTH_COMPRESSING = 1_024;

/** Browsers send the same few. */
const negotiated = new LRUCache<string, Encoding>({ max: 100 });

/** The encoding a client takes (RFC 9110, section 12.5.3); the smallest of those it likes equally. */
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

/** Headers of a page that is rendered for everybody alike; the same whether it is rendered now or was before. */
export function renderedHeaders({ etag, policy }: Pick<RenderedPage, 'etag' | 'policy'>): [string, string][] {
  return [
    ['Content-Type', 'text/html; charset=utf-8'],
    ['Content-Security-Policy', policy],
    // Kept by the browser, and shown again only when we have said that nothing changed.
    ['Cache-Control', 'private, no-cache'],
    ['ETag', etag],
    ['Vary', 'Cookie, Accept-Encoding'],
  ];
}

/** Answers 304 if the client has the answer whose headers are set already; else false. */
function answerUnchanged(request: IncomingMessage, response: ServerResponse, etag: string): boolean {
  if (!isKnown(request.headers['if-none-match'], etag)) return false;
  response.removeHeader('Content-Type');
  response.statusCode = 304;
  response.end();
  return true;
}

/** Answers a GET or HEAD with a page of the cache, or with 304 when the client has it. */
export function sendRendered(request: IncomingMessage, response: ServerResponse, page: RenderedPage): void {
  for (const [name, value] of renderedHeaders(page)) response.setHeader(name, value);
  if (answerUnchanged(request, response, page.etag)) return;
  const encoding = encodingFor(request.headers['accept-encoding']);
  const body = page.bodies[encoding];
  if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
  response.setHeader('Content-Length', body.byteLength);
  response.end(request.method === 'HEAD' ? undefined : body);
}

const compress = promisify(gzip);

/** Answers a GET or HEAD with a page that was rendered just now, or with 304 when the client has it. */
export async function sendResponse(
  request: IncomingMessage,
  response: ServerResponse,
  rendered: Response,
): Promise<void> {
  response.statusCode = rendered.status;
  for (const [name, value] of rendered.headers) {
    if (name === 'set-cookie') response.appendHeader(name, value);
    else response.setHeader(name, value);
  }
  const etag = rendered.headers.get('ETag');
  if (rendered.status === 200 && etag !== null && answerUnchanged(request, response, etag)) return;
  let body = Buffer.from(await rendered.arrayBuffer());
  if (encodingFor(request.headers['accept-encoding']) !== 'identity' && body.byteLength > WORTH_COMPRESSING) {
    body = await compress(body);
    response.setHeader('Content-Encoding', 'gzip');
    if (!response.hasHeader('Vary')) response.setHeader('Vary', 'Accept-Encoding');
  }
  response.setHeader('Content-Length', body.byteLength);
  response.end(request.method === 'HEAD' ? undefined : body);
}
