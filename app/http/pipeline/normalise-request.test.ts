import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { normaliseRequest, normaliseTarget, readClientAddress } from './normalise-request.server';

describe('the request target', () => {
  test.each([
    ['/', '/'],
    ['/news?page=2', '/news?page=2'],
    ['/caf%C3%A9', '/caf%C3%A9'],
    ['/%E0%A4%A', '/%25E0%25A4%25A'],
    ['/100%', '/100%25'],
    ['http://elsewhere.example/api/x?y=1', '/api/x?y=1'],
    ['*', '/'],
    ['', '/'],
    ['/?_data=root', '/'],
    ['/?a=1&_data=root&b=2', '/?a=1&b=2'],
    ['/?%5Fdata=root', '/'],
    ['/news.data', '/news.data'],
    ['/api/news.data', '/api/news%2Edata'],
    ['/API/news.data?page=1', '/API/news%2Edata?page=1'],
    ['/%61pi/news.data', '/%61pi/news%2Edata'],
    ['/a?b?c', '/a?b?c'],
    ['/\\evil.example/%2e%2e', '/'],
    ['/a/./b/../c', '/a/c'],
    ['/api/%2E%2e/dashboard?a=..', '/dashboard?a=..'],
    ['/api/..%2fdashboard', '/api/..%2fdashboard'],
    ['/dashboard/../api/news.data', '/api/news%2Edata'],
    ['//evil.example/..', '//'],
    ['/a#/../b', '/a'],
    ['/../../etc/passwd', '/etc/passwd'],
    ['/\\evil.example/100%', '/%5Cevil.example/100%25'],
    ['/a?b=\\', '/a?b=\\'],
  ])('%s becomes %s', (target, normalised) => {
    expect(normaliseTarget(target)).toBe(normalised);
  });
});

function raw(parts: { method?: string; url?: string; headers?: Record<string, string> }): IncomingMessage {
  return {
    method: 'GET',
    url: '/',
    ...parts,
    headers: { host: 'site.example', ...parts.headers },
  } as IncomingMessage;
}

describe('the request', () => {
  test.each(['a b', 'evil.example/path', 'user@evil.example', 'a:b:c'])(
    'an invalid Host header is replaced by ours: %s',
    (host) => {
      const request = raw({ headers: { host } });
      normaliseRequest(request, 'packwatch.example');
      expect(request.headers.host).toBe('packwatch.example');
    },
  );

  test.each(['localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'site.example'])(
    'a valid Host header is kept: %s',
    (host) => {
      const request = raw({ headers: { host } });
      normaliseRequest(request, 'packwatch.example');
      expect(request.headers.host).toBe(host);
    },
  );

  test('X-Forwarded-Host is dropped', () => {
    const request = raw({ headers: { 'x-forwarded-host': 'evil.example' } });
    normaliseRequest(request, 'packwatch.example');
    expect(request.headers).not.toHaveProperty('x-forwarded-host');
  });

  test('a method that Remix does not route becomes OPTIONS', () => {
    const trace = raw({ method: 'TRACE' });
    normaliseRequest(trace, 'packwatch.example');
    expect(trace.method).toBe('OPTIONS');
  });
});

function addressOf(forwarded: string | undefined, trusted: number, remoteAddress = '::ffff:10.0.0.1') {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return readClientAddress({ headers, socket: { remoteAddress } }, trusted);
}

describe('the client’s address', () => {
  test.each([
    ['no proxy is trusted', '1.1.1.1', 0, '10.0.0.1'],
    ['one proxy is trusted', '1.1.1.1', 1, '1.1.1.1'],
    ['entries that the client wrote before the proxy are ignored', '6.6.6.6, 1.1.1.1', 1, '1.1.1.1'],
    ['two proxies are trusted', '6.6.6.6, 1.1.1.1, 2.2.2.2', 2, '1.1.1.1'],
    ['Fly appends the visitor and its own address', '6.6.6.6, 1.1.1.1, 2a09:8280:1::7', 2, '1.1.1.1'],
    ['fewer entries than proxies: the client wrote them', '1.1.1.1', 3, '10.0.0.1'],
    ['one entry fewer than proxies', '6.6.6.6, 1.1.1.1', 3, '10.0.0.1'],
    ['an empty header', '', 1, '10.0.0.1'],
    ['no header', undefined, 1, '10.0.0.1'],
    ['the entry is not an address', '<script>', 1, '10.0.0.1'],
    ['the entry is an IPv6 address', '2001:db8::7', 1, '2001:db8::7'],
  ])('%s', (_, forwarded, trusted, expected) => {
    expect(addressOf(forwarded, trusted)).toBe(expected);
  });
});
