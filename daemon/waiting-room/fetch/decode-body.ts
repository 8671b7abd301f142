import { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

export interface BodyBytes {
  bytes: Buffer;
  /** False when the compression is broken or unknown. */
  intact: boolean;
  /** True when the body exceeds the limit; the rest is not read. */
  cut: boolean;
}

/**
 * Reads a body up to a limit (in bytes, after decompression). Rejects when the source fails. Broken compression does not
 * reject: `intact` is false.
 */
export async function readBody(
  source: AsyncIterable<Uint8Array>,
  contentEncoding: string,
  maxBytes: number,
): Promise<BodyBytes> {
  const encodings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  const watched = watch(source);
  // A body without encoding needs no watching: only its source can fail.
  let chunks = encodings.length === 0 ? source : watched.chunks;
  for (const encoding of encodings.reverse()) chunks = decompress(chunks, encoding);
  const kept: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of chunks) {
      kept.push(chunk.subarray(0, maxBytes - size));
      size += chunk.length;
      if (size > maxBytes) return { bytes: Buffer.concat(kept), intact: true, cut: true };
    }
    return { bytes: Buffer.concat(kept), intact: true, cut: false };
  } catch (error) {
    if (watched.failure() !== null || encodings.length === 0) throw watched.failure() ?? error;
    return { bytes: Buffer.concat(kept), intact: watched.isEmpty(), cut: false };
  }
}

/** Passes a source's chunks on and records its failure, to distinguish it from a decompression error. */
function watch(source: AsyncIterable<Uint8Array>): {
  chunks: AsyncIterable<Uint8Array>;
  failure: () => Error | null;
  isEmpty: () => boolean;
} {
  let failure: Error | null = null;
  let empty = true;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of source) {
        if (chunk.length > 0) empty = false;
        yield chunk;
      }
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      throw failure;
    }
  }
  return { chunks: chunks(), failure: () => failure, isEmpty: () => empty };
}

async function* decompress(chunks: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  const decoder = decoderFor(encoding, first.done === true ? undefined : first.value[0]);
  if (decoder === null) throw new Error(`unknown content encoding: ${encoding}`);
  async function* rejoined(): AsyncGenerator<Uint8Array> {
    for (let next = first; next.done !== true; next = await iterator.next()) yield next.value;
  }
  const input = Readable.from(rejoined());
  input.on('error', (error) => decoder.destroy(error));
  try {
    for await (const chunk of input.pipe(decoder)) yield chunk as Buffer;
  } finally {
    input.destroy();
    decoder.destroy();
  }
}

function decoderFor(encoding: string, firstByte: number | undefined): ReturnType<typeof createGunzip> | null {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
  if (encoding === 'br') return createBrotliDecompress();
  if (encoding !== 'deflate') return null;
  // Some servers send raw deflate without the zlib header (RFC 9110, 8.4.1.2). With the header, the low nibble is 8.
  return firstByte !== undefined && (firstByte & 0x0f) === 8 ? createInflate() : createInflateRaw();
}

const BINARY_STARTS = [
  '89504e47',
  '47494638',
  'ffd8ff',
  '25504446',
  '504b0304',
  '1f8b08',
  '52494646',
  '00000100',
];

/**
 * Decodes a body by its byte order mark, else the header's charset, else the charset in the page, else as UTF-8. Bytes
 * that are not text yield an empty text and `decodable: false`.
 */
export function decodeText(bytes: Buffer, contentType: string): { text: string; decodable: boolean } {
  if (bytes.length === 0) return { text: '', decodable: true };
  const start = bytes.subarray(0, 4096);
  const charset =
    byteOrderMark(bytes) ?? /charset\s*=\s*["']?([\w:.-]+)/i.exec(contentType)?.[1] ?? namedInPage(start);
  const hex = start.subarray(0, 4).toString('hex');
  const wide = /^utf-?16/i.test(charset ?? '');
  if (BINARY_STARTS.some((magic) => hex.startsWith(magic)) || (!wide && start.includes(0))) {
    return { text: '', decodable: false };
  }
  if (charset !== null) {
    const decoder = makeDecoder(charset);
    if (decoder !== null) return { text: decoder.decode(bytes), decodable: true };
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), decodable: true };
  } catch {
    const text = new TextDecoder('windows-1252').decode(bytes);
    return { text, decodable: !isMostlyControl(start) };
  }
}

function byteOrderMark(bytes: Buffer): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : null;
}

function namedInPage(start: Buffer): string | null {
  const text = start.toString('latin1');
  const named =
    /<meta[^>]{1,200}?charset\s*=\s*["']?\s*([\w:.-]+)|^<\?xml[^>]{1,100}encoding\s*=\s*["']([\w:.-]+)/i.exec(
      text,
    );
  return named?.[1] ?? named?.[2] ?? null;
}

function makeDecoder(label: string): TextDecoder | null {
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
}

function isMostlyControl(start: Buffer): boolean {
  let control = 0;
  for (const byte of start) if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) control += 1;
  return control / start.length > 0.05;
}
