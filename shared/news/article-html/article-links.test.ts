import { describe, expect, it } from 'vitest';
import { allowedHref, typedHref } from './article-links';

describe('an address that an article links to', () => {
  it.each([
    'https://example.org',
    'HTTP://example.org/a?b=c&d=%20#e',
    'https://example.org:8443/é',
    'mailto:ash@example.org?subject=Hello',
    '/',
    '/news?page=2',
  ])('is unchanged: %s', (address) => {
    expect(allowedHref(address)).toBe(address);
  });

  it.each([
    ['space around it', '  https://x.example/\n', 'https://x.example/'],
    ['spaces in it', 'https://x.example/a b', 'https://x.example/a%20b'],
    ['what could end an attribute', '/a"<b>`', '/a%22%3Cb%3E%60'],
    ['line feeds and tabs', 'https://x.example/a\n\tb', 'https://x.example/ab'],
    ['invisible characters', '/news\u200b\u0001', '/news'],
  ])('is normalised as browsers resolve it: %s', (_what, address, written) => {
    expect(allowedHref(address)).toBe(written);
    expect(allowedHref(written)).toBe(written);
  });

  it.each([
    '',
    'news',
    '#part',
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,x',
    'ftp://example.org/',
    'mailto:',
    '//evil.example',
    '/\t/evil.example',
    '/\u200b/evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https:evil',
    'https:///evil.example',
    'https://\\evil.example',
    'https://[bad',
    'https://exa%mple/',
    'https://a b.example/',
  ])('is refused: %j', (address) => {
    expect(allowedHref(address)).toBeNull();
  });
});

describe('an address that a person typed', () => {
  it.each([
    ['example.org/tin', 'https://example.org/tin'],
    ['ash@example.org', 'mailto:ash@example.org'],
    [' /news ', '/news'],
    ['no address', null],
    ['', null],
  ])('%j', (typed, href) => {
    expect(typedHref(typed)).toBe(href);
  });
});
