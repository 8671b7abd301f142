import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { DomainError, type DomainErrorKind } from '#shared/errors';
import { decideAccess, type DecideAccess } from '../auth/access.server';
import { call, JSON_LIMIT_BYTES } from './call.server';
import { endpoint, type ApiCalls } from './endpoint.server';
import { openApiDocument } from './openapi.server';
import { Reply } from './response.server';
import { runInRequest } from '../server/request-context.server';

const OPENAPI = { productName: 'Test', appUrl: 'https://packwatch.example' };
const PATH = '/api/cards/{id}';

/** An API group with the calls of one path by method, and the mocks that it uses. */
function group(calls: ApiCalls, decide: DecideAccess = decideAccess) {
  const log = { warn: vi.fn(), error: vi.fn() };
  const dependencies = { decide, log: () => log };
  const declared = Object.entries(calls).map(([method, call]) => [`${method} ${PATH}`, call] as const);
  const handler = endpoint(
    { name: 'cards', description: 'Cards' },
    Object.fromEntries(declared),
    dependencies,
  );
  const send = (request: Request) => handler({ request, params: {}, context: {} });
  return { group: handler.group, log, send };
}

const CARD_URL = 'http://packwatch.example/api/cards/c1';

function post(
  body: BodyInit | null,
  headers: Record<string, string> = { 'Content-Type': 'application/json' },
): Request {
  return new Request(CARD_URL, { method: 'POST', body, headers });
}

const readCard = call({
  id: 'readCard',
  summary: 'One card',
  description: 'A call of this test.',
  access: 'public',
  params: z.object({ id: z.string().regex(/^c\d$/) }),
  query: z.object({ limit: z.string().regex(/^\d+$/, 'must be a number').transform(Number).default(20) }),
  response: z.object({ id: z.string(), limit: z.number() }),
  run: ({ params, query }) => ({ id: params.id, limit: query.limit }),
});

const renameCard = call({
  id: 'renameCard',
  summary: 'Renames a card',
  description: 'A call of this test.',
  access: 'public',
  body: z.object({ name: z.string().min(1, 'A name is required'), rank: z.number().int().optional() }),
  status: 201,
  envelope: 'data',
  response: z.object({ name: z.string() }),
  example: { body: { name: 'Ash' }, response: { name: 'Ash' } },
  run: ({ body }) => ({ name: body.name, secret: 'inside' }),
});

const failing = (error: unknown) =>
  call({
    id: 'call',
    summary: 'Fails',
    description: 'A call of this test.',
    access: 'public',
    response: z.object({}),
    run: () => Promise.reject(error),
  });

describe('a success', () => {
  test('has named fields beside `success` and is not cacheable', async () => {
    const response = await group({ GET: readCard }).send(new Request(`${CARD_URL}?limit=5`));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ success: true, id: 'c1', limit: 5 });
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8');
  });

  test('has its payload under `data` when declared so, with its status and declared fields only', async () => {
    const response = await group({ POST: renameCard }).send(post('{"name":"Ash"}'));
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({ success: true, data: { name: 'Ash' } });
  });

  test('has no envelope when declared so, and is cacheable when public', async () => {
    const bare = call({
      id: 'call',
      summary: 'Bare',
      description: 'A call of this test.',
      access: 'public',
      envelope: 'bare',
      cacheControl: 'public, max-age=60',
      response: z.array(z.number()),
      run: () => [1],
    });
    const response = await group({ GET: bare }).send(new Request(CARD_URL));
    expect(await response.json()).toEqual([1]);
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=60');
  });

  test('may be a Response that the call returns', async () => {
    const file = call({
      id: 'call',
      summary: 'File',
      description: 'A call of this test.',
      access: 'public',
      response: z.object({}),
      run: () => new Response('bytes'),
    });
    expect(await (await group({ GET: file }).send(new Request(CARD_URL))).text()).toBe('bytes');
  });
});

