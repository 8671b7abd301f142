import { readFileSync } from 'node:fs';
import type { LoaderFunctionArgs } from '@remix-run/node';
import { getElementsByTagName, textContent } from 'domutils';
import { parseDocument } from 'htmlparser2';
import { describe, expect, test } from 'vitest';
import { toIso } from '#shared/clock';
import { inTransaction } from '#shared/database/transaction';
import { newId } from '#shared/ids';
import { SETTING_KEY } from '#shared/settings/read-settings';
import { writeSetting } from '#shared/settings/write-settings';
import { serverContext } from '~/http/server/context.server';
import { loader as feedLoader } from '~/routes/site/feeds/feed';
import { loader as robotsLoader } from '~/routes/site/feeds/robots';
import { loader as sitemapLoader } from '~/routes/site/feeds/sitemap';
import { setArticles, type StoredFile } from '../../e2e/news-data';
import { SITE, siteFixture } from '../site-fixture';

const FIRST = '11111111-1111-4111-8111-111111111111';
/** RFC 3339, which both formats require. */
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

const site = siteFixture();

type Loader = (args: LoaderFunctionArgs) => Response | Promise<Response>;

function ask(loader: Loader, path: string, headers: Record<string, string> = {}): Promise<Response> {
  const request = new Request(`http://elsewhere.example${path}`, {
    headers: { 'X-Forwarded-Host': 'evil.example', ...headers },
  });
  return Promise.resolve(loader({ request, params: {}, context: {} }));
}

/** The target of a loader's redirect, returned or thrown. */
async function redirectOf(answer: Promise<Response>): Promise<string | null> {
  const response = await answer.catch((thrown: unknown) => thrown);
  if (!(response instanceof Response)) throw response;
  expect(response.status).toBe(302);
  return response.headers.get('Location');
}

function read(xml: string) {
  const document = parseDocument(xml, { xmlMode: true });
  const all = (name: string, inside: Parameters<typeof getElementsByTagName>[1] = document) =>
    getElementsByTagName(name, inside, true);
  const texts = (name: string, inside: Parameters<typeof getElementsByTagName>[1] = document) =>
    all(name, inside).map((element) => textContent(element));
  return { all, texts };
}

async function turnOff(): Promise<void> {
  await writeSetting(site.db, {
    key: SETTING_KEY.newsEnabled,
    value: 'false',
    actor: { userId: null },
    clock: serverContext().clock,
  });
}

