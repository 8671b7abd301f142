import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { Agent, request } from 'undici';
import { connectTcp } from './connect-tcp.server';
import { createHttpAgents } from './http-agents.server';
import { createUndiciConnector } from './undici-connector.server';

const resolveTo =
  (...addresses: string[]) =>
  () =>
    Promise.resolve(addresses);

const opened: (Server | Socket)[] = [];
const workers: Worker[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) {
    if ('close' in one) one.close();
    else one.destroy();
  }
  await Promise.all(workers.splice(0).map((worker) => worker.terminate()));
});

async function listen(): Promise<number> {
  const server = createServer((socket) => {
    opened.push(socket.on('error', () => undefined));
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
  });
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

test('an address that refuses is followed by the next one at once', async () => {
  const port = await listen();
  const socket = await connectTcp(
    { hostname: 'shop.example', port },
    { resolve: resolveTo('::1', '127.0.0.1'), attemptDelayMs: 60_000 },
  );
  expect(socket.remoteAddress).toBe('127.0.0.1');
  socket.destroy();
});

/**
 * A listener that accepts nothing until `release`. Its queue is full, so the kernel drops further connections, and their
 * clients repeat them after a second: a line that is slow to connect.
 */
async function listenLate(): Promise<{ port: number; release: () => void }> {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
     const server = require('node:net').createServer((socket) => socket.on('error', () => undefined));
     server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
       parentPort.postMessage(server.address().port);
       setImmediate(() => Atomics.wait(workerData, 0, 0, 20000));
     });`,
    { eval: true, workerData: gate },
  );
  workers.push(worker);
  const [port] = (await once(worker, 'message')) as [number];
  for (let waiting = 0; waiting < 3; waiting += 1)
    opened.push(connect({ host: '127.0.0.1', port }).on('error', () => undefined));
  await new Promise((resolve) => setTimeout(resolve, 50));
  return {
    port,
    release: () => {
      Atomics.store(gate, 0, 1);
      Atomics.notify(gate, 0);
    },
  };
}

test('an attempt is not given up while no other has succeeded', async () => {
  const { port, release } = await listenLate();
  const connecting = connectTcp(
    { hostname: 'shop.example', port },
    { resolve: resolveTo('127.0.0.1', '::1'), attemptDelayMs: 10, timeoutMs: 10_000 },
  );
  // Longer than the time after which Node gives up an address.
  setTimeout(release, 400);
  const socket = await connecting;
  expect(socket.remoteAddress).toBe('127.0.0.1');
  socket.destroy();
});

test('an address that does not answer delays the next one shortly, and the time limit and an abort end it', async () => {
  const { port, release } = await listenLate();
  const other = createServer((socket) => void opened.push(socket));
  opened.push(other);
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.2', resolve));
  const target = { hostname: 'shop.example', port };
  const socket = await connectTcp(target, {
    resolve: resolveTo('127.0.0.1', '127.0.0.2'),
    attemptDelayMs: 20,
  });
  expect(socket.remoteAddress).toBe('127.0.0.2');
  socket.destroy();

  const resolve = resolveTo('127.0.0.1');
  await expect(connectTcp(target, { resolve, timeoutMs: 50 })).rejects.toMatchObject({
    code: 'UND_ERR_CONNECT_TIMEOUT',
  });
  const stop = new AbortController();
  setTimeout(() => stop.abort(new Error('stopped')), 30);
  await expect(connectTcp(target, { resolve, signal: stop.signal })).rejects.toThrow('stopped');
  release();
});

test('the error of an address that answered is told, not that of one without a route', async () => {
  await expect(
    connectTcp({ hostname: 'shop.example', port: 1 }, { resolve: resolveTo('127.0.0.1', '2001:db8::1') }),
  ).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('clients of undici and of node:http connect this way', async () => {
  const port = await listen();
  const options = { resolve: resolveTo('::1', '127.0.0.1'), attemptDelayMs: 60_000 };
  const dispatcher = new Agent({ connect: createUndiciConnector(options) });
  const { body } = await request(`http://shop.example:${port}/`, { dispatcher });
  expect(await body.text()).toBe('ok');
  await dispatcher.destroy();

  const { httpAgent } = createHttpAgents({}, options);
  const status = await new Promise((resolve, reject) => {
    httpRequest({ host: 'shop.example', port, agent: httpAgent }, ({ statusCode }) => resolve(statusCode))
      .on('error', reject)
      .end();
  });
  expect(status).toBe(200);
  httpAgent.destroy();
});
