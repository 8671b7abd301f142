import { describe, expect, it } from 'vitest';
import { encodeConsent } from '#shared/site/consent';
import { serializeTheme } from '~/http/cookies/theme-cookie.server';
import { cacheVariant, findPublicPage } from '~/http/page-cache/cache-key.server';
import { PUBLIC_PAGES } from './public-pages.server';

async function variant(target: string, cookies?: string): Promise<string | null> {
  const page = findPublicPage(PUBLIC_PAGES, { method: 'GET', url: target });
  return page === null ? null : cacheVariant(page, { target, cookieHeader: cookies });
}

async function themed(theme: 'light' | 'dark'): Promise<string> {
  return (await serializeTheme(theme, { secure: false })).split(';', 1)[0] ?? '';
}

const consented = (analytics: boolean) =>
  `cookie-consent=${encodeConsent({ necessary: true, analytics, marketing: false })}`;

describe('the cache variant of a request', () => {
  it.each([
    '/',
    '/status',
    '/status?watch=other-shop',
    '/restock/other-shop?name=A&price=B&retailer=C&source=discord',
    '/developers',
    '/news',
    '/news?page=2',
    '/news/0b6c1f0e-6a52-4f0e-8f43-0d5c8f5f3a11',
  ])('exists for %s without a session', async (target) => {
    expect(await variant(target)).not.toBeNull();
  });

  it.each([
    ['a page for one user', '/dashboard'],
    ['an API call', '/api/news'],
    ['the data of a page', '/news.data'],
    ['a file', '/news/feed.xml'],
    ['a link with the name of a recipient', '/restock/ps5?name=A&username=Ash'],
    ['a page with a parameter that its links may repeat', '/?auth=login'],
    ['a page with the cookie settings open', '/news?cookies=settings'],
    ['a known parameter and an unknown one', '/news?page=2&utm_source=discord'],
    ['a repeated parameter', '/news?page=2&page=evil%22x'],
    ['a percent-encoded parameter', '/news?page=%32'],
    ['an empty query', '/news?'],
    ['an address that is too long', `/news?page=${'9'.repeat(300)}`],
  ])('does not exist for %s', async (_what, target) => {
    expect(await variant(target)).toBeNull();
  });

  it('does not exist with a session cookie, whatever the token', async () => {
    expect(await variant('/', 'packwatch_session=abc')).toBeNull();
    expect(await variant('/', '__Host-packwatch_session=abc')).toBeNull();
    expect(await variant('/', 'theme=x; packwatch_session=')).toBeNull();
  });

  it('differs by page, theme and consent', async () => {
    const variants = await Promise.all([
      variant('/news'),
      variant('/news?page=2'),
      variant('/news', await themed('dark')),
      variant('/news', await themed('light')),
      variant('/news', consented(true)),
      variant('/news', consented(false)),
    ]);
    expect(new Set(variants).size).toBe(variants.length);
  });

  it('ignores other cookies and an invalid theme', async () => {
    const plain = await variant('/news');
    expect(await variant('/news', '_ga=1; analytics-enabled=true')).toBe(plain);
    expect(await variant('/news', 'theme=rubbish')).toBe(plain);
    expect(await variant('/news', `theme=${'x'.repeat(500)}`)).toBe(plain);
  });

  it('does not exist with an unreadable consent cookie, which the loader logs', async () => {
    expect(await variant('/news', 'cookie-consent=%7B%7D')).toBeNull();
  });

  it('does not exist for a write', () => {
    expect(findPublicPage(PUBLIC_PAGES, { method: 'POST', url: '/news' })).toBeNull();
    expect(findPublicPage(PUBLIC_PAGES, { method: 'HEAD', url: '/news' })).not.toBeNull();
  });

  it('uses the first of repeated cookies, as the page does', async () => {
    const [dark, light] = await Promise.all([themed('dark'), themed('light')]);
    expect(await variant('/news', `${dark}; ${light}`)).toBe(await variant('/news', dark));
  });
});
