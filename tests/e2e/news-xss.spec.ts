import type { Page } from 'playwright/test';
import { newId } from '#shared/ids';
import { prepareArticleHtml } from '#shared/news/article-html.server';
import { xssContents, xssTexts } from '../xss-corpus';
import { setArticles, storePicture, withDatabase, type ArticleSeed } from './news-data';
import { expect, test } from './test';

/** What the editor's toolbar can make, headings one level lower, and what we add to pictures. */
const ELEMENTS = 'p br h2 h3 h4 strong em u s ul ol li blockquote pre code a img'.split(' ');
const ATTRIBUTES = 'class href rel src srcset sizes alt width height loading decoding'.split(' ');

test.afterEach(async ({ stack }) => {
  await withDatabase(stack.dataDir, (db) => setArticles(db, []));
});

/**
 * A paragraph follows each payload. Payloads that leave it whole share an article: each is read as if it were alone. One
 * that ends inside a tag or a comment has its own article.
 */
const PAYLOADS_TO_AN_ARTICLE = 40;

/** Opens an article, of whose text every element has to be one that the page renders. Returns its paragraphs that are plain text. */
async function openArticle(page: Page, id: string, name: string): Promise<string[]> {
  await page.goto(`/news/${id}`);
  const body = page.locator('.article-body');
  await expect(body, name).toHaveCount(1);
  const { found, paragraphs } = await body.evaluate((text) => ({
    found: [...text.querySelectorAll('*')].map((inside) => ({
      element: inside.namespaceURI === 'http://www.w3.org/1999/xhtml' ? inside.localName : inside.nodeName,
      attributes: inside.getAttributeNames(),
      href: inside.getAttribute('href'),
      src: inside.getAttribute('src'),
    })),
    paragraphs: [...text.children]
      .filter((child) => child.localName === 'p' && child.childElementCount === 0)
      .map((child) => child.textContent ?? ''),
  }));
  for (const { element, attributes, href, src } of found) {
    expect(ELEMENTS, name).toContain(element);
    for (const attribute of attributes) expect(ATTRIBUTES, `${name}: ${element}`).toContain(attribute);
    if (href !== null) expect(href, name).toMatch(/^(https?:\/\/|mailto:|\/(?![/\\]))/i);
    if (element === 'img') expect(src, name).toMatch(/^\/uploads\//);
    else expect(src, name).toBeNull();
  }
  return paragraphs;
}

test('XSS payloads stored in the database run nothing', async ({ browser, stack }) => {
  test.slow();
  // A separate page: the browser complains about the payloads' pictures, which are not there.
  const page = await browser.newPage({ baseURL: stack.siteUrl });
  const ran: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      ran.push(`${page.url()}: ${message.text()}`);
  });
  page.on('dialog', (dialog) => {
    ran.push(`${page.url()}: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== stack.siteUrl) ran.push(`${page.url()} asks ${request.url()}`);
  });

  const articles: { name: string; content: string; ends: string[] }[] = [];
  const closed: { name: string; content: string; end: string }[] = [];
  for (const [at, { name, html: written }] of xssContents.entries()) {
    // The database stores no U+0000.
    const html = written.replaceAll('\0', '');
    const end = `End of payload ${at}.`;
    const content = `${html}\n<p>${end}</p>`;
    if (prepareArticleHtml(content).content.endsWith(`<p>${end}</p>`)) closed.push({ name, content, end });
    else articles.push({ name, content: html, ends: [] });
  }
  expect(articles.length).toBeLessThan(xssContents.length / 3);
  while (closed.length > 0) {
    const group = closed.splice(0, PAYLOADS_TO_AN_ARTICLE);
    articles.push({
      name: group.map(({ name }) => name).join(', '),
      content: group.map(({ content }) => content).join('\n'),
      ends: group.map(({ end }) => end),
    });
  }
  const ids = await withDatabase(stack.dataDir, (db) =>
    setArticles(
      db,
      articles.map(({ content }) => ({ content })),
    ),
  );
  for (const [at, { name, ends }] of articles.entries()) {
    const paragraphs = await openArticle(page, ids[at] ?? '', name);
    expect(paragraphs, name).toEqual(expect.arrayContaining(ends));
  }
  await page.close();
  expect(ran).toEqual([]);
});

test('titles, excerpts, names and captions are text and nothing more', async ({ page, stack }) => {
  test.slow();
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(`${page.url()}: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const seeds: (ArticleSeed & { id: string })[] = [];
  for (const { text } of xssTexts) {
    const file = await storePicture(stack.dataDir, { width: 40, height: 30 });
    const media = [{ file, altText: text, caption: text }];
    seeds.push({ id: newId(), title: text, excerpt: text, author: text, media, featuredMedia: 0 });
  }
  await withDatabase(stack.dataDir, (db) => setArticles(db, seeds));
  for (const [at, { id }] of seeds.entries()) {
    const { name, text } = xssTexts[at] ?? { name: '', text: '' };
    await page.goto(`/news/${id}`);
    expect(await page.getByRole('heading', { level: 1 }).textContent(), name).toBe(text);
    expect(await page.locator('figcaption').textContent(), name).toBe(text);
    expect(await page.locator('.gallery-pocket img').getAttribute('alt'), name).toBe(text);
    const data = JSON.parse(
      (await page.locator('script[type="application/ld+json"]').textContent()) ?? '',
    ) as { '@graph': { headline?: string }[] };
    expect(data['@graph'][0]?.headline, name).toBe(text);
  }
  for (const path of ['/', '/news', '/news?page=2']) await page.goto(path);
  expect(dialogs).toEqual([]);

  // The feed is a document that a browser reads as one, with every text in its place.
  const titles = await page.evaluate(async () => {
    const xml = await (await fetch('/news/feed.xml')).text();
    const feed = new DOMParser().parseFromString(xml, 'application/xml');
    if (feed.querySelector('parsererror') !== null) return null;
    const plain = (html: string) =>
      new DOMParser().parseFromString(html, 'text/html').documentElement.textContent;
    return [...feed.querySelectorAll('entry > title')].map((title) => plain(title.textContent ?? ''));
  });
  expect(titles?.toSorted()).toEqual(xssTexts.map(({ text }) => text).toSorted());
});