describe('a reply', () => {
  const { send, group: cards } = group({
    POST: call({
      id: 'call',
      summary: 'Starts a job',
      description: 'A call of this test.',
      access: 'public',
      response: z.object({ done: z.literal(true) }),
      otherResponses: { 202: z.object({ queued: z.literal(true) }) },
      query: z.object({ slow: z.string().optional() }),
      run: ({ query }) =>
        query.slow === undefined
          ? new Reply(
              { done: true },
              {
                headers: new Headers([
                  ['Set-Cookie', 'a=1'],
                  ['Set-Cookie', 'b=2'],
                ]),
              },
            )
          : new Reply({ queued: true, secret: 'inside' }, { status: 202 }),
    }),
  });

  test('sets cookies, one header each', async () => {
    const response = await send(post(null, {}));
    expect(response.status).toBe(200);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(response.headers.get('Cache-Control')).toBe('no-store');
  });

  test('with another status has the payload declared for it', async () => {
    const response = await send(new Request(`${CARD_URL}?slow=1`, { method: 'POST' }));
    expect([response.status, await response.json()]).toEqual([202, { success: true, queued: true }]);
    const document = openApiDocument([cards], OPENAPI);
    expect(document.paths).toMatchObject({
      '/api/cards/{id}': { post: { responses: { 200: {}, 202: {} } } },
    });
  });
});

test('a rate limit is a 429 with Retry-After when it is exceeded', async () => {
  const limited = call({
    id: 'call',
    summary: 'Is limited',
    description: 'A call of this test.',
    access: 'public',
    response: z.object({}),
    run() {
      throw new DomainError('RateLimited', {
        code: 'rate_limited',
        message: 'Wait.',
        retryAfterSeconds: 9,
      });
    },
  });
  const response = await group({ POST: limited }).send(new Request(CARD_URL, { method: 'POST' }));
  expect([response.status, response.headers.get('Retry-After')]).toEqual([429, '9']);
});

describe('paths', () => {
  const named = (name: string) =>
    call({
      id: name,
      summary: name,
      description: 'A call of this test.',
      access: 'public',
      params: z.looseObject({}),
      response: z.object({ name: z.string(), params: z.looseObject({}) }),
      run: ({ params }) => ({ name, params }),
    });
  const handler = endpoint(
    { name: 'cards', description: 'Cards' },
    {
      'GET /api/cards': named('list'),
      'GET /api/cards/{id}': named('one'),
      'GET /api/cards/mine': named('mine'),
      'GET /api/cards/decks/{id}/toggle': named('toggle'),
      'GET /api/cards.json': named('file'),
    },
    {
      decide: decideAccess,
      log: () => ({ warn: vi.fn(), error: vi.fn() }),
    },
  );
  const responseAt = async (path: string) => {
    const response = await handler({
      request: new Request(`http://packwatch.example${path}`),
      params: {},
      context: {},
    });
    return { status: response.status, body: (await response.json()) as unknown };
  };

  test.each([
    ['/api/cards', 'list', {}],
    ['/api/cards/', 'list', {}],
    ['/API/Cards', 'list', {}],
    ['/api/cards/abc', 'one', { id: 'abc' }],
    ['/api/cards/a%2Fb%20c', 'one', { id: 'a/b c' }],
    ['/api/cards/mine', 'mine', {}],
    ['/Api/Cards/Decks/X1/Toggle', 'toggle', { id: 'X1' }],
    ['/api/cards.json', 'file', {}],
  ])('%s routes to the call %s', async (path, name, params) => {
    expect(await responseAt(path)).toEqual({ status: 200, body: { success: true, name, params } });
  });

  test.each(['/api', '/api/card', '/api/cards/a/b', '/api/cards/decks//toggle', '/api/cardsXjson'])(
    '%s is a JSON 404',
    async (path) => {
      expect(await responseAt(path)).toMatchObject({
        status: 404,
        body: { success: false, code: 'not_found' },
      });
    },
  );
});

describe('methods', () => {
  test('HEAD is handled as GET', async () => {
    expect((await group({ GET: readCard }).send(new Request(CARD_URL, { method: 'HEAD' }))).status).toBe(200);
  });

  test('OPTIONS lists the methods of the path', async () => {
    const response = await group({ GET: readCard, POST: renameCard }).send(
      new Request(CARD_URL, { method: 'OPTIONS' }),
    );
    expect(response.status).toBe(204);
    expect(response.headers.get('Allow')).toBe('GET, HEAD, POST, OPTIONS');
  });

  test('an unsupported method is a 405 with Allow', async () => {
    const response = await group({ GET: readCard }).send(post('{}'));
    expect(response.status).toBe(405);
    expect(response.headers.get('Allow')).toBe('GET, HEAD, OPTIONS');
    expect(await response.json()).toMatchObject({ success: false, code: 'method_not_allowed' });
  });

  test('a method that a Request cannot have is a 405 too', async () => {
    const request = new Request(CARD_URL, { method: 'OPTIONS' });
    const response = await runInRequest({ method: 'TRACE', clientAddress: '' }, () =>
      group({ GET: readCard }).send(request),
    );
    expect(response.status).toBe(405);
  });
});

