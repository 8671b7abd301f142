import { parseDocument } from 'htmlparser2';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Account } from '#shared/accounts/account';
import { readContentVersion } from '#shared/content/content-version';
import { toIso } from '#shared/clock';
import { newId } from '#shared/ids';
import type { Article, ArticlePage } from '#shared/news/article';
import { fullToolbarHtml, xssContents, xssTexts } from '../../xss-corpus';
import { callApi, createApiFixture, type ApiResponse, type ApiFixture } from './api-fixture';

let fixture: ApiFixture;
let admin: Account;
let token: string;
beforeAll(async () => {
  fixture = await createApiFixture();
  admin = await fixture.account('admin', { username: 'Misty' });
  token = await fixture.signIn(admin);
});
afterAll(() => fixture.cleanup());
beforeEach(() => fixture.db.deleteFrom('articles').execute());

const ARTICLES = '/api/news/admin/articles';
const REQUIRED = 'Title and content are required';
const NOT_FOUND = {
  status: 404,
  body: { success: false, code: 'article_not_found', message: 'Article Not Found' },
};

function dataOf(answer: ApiResponse): Record<string, unknown> {
  expect(answer.body).toMatchObject({ success: true });
  return answer.body.data as Record<string, unknown>;
}

const articleOf = (answer: ApiResponse): Article => dataOf(answer).article as Article;
const pageOf = (answer: ApiResponse): ArticlePage => dataOf(answer) as unknown as ArticlePage;
const as = (body?: unknown) => ({ token, body });

async function create(fields: Record<string, unknown> = {}): Promise<Article> {
  const body = { title: 'A title', content: '<p>Some text.</p>', ...fields };
  const answer = await callApi('POST', ARTICLES, as(body));
  expect(answer.status).toBe(201);
  return articleOf(answer);
}

/** Adds an image or video row without a file to an article. */
async function addMedia(
  articleId: string,
  mediaType: 'image' | 'video' = 'image',
  order = 0,
  upload = newId(),
): Promise<string> {
  const id = newId();
  const now = toIso(Date.now());
  await fixture.db
    .insertInto('uploads')
    .values({ id: upload, kind: 'media', status: 'attached', created_at: now, updated_at: now })
    .execute();
  await fixture.db
    .insertInto('media')
    .values({
      id,
      article_id: articleId,
      upload_id: upload,
      media_type: mediaType,
      file_path: `/uploads/${upload}/1600.webp`,
      sources: '[]',
      alt_text: '',
      caption: '',
      display_order: order,
      original_name: 'a.png',
      file_size: 9,
      width: null,
      height: null,
      created_at: now,
    })
    .execute();
  return id;
}

