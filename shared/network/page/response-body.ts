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

/** Finds the bytes of a body among those of its connection. */
interface BodyDecoder {
  state: 'reading' | 'ended' | 'broken';
  decode(bytes: Buffer): Buffer;
}

function decoderFor(framing: Framing): BodyDecoder {
  switch (framing.by) {
    case 'none':
      return lengthDecoder(0);
    case 'length':
      return lengthDecoder(framing.bytes);
    case 'chunks':
      return new ChunkDecoder();
    case 'close':
      return lengthDecoder(Number.POSITIVE_INFINITY);
  }
}

function lengthDecoder(length: number): BodyDecoder {
  let left = length;
  return {
    state: length === 0 ? 'ended' : 'reading',
    decode(bytes) {
      const data = bytes.subarray(0, left);
      left -= data.length;
      if (left === 0) this.state = 'ended';
      return data;
    },
  };
}

/** Reads a body: `first` are bytes that came with the head, `source` gives the next ones. The caller ends the connection. */
export function readFramed(
  source: AsyncIterator<Buffer>,
  { first, framing }: { first: Buffer; framing: Framing },
): PageBody {
  let broken: string | null = null;

  // One generator without others below it: an alert waits for each step of each.
  async function* chunks(): AsyncGenerator<Buffer> {
    const decoder = decoderFor(framing);
    let piece = first;
    while (decoder.state === 'reading') {
      const data = decoder.decode(piece);
      if (data.length > 0) yield data;
      if (decoder.state !== 'reading') break;
      let next: IteratorResult<Buffer>;
      try {
        next = await source.next();
      } catch {
        broken = 'the connection was cut';
        return;
      }
      if (next.done === true) {
        if (framing.by !== 'close') broken = ENDED_EARLY;
        return;
      }
      piece = next.value;
    }
    if (decoder.state === 'broken') broken = 'its chunked coding is broken';
  }

  return { chunks: chunks(), brokenOff: () => broken };
}
