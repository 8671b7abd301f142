import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Good enough for a text that is compressed once and sent many times, and quick enough to be done at once. */
const BROTLI_QUALITY = 6;

/** The encodings that a page is kept in; which one is sent is the browser's word. */
export const ENCODINGS = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** A page that is the same for everybody who asks for it in the same way, ready to be sent. */
export interface RenderedPage {
  /** Weak: the same for every encoding. */
  etag: string;
  policy: string;
  bodies: Record<Encoding, Buffer>;
}

/** Base64 has signs that mean something in a pattern. */
function escapeForPattern(nonce: string): string {
  return nonce.replace(/[+/=]/g, '\\$&');
}

/**
 * Takes a page's nonce out of its HTML and names its inline scripts by their hashes instead, so that the same bytes may
 * be sent again: a nonce that is sent twice protects nobody (w3.org/TR/CSP3, section 8.2).
 */
export function withoutNonce(html: string, nonce: string): { html: string; scriptSources: string[] } {
  const inlineScript = new RegExp(
    `<script\\b[^>]* nonce="${escapeForPattern(nonce)}"[^>]*>(.*?)</script>`,
    'gs',
  );
  const hashes = new Set<string>();
  for (const [, script = ''] of html.matchAll(inlineScript)) {
    if (script !== '') hashes.add(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  }
  return { html: html.replaceAll(` nonce="${nonce}"`, ''), scriptSources: [...hashes] };
}

/** What names a page's bytes. `policy` is its Content-Security-Policy. */
export function describePage(html: string, policy: string): Pick<RenderedPage, 'etag' | 'policy'> {
  const digest = createHash('sha256').update(html).digest('base64url');
  return { etag: `W/"${digest.slice(0, 27)}"`, policy };
}

/** Makes a page ready to be sent: compressed once in each way. */
export async function prepare(
  html: string,
  description: Pick<RenderedPage, 'etag' | 'policy'>,
): Promise<RenderedPage> {
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
  return { ...description, bodies: { br, gzip: zipped, identity } };
}

/** Bytes that a page takes up. */
export function sizeOf({ bodies }: RenderedPage): number {
  return ENCODINGS.reduce((sum, encoding) => sum + bodies[encoding].byteLength, 0);
}
