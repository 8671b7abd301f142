import { describe, expect, test } from 'vitest';
import { FOREIGN_WRITE_PATH, refuseForeignWrite } from './foreign-write.server';

const APP = new URL('https://packwatch.example');
const COOKIE = 'packwatch_session=abcdefghijklmnopqrstuvwxyz0123456789_-ABCDE';

function judge(method: string, url: string, headers: Record<string, string>) {
  const request = { method, url, headers: { host: 'web.internal:3000', ...headers } };
  refuseForeignWrite(request, APP);
  return request;
}

describe('a write to a page', () => {
  test.each([
    ['from another site', { origin: 'https://evil.example' }],
    ['from an origin that is none', { origin: 'garbage' }],
    ['from a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['with a session and no word about its origin', { cookie: COOKIE }],
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

test('reads and the API are left alone', () => {
  expect(judge('GET', '/', { origin: 'https://evil.example' }).url).toBe('/');
  expect(judge('POST', '/api/auth/logout', { origin: 'https://evil.example' }).url).toBe('/api/auth/logout');
  expect(judge('POST', '/apiary', { origin: 'https://evil.example' }).url).toBe(FOREIGN_WRITE_PATH);
});
