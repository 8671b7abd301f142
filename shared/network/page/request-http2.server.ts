import {
  connect as openSession,
  constants,
  type ClientHttp2Session,
  type ClientHttp2Stream,
} from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { PageRequest, PageResponse } from './page-response';
import type { ResponseHead } from './response-head';

/** As for HTTP/1. Node's limit of 128 headers is below what shops send. */
const MAX_HEADER_PAIRS = 2_000;
const MAX_HEAD_BYTES = 256 * 1024;

/**
 * Sends a GET request over a new HTTP/2 connection and reads the response. nghttp2 drops headers with invalid names or
 * values. The connection closes after the body. Rejects with the error of the session or the stream.
 */
export async function requestOverHttp2(
  socket: TLSSocket,
  { url, headers }: Pick<PageRequest, 'url' | 'headers'>,
): Promise<PageResponse> {
  const session = openSession(url.origin, {
    createConnection: () => socket,
    maxHeaderListPairs: MAX_HEADER_PAIRS,
    settings: { enablePush: false, maxHeaderListSize: MAX_HEAD_BYTES, initialWindowSize: 1024 * 1024 },
  });
  const close = (): void => session.destroy();
  try {
    const { stream, head } = await readHead(session, { url, headers });
    return { ...head, body: readStream(stream, close), close };
  } catch (error) {
    close();
    throw error;
  }
}

function readHead(
  session: ClientHttp2Session,
  { url, headers }: Pick<PageRequest, 'url' | 'headers'>,
): Promise<{ stream: ClientHttp2Stream; head: ResponseHead }> {
  return new Promise((resolve, reject) => {
    session.on('error', reject);
    session.on('close', () => reject(failure('ERR_HTTP2_SESSION_ERROR')));
    const stream = session.request({
      [constants.HTTP2_HEADER_METHOD]: 'GET',
      [constants.HTTP2_HEADER_SCHEME]: url.protocol.slice(0, -1),
      [constants.HTTP2_HEADER_AUTHORITY]: url.host,
      [constants.HTTP2_HEADER_PATH]: `${url.pathname}${url.search}`,
      ...headers,
    });
    stream.on('error', reject);
    stream.on('close', () => reject(failure('ERR_HTTP2_STREAM_ERROR')));
    stream.on('response', (_, __, raw: readonly string[]) => {
      const head: ResponseHead = { status: 0, headers: [] };
      for (let at = 0; at + 1 < raw.length; at += 2) {
        const [name = '', value = ''] = [raw[at], raw[at + 1]];
        if (name === ':status') head.status = Number(value);
        else if (!name.startsWith(':')) head.headers.push([name.toLowerCase(), value]);
      }
      resolve({ stream, head });
    });
  });
}

function failure(code: string): Error {
  return Object.assign(new Error('the HTTP/2 connection ended'), { code });
}

function readStream(stream: ClientHttp2Stream, close: () => void): PageResponse['body'] {
  let broken: string | null = null;
  async function* chunks(): AsyncGenerator<Buffer> {
    try {
      for await (const piece of stream) yield piece as Buffer;
      if (stream.aborted) broken = 'the connection ended too early';
    } catch {
      broken = 'the connection was cut';
    } finally {
      close();
    }
  }
  return { chunks: chunks(), brokenOff: () => broken };
}
