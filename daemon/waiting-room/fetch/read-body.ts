import { Readable, type Transform } from 'node:stream';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { splitZstdFrames } from './zstd-frames';

export interface BodyBytes {
  bytes: Buffer;
  /** True when the body exceeds the limit; the rest is not read. */
  cut: boolean;
  /** Why bytes are missing, as the rest of a sentence, or null. What came before is in `bytes`. */
  fault: string | null;
}

/** curl's limit (lib/content_encoding.c, MAX_ENCODE_STACK). Each layer takes some 200 KB. */
const MAX_LAYERS = 5;
/** Compressed bytes that are read for each byte of the limit: a body may also unpack to nothing. */
const PACKED_FACTOR = 4;

/** The first bytes of a body, which show whether it is compressed at all. */
const SNIFFED_BYTES = 64;
const SLICE_BYTES = 4096;
/** A small body with a fault is unpacked again in smaller pieces, for all that comes before the fault. */
const MAX_RETRIED_BYTES = 64 * 1024;
const FINE_SLICE_BYTES = 32;

type Coding = 'gzip' | 'deflate' | 'br' | 'zstd';
const CODINGS: ReadonlyMap<string, Coding> = new Map([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['x-deflate', 'deflate'],
  ['br', 'br'],
  ['zstd', 'zstd'],
]);

class TooManyBytesError extends Error {}

/**
 * Reads a body up to a limit (in bytes, after decompression). Names that are no content coding, such as "none" or "utf-8",
 * count as none, as in browsers. A broken compression does not reject: what was unpacked until there is kept. Rejects when
 * the source fails.
 */
export async function readBody(
  source: AsyncIterable<Uint8Array>,
  contentEncoding: string,
  maxBytes: number,
): Promise<BodyBytes> {
  const codings = contentEncoding.split(',').flatMap((name) => CODINGS.get(codingName(name)) ?? []);
  if (codings.length > MAX_LAYERS)
    return { bytes: Buffer.alloc(0), cut: false, fault: `it is compressed ${codings.length} times` };
  const watched = watch(source);
  let chunks = codings.length === 0 ? source : watched.chunks;
  // The last coding was applied last.
  for (const coding of codings.reverse()) chunks = unpack(limit(chunks, maxBytes * PACKED_FACTOR), coding);
  const kept: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of chunks) {
      kept.push(chunk.subarray(0, maxBytes - size));
      size += chunk.length;
      if (size > maxBytes) return { bytes: Buffer.concat(kept), cut: true, fault: null };
    }
    return { bytes: Buffer.concat(kept), cut: false, fault: null };
  } catch (error) {
    if (codings.length === 0) throw error;
    const failure = watched.failure();
    if (failure !== null) throw failure;
    const bytes = Buffer.concat(kept);
    if (error instanceof TooManyBytesError) return { bytes, cut: true, fault: null };
    return { bytes, cut: false, fault: watched.isEmpty() ? null : 'its compression is broken' };
  }
}

/** The name of a content coding without quotes and parameters, which some servers add. */
function codingName(text: string): string {
  const [name = ''] = text.replaceAll(/["']/g, '').split(';', 1);
  return name.trim().toLowerCase();
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

async function* limit(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) throw new TooManyBytesError();
    yield chunk;
  }
}

async function* unpack(chunks: AsyncIterable<Uint8Array>, coding: Coding): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  let ended = false;
  while (start.length < SNIFFED_BYTES && !ended) {
    const next = await iterator.next();
    if (next.done === true) ended = true;
    else start = Buffer.concat([start, next.value]);
  }
  async function* rejoined(): AsyncGenerator<Uint8Array> {
    yield* slices(start);
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next())
      yield* slices(next.value);
  }
  if (start.length === 0) return;
  if (isPlain(start)) {
    yield* rejoined();
    return;
  }
  const packed = coding === 'zstd' ? splitZstdFrames(rejoined()) : rejoined();
  const fed: Uint8Array[] = [];
  let fedBytes = 0;
  async function* recorded(): AsyncGenerator<Uint8Array> {
    for await (const slice of packed) {
      if (fedBytes <= MAX_RETRIED_BYTES) fed.push(slice);
      fedBytes += slice.length;
      yield slice;
    }
  }
  let given = 0;
  try {
    for await (const chunk of decode(recorded(), decoderFor(coding, start))) {
      given += chunk.length;
      yield chunk;
    }
  } catch (error) {
    // Only a decoder's own error has the number of its cause.
    if (fedBytes > MAX_RETRIED_BYTES || !(error instanceof Error && 'errno' in error)) throw error;
    const again = [...slices(Buffer.concat(fed), FINE_SLICE_BYTES)];
    for await (const chunk of decode(again, decoderFor(coding, start))) {
      const unseen = chunk.subarray(given);
      given -= chunk.length - unseen.length;
      if (unseen.length > 0) yield unseen;
    }
  }
}

async function* decode(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  decoder: Transform,
): AsyncGenerator<Uint8Array> {
  const input = Readable.from(chunks);
  input.on('error', (error) => decoder.destroy(error));
  try {
    yield* outputOf(input.pipe(decoder));
  } finally {
    input.destroy();
    decoder.destroy();
  }
}

/** zlib drops what it unpacked from the piece that holds a fault, so pieces are small. */
function* slices(bytes: Uint8Array, size = SLICE_BYTES): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Everything that a stream gives before it ends or fails. A stream's own iterator drops buffered data when it fails. */
async function* outputOf(stream: Transform): AsyncGenerator<Uint8Array> {
  const waiting: Uint8Array[] = [];
  let end: { error: Error | null } | null = null;
  let wake = (): void => undefined;
  const finish = (error: Error | null): void => {
    end ??= { error };
    wake();
  };
  stream.on('data', (chunk: Buffer) => {
    waiting.push(chunk);
    stream.pause();
    wake();
  });
  stream.on('end', () => finish(null));
  stream.on('error', finish);
  for (;;) {
    yield* waiting.splice(0);
    const { error } = (end ?? {}) as { error?: Error | null };
    if (error === null) return;
    if (error !== undefined) throw error;
    const changed = new Promise<void>((resolve) => (wake = resolve));
    stream.resume();
    if (end === null) await changed;
  }
}

/** Whether a body is text that starts like a page or JSON, although a compression is declared. */
function isPlain(start: Buffer): boolean {
  const text = start.toString('latin1', 0, SNIFFED_BYTES);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 32 && code !== 9 && code !== 10 && code !== 13) return false;
  }
  return /^(?:\u00ef\u00bb\u00bf)?\s*(?:<[!?a-z/]|\{\s*["}]|\[\s*[{["\]])/i.test(text);
}

function decoderFor(coding: Coding, start: Buffer): Transform {
  if (coding === 'gzip') return createGunzip();
  if (coding === 'br') return createBrotliDecompress();
  if (coding === 'zstd') return createZstdDecompress();
  return hasZlibHeader(start) ? createInflate() : createInflateRaw();
}

/**
 * Some servers send raw deflate without the zlib header (RFC 9110, section 8.4.1.2). The header's two bytes are a multiple
 * of 31 and its low nibble is 8 (RFC 1950, section 2.2).
 */
function hasZlibHeader(start: Buffer): boolean {
  const [first = 0, second = 0] = start;
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}
