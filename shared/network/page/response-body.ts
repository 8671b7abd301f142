import { ChunkDecoder } from './chunk-decoder';
import { PageError } from './page-error';
import { valuesOf, type ResponseHead } from './response-head';

/** How the end of a body is known. */
export type Framing = { by: 'none' } | { by: 'length'; bytes: number } | { by: 'chunks' } | { by: 'close' };

/** The bytes of a page's body as they come. A body that breaks off ends early, without an error. */
export interface PageBody {
  chunks: AsyncIterable<Buffer>;
  /** Why the body ended before its end, as the rest of a sentence. Null: it did not, as far as was read. */
  brokenOff(): string | null;
}

const ENDED_EARLY = 'the connection ended too early';

/**
 * How the end of a response's body is known (RFC 9112, section 6.3). As in Chromium, a length that is no number counts as
 * none, and two different lengths are an error.
 */
export function framingOf({ status, headers }: ResponseHead): Framing {
  if (status < 200 || status === 204 || status === 304) return { by: 'none' };
  const codings = valuesOf(headers, 'transfer-encoding').join(',').toLowerCase().split(',');
  if (codings.some((coding) => coding.trim() === 'chunked')) return { by: 'chunks' };
  const lengths = new Set(
    valuesOf(headers, 'content-length').map((value) => value.split(',', 1)[0]?.trim() ?? ''),
  );
  if (lengths.size > 1) throw new PageError('TWO_LENGTHS');
  const [length = ''] = lengths;
  return /^\d{1,15}$/.test(length) ? { by: 'length', bytes: Number(length) } : { by: 'close' };
}

/** Reads a body: `first` are bytes that came with the head, `source` gives the next ones. */
export function readFramed(
  source: AsyncIterator<Buffer>,
  { first, framing }: { first: Buffer; framing: Framing },
): PageBody {
  let broken: string | null = null;

  async function* connection(): AsyncGenerator<Buffer> {
    if (first.length > 0) yield first;
    try {
      for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value;
    } catch {
      broken = 'the connection was cut';
    } finally {
      await source.return?.();
    }
  }

  async function* ofLength(bytes: number): AsyncGenerator<Buffer> {
    let left = bytes;
    if (left === 0) return;
    for await (const piece of connection()) {
      yield piece.subarray(0, left);
      left -= piece.length;
      if (left <= 0) return;
    }
    broken ??= ENDED_EARLY;
  }

  async function* ofChunks(): AsyncGenerator<Buffer> {
    const decoder = new ChunkDecoder();
    for await (const piece of connection()) {
      const data = decoder.decode(piece);
      if (data.length > 0) yield data;
      if (decoder.state === 'broken') broken = 'its chunked coding is broken';
      if (decoder.state !== 'reading') return;
    }
    broken ??= ENDED_EARLY;
  }

  const readers = { none: () => ofLength(0), chunks: ofChunks, close: connection };
  return {
    chunks: framing.by === 'length' ? ofLength(framing.bytes) : readers[framing.by](),
    brokenOff: () => broken,
  };
}
