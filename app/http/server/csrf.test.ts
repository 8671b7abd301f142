import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { FOREIGN_WRITE_PATH, refuseForeignWrite } from './csrf.server';
import { tidyRequest } from './normalise-request.server';

const APP = new URL('https://packwatch.example');
const COOKIE = '__Host-packwatch_session=abcdefghijklmnopqrstuvwxyz0123456789_-ABCDE';

/** What becomes of a request on its way through the server. */
function judge(method: string, url: string, headers: Record<string, string>) {
  const request = { method, url, headers: { host: 'web.internal:3000', ...headers } } as IncomingMessage;
  tidyRequest(request, APP.host);
  refuseForeignWrite(request, APP);
  return request;
}

describe('a write to a page', () => {
  test.each([
    ['from another site', { origin: 'https://evil.example' }],
    ['from an origin that is none', { origin: 'garbage' }],
    ['from a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['with a session and no word about its origin', { cookie: COOKIE }],
    [
      'with our origin, which the browser contradicts',
      { origin: APP.origin, 'sec-fetch-site': 'cross-site' },
    ],
  ])('is refused: %s', (_, headers) => {
    const request = judge('POST', '/login?next=/', headers);
    expect(request.url).toBe(FOREIGN_WRITE_PATH);
    // Remix would answer a foreign origin with a 500 before any route sees it.
    expect(request.headers).not.toHaveProperty('origin');
  });

  test('of ours keeps its address and passes the check of Remix, behind a proxy too', () => {
    expect(judge('POST', '/login', { origin: APP.origin })).toMatchObject({
      url: '/login',
      headers: { origin: APP.origin, host: APP.host },
    });
    expect(judge('POST', '/login', { origin: 'null', 'sec-fetch-site': 'same-origin' })).toMatchObject({
      url: '/login',
      headers: { origin: APP.origin, host: APP.host },
    });
  });

  test('by nobody known passes without a word about its origin', () => {
    expect(judge('POST', '/theme', {}).url).toBe('/theme');
  });
});

// The path was judged as it was written, but Remix serves it as the WHATWG URL standard reads it.
test.each([
  '/api/../dashboard/articles',
  '/api/%2e%2e/dashboard/articles',
  '/api/x/.%2E/../dashboard/articles?index',
  '/api/./../dashboard/articles.data',
  'http://elsewhere.example/api/../dashboard/articles',
  '//api/../dashboard/articles',
])('a write is judged by the path that is served: %s', (url) => {
  expect(judge('POST', url, { origin: 'https://evil.example' }).url).toBe(FOREIGN_WRITE_PATH);
});

// Remix takes every method but GET on such a path for an action, and answered a foreign origin with 500.
test.each(['HEAD', 'OPTIONS', 'PROPFIND', 'TRACE', 'DELETE'])(
  'a %s of a page’s data from another site is refused',
  (method) => {
    for (const url of ['/login.data', '/login.data?_routes=root', '/login.data#x', '/_root.data']) {
      const request = judge(method, url, { origin: 'https://evil.example' });
      expect(request).toMatchObject({ url: FOREIGN_WRITE_PATH, method: 'POST' });
      expect(request.headers).not.toHaveProperty('origin');
    }
    expect(judge(method, '/login.data', { origin: APP.origin }).url).toBe('/login.data');
  },
);

test('a method that Remix does not route is a write', () => {
  expect(judge('PROPFIND', '/login', { origin: 'https://evil.example' }).url).toBe(FOREIGN_WRITE_PATH);
  expect(judge('OPTIONS', '/login', { origin: 'https://evil.example' }).url).toBe('/login');
});

test('reads and the API are left alone', () => {
  expect(judge('GET', '/', { origin: 'https://evil.example' }).url).toBe('/');
  expect(judge('GET', '/login.data', { origin: 'https://evil.example' }).url).toBe('/login.data');
  expect(judge('POST', '/news/../api/auth/logout', { origin: 'https://evil.example' }).url).toBe(
    '/api/auth/logout',
  );
  expect(judge('POST', '/api/auth/logout', { origin: 'https://evil.example' }).url).toBe('/api/auth/logout');
  expect(judge('POST', '/apiary', { origin: 'https://evil.example' }).url).toBe(FOREIGN_WRITE_PATH);
});
