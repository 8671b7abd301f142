import type { Socket } from 'node:net';
import { PageError } from './page-error';
import type { PageRequest, PageResponse } from './page-response';
import { framingOf, readFramed } from './response-body';
import { findHeadEnd, findStatusLine, parseHead } from './response-head';

/** As in Chromium (net/http/http_stream_parser.cc). */
const MAX_HEAD_BYTES = 256 * 1024;
/** 100, 102, 103 and their like before the response. */
const MAX_INTERIM_RESPONSES = 20;

/**
 * Sends a GET request over a new connection and reads the response as leniently as a browser does: Node's and undici's
 * parsers refuse responses that browsers show. The connection closes after the body. Rejects with a `PageError`, or with
 * the connection's error.
 */
export async function requestOverHttp1(
  socket: Socket,
  { url, headers }: Pick<PageRequest, 'url' | 'headers'>,
): Promise<PageResponse> {
  socket.write(requestBytes(url, headers));
  const source = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const close = (): void => {
    socket.on('error', () => undefined).destroy();
  };
  try {
    const { head, first, isBare } = await readHead(source, url);
    const framing = isBare ? ({ by: 'close' } as const) : framingOf(head);
    return { ...head, body: readFramed(source, { first, framing }), close };
  } catch (error) {
    close();
    throw error;
  }
}

function requestBytes(url: URL, headers: PageRequest['headers']): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`GET ${url.pathname}${url.search} HTTP/1.1`, `Host: ${url.host}`, 'Connection: keep-alive'];
  return Buffer.from(`${[...head, ...lines].join('\r\n')}\r\n\r\n`, 'latin1');
}

interface ReadHead {
  head: ReturnType<typeof parseHead>;
  /** The bytes of the body that came with the head. */
  first: Buffer;
  /** The response has no head at all (HTTP/0.9). */
  isBare: boolean;
}

/** Reads the head of the final response and skips the interim ones before it. */
async function readHead(source: AsyncIterator<Buffer>, url: URL): Promise<ReadHead> {
  const received = new ReceivedBytes();
  let searched = 0;
  let interim = 0;
  for (;;) {
    const bytes = received.bytes();
    const start = findStatusLine(bytes);
    const end = typeof start === 'number' ? findHeadEnd(bytes, Math.max(start, searched)) : null;
    if (typeof start === 'number' && end !== null) {
      const head = parseHead(bytes.subarray(start, end.bodyAt));
      if (head.status === 0) throw new PageError('STATUS_INVALID');
      if (head.status >= 200 || head.status === 101)
        return { head, first: Buffer.from(bytes.subarray(end.bodyAt)), isBare: false };
      interim += 1;
      if (interim > MAX_INTERIM_RESPONSES) throw new PageError('TOO_MANY_INTERIM_RESPONSES');
      received.drop(end.bodyAt);
      searched = 0;
      continue;
    }
    if (start === 'missing') return readBare(bytes, { url, interim });
    if (bytes.length >= MAX_HEAD_BYTES) throw new PageError('HEADERS_TOO_LARGE');
    searched = bytes.length;
    const next = await source.next();
    if (next.done === true) return readUnended(bytes, { url, start, interim });
    received.add(next.value);
  }
}

/** A response without a head is a page on the scheme's own port (HTTP/0.9), as in Chromium. */
function readBare(bytes: Buffer, { url, interim }: { url: URL; interim: number }): ReadHead {
  if (url.port !== '' || interim > 0) throw new PageError('NO_HTTP');
  return { head: { status: 200, headers: [] }, first: Buffer.from(bytes), isBare: true };
}

/** A head that breaks off counts over http, as in Chromium (net/http/http_stream_parser.cc). */
function readUnended(
  bytes: Buffer,
  { url, start, interim }: { url: URL; start: number | 'unclear'; interim: number },
): ReadHead {
  if (bytes.length === 0) throw new PageError('EMPTY_RESPONSE');
  if (start === 'unclear') return readBare(bytes, { url, interim });
  if (url.protocol === 'https:') throw new PageError('HEADERS_CUT');
  const head = parseHead(bytes.subarray(start));
  if (head.status < 200) throw new PageError('HEADERS_CUT');
  return { head, first: Buffer.alloc(0), isBare: false };
}

/** Bytes in one buffer that doubles when it is full, so that many small pieces cost no more than one. */
class ReceivedBytes {
  #buffer = Buffer.alloc(0);
  #length = 0;

  add(piece: Buffer): void {
    if (this.#length + piece.length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(4096, this.#buffer.length * 2, this.#length + piece.length));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    this.#length += piece.copy(this.#buffer, this.#length);
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  /** Removes bytes at the start. */
  drop(count: number): void {
    this.#buffer = this.#buffer.subarray(count);
    this.#length -= count;
  }
}
