import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { cutWhenSilent } from './idle-connection.server';

const LIMIT_MS = 50;
const FORM = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n';

const open: (Server | Socket)[] = [];

afterEach(() => {
  for (const one of open.splice(0)) {
    if ('destroy' in one) one.destroy();
    else one.close();
  }
});

/** A server that minds silence and otherwise does what it is told, and a client that has just sent `bytes`. */
async function meet(
  bytes: string,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  limitMs = LIMIT_MS,
): Promise<Socket> {
  const server = createServer((request, response) => {
    cutWhenSilent(request, response, limitMs);
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

test.each([
  ['read', (request: IncomingMessage) => void request.resume()],
  ['not read', () => undefined],
])('whoever stops in the midst of a body that is %s is cut off', async (_how, read) => {
  const client = await meet(`${FORM}x`, read);
  client.resume();
  await once(client, 'close');
});

test('whoever stops in the midst of a later body is cut off, too', async () => {
  const client = await meet('GET / HTTP/1.1\r\nHost: x\r\n\r\n', (request, response) => {
    if (request.method === 'GET') response.end('first');
    else request.resume();
  });
  await once(client, 'data');
  client.write(`${FORM}x`);
  client.resume();
  await once(client, 'close');
});

test('whoever does not take the answer is cut off', async () => {
  const cut = new Promise<void>((resolve) => {
    void meet('GET / HTTP/1.1\r\nHost: x\r\n\r\n', (_request, response) => {
      response.once('close', resolve);
      response.end(Buffer.alloc(64 * 1024 * 1024));
    });
  });
  await cut;
});

test('whoever waits for our answer gets it, however long that takes', async () => {
  const client = await meet(
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

test('whoever goes on sending may take longer than that', async () => {
  const limitMs = 10 * LIMIT_MS;
  const client = await meet(
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
