import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { weakEtag } from '../server/etag.server';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Small enough for a text that is compressed once and sent many times, at little cost for the first request. */
const BROTLI_QUALITY = 6;

/** The encodings that a page is kept in, the preferred one first. */
export const ENCODINGS = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** A page that may be sent to every visitor with the same cache key, ready to be sent. */
export interface FinishedPage {
  /** Weak: the same for every encoding. */
  etag: string;
  /** Its Content-Security-Policy. */
  policy: string;
  bodies: Record<Encoding, Buffer>;
}

/** Base64 holds characters that have a meaning in a pattern. */
function escapeForPattern(nonce: string): string {
  return nonce.replace(/[+/=]/g, '\\$&');
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
    `<script\\b[^>]* nonce="${escapeForPattern(nonce)}"[^>]*>(.*?)</script>`,
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

/** Names a page's bytes and compresses them, once in each way. */
export async function finishHtml(html: string, policy: string): Promise<FinishedPage> {
  const identity = Buffer.from(html);
  const [br, zipped] = await Promise.all([
    compressBrotli(identity, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: identity.byteLength,
      },
    }),
    compressGzip(identity),
  ]);
  return { etag: weakEtag(html), policy, bodies: { br, gzip: zipped, identity } };
}

/**
 * The page of a rendered response; undefined, and the response unread, when it is meant for one visitor: it sets a cookie,
 * is no success, or has no nonce in its policy as our pages have.
 */
export async function finishPage(rendered: Response): Promise<FinishedPage | undefined> {
  const policy = rendered.headers.get('Content-Security-Policy') ?? '';
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
  if (rendered.status !== 200 || rendered.headers.has('Set-Cookie') || nonce === undefined) return undefined;
  const shared = replaceNonce(await rendered.text(), { nonce, policy });
  return finishHtml(shared.html, shared.policy);
}

/** The bytes that a page takes up. */
export function sizeOf({ bodies }: FinishedPage): number {
  return ENCODINGS.reduce((sum, encoding) => sum + bodies[encoding].byteLength, 0);
}
