import { createReadableStreamFromReadable } from '@remix-run/node';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { hearOut } from './drain-body.server';

const MEGABYTE = 1024 * 1024;

interface Heard {
  answer: string;
  /** Whether the whole body went out. */
  sent: boolean;
}

/** Sends a body to a server that refuses it unread, as browsers do: all of it first, then the answer is read. */
async function sendFirst(megabytes: number, after: (request: IncomingMessage) => void): Promise<Heard> {
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

test('a sender that first sends everything then reads why it was refused', async () => {
  const { answer, sent } = await sendFirst(30, (request) => hearOut(request));
  expect(sent).toBe(true);
  expect(answer).toMatch(/^HTTP\/1\.1 401 /);
});

test('one that sends without end is cut off', async () => {
  expect(await sendFirst(30, (request) => hearOut(request, { mostBytes: 10 * MEGABYTE }))).toMatchObject({
    sent: false,
  });
});

test('one that never ends is cut off when its time is up, however little it sends', async () => {
  const server = createServer((request, response) => {
    createReadableStreamFromReadable(request);
    response.once('finish', () => hearOut(request, { mostMs: 50 }));
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