describe('reading', () => {
  test('the public sees published articles, newest first, in pages', async () => {
    const made: Article[] = [];
    for (let number = 1; number <= 3; number++)
      made.push(await create({ title: `No. ${number}`, published: true }));
    await create({ title: 'A draft' });
    // Two of the same time, one earlier.
    const [first, second, third] = made as [Article, Article, Article];
    const tied = [first.id, second.id].sort().reverse();
    const at = (id: string, published_at: string) =>
      fixture.db.updateTable('articles').set({ published_at }).where('id', '=', id).execute();
    await at(first.id, '2026-02-02T00:00:00.000Z');
    await at(second.id, '2026-02-02T00:00:00.000Z');
    await at(third.id, '2026-01-01T00:00:00.000Z');

    const whole = pageOf(await callApi('GET', '/api/news'));
    expect(whole).toMatchObject({ page: 1, totalPages: 1, total: 3 });
    expect(whole.articles.map(({ id }) => id)).toEqual([...tied, third.id]);
    const last = pageOf(await callApi('GET', '/api/news?page=2&limit=2'));
    expect(last).toMatchObject({ page: 2, totalPages: 2, total: 3, articles: [{ id: third.id }] });
    for (const page of ['3', '999999999999999']) {
      const past = pageOf(await callApi('GET', `/api/news?page=${page}&limit=2`));
      expect(past).toMatchObject({ page: Number(page), totalPages: 2, total: 3, articles: [] });
    }
  });

  test('a page has twenty articles by default', async () => {
    for (let number = 1; number <= 21; number++) await create({ published: true });
    const [first, second] = [await callApi('GET', '/api/news'), await callApi('GET', '/api/news?page=2')].map(
      pageOf,
    );
    expect(first).toMatchObject({ page: 1, totalPages: 2, total: 21 });
    expect([first?.articles.length, second?.articles.length]).toEqual([20, 1]);
  });

  test('without articles the page is empty', async () => {
    expect(pageOf(await callApi('GET', '/api/news'))).toEqual({
      articles: [],
      page: 1,
      totalPages: 0,
      total: 0,
    });
  });

  test.each(['page=0', 'page=-1', 'page=1.5', 'page=', 'page=x', 'limit=0', 'limit=101', 'limit=1&limit=2'])(
    '%s is refused',
    async (search) => {
      for (const path of ['/api/news', ARTICLES]) {
        const answer = await callApi('GET', `${path}?${search}`, as());
        expect(answer).toMatchObject({ status: 400, body: { success: false, code: 'invalid_query' } });
      }
    },
  );

  test('admins see drafts too, newest first, 50 per page', async () => {
    const draft = await create();
    const published = await create({ published: true });
    await fixture.db
      .updateTable('articles')
      .set({ created_at: '2026-01-01T00:00:00.000Z' })
      .where('id', '=', published.id)
      .execute();
    const page = pageOf(await callApi('GET', ARTICLES, as()));
    expect(page.articles.map(({ id }) => id)).toEqual([draft.id, published.id]);
    for (let number = 0; number < 50; number++) await create();
    expect(pageOf(await callApi('GET', ARTICLES, as()))).toMatchObject({ totalPages: 2, total: 52 });
  });

  test('an article has exactly the documented fields, and its media in order', async () => {
    const { id } = await create({ published: true, excerpt: ' In\nshort ' });
    const second = await addMedia(id, 'video', 2);
    const first = await addMedia(id, 'image', 1);
    const article = articleOf(await callApi('GET', `/api/news/${id}`));
    expect(article).toEqual({
      id,
      title: 'A title',
      content: '<p>Some text.</p>',
      excerpt: 'In short',
      published: true,
      featured: false,
      featuredImageId: null,
      authorUsername: 'Misty',
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: article.createdAt,
      publishedAt: article.createdAt,
      readTimeMinutes: 1,
      media: [expect.objectContaining({ id: first }), expect.objectContaining({ id: second })],
    });
    expect(Object.keys(article.media[0] ?? {}).sort()).toEqual(
      ['id', 'mediaType', 'filePath', 'altText', 'caption', 'displayOrder']
        .concat(['originalName', 'fileSize', 'width', 'height'])
        .sort(),
    );
    expect(pageOf(await callApi('GET', '/api/news')).articles[0]).toEqual(article);
  });

  test('a draft and an unknown id are not found', async () => {
    const { id } = await create();
    expect(await callApi('GET', `/api/news/${id}`)).toMatchObject(NOT_FOUND);
    expect(await callApi('GET', `/api/news/${id}`, as())).toMatchObject(NOT_FOUND);
    expect(articleOf(await callApi('GET', `${ARTICLES}/${id}`, as())).id).toBe(id);
    for (const path of ['/api/news/none', `${ARTICLES}/none`, `/api/news/${'x'.repeat(5_000)}`])
      expect(await callApi('GET', path, as())).toMatchObject(NOT_FOUND);
  });
});

