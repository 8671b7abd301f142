import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fetchFile } from './fetch-file';
import { createReceivedBytes, type ReceivedBytes } from './received-bytes';

/** A file whose bytes differ by position and by version. */
const bytesOf = (version: number, size: number) =>
  Buffer.from(Array.from({ length: size }, (_, at) => (at * 7 + version) % 251));

const SIZE = 300_000;

let respond: (request: IncomingMessage, response: ServerResponse) => void;
let ranges: (string | undefined)[];
let received: ReceivedBytes;
let breaks: number;
let progress: number[];
let abort: AbortController;

const server = createServer((request, response) => {
  ranges.push(request.headers.range);
  respond(request, response);
});

beforeEach(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ranges = [];
  received = createReceivedBytes();
  breaks = 0;
  progress = [];
  abort = new AbortController();
});

afterEach(async () => {
  vi.useRealTimers();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Serves a file with ranges; `cutAfter`: the connection breaks after so many bytes of this response. */
function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { version = 1, size = SIZE, cutAfter }: { version?: number; size?: number; cutAfter?: number } = {},
): void {
  const file = bytesOf(version, size);
  const etag = `"${version}"`;
  const range =
    request.headers['if-range'] === etag ? /^bytes=(\d+)-$/.exec(request.headers.range ?? '') : null;
  const start = Number(range?.[1] ?? 0);
  const body = file.subarray(start);
  response.writeHead(range === null ? 200 : 206, {
    ETag: etag,
    'Content-Length': body.byteLength,
    ...(range !== null && { 'Content-Range': `bytes ${start}-${size - 1}/${size}` }),
  });
  if (cutAfter === undefined) response.end(body);
  else response.write(body.subarray(0, cutAfter), () => response.socket?.destroy());
}

function download({ limitBytes = 1_000_000 } = {}) {
  const { port } = server.address() as AddressInfo;
  return fetchFile({
    address: `http://127.0.0.1:${port}/file`,
    fileSize: SIZE,
    limitBytes,
    received,
    signal: abort.signal,
    onProgress: (now) => progress.push(now.received),
    onBreak: () => (breaks += 1),
    pause: async () => undefined,
  });
}

async function expectBytes(outcome: Awaited<ReturnType<typeof fetchFile>>, expected: Buffer): Promise<void> {
  if (outcome.kind !== 'file') throw new Error(`the download ended as ${JSON.stringify(outcome)}`);
  expect(Buffer.from(await outcome.file.arrayBuffer()).equals(expected)).toBe(true);
}

describe('a line that breaks', () => {
  it('is continued by ranges, and the file is whole', async () => {
    respond = (request, response) => serve(request, response, ranges.length <= 3 ? { cutAfter: 70_000 } : {});
    await expectBytes(await download(), bytesOf(1, SIZE));
    expect(breaks).toBe(3);
    expect(ranges[0]).toBeUndefined();
    expect(ranges.slice(1).every((range) => /^bytes=[1-9]\d*-$/.test(range ?? ''))).toBe(true);
    expect(progress.at(-1)).toBe(SIZE);
  });

  it('and a file that was replaced since give the new file, from its first byte', async () => {
    respond = (request, response) =>
      serve(request, response, ranges.length === 1 ? { cutAfter: 100_000 } : { version: 2, size: 120_000 });
    await expectBytes(await download(), bytesOf(2, 120_000));
    expect(received.etag).toBe('"2"');
  });

  it('and a server that answers with another file’s rest, or with none, are never mixed', async () => {
    const answers = [
      { status: 206, headers: { ETag: '"2"', 'Content-Range': `bytes 1000-${SIZE - 1}/${SIZE}` } },
      { status: 206, headers: { ETag: '"1"', 'Content-Range': `bytes 5-${SIZE - 1}/${SIZE}` } },
      { status: 416, headers: { 'Content-Range': 'bytes */10' } },
    ];
    for (const { status, headers } of answers) {
      received.clear();
      ranges = [];
      respond = (request, response) => {
        if (ranges.length === 1) serve(request, response, { cutAfter: 1000 });
        else if (ranges.length === 2) response.writeHead(status, headers).end('other bytes');
        else serve(request, response);
      };
      await expectBytes(await download(), bytesOf(1, SIZE));
      expect(ranges[2]).toBeUndefined();
    }
  });

  it('is given up when nothing more arrives, and what arrived serves the next try', async () => {
    respond = (request, response) =>
      ranges.length === 1 ? serve(request, response, { cutAfter: 50_000 }) : response.socket?.destroy();
    expect(await download()).toEqual({ kind: 'broken' });
    expect(ranges.length).toBeGreaterThan(8);
    expect(received.size).toBe(50_000);
    respond = serve;
    await expectBytes(await download(), bytesOf(1, SIZE));
    expect(ranges.at(-1)).toBe('bytes=50000-');
  });

  it('is given up sooner when nothing ever arrived', async () => {
    respond = (_, response) => response.socket?.destroy();
    expect(await download()).toEqual({ kind: 'broken' });
    expect(ranges.length).toBeLessThan(6);
  });

  it('is continued when it stays open and silent', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    respond = (request, response) => {
      if (ranges.length > 1) return serve(request, response);
      response.writeHead(200, { ETag: '"1"', 'Content-Length': SIZE });
      response.write(bytesOf(1, SIZE).subarray(0, 1000));
    };
    const outcome = download();
    await expect.poll(() => received.size).toBe(1000);
    vi.advanceTimersByTime(30_000);
    await expectBytes(await outcome, bytesOf(1, SIZE));
    expect(ranges[1]).toBe('bytes=1000-');
  });

  it('survives a server that is away for a moment', async () => {
    respond = (request, response) => {
      if (ranges.length === 1) serve(request, response, { cutAfter: 1000 });
      else if (ranges.length === 2) response.writeHead(503).end();
      else serve(request, response);
    };
    await expectBytes(await download(), bytesOf(1, SIZE));
  });
});

