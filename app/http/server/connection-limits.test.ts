import { createReadableStreamFromReadable } from '@remix-run/node';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { closeIdleConnection, drainBody } from './connection-limits.server';

const MEGABYTE = 1024 * 1024;

interface Received {
  answer: string;
  /** Whether the whole body went out. */
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
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${megabytes * MEGABYTE}\r\n\r\n`);
  for (let block = 0; block < megabytes; block += 1) socket.write(Buffer.alloc(MEGABYTE));
  const drained = new Promise<void>((resolve) => socket.once('drain', resolve));
  const sent = await Promise.race([drained.then(() => true), closed.then(() => false)]);
  let answer = '';
  if (sent) {
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.resume();
    await expect.poll(() => answer).toContain('Not authenticated');
  }
  socket.destroy();
  await closed;
  server.close();
  return { answer, sent };
}

describe('draining a body that was not read', () => {
  test('a client that sends its whole body first reads the rejection', async () => {
    const { answer, sent } = await sendFirst(30, (request) => drainBody(request));
    expect(sent).toBe(true);
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  });

  test('a connection is closed after too many bytes', async () => {
    expect(await sendFirst(30, (request) => drainBody(request, { maxBytes: 10 * MEGABYTE }))).toMatchObject({
      sent: false,
    });
  });

  test('a connection is closed when the time is up, however little it sends', async () => {
    const server = createServer((request, response) => {
      createReadableStreamFromReadable(request);
      response.once('finish', () => drainBody(request, { maxMs: 50 }));
      response.writeHead(401).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    // Cut off in the middle of a write, it breaks before it closes.
    socket.on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n');
    const drip = setInterval(() => socket.write('x'), 10);
    socket.resume();
    await closed;
    clearInterval(drip);
    server.close();
  });
});

const LIMIT_MS = 50;
const FORM = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n';

const open: (Server | Socket)[] = [];

afterEach(() => {
  for (const one of open.splice(0)) {
    if ('destroy' in one) one.destroy();
    else one.close();
  }
});

/** A server with the limit, and a client that has just sent `bytes` to it. */
async function connectWith(
  bytes: string,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  limitMs = LIMIT_MS,
): Promise<Socket> {
  const server = createServer((request, response) => {
    closeIdleConnection(request, response, limitMs);
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  open.push(server, client);
  client.write(bytes);
  return client;
}

describe('an idle connection', () => {
  test.each([
    ['read', (request: IncomingMessage) => void request.resume()],
    ['not read', () => undefined],
  ])('a client that stops sending a body that is %s is disconnected', async (_how, read) => {
    const client = await connectWith(`${FORM}x`, read);
    client.resume();
    await once(client, 'close');
  });

  test('a client that stops sending a later body is disconnected too', async () => {
    const client = await connectWith('GET / HTTP/1.1\r\nHost: x\r\n\r\n', (request, response) => {
      if (request.method === 'GET') response.end('first');
      else request.resume();
    });
    await once(client, 'data');
    client.write(`${FORM}x`);
    client.resume();
    await once(client, 'close');
  });

  test('a client that does not read the response is disconnected', async () => {
    const cut = new Promise<void>((resolve) => {
      void connectWith('GET / HTTP/1.1\r\nHost: x\r\n\r\n', (_request, response) => {
        response.once('close', resolve);
        response.end(Buffer.alloc(64 * 1024 * 1024));
      });
    });
    await cut;
  });

  test('a client that waits for a slow response gets it', async () => {
    const client = await connectWith(
      'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      (_request, response) => {
        response.once('timeout', () => response.end('at last'));
      },
    );
    let answer = '';
    client.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    await once(client, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*at last$/);
  });

  test('a client that keeps sending may take longer than the limit', async () => {
    const limitMs = 10 * LIMIT_MS;
    const client = await connectWith(
      FORM.replace('60000', '12'),
      (request, response) => {
        const startedAt = performance.now();
        request.resume();
        request.once('end', () => response.end(`after ${performance.now() - startedAt} ms`));
      },
      limitMs,
    );
    const beat = setInterval(() => client.write('x'), LIMIT_MS);
    const [answer] = (await once(client, 'data')) as [Buffer];
    clearInterval(beat);
    expect(Number(/after ([\d.]+) ms/.exec(answer.toString())?.[1])).toBeGreaterThan(limitMs);
  });
});
