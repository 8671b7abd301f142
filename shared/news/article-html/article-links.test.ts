import { describe, expect, it } from 'vitest';
import { allowedHref, linkText, typedHref } from './article-links';

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

describe('an address that wraps another', () => {
  const target = 'https://example.org/queue?a=1&b=2';
  const coded = encodeURIComponent(target);

  it.each([
    `https://www.google.com/url?q=${coded}&sa=D&usg=x`,
    `https://www.google.co.uk/url?sa=t&url=${coded}`,
    `https://l.facebook.com/l.php?u=${coded}&h=AT0`,
    `https://lm.facebook.com/l.php?u=${coded}`,
    `https://l.instagram.com/?u=${coded}&e=AT0`,
    `https://www.linkedin.com/redir/redirect?url=${coded}&urlhash=x`,
    `https://www.linkedin.com/safety/go?url=${coded}&trk=x`,
    `https://lnkd.in/redirect?url=${coded}`,
    `https://t.co/redirect?url=${coded}`,
    `https://www.youtube.com/redirect?event=x&q=${coded}`,
    `https://out.reddit.com/t3_x?url=${coded}`,
    `https://nam01.safelinks.protection.outlook.com/?url=${coded}&data=05%7C01%7Cash%40example.org%7C`,
    `https://eur02.safelinks.protection.outlook.com/ap/w-59584e83/?url=${coded}`,
    `https://urldefense.proofpoint.com/v1/url?u=${coded}&k=x`,
    'https://urldefense.proofpoint.com/v2/url?u=https-3A__example.org_queue-3Fa-3D1-26b-3D2&d=DwMFaQ&r=ash',
    'https://urldefense.com/v3/__https://example.org/queue*a=1&b=2__;Pw!!ABC!xyz$',
    'https://urldefense.com/v3/__https:/example.org/queue?a*1&b=2__;PQ!!ABC!xyz$',
    `https://protect-eu.mimecast.com/s/abc?url=${coded}&domain=example.org`,
    `https://linkprotect.cudasvc.com/url?a=${coded}&c=E`,
    `https://secure-web.cisco.com/1abc/${coded}`,
    `https://www.google.com/url?q=${encodeURIComponent(`https://l.facebook.com/l.php?u=${coded}`)}`,
  ])('becomes the other: %s', (wrapper) => {
    expect(allowedHref(wrapper)).toBe(target);
    expect(typedHref(wrapper.replace('https://', ''))).toBe(target);
    expect(linkText(` ${wrapper}`)).toBe(target);
  });

  it('may stand for a run of characters (Proofpoint 3)', () => {
    // "éé" and "ü": 2 characters and 1.
    const characters = btoa(String.fromCharCode(...new TextEncoder().encode('ééü')));
    expect(allowedHref(`https://urldefense.com/v3/__https://example.org/**A-*__;${characters}!!A!b$`)).toBe(
      'https://example.org/éé-ü',
    );
  });

  it.each([
    'https://lnkd.in/abc',
    'https://t.co/abc',
    'https://www.google.com/search?q=https://example.org',
    'https://www.google.com/url?q=cards',
    'https://example.org/url?q=https://example.com',
    'https://google.evil.example/url?q=https://example.com',
    'https://protect-eu.mimecast.com/s/abc?domain=example.org',
    'https://urldefense.com/v3/__https://example.org/*__;%!!A!b$',
  ])('is unchanged when its target is not in it, or when it is no wrapper: %s', (address) => {
    expect(allowedHref(address)).toBe(address);
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'https://[bad'])('is refused with %s', (bad) => {
    expect(allowedHref(`https://www.google.com/url?q=${encodeURIComponent(bad)}`)).toBeNull();
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