describe('writing', () => {
  test.each([
    ['nothing', {}],
    ['no title', { content: '<p>x</p>' }],
    ['no content', { title: 'x' }],
    ['a blank title', { title: ' \n\t', content: '<p>x</p>' }],
    ['an invisible title', { title: '\u200b', content: '<p>x</p>' }],
    ['blank content', { title: 'x', content: '  ' }],
    ['markup without text', { title: 'x', content: '<p><br></p><ul><li>&nbsp;</li></ul>' }],
    ['only an image', { title: 'x', content: '<img src="/uploads/a/b.webp" alt="a">' }],
    ['only a script', { title: 'x', content: '<script>alert(1)</script>' }],
  ])('%s is refused with the specification’s sentence', async (_name, body) => {
    const { id } = await create();
    const created = await callApi('POST', ARTICLES, as(body));
    expect(created).toMatchObject({ status: 422, body: { success: false, message: REQUIRED } });
    if (Object.keys(body).length < 2) return;
    const changed = await callApi('PUT', `${ARTICLES}/${id}`, as(body));
    expect(changed).toMatchObject({ status: 422, body: { success: false, message: REQUIRED } });
    expect(articleOf(await callApi('GET', `${ARTICLES}/${id}`, as()))).toMatchObject({ title: 'A title' });
  });

  test.each([
    ['title', { title: 'x'.repeat(201) }],
    ['title', { title: 'a\u202eb' }],
    ['title', { title: 7 }],
    ['excerpt', { excerpt: 'x'.repeat(501) }],
    ['excerpt', { excerpt: ['x'] }],
    ['published', { published: 'true' }],
    ['featured', { featured: 1 }],
    ['content', { content: '<b>'.repeat(2_000) }],
    ['content', { content: '&'.repeat(1_000_000) }],
  ])('an invalid %s is named in the response', async (field, fields) => {
    const body = { title: 'x', content: '<p>x</p>', ...fields };
    expect(await callApi('POST', ARTICLES, as(body))).toMatchObject({
      status: 422,
      body: { success: false, errors: { [field]: [expect.stringMatching(/\S/)] } },
    });
  });

  test('the content of an article may be as large as 2 MB', async () => {
    const content = `<p>${'word '.repeat(380_000)}</p>`;
    expect((await create({ content })).readTimeMinutes).toBe(1_900);
    const tooLarge = { title: 'x', content: `${content}${content}` };
    expect(await callApi('POST', ARTICLES, as(tooLarge))).toMatchObject({ status: 413 });
  });

  test('fields that an author cannot set are ignored', async () => {
    const { id } = await create();
    const forged = {
      id: 'mine',
      createdAt: '1999-01-01T00:00:00.000Z',
      publishedAt: '1999-01-01T00:00:00.000Z',
      authorUsername: 'Somebody',
      author_id: 'x',
      readTimeMinutes: 99,
      featuredImageId: 'x',
    };
    const created = await create(forged);
    const changed = articleOf(await callApi('PUT', `${ARTICLES}/${id}`, as({ ...forged, published: true })));
    for (const article of [created, changed]) {
      expect(article).toMatchObject({ authorUsername: 'Misty', readTimeMinutes: 1, featuredImageId: null });
      expect(article.id).not.toBe('mine');
      expect(article.createdAt > '2000').toBe(true);
    }
    expect(created.publishedAt).toBe(null);
    expect(changed).toMatchObject({ id, publishedAt: expect.stringMatching(/^20/) });
  });

  test('each field can be changed alone; a text changes the update date, a switch does not', async () => {
    const { id, updatedAt } = await create({ excerpt: 'In short' });
    const put = async (body: unknown) => articleOf(await callApi('PUT', `${ARTICLES}/${id}`, as(body)));
    expect(await put({})).toMatchObject({ title: 'A title', updatedAt });
    expect(await put({ title: 'A title', published: true, featured: true })).toMatchObject({ updatedAt });
    const retitled = await put({ title: 'Another' });
    expect(retitled).toMatchObject({ title: 'Another', content: '<p>Some text.</p>', excerpt: 'In short' });
    expect(retitled.updatedAt > updatedAt).toBe(true);
    expect(await put({ excerpt: ' ' })).toMatchObject({ excerpt: null, published: true, featured: true });
    expect(await put({ content: '<div>New</div>' })).toMatchObject({ content: '<p>New</p>', excerpt: null });
    expect(await callApi('PUT', `${ARTICLES}/none`, as({ title: 'x' }))).toMatchObject(NOT_FOUND);
  });

  test('the publication date is that of the first publication', async () => {
    const { id, updatedAt } = await create();
    const toggle = async () => articleOf(await callApi('POST', `${ARTICLES}/${id}/toggle-published`, as()));
    const first = await toggle();
    expect(first).toMatchObject({ published: true, publishedAt: expect.any(String), updatedAt });
    expect(await toggle()).toMatchObject({ published: false, publishedAt: first.publishedAt });
    expect(await toggle()).toMatchObject({ published: true, publishedAt: first.publishedAt, updatedAt });
  });

  test.each(['published', 'featured'] as const)(
    'two concurrent toggles of %s restore the original value',
    async (field) => {
      const { id } = await create();
      const path = `${ARTICLES}/${id}/toggle-${field}`;
      const answers = await Promise.all(Array.from({ length: 6 }, () => callApi('POST', path, as())));
      expect(answers.map((answer) => articleOf(answer)[field]).filter(Boolean)).toHaveLength(3);
      expect(articleOf(await callApi('GET', `${ARTICLES}/${id}`, as()))[field]).toBe(false);
      expect(await callApi('POST', `${ARTICLES}/none/toggle-${field}`, as())).toMatchObject(NOT_FOUND);
    },
  );

  test('the featured image must be an image of the article, or none', async () => {
    const [{ id }, other] = [await create(), await create()];
    const [own, video, foreign] = [await addMedia(id), await addMedia(id, 'video'), await addMedia(other.id)];
    const put = (mediaId: unknown, of = id) =>
      callApi('PUT', `${ARTICLES}/${of}/featured-image`, as({ mediaId }));
    expect(articleOf(await put(own))).toMatchObject({ featuredImageId: own });
    for (const unfit of [video, foreign, 'none'])
      expect(await put(unfit)).toMatchObject({
        status: 422,
        body: { errors: { mediaId: [expect.any(String)] } },
      });
    for (const wrong of [undefined, 7, ['x']]) expect((await put(wrong)).status).toBe(422);
    expect(articleOf(await callApi('GET', `${ARTICLES}/${id}`, as()))).toMatchObject({
      featuredImageId: own,
    });
    expect(articleOf(await put(null))).toMatchObject({ featuredImageId: null });
    expect(await put(own, 'none')).toMatchObject(NOT_FOUND);
  });

  test('an unchanged text is not written again', async () => {
    const { id } = await create({ published: true });
    // In a form that an earlier sanitiser or a person may have written.
    const stored = { content: '<p>By <b>hand</b></p>', updated_at: '2026-01-01T00:00:00.000Z' };
    await fixture.db.updateTable('articles').set(stored).where('id', '=', id).execute();
    await callApi('PUT', `${ARTICLES}/${id}`, as({ content: stored.content, featured: true }));
    const kept = fixture.db.selectFrom('articles').select(['content', 'updated_at', 'featured']);
    expect(await kept.where('id', '=', id).executeTakeFirst()).toEqual({ ...stored, featured: 1 });
  });

  test('a deleted article is gone', async () => {
    const { id } = await create({ published: true });
    expect(await callApi('DELETE', `${ARTICLES}/${id}`, as())).toMatchObject({
      status: 200,
      body: { data: {} },
    });
    expect(await callApi('GET', `/api/news/${id}`)).toMatchObject(NOT_FOUND);
    expect(await callApi('DELETE', `${ARTICLES}/${id}`, as())).toMatchObject(NOT_FOUND);
  });

  test('every write bumps the content version and writes an audit row; reads and refusals do not', async () => {
    const revision = () => readContentVersion(fixture.db);
    const start = await revision();
    const { id } = await create();
    await callApi('PUT', `${ARTICLES}/${id}`, as({ title: 'Another' }));
    await callApi('POST', `${ARTICLES}/${id}/toggle-published`, as());
    await callApi('POST', `${ARTICLES}/${id}/toggle-published`, as());
    await callApi('POST', `${ARTICLES}/${id}/toggle-featured`, as());
    await callApi('PUT', `${ARTICLES}/${id}/featured-image`, as({ mediaId: null }));
    expect(await revision()).toBe(start + 6);
    await callApi('GET', '/api/news');
    await callApi('GET', `${ARTICLES}/${id}`, as());
    await callApi('PUT', `${ARTICLES}/${id}`, as({ content: '<p></p>' }));
    await callApi('PUT', `${ARTICLES}/${id}/featured-image`, as({ mediaId: 'none' }));
    await callApi('POST', `${ARTICLES}/none/toggle-featured`, as());
    expect(await revision()).toBe(start + 6);
    const lines = await fixture.db
      .selectFrom('audit_log')
      .select(['actor_id', 'action'])
      .where('subject', '=', id)
      .orderBy('created_at')
      .execute();
    expect(lines.map(({ action }) => action).sort()).toEqual(
      ['create', 'feature', 'featured_image', 'publish', 'unpublish', 'update'].map(
        (verb) => `article.${verb}`,
      ),
    );
    expect(lines.every(({ actor_id }) => actor_id === admin.id)).toBe(true);
  });
});

