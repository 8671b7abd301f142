import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { failureOf } from '../server/failures.server';
import { checkOrigin, requireSameOrigin } from '../auth/same-origin.server';
import { passesCsrfGuard } from './csrf-guard.server';
import { normaliseRequest } from './normalise-request.server';

const SITE = 'https://packwatch.example';
const APP = new URL(SITE);
const COOKIE = '__Host-packwatch_session=abcdefghijklmnopqrstuvwxyz0123456789_-ABCDE';
const FOREIGN = { origin: 'https://evil.example' };

/** Sends a raw request through normalisation and the guard. */
function send(method: string, url: string, headers: Record<string, string>) {
  const request = { method, url, headers: { host: 'web.internal:3000', ...headers } } as IncomingMessage;
  normaliseRequest(request, APP.host);
  return { request, passes: passesCsrfGuard(request, { method, app: APP }) };
}

describe('the origin of a request', () => {
  test.each([
    ['our origin', SITE, null, 'same'],
    ['our origin, and the browser agrees', SITE, 'same-origin', 'same'],
    ['our page without a referrer', 'null', 'same-origin', 'same'],
    ['our site under another name', 'http://127.0.0.1:3000', 'same-origin', 'same'],
    ['another site', 'https://evil.example', 'cross-site', 'cross'],
    ['another site, an old browser', 'https://evil.example', null, 'cross'],
    ['our name under another scheme', 'http://packwatch.example', null, 'cross'],
    ['our name and a port', `${SITE}:8443`, null, 'cross'],
    ['our name as a prefix', `${SITE}.evil.example`, null, 'cross'],
    ['our origin, and the browser contradicts', SITE, 'cross-site', 'cross'],
    ['a sibling site', 'https://blog.packwatch.example', 'same-site', 'cross'],
    ['a sandboxed frame', 'null', 'cross-site', 'cross'],
    ['Sec-Fetch-Site alone', null, 'cross-site', 'cross'],
    ['typed by hand', null, 'none', 'cross'],
    ['neither header', null, null, 'missing'],
  ])('%s', (_, origin, secFetchSite, verdict) => {
    expect(checkOrigin({ origin, secFetchSite }, SITE)).toBe(verdict);
  });
});

describe('an API write by cookie', () => {
  const statusOf = (method: string, headers: Record<string, string>) => {
    try {
      requireSameOrigin(new Request(SITE, { method, headers }), SITE);
      return 'passes';
    } catch (error) {
      return failureOf(error)?.status;
    }
  };

  test('passes from our own pages only', () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(statusOf(method, { Origin: SITE })).toBe('passes');
      expect(statusOf(method, { Origin: 'https://evil.example' })).toBe(403);
      expect(statusOf(method, {})).toBe(403);
      expect(statusOf(method, { Origin: SITE, 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
    }
  });

  test('a read passes from anywhere', () => {
    expect(statusOf('GET', { Origin: 'https://evil.example' })).toBe('passes');
  });
});

describe('a write to a page', () => {
  test.each([
    ['from another site', FOREIGN],
    ['from an invalid origin', { origin: 'garbage' }],
    ['from a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['with a session cookie and neither header', { cookie: COOKIE }],
    [
      'with our origin, which the browser contradicts',
      { origin: APP.origin, 'sec-fetch-site': 'cross-site' },
    ],
  ])('is rejected: %s', (_, headers) => {
    expect(send('POST', '/login?next=/', headers).passes).toBe(false);
  });

  test('from our own page passes the guard and the check of Remix, also behind a proxy', () => {
    for (const headers of [
      { origin: APP.origin },
      { origin: 'null', 'sec-fetch-site': 'same-origin' },
    ] as Record<string, string>[]) {
      expect(send('POST', '/login', headers)).toMatchObject({
        passes: true,
        request: { url: '/login', headers: { origin: APP.origin, host: APP.host } },
      });
    }
  });

  test('without a session cookie passes without either header', () => {
    expect(send('POST', '/theme', {}).passes).toBe(true);
  });
});

// The guard used to check the raw path, but Remix routes the path that the WHATWG URL parser gives.
test.each([
  '/api/../dashboard/articles',
  '/api/%2e%2e/dashboard/articles',
  '/api/x/.%2E/../dashboard/articles?index',
  '/api/./../dashboard/articles.data',
  'http://elsewhere.example/api/../dashboard/articles',
  '//api/../dashboard/articles',
])('a write is checked by the path that is served: %s', (url) => {
  expect(send('POST', url, FOREIGN).passes).toBe(false);
});

// Remix runs an action for every method but GET on such a path, and answered a cross-site request with 500.
test.each(['HEAD', 'OPTIONS', 'PROPFIND', 'TRACE', 'DELETE'])(
  'a %s of a page’s data from another site is rejected',
  (method) => {
    for (const url of ['/login.data', '/login.data?_routes=root', '/login.data#x', '/_root.data'])
      expect(send(method, url, FOREIGN).passes).toBe(false);
    expect(send(method, '/login.data', { origin: APP.origin }).passes).toBe(true);
  },
);

test('a method that Remix does not route is a write', () => {
  expect(send('PROPFIND', '/login', FOREIGN).passes).toBe(false);
  expect(send('OPTIONS', '/login', FOREIGN).passes).toBe(true);
});

test('reads and the API pass', () => {
  expect(send('GET', '/', FOREIGN).passes).toBe(true);
  expect(send('GET', '/login.data', FOREIGN).passes).toBe(true);
  expect(send('POST', '/news/../api/auth/logout', FOREIGN)).toMatchObject({
    passes: true,
    request: { url: '/api/auth/logout' },
  });
  expect(send('POST', '/api/auth/logout', FOREIGN).passes).toBe(true);
  expect(send('POST', '/apiary', FOREIGN).passes).toBe(false);
});