describe('input', () => {
  const { send } = group({ GET: readCard, POST: renameCard });

  test.each([
    ['not a number', '?limit=many'],
    ['given twice', '?limit=1&limit=2'],
  ])('an invalid query is a 400 that names the parameter: %s', async (_, search) => {
    const response = await send(new Request(CARD_URL + search));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      success: false,
      code: 'invalid_query',
      errors: { limit: expect.any(Array) },
    });
  });

  test('an invalid path parameter is a 404', async () => {
    expect((await send(new Request('http://packwatch.example/api/cards/..%2Fetc'))).status).toBe(404);
  });

  test.each([
    ['truncated', '{"name":'],
    ['a bare word', 'name'],
    ['not a string', new Uint8Array([0x7b, 0xff, 0x7d])],
  ])('a body that is not JSON is a 400: %s', async (_, body) => {
    const response = await send(post(body));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'malformed_json' });
  });

  test.each([
    ['a number for a string', '{"name":7}', 'name'],
    ['an array for a string', '{"name":["Ash"]}', 'name'],
    ['an object for a string', '{"name":{"$gt":""}}', 'name'],
    ['a string for a number', '{"name":"Ash","rank":"1"}', 'rank'],
    ['an empty body', '', 'name'],
    ['an array as the body', '[]', 'body'],
    ['null as the body', 'null', 'body'],
  ])('wrong types are refused, not coerced: %s', async (_, body, field) => {
    const response = await send(post(body));
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      success: false,
      errors: { [field]: [expect.any(String)] },
    });
  });

  test('an invalid field has the message of its schema', async () => {
    const response = await send(post('{"name":""}'));
    expect(await response.json()).toMatchObject({ errors: { name: ['A name is required'] } });
  });

  test('unknown keys are ignored, including __proto__', async () => {
    const response = await send(post('{"name":"Ash","role":"admin","__proto__":{"role":"admin"}}'));
    expect(await response.json()).toEqual({ success: true, data: { name: 'Ash' } });
  });

  test.each([
    ['text', 'text/plain'],
    ['a form', 'application/x-www-form-urlencoded'],
    ['no content type', undefined],
  ])('a body of another type is a 415: %s', async (_, type) => {
    const bytes = new TextEncoder().encode('{"name":"Ash"}');
    expect((await send(post(bytes, type === undefined ? {} : { 'Content-Type': type }))).status).toBe(415);
  });

  test('JSON with a charset or a +json type is JSON', async () => {
    for (const type of [
      'application/json; charset=utf-8',
      'application/merge-patch+json',
      'Application/JSON',
    ]) {
      expect((await send(post('{"name":"Ash"}', { 'Content-Type': type }))).status).toBe(201);
    }
  });

  test('a body above the limit is a 413; a body at the limit is accepted', async () => {
    const bodyOf = (bytes: number) => JSON.stringify({ name: 'a'.repeat(bytes - '{"name":""}'.length) });
    expect((await send(post(bodyOf(JSON_LIMIT_BYTES)))).status).toBe(201);
    expect((await send(post(bodyOf(JSON_LIMIT_BYTES + 1)))).status).toBe(413);
  });
});

