import { createReadableStreamFromReadable } from '@remix-run/node';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { closeIdleConnection, drainBody, setServerLimits } from './connection-limits.server';

const MEGABYTE = 1024 * 1024;

/** Resolves when the socket is closed; unlike `once`, also after an error such as ECONNRESET. */
function closeOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

interface Received {
  response: string;
  /** Whether the client could send the whole body. */
  sent: boolean;
}

/** Sends a body to a server that rejects it unread, as browsers do: all of it first, then the response is read. */
async function sendFirst(megabytes: number, after: (request: IncomingMessage) => void): Promise<Received> {
  const server = createServer((request, response) => {
    createReadableStreamFromReadable(request);
    response.once('finish', () => after(request));
    response.writeHead(401).end('Not authenticated');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const closed = closeOf(socket);
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${megabytes * MEGABYTE}\r\n\r\n`);
  for (let block = 0; block < megabytes; block += 1) socket.write(Buffer.alloc(MEGABYTE));
  const drained = new Promise<void>((resolve) => socket.once('drain', resolve));
  const sent = await Promise.race([drained.then(() => true), closed.then(() => false)]);
  let received = '';
  if (sent) {
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    socket.resume();
    await expect.poll(() => received, { timeout: 30_000 }).toContain('Not authenticated');
  }
  socket.destroy();
  await closed;
  server.close();
  return { response: received, sent };
}

describe('draining a body that was not read', () => {
  test('a client that sends its whole body first reads the rejection', { timeout: 60_000 }, async () => {
    const { response, sent } = await sendFirst(30, (request) => drainBody(request));
    expect(sent).toBe(true);
    expect(response).toMatch(/^HTTP\/1\.1 401 /);
  });

  test('a connection is closed after too many bytes', async () => {
    expect(await sendFirst(30, (request) => drainBody(request, { maxBytes: 10 * MEGABYTE }))).toMatchObject({
      sent: false,
    });
  });

  test('a connection is closed after the time limit, however little it sends', async () => {
    const server = createServer((request, response) => {
      createReadableStreamFromReadable(request);
      response.once('finish', () => drainBody(request, { maxMs: 50 }));
      response.writeHead(401).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    // A write that the server interrupts emits an error before `close`.
    socket.on('error', () => undefined);
    const closed = closeOf(socket);
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n');
    const timer = setInterval(() => socket.write('x'), 10);
    socket.resume();
    await closed;
    clearInterval(timer);
    server.close();
  });
});

const LIMIT_MS = 50;
const FORM_HEAD = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n';

const open: (Server | Socket)[] = [];

afterEach(() => {
  for (const one of open.splice(0)) {
    if ('destroy' in one) one.destroy();
    else one.close();
  }
});

/** Starts a server with the limit, and returns a client that has just sent `bytes` to it. */
async function connectWith(
  bytes: string,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  limitMs = LIMIT_MS,
): Promise<Socket> {
  const server = createServer((request, response) => {
    closeIdleConnection(request, response, limitMs);
    handle(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  open.push(server, client);
  client.write(bytes);
  return client;
}

interface SlowBody {
  /** Whether the server received the whole body. */
  complete: boolean;
  durationMs: number;
  /** The longest time without a byte, as the server measured it. */
  longestGapMs: number;
}

/** Sends a body byte by byte, for longer than `limitMs`, to a server with that limit. */
async function sendSlowly(limitMs: number): Promise<SlowBody> {
  const body: SlowBody = { complete: false, durationMs: 0, longestGapMs: 0 };
  let startedAt = performance.now();
  const measure = (): void => {
    const durationMs = performance.now() - startedAt;
    body.longestGapMs = Math.max(body.longestGapMs, durationMs - body.durationMs);
    body.durationMs = durationMs;
  };
  const client = await connectWith(
    'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n',
    (request, response) => {
      startedAt = performance.now();
      request.on('data', measure);
      request.once('end', () => {
        body.complete = true;
        response.end('received');
      });
    },
    limitMs,
  );
  const timer = setInterval(
    () => client.write(body.durationMs > limitMs ? '0\r\n\r\n' : '1\r\nx\r\n'),
    LIMIT_MS,
  );
  await Promise.race([new Promise((resolve) => client.once('data', resolve)), closeOf(client)]);
  clearInterval(timer);
  measure();
  return body;
}

describe('an idle connection', () => {
  test.each([
    ['read', (request: IncomingMessage) => void request.resume()],
    ['not read', () => undefined],
  ])('a client that stops sending a body that is %s is disconnected', async (_how, read) => {
    const client = await connectWith(`${FORM_HEAD}x`, read);
    client.resume();
    await closeOf(client);
  });

  test('a client that stops sending a later body is disconnected too', async () => {
    const client = await connectWith('GET / HTTP/1.1\r\nHost: x\r\n\r\n', (request, response) => {
      if (request.method === 'GET') response.end('first');
      else request.resume();
    });
    await once(client, 'data');
    client.write(`${FORM_HEAD}x`);
    client.resume();
    await closeOf(client);
  });

  test('a client that does not read the response is disconnected', async () => {
    const closed = new Promise<void>((resolve) => {
      void connectWith('GET / HTTP/1.1\r\nHost: x\r\n\r\n', (_request, response) => {
        response.once('close', resolve);
        response.end(Buffer.alloc(64 * 1024 * 1024));
      });
    });
    await closed;
  });

  test('a client that waits for a slow response gets it', async () => {
    const client = await connectWith(
      'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      (_request, response) => {
        response.once('timeout', () => response.end('finally'));
      },
    );
    let received = '';
    client.on('data', (chunk: Buffer) => (received += chunk.toString()));
    await closeOf(client);
    expect(received).toMatch(/^HTTP\/1\.1 200 [^]*finally$/);
  });

  test('a client that keeps sending may take longer than the limit', { timeout: 60_000 }, async () => {
    let limitMs = 10 * LIMIT_MS;
    let sent = await sendSlowly(limitMs);
    // A busy machine may delay a byte so long that the client is idle. Such an attempt is repeated with a longer limit.
    while (!sent.complete && sent.longestGapMs > limitMs / 2) {
      limitMs *= 2;
      sent = await sendSlowly(limitMs);
    }
    expect(sent.complete).toBe(true);
    expect(sent.durationMs).toBeGreaterThan(limitMs);
  });
});

describe('bytes that are not an HTTP request', () => {
  async function receive(bytes: string, handle: (response: ServerResponse) => void): Promise<string> {
    const server = createServer((request, response) => {
      closeIdleConnection(request, response);
      handle(response);
    });
    setServerLimits(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    open.push(server, client);
    let received = '';
    client.on('error', () => undefined);
    client.on('data', (chunk: Buffer) => (received += chunk.toString()));
    client.write(bytes);
    await closeOf(client);
    return received;
  }

  const tooShort = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody and more of it';

  test('the rest of a body after a Content-Length that is too small is refused as JSON', async () => {
    const received = await receive(tooShort, () => undefined);
    expect(received).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nContent-Type: application\/json/);
    expect(received).toContain('"code":"malformed_request"');
  });

  test('headers that are too large are refused as JSON', async () => {
    const received = await receive(
      `GET / HTTP/1.1\r\nX-Long: ${'a'.repeat(100_000)}\r\n\r\n`,
      () => undefined,
    );
    expect(received).toMatch(/^HTTP\/1\.1 431 /);
    expect(received).toContain('"code":"headers_too_large"');
  });

  test('a response that has begun is cut off, and no other follows inside of it', async () => {
    const received = await receive(tooShort, (response) => {
      response.writeHead(200, { 'Content-Length': 1000 });
      response.write('the beginning');
    });
    expect(received).not.toContain('malformed_request');
  });
});
