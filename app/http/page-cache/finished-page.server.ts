import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { ENCODINGS, type Encoding } from '../server/accepted-encoding.server';
import { weakEtag } from '../server/etag.server';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** A compromise: compressed once and sent many times, without much delay for the first request. */
const BROTLI_QUALITY = 6;
/** Takes about as long as gzip. */
const QUICK_BROTLI_QUALITY = 4;

/** A cached page, ready to be sent to every visitor with the same cache key. */
export interface FinishedPage {
  /** Weak: the same for every encoding. */
  etag: string;
  contentType: string;
  /** Its Content-Security-Policy. */
  policy: string;
  bodies: Record<Encoding, Buffer>;
}

/** A page that Remix has rendered. */
export interface RenderedPage {
  response: Response;
  /** The text of a page, instead of the response's body. */
  html?: string | undefined;
}

/**
 * Replaces the nonce in a page's HTML and policy by the hashes of its inline scripts, so that the same bytes may be sent
 * again: a nonce that is sent twice protects nothing (w3.org/TR/CSP3, section 8.2).
 */
export function replaceNonce(
  html: string,
  { nonce, policy }: { nonce: string; policy: string },
): { html: string; policy: string } {
  const inlineScript = new RegExp(
    `<script\\b[^>]* nonce="${nonce.replace(/[+/=]/g, '\\$&')}"[^>]*>(.*?)</script>`,
    'gs',
  );
  const hashes = new Set<string>();
  for (const [, script = ''] of html.matchAll(inlineScript)) {
    if (script !== '') hashes.add(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  }
  return {
    html: html.replaceAll(` nonce="${nonce}"`, ''),
    policy: policy.replace(`'nonce-${nonce}'`, [...hashes].join(' ')),
  };
}

/** Compresses a page. `quick`: for a single response. */
export function compressBody(
  body: Buffer,
  encoding: Encoding,
  { quick }: { quick: boolean },
): Promise<Buffer> {
  if (encoding === 'identity') return Promise.resolve(body);
  if (encoding === 'gzip') return compressGzip(body);
  return compressBrotli(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quick ? QUICK_BROTLI_QUALITY : BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
    },
  });
}

const HTML = 'text/html; charset=utf-8';

/** Computes the ETag of a page and compresses it once per encoding. */
export async function finishText(
  text: string,
  { policy, contentType = HTML }: { policy: string; contentType?: string },
): Promise<FinishedPage> {
  const identity = Buffer.from(text);
  const [br, zipped] = await Promise.all([
    compressBody(identity, 'br', { quick: false }),
    compressBody(identity, 'gzip', { quick: false }),
  ]);
  return { etag: weakEtag(text), contentType, policy, bodies: { br, gzip: zipped, identity } };
}

/** Turns a response into a cacheable page; undefined, unread, if it sets a cookie, is no 200, or is HTML without a nonce. */
export async function finishPage({ response, html }: RenderedPage): Promise<FinishedPage | undefined> {
  const policy = response.headers.get('Content-Security-Policy') ?? '';
  if (response.status !== 200 || response.headers.has('Set-Cookie')) return undefined;
  const contentType = response.headers.get('Content-Type') ?? HTML;
  if (contentType.startsWith('application/json'))
    return finishText(await response.text(), { policy, contentType });
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
  if (nonce === undefined) return undefined;
  const shared = replaceNonce(html ?? (await response.text()), { nonce, policy });
  return finishText(shared.html, { policy: shared.policy });
}

/** The bytes that a page takes up. */
export function sizeOf({ bodies }: FinishedPage): number {
  return ENCODINGS.reduce((sum, encoding) => sum + bodies[encoding].byteLength, 0);
}