describe('markup from anywhere', () => {
  const ELEMENTS = 'p br h1 h2 h3 strong em u s ul ol li blockquote pre code a img'.split(' ');
  const CLASS = /^(align-(center|right|justify))?( ?indent-[1-8])?$/;
  const ATTRIBUTES: Record<string, RegExp> = {
    'a href': /^(https?:\/\/[^\s/\\]|mailto:\S|\/(?![/\\]))\S*$/,
    'a rel': /^noopener noreferrer nofollow$/,
    'img src': /^\/uploads\/[\da-f-]{36}\/[\w-]+\.webp$/,
    'img alt': /^[^]*$/,
    'img width': /^[1-9]\d*$/,
    'img height': /^[1-9]\d*$/,
  };

  interface ParsedNode {
    type: string;
    name?: string;
    attribs?: Record<string, string>;
    children?: ParsedNode[];
  }

  /** Parts of stored HTML that an article must not contain. */
  function faultsIn(nodes: readonly ParsedNode[]): string[] {
    return nodes.flatMap((node) => {
      if (node.type === 'text') return [];
      const { name = node.type, attribs = {}, children = [] } = node;
      const faults = node.type === 'tag' && ELEMENTS.includes(name) ? [] : [`<${name}>`];
      for (const [attribute, value] of Object.entries(attribs)) {
        const rule = attribute === 'class' ? CLASS : ATTRIBUTES[`${name} ${attribute}`];
        if (rule?.test(value) !== true) faults.push(`${name} ${attribute}="${value}"`);
      }
      return [...faults, ...faultsIn(children)];
    });
  }

  test('the corpus has enough payloads', () => {
    expect(xssContents.length).toBeGreaterThanOrEqual(120);
    expect(new Set(xssContents.map(({ name }) => name)).size).toBe(xssContents.length);
  });

  test.each(xssContents)('$name', async ({ html }) => {
    const { id } = await create({ content: `<p>before</p>${html}`, published: true });
    const { content } = articleOf(await callApi('GET', `/api/news/${id}`));
    expect(faultsIn(parseDocument(content).children as unknown as ParsedNode[])).toEqual([]);
    expect(content.startsWith('<p>before</p>')).toBe(true);
    // The stored text again, as a form without scripts sends it.
    const again = articleOf(await callApi('PUT', `${ARTICLES}/${id}`, as({ content })));
    expect(again.content).toBe(content);
  });

  test.each(xssTexts)('a title and an excerpt are plain text: $name', async ({ text }) => {
    const article = await create({ title: text, excerpt: text });
    const shown = text.replace(/\s+/g, ' ').trim();
    expect(article).toMatchObject({ title: shown, excerpt: shown });
  });

  test('everything that the toolbar makes is stored byte for byte', async () => {
    // Its images are kept as long as an article has them.
    const [, uploadId] = /\/uploads\/([^/]+)\//.exec(fullToolbarHtml) ?? [];
    await addMedia((await create()).id, 'image', 0, uploadId);
    expect((await create({ content: fullToolbarHtml })).content).toBe(fullToolbarHtml);
  });
});
