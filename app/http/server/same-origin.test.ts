import { describe, expect, test } from 'vitest';
import { failureOf } from '../failures.server';
import { judgeOrigin, requireSameOrigin } from './same-origin.server';

const SITE = 'https://packwatch.example';

describe('where a request comes from', () => {
  test.each([
    ['our origin', SITE, null, 'same'],
    ['our origin, and the browser agrees', SITE, 'same-origin', 'same'],
    ['a page of ours that sends no referrer', 'null', 'same-origin', 'same'],
    ['our site under another name', 'http://127.0.0.1:3000', 'same-origin', 'same'],
    ['another site', 'https://evil.example', 'cross-site', 'cross'],
    ['another site, an old browser', 'https://evil.example', null, 'cross'],
    ['our name under another scheme', 'http://packwatch.example', null, 'cross'],
    ['our name and a port', `${SITE}:8443`, null, 'cross'],
    ['our name with more behind it', `${SITE}.evil.example`, null, 'cross'],
    ['our origin, and the browser contradicts', SITE, 'cross-site', 'cross'],
    ['a sister site', 'https://blog.packwatch.example', 'same-site', 'cross'],
    ['a sandboxed frame', 'null', 'cross-site', 'cross'],
    ['nothing but the browser’s word', null, 'cross-site', 'cross'],
    ['typed by hand', null, 'none', 'cross'],
    ['no word at all', null, null, 'unsaid'],
  ])('%s', (_, origin, secFetchSite, verdict) => {
    expect(judgeOrigin({ origin, secFetchSite }, SITE)).toBe(verdict);
  });
});

describe('a write by cookie', () => {
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
