import { createServer, get } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attachToRemixServe } from './attach.server';

const server = createServer((_request, response) => response.end('remix-serve'));
const fetchOfNode = { fetch, Request, Response, Headers, FormData };

beforeAll(async () => {
  attachToRemixServe(
    (request, response, next) => {
      if (request.url === '/ours') response.end('ours');
      else next();
    },
    (prepared) => void (prepared.keepAliveTimeout = 1),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => void server.close());

async function answerOf(path: string): Promise<string> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, agent: false }, (answer) => resolve(text(answer))).on(
      'error',
      reject,
    );
  });
}

test('the middleware runs before remix-serve, which gets what it passes on', async () => {
  expect(await Promise.all(['/ours', '/page'].map(answerOf))).toEqual(['ours', 'remix-serve']);
  expect(server.keepAliveTimeout).toBe(1);
});

test('remix-serve leaves the fetch of Node in place', () => {
  const load = createRequire(import.meta.url);
  const remixServe = createRequire(load.resolve('@remix-run/serve/package.json'));
  const remix = remixServe('@remix-run/node') as { installGlobals(options: { nativeFetch: boolean }): void };
  remix.installGlobals({ nativeFetch: true });
  expect({ fetch, Request, Response, Headers, FormData }).toEqual(fetchOfNode);
});