it('a body that is longer than announced is refused, again and again', async () => {
  respond = (request, response) => {
    response.writeHead(206, { ETag: '"1"', 'Content-Range': `bytes 0-9/10` });
    response.end('more than ten bytes');
  };
  received.etag = '"1"';
  expect(await download()).toEqual({ kind: 'broken' });
  expect(received.size).toBe(0);
});

it('a file above the limit, or on another host, is left to the browser', async () => {
  respond = serve;
  expect(await download({ limitBytes: SIZE - 1 })).toEqual({ kind: 'browser' });
  respond = (_, response) => response.writeHead(302, { Location: 'https://bucket.example/file' }).end();
  expect(await download()).toEqual({ kind: 'browser' });
});

it.each([
  [404, { message: 'Windows version is not available yet' }, 'Windows version is not available yet'],
  [
    401,
    { message: 'Not authenticated' },
    'Your session has ended. Please sign in again, then download the file.',
  ],
  [
    429,
    { message: 'Please wait 20 seconds.' },
    'Download failed: Too Many Requests. Please wait 20 seconds.',
  ],
  [502, '<html>', 'Download failed: Bad Gateway. Please try again.'],
  [500, null, 'Download failed: Internal Server Error. Please try again.'],
])('a refusal with %i says why', async (status, body, text) => {
  respond = (_, response) =>
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  expect(await download()).toEqual({ kind: 'refused', text, gone: status === 404 });
  expect(ranges).toHaveLength(1);
});

it('HTTP/2 has no status text, and the sentence is the same', async () => {
  const answer = () => new Response('{}', { status: 503, statusText: '' });
  vi.stubGlobal('fetch', async () => answer());
  try {
    expect(await download()).toMatchObject({
      text: 'Download failed: Service Unavailable. Please try again.',
    });
  } finally {
    vi.unstubAllGlobals();
  }
});

it('cancelling ends the request and keeps nothing waiting', async () => {
  let closed = false;
  respond = (request, response) => {
    response.writeHead(200, { ETag: '"1"', 'Content-Length': SIZE });
    response.write(Buffer.alloc(1000));
    response.on('close', () => (closed = true));
  };
  const outcome = download();
  await expect.poll(() => received.size).toBe(1000);
  abort.abort();
  expect(await outcome).toEqual({ kind: 'cancelled' });
  await expect.poll(() => closed).toBe(true);
});