describe('failures', () => {
  const STATUSES: Record<DomainErrorKind, number> = {
    Invalid: 422,
    NotAuthenticated: 401,
    Forbidden: 403,
    NotFound: 404,
    Conflict: 409,
    TooLarge: 413,
    InsufficientTokens: 402,
    RateLimited: 429,
    BadGateway: 502,
    Unavailable: 503,
  };

  test.each(Object.entries(STATUSES) as [DomainErrorKind, number][])('%s is %i', async (kind, status) => {
    const error = new DomainError(kind, {
      code: 'some_code',
      message: 'A sentence.',
      fieldErrors: { name: ['is taken'] },
    });
    const { send, log } = group({ GET: failing(error) });
    const response = await send(new Request(CARD_URL));
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({
      success: false,
      message: 'A sentence.',
      code: 'some_code',
      errors: { name: ['is taken'] },
    });
    expect(log.warn).toHaveBeenCalledOnce();
    expect(log.error).not.toHaveBeenCalled();
  });

  test('a rate limit has Retry-After in whole seconds', async () => {
    const error = new DomainError('RateLimited', {
      code: 'too_soon',
      message: 'Wait.',
      retryAfterSeconds: 2.1,
    });
    const response = await group({ GET: failing(error) }).send(new Request(CARD_URL));
    expect(response.headers.get('Retry-After')).toBe('3');
  });

  test.each([
    [
      'a locked database',
      'database_busy',
      Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' }),
    ],
    [
      'a failover that is not over',
      'database_busy',
      Object.assign(new Error('read-only'), { code: '25006', severity: 'ERROR' }),
    ],
    [
      'a commit of which the server cannot tell whether it holds',
      'outcome_unknown',
      Object.assign(new Error('unknown'), { code: 'POSTGRES_COMMIT_UNKNOWN' }),
    ],
  ])('%s is a 503 with Retry-After and a warning, not a bug', async (_, code, error) => {
    const { send, log } = group({ GET: failing(error) });
    const response = await send(new Request(CARD_URL));
    expect(response.status).toBe(503);
    expect(response.headers.get('Retry-After')).toBe('5');
    expect(await response.json()).toMatchObject({ success: false, code });
    expect(log.warn).toHaveBeenCalledOnce();
    expect(log.error).not.toHaveBeenCalled();
  });

  test('a bug is a logged 500 with the request id, without details', async () => {
    const bug = new Error('select * from secrets at /srv/app');
    const { send, log } = group({ GET: failing(bug) });
    const response = await runInRequest({ id: 'r-1', method: 'GET', clientAddress: '' }, () =>
      send(new Request(CARD_URL)),
    );
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({
      success: false,
      code: 'internal_error',
      message: expect.stringContaining('r-1'),
    });
    expect(text).not.toContain('secrets');
    expect(log.error).toHaveBeenCalledWith({ err: bug }, expect.any(String));
  });

  test('a response that does not match its schema is a bug', async () => {
    const broken = call({
      id: 'call',
      summary: 'Broken',
      description: 'A call of this test.',
      access: 'public',
      response: z.object({ count: z.number().max(1) }),
      run: () => ({ count: 2 }),
    });
    expect((await group({ GET: broken }).send(new Request(CARD_URL))).status).toBe(500);
  });

  test('a caller without access is refused before the body is read', async () => {
    const denyAccess: DecideAccess = () =>
      Promise.reject(
        new DomainError('NotAuthenticated', { code: 'not_authenticated', message: 'Not authenticated' }),
      );
    const response = await group({ POST: renameCard }, denyAccess).send(post('{'));
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ message: 'Not authenticated' });
  });
});

describe('the OpenAPI document', () => {
  const { group: cards } = group({ GET: readCard, POST: renameCard });
  const document = openApiDocument([cards], OPENAPI);

  test('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(structuredClone(document));
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
  });

  test('describes each call as declared', () => {
    expect(document.paths).toMatchObject({
      '/api/cards/{id}': {
        get: {
          operationId: 'readCard',
          tags: ['cards'],
          summary: 'One card',
          description: 'A call of this test. Open to everyone.',
          parameters: [
            { name: 'id', in: 'path', required: true },
            { name: 'limit', in: 'query', required: false },
          ],
          responses: {
            200: {
              content: { 'application/json': { schema: { properties: { limit: { type: 'number' } } } } },
            },
          },
        },
        post: {
          requestBody: {
            content: { 'application/json': { schema: { required: ['name'] }, example: { name: 'Ash' } } },
          },
          responses: {
            201: {
              content: {
                'application/json': {
                  schema: { properties: { data: { properties: { name: { type: 'string' } } } } },
                  example: { success: true, data: { name: 'Ash' } },
                },
              },
            },
            413: {},
            415: {},
            422: {},
          },
        },
      },
    });
  });
});
