import { PageError } from './page-error';
import { valuesOf, type ResponseHead } from './response-head';

/** Chromium's limit for a line of the chunked coding (net/http/http_chunked_decoder.cc). */
const MAX_LINE = 16 * 1024;
const LINE_FEED = 10;

/**
 * Decodes the chunked transfer coding (RFC 9112, section 7.1) piece by piece. Lines may end with a bare line feed, and
 * anything may follow a size. `state` is `broken` when the coding is invalid, and `ended` after the last chunk; trailers
 * are not read.
 */
class ChunkDecoder {
  state: 'reading' | 'ended' | 'broken' = 'reading';
  #expects: 'size' | 'data' | 'end of data' = 'size';
  #left = 0;
  #line = '';

  /** Decodes the next bytes of the connection and returns the data among them. */
  decode(bytes: Buffer): Buffer {
    const data = Buffer.allocUnsafe(bytes.length);
    let length = 0;
    let at = 0;
    while (at < bytes.length && this.state === 'reading') {
      if (this.#expects === 'data') {
        const end = Math.min(bytes.length, at + this.#left);
        length += bytes.copy(data, length, at, end);
        this.#left -= end - at;
        at = end;
        if (this.#left === 0) this.#expects = 'end of data';
        continue;
      }
      const lineFeed = bytes.indexOf(LINE_FEED, at);
      const end = lineFeed === -1 ? bytes.length : lineFeed;
      if (this.#line.length + end - at > MAX_LINE) this.state = 'broken';
      else {
        this.#line += bytes.toString('latin1', at, end);
        at = end + 1;
        if (lineFeed !== -1) this.#endLine();
      }
    }
    return data.subarray(0, length);
  }

  #endLine(): void {
    const line = this.#line.endsWith('\r') ? this.#line.slice(0, -1) : this.#line;
    this.#line = '';
    if (this.#expects === 'end of data') {
      if (line === '') this.#expects = 'size';
      else this.state = 'broken';
      return;
    }
    const digits = /^[ \t]*([\da-f]+)(?:[ \t;]|$)/i.exec(line)?.[1];
    const size = Number.parseInt(digits ?? '', 16);
    if (!Number.isSafeInteger(size)) {
      this.state = 'broken';
      return;
    }
    this.#left = size;
    if (this.#left === 0) this.state = 'ended';
    else this.#expects = 'data';
  }
}

/** How the end of a body is determined. */
type Framing = { by: 'none' } | { by: 'length'; bytes: number } | { by: 'chunks' } | { by: 'close' };

/** The bytes of a page's body as they come. A body that breaks off ends early, without an error. */
export interface PageBody {
  chunks: AsyncIterable<Buffer>;
  /** Why the body ended before its end, as the rest of a sentence. Null: it did not, as far as was read. */
  brokenOff(): string | null;
}

const ENDED_EARLY = 'the connection ended too early';

/**
 * Determines how a response's body ends (RFC 9112, section 6.3). As in Chromium, an invalid length counts as none, and
 * two different lengths are an error.
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
