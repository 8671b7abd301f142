import type { ServerBuild } from '@remix-run/node';
import { once } from 'node:events';
import { createServer, request as send, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { call } from '../api/call.server';
import { endpoint } from '../api/endpoint.server';
import { Reply } from '../api/response.server';
import { decideAccess } from '../auth/access.server';
import { runInRequest } from '../server/request-context.server';
import { normaliseRequest } from './normalise-request.server';
import { createApiStep } from './serve-api.server';

const text = (id: string, length: number) =>
  call({
    id,
    summary: id,
    description: 'A call of this test.',
    access: 'public',
    response: z.object({ text: z.string() }),
    run: () =>
      new Reply(
        { text: 'x'.repeat(length) },
        {
          headers: new Headers([
            ['Set-Cookie', 'a=1'],
            ['Set-Cookie', 'b=2'],
          ]),
        },
      ),
  });

const echo = call({
  id: 'echo',
  summary: 'Echoes',
  description: 'A call of this test.',
  access: 'public',
  body: z.object({ word: z.string() }),
  response: z.object({ word: z.string() }),
  run: ({ body }) => body,
});

const file = call({
  id: 'file',
  summary: 'Sends a file',
  description: 'A call of this test.',
  access: 'public',
  response: z.object({}),
  run: () => new Response(new Blob(['bytes of a file']).stream(), { headers: { 'Content-Length': '15' } }),
});

const dependencies = {
  decide: decideAccess,
  takeLimits: () => Promise.resolve(),
  log: () => ({ warn: vi.fn(), error: vi.fn() }),
};

function route(path: string, calls: Parameters<typeof endpoint>[1]) {
  const handler = endpoint({ name: path, description: path }, calls, dependencies);
  return [path, { id: path, path, module: { loader: handler, action: handler } }];
}

const build = {
  routes: Object.fromEntries([
    route('api/*', { 'GET /api/openapi.json': text('document', 10) }),
    route('api/cards/*', {
      'GET /api/cards': text('cards', 5_000),
      'POST /api/cards': echo,
      'GET /api/cards/{id}/file': file,
    }),
    route('api/webhooks/stripe', { 'POST /api/webhooks/stripe': echo }),
    ['news', { id: 'news', path: 'news', module: {} }],
  ]),
} as unknown as ServerBuild;

const serveApi = createApiStep({ appUrl: 'http://packwatch.example' }, () => Promise.resolve(build));
const server = createServer((request, response) => {
  const { method = 'GET' } = request;
  normaliseRequest(request, 'packwatch.example');
  void runInRequest({ method, clientAddress: '', response }, () => serveApi(request, response)).then(
    (served) => served || response.writeHead(421).end(),
  );
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());

async function ask(
  method: string,
  path: string,
  { body, headers = {} }: { body?: string; headers?: Record<string, string> } = {},
) {
  const { port } = server.address() as AddressInfo;
  const sent = send({ port, host: '127.0.0.1', method, path, headers });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString() };
}

const JSON_BODY = { body: '{"word":"ash"}', headers: { 'content-type': 'application/json' } };

test.each([
  ['GET', '/api/openapi.json', 200],
  ['GET', '/API/Cards/?a=1', 200],
  ['GET', '/%61pi/c%61rds', 200],
  ['GET', '/api/cards/a%2Fb/file', 200],
  ['POST', '/api/webhooks/stripe', 200],
  ['POST', '/api/webhooks/stripe-2', 404],
  ['GET', '/api', 404],
  ['GET', '/api/cards%2Fx', 404],
  ['GET', '/api/cards.data', 404],
  ['GET', '/api/%FF', 404],
  ['DELETE', '/api/cards', 405],
  ['TRACE', '/api/cards', 405],
  ['OPTIONS', '/api/cards', 204],
  ['GET', '/api/../news', 421],
  ['GET', '/apis/cards', 421],
  ['GET', '/news', 421],
])('%s %s is answered with %i', async (method, path, status) => {
  expect(await ask(method, path, method === 'POST' ? JSON_BODY : {})).toMatchObject({ status });
});

test('JSON is compressed, with all of its headers', async () => {
  const { headers } = await ask('GET', '/api/cards', { headers: { 'accept-encoding': 'gzip' } });
  expect(headers).toMatchObject({
    'content-encoding': 'gzip',
    'content-type': 'application/json; charset=utf-8',
    'set-cookie': ['a=1', 'b=2'],
    vary: 'Accept-Encoding',
  });
});

test('HEAD has the headers of GET, and no body', async () => {
  const [whole, head] = [await ask('GET', '/api/cards'), await ask('HEAD', '/api/cards')];
  expect(head).toMatchObject({ status: 200, body: '' });
  expect(head.headers['content-length']).toBe(whole.headers['content-length']);
  expect(await ask('HEAD', '/api/cards/1/file')).toMatchObject({
    body: '',
    headers: { 'content-length': '15' },
  });
});

test('bodies of requests and files pass', async () => {
  expect(JSON.parse((await ask('POST', '/api/cards', JSON_BODY)).body)).toEqual({
    success: true,
    word: 'ash',
  });
  expect((await ask('GET', '/api/cards/1/file')).body).toBe('bytes of a file');
});