describe('robots.txt', () => {
  test('disallows private paths and names the sitemap', async () => {
    const answer = await ask(robotsLoader, '/robots.txt');
    expect(answer.headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
    expect(await answer.text()).toBe(
      [
        'User-agent: *',
        'Disallow: /dashboard',
        'Disallow: /account',
        'Disallow: /auth',
        'Disallow: /api',
        '',
        `Sitemap: ${SITE}/sitemap.xml`,
        '',
      ].join('\n'),
    );
  });
});

describe('the sitemap', () => {
  test('lists the landing page, the news and every published article with its modification date', async () => {
    await setArticles(site.db, [
      { id: FIRST, publishedAt: '2026-11-02T12:00:00.000Z', updatedAt: '2026-11-05T08:30:00.000Z' },
      // Created long before its publication.
      {
        title: 'Kept back',
        publishedAt: '2026-11-01T12:00:00.000Z',
        updatedAt: '2026-10-01T08:00:00.000Z',
      },
      { title: 'A draft', published: false },
    ]);
    const answer = await ask(sitemapLoader, '/sitemap.xml');
    expect(answer.headers.get('Content-Type')).toBe('application/xml; charset=utf-8');
    const { all, texts } = read(await answer.text());
    expect(all('urlset')[0]?.attribs.xmlns).toBe('http://www.sitemaps.org/schemas/sitemap/0.9');
    expect(texts('loc')).toEqual([
      `${SITE}/`,
      `${SITE}/status`,
      `${SITE}/developers`,
      `${SITE}/privacy`,
      `${SITE}/terms`,
      `${SITE}/news`,
      `${SITE}/news/${FIRST}`,
      expect.stringMatching(new RegExp(`^${SITE}/news/[\\da-f-]{36}$`)),
      `${SITE}/restock`,
    ]);
    expect(texts('lastmod')).toEqual([
      '2026-11-05T08:30:00.000Z',
      '2026-11-05T08:30:00.000Z',
      '2026-11-01T12:00:00.000Z',
    ]);
    for (const moment of texts('lastmod')) expect(moment).toMatch(MOMENT);
  });

  test('lists no news while the section is disabled', async () => {
    await setArticles(site.db, [{}]);
    await turnOff();
    const { texts } = read(await (await ask(sitemapLoader, '/sitemap.xml')).text());
    expect(texts('loc')).toEqual([
      `${SITE}/`,
      `${SITE}/status`,
      `${SITE}/developers`,
      `${SITE}/privacy`,
      `${SITE}/terms`,
      `${SITE}/restock`,
    ]);
  });

  test('with more than fifty thousand addresses is an index of parts that list each address once', async () => {
    const now = toIso(Date.now());
    const rows = Array.from({ length: 50_001 }, () => ({
      id: newId(),
      title: 'One of many',
      content: '<p>x</p>',
      summary: 'x',
      read_time_minutes: 1,
      published: 1 as const,
      featured: 0 as const,
      published_at: now,
      created_at: now,
      updated_at: now,
    }));
    await inTransaction(site.db, async (trx) => {
      for (let at = 0; at < rows.length; at += 500)
        await trx
          .insertInto('articles')
          .values(rows.slice(at, at + 500))
          .execute();
    });
    const index = read(await (await ask(sitemapLoader, '/sitemap.xml')).text());
    expect(index.all('sitemapindex')).toHaveLength(1);
    const parts = index.texts('loc');
    expect(parts).toEqual([`${SITE}/sitemap.xml?part=1`, `${SITE}/sitemap.xml?part=2`]);

    const found = new Set<string>();
    for (const part of parts) {
      const text = await (await ask(sitemapLoader, part.slice(SITE.length))).text();
      expect(Buffer.byteLength(text)).toBeLessThan(50 * 1024 * 1024);
      const addresses = read(text).texts('loc');
      expect(addresses.length).toBeLessThanOrEqual(50_000);
      for (const address of addresses) found.add(address);
    }
    expect(found.size).toBe(50_008);
    expect((await ask(sitemapLoader, '/sitemap.xml?part=3')).status).toBe(404);
  });

  test.each(['0', '-1', 'x', '2', '1e3'])('has no part %s', async (part) => {
    expect((await ask(sitemapLoader, `/sitemap.xml?part=${part}`)).status).toBe(404);
  });
});

describe('the news feed', () => {
  test('is an Atom feed with all required elements', async () => {
    await setArticles(site.db, [
      {
        id: FIRST,
        title: 'Fish & <b>chips</b> ]]> "now"\u000b',
        content: '<p>See <a href="/news" rel="noopener">all</a> &amp; <a href="https://x.example/">x</a></p>',
        excerpt: 'Less < more & more',
        author: 'mira & co',
        publishedAt: '2026-11-02T12:00:00.000Z',
        updatedAt: '2026-11-03T08:00:00.000Z',
      },
      { title: 'Older', publishedAt: '2026-11-01T12:00:00.000Z' },
      { title: 'A draft', published: false },
    ]);
    const answer = await ask(feedLoader, '/news/feed.xml');
    expect(answer.headers.get('Content-Type')).toBe('application/atom+xml; charset=utf-8');
    const opened = await ask(feedLoader, '/news/feed.xml', { 'Sec-Fetch-Dest': 'document' });
    expect(opened.headers.get('Content-Type')).toBe('application/xml; charset=utf-8');
    expect(opened.headers.get('Vary')).toBe('Sec-Fetch-Dest');
    const xml = await answer.text();
    expect(xml).not.toContain('evil.example');
    // oxlint-disable-next-line no-control-regex -- the feed must not contain these
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/);
    const { all, texts } = read(xml);

    const [feed] = all('feed');
    expect(feed?.attribs.xmlns).toBe('http://www.w3.org/2005/Atom');
    const links = all('link').filter(({ parent }) => parent === feed);
    expect(links.map(({ attribs }) => attribs)).toEqual([
      { rel: 'alternate', href: `${SITE}/news` },
      { rel: 'self', href: `${SITE}/news/feed.xml` },
    ]);
    const own = (name: string) =>
      all(name)
        .filter(({ parent }) => parent === feed)
        .map((element) => textContent(element));
    expect(own('title')).toEqual(['Packwatch News']);
    expect(own('updated')).toEqual(['2026-11-03T08:00:00.000Z']);
    expect(own('id')).toEqual([`${SITE}/news`]);

    const entries = all('entry');
    expect(entries).toHaveLength(2);
    const [first] = entries;
    if (first === undefined) throw new Error('the feed is empty');
    expect(texts('id', first.children)).toEqual([`urn:uuid:${FIRST}`]);
    expect(texts('title', first.children)).toEqual([
      'Fish &amp; &lt;b&gt;chips&lt;/b&gt; ]]&gt; &quot;now&quot;',
    ]);
    expect(texts('summary', first.children)).toEqual(['Less &lt; more &amp; more']);
    expect(texts('published', first.children)).toEqual(['2026-11-02T12:00:00.000Z']);
    expect(texts('updated', first.children)).toEqual(['2026-11-03T08:00:00.000Z']);
    expect(texts('name', first.children)).toEqual(['mira & co']);
    expect(all('link', first.children)[0]?.attribs.href).toBe(`${SITE}/news/${FIRST}`);
    const [content] = all('content', first.children);
    expect(content?.attribs.type).toBe('html');
    const html = textContent(content ?? []);
    expect(html).toContain(`href="${SITE}/news"`);
    expect(html).toContain('href="https://x.example/"');

    // What a browser shows, and its stylesheet, which the policy lets it load.
    expect(xml).toMatch(/^<\?xml [^>]*\?>\s*<\?xml-stylesheet href="\/feed\.css" type="text\/css"\?>/);
    expect(answer.headers.get('Content-Security-Policy')).toContain("style-src 'self'");
    expect(readFileSync('public/feed.css', 'utf8')).toContain('entry > html|div');
    const [link] = all('a', first.children);
    expect(link?.attribs.href).toBe(`${SITE}/news/${FIRST}`);
    expect(textContent(link ?? [])).toBe('Fish & <b>chips</b> ]]> "now"');

    expect(new Set(texts('id')).size).toBe(3);
    for (const moment of [...texts('updated'), ...texts('published')]) expect(moment).toMatch(MOMENT);
  });

  test('marks a shortened summary with an ellipsis', async () => {
    await setArticles(site.db, [
      { content: `<p>${'word '.repeat(400)}</p>` },
      { content: `<p>${'w'.repeat(250)}</p>` },
    ]);
    const { texts } = read(await (await ask(feedLoader, '/news/feed.xml')).text());
    const [long, whole] = texts('summary');
    expect(long).toBe(`${'word '.repeat(50).trim()}…`);
    expect(whole).toBe('w'.repeat(250));
  });

  test('shows the featured image once, whether it is in the text or not', async () => {
    const filePath = '/uploads/99999999-9999-4999-8999-999999999999/1200.webp';
    const file: StoredFile = {
      uploadId: '99999999-9999-4999-8999-999999999999',
      mediaType: 'image',
      filePath,
      sources: [],
      fileSize: 1,
      width: 1200,
      height: 800,
    };
    for (const content of ['<p>Without it.</p>', `<p>With it: <img src="${filePath}" alt=""></p>`]) {
      for (const featuredMedia of [0, undefined]) {
        await setArticles(site.db, [{ content, media: [{ file }], featuredMedia }]);
        const { texts } = read(await (await ask(feedLoader, '/news/feed.xml')).text());
        expect(texts('content')[0]?.split(`src="${SITE}${filePath}"`)).toHaveLength(2);
      }
    }
  });

  test('names the JPEG of the featured image, with its type and length', async () => {
    const folder = '/uploads/99999999-9999-4999-8999-999999999999';
    const file: StoredFile = {
      uploadId: '99999999-9999-4999-8999-999999999999',
      mediaType: 'image',
      filePath: `${folder}/1600.webp`,
      sources: [],
      shareImage: { path: `${folder}/share.jpeg`, width: 1200, height: 750, fileSize: 81_234 },
      fileSize: 1,
      width: 1600,
      height: 1000,
    };
    await setArticles(site.db, [{ media: [{ file, altText: 'A card' }] }, {}]);
    const { all, texts } = read(await (await ask(feedLoader, '/news/feed.xml')).text());
    const enclosures = all('link').filter(({ attribs }) => attribs.rel === 'enclosure');
    const href = `${SITE}${folder}/share.jpeg`;
    expect(enclosures.map(({ attribs }) => attribs)).toEqual([
      { rel: 'enclosure', href, type: 'image/jpeg', length: '81234' },
    ]);
    expect(texts('content')[0]).toMatch(`<img src="${href}" alt="A card" width="1200" height="750" />`);
  });

  test('sanitises markup that is stored unsanitised', async () => {
    await setArticles(site.db, [
      { content: '<p onclick="x()">a</p><script>window.x=1</script><img src="https://evil.example/x.png">' },
    ]);
    const xml = await (await ask(feedLoader, '/news/feed.xml')).text();
    for (const word of ['onclick', '<script', 'evil.example']) expect(xml).not.toContain(word);
  });

  test('has the twenty newest articles, or none', async () => {
    await setArticles(site.db, Array(25).fill({}));
    const titles = async () => {
      const { texts } = read(await (await ask(feedLoader, '/news/feed.xml')).text());
      return texts('title').slice(1);
    };
    expect(await titles()).toEqual(Array.from({ length: 20 }, (_, at) => `Story ${at + 1}`));
    await setArticles(site.db, []);
    expect(await titles()).toEqual([]);
  });

  test('is sent again only when it has changed', async () => {
    await setArticles(site.db, [{ id: FIRST, title: 'First' }]);
    const first = await ask(feedLoader, '/news/feed.xml');
    const etag = first.headers.get('ETag') ?? '';
    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    expect(first.headers.get('Cache-Control')).toBe('public, no-cache');
    for (const known of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const again = await ask(feedLoader, '/news/feed.xml', { 'If-None-Match': known });
      expect([again.status, await again.text()], known).toEqual([304, '']);
      expect(again.headers.get('ETag')).toBe(etag);
    }
    await setArticles(site.db, [{ id: FIRST, title: 'Second' }]);
    const changed = await ask(feedLoader, '/news/feed.xml', { 'If-None-Match': etag });
    expect([changed.status, await changed.text()]).toEqual([200, expect.stringContaining('Second')]);
  });

  test('redirects to the landing page while the news section is disabled', async () => {
    await turnOff();
    expect(await redirectOf(ask(feedLoader, '/news/feed.xml'))).toBe('/');
  });
});
