import { afterEach, beforeEach, expect, it } from 'vitest';
import { newId } from '#shared/ids';
import { SESSION_COOKIE } from '~/http/cookies/session-cookie.server';
import * as deletePage from '~/routes/admin/articles/delete';
import * as deleteMediaPage from '~/routes/admin/articles/delete-media';
import * as editPage from '~/routes/admin/articles/edit';
import * as newPage from '~/routes/admin/articles/new';
import * as previewPage from '~/routes/admin/articles/preview';
import * as publicPage from '~/routes/site/news/article';
import { setArticles } from '../../e2e/news-data';
import { createApiFixture, SITE, type ApiFixture } from '../api/api-fixture';
import { createRenderedSite } from '../rendered-site';
import { refuseWrites } from '../database-faults';

const TYPED = { title: 'Typed', content: '<p>Long and dear.</p>', excerpt: 'Short.' };
const ARTICLE = newId();
let fixture: ApiFixture;
let token: string;

beforeEach(async () => {
  fixture = await createApiFixture();
  token = await fixture.tokenOf('admin');
});
afterEach(() => fixture.cleanup());

/** A page form as a browser without scripts sends it. */
function sent(path: string, params: Record<string, string>, fields: Record<string, string>) {
  const headers = { Cookie: `${SESSION_COOKIE}=${token}` };
  const body = new URLSearchParams(fields);
  return { request: new Request(SITE + path, { method: 'POST', headers, body }), params, context: {} };
}

const saveFailed = { ok: false, message: 'Failed to save article. Please try again.', values: TYPED };

it('an article that the database rejects is not saved, and the form keeps what was entered', async () => {
  await refuseWrites(fixture.db, 'insert on articles');
  const answer = await newPage.action(sent('/dashboard/articles/new', {}, { intent: 'save', ...TYPED }));
  expect(answer).toMatchObject(saveFailed);
});

it('a change that the database rejects is not saved, and the form keeps what was entered', async () => {
  await setArticles(fixture.db, [{ id: ARTICLE, title: 'Before' }]);
  await refuseWrites(fixture.db, 'update on articles');
  const path = `/dashboard/articles/${ARTICLE}`;
  const answer = await editPage.action(sent(path, { id: ARTICLE }, { intent: 'overwrite', ...TYPED }));
  expect(answer).toMatchObject(saveFailed);
});

it('a new article whose draft does not exist is refused, and its form receives no draft', async () => {
  for (const draft of [newId(), 'none']) {
    const fields = { intent: 'save', draft, version: 'v', ...TYPED };
    const answer = await newPage.action(sent('/dashboard/articles/new', {}, fields));
    expect(answer).toMatchObject({
      ok: false,
      code: 'article_not_found',
      message: expect.stringContaining('Someone has deleted this draft'),
      values: TYPED,
    });
  }
  expect(await fixture.db.selectFrom('articles').select('id').execute()).toEqual([]);
});

it('a preview shows what the form contains, sanitised, and stores nothing', async () => {
  await setArticles(fixture.db, [{ id: ARTICLE, title: 'Before' }]);
  const site = createRenderedSite({ '/dashboard/articles/preview': previewPage });
  const preview = (fields: Record<string, string>) =>
    site.post(`/dashboard/articles/preview?article=${ARTICLE}`, token, fields);
  const content = '<h1>Long</h1><p onclick="steal()">and dear.</p><script>steal()</script>';
  const page = await preview({ ...TYPED, content, published: 'on' });
  expect(page.text).toContain('This is a preview. Nothing is saved, and only you see it.');
  expect(page.html).toContain('<h2>Long</h2>');
  expect(page.text).toContain('Typed Short.');
  expect(page.html).not.toContain('steal()');
  expect(page.html).toContain('<meta name="robots" content="noindex"/>');
  expect((await preview({ ...TYPED, title: ' ' })).text).toContain('Title and content are required');
  const { title } = await fixture.db.selectFrom('articles').select('title').executeTakeFirstOrThrow();
  expect(title).toBe('Before');
  token = await fixture.tokenOf('member');
  expect((await preview(TYPED)).leadsTo).not.toBeNull();
});

it('a failed deletion of an article is reported', async () => {
  await setArticles(fixture.db, [{ id: ARTICLE }]);
  await refuseWrites(fixture.db, 'delete on articles');
  const path = `/dashboard/articles/${ARTICLE}/delete`;
  const answer = await deletePage.action(sent(path, { id: ARTICLE }, { intent: 'delete' }));
  expect(answer).toMatchObject({
    intent: 'delete',
    ok: false,
    message: 'Failed to delete article. Please try again.',
  });
});

it('a failed deletion of an image is reported', async () => {
  const uploadId = newId();
  const file = {
    uploadId,
    mediaType: 'image' as const,
    filePath: `/uploads/${uploadId}/64.webp`,
    sources: [],
    fileSize: 1,
    width: 64,
    height: 48,
  };
  await setArticles(fixture.db, [{ id: ARTICLE, media: [{ file }] }]);
  const { id: mediaId } = await fixture.db.selectFrom('media').select('id').executeTakeFirstOrThrow();
  await refuseWrites(fixture.db, 'delete on media');
  const path = `/dashboard/articles/${ARTICLE}/media/${mediaId}/delete`;
  const answer = await deleteMediaPage.action(sent(path, { id: ARTICLE, mediaId }, { intent: 'delete' }));
  expect(answer).toMatchObject({
    intent: 'delete',
    ok: false,
    message: 'Failed to delete media. Please try again.',
  });
});

it('an unpublished article is shown to admins without a publishing date', async () => {
  // Its page used to show 'Published' with the date of the first publication.
  await setArticles(fixture.db, [{ id: ARTICLE }]);
  await fixture.db.updateTable('articles').set({ published: 0 }).execute();
  const request = new Request(`${SITE}/news/${ARTICLE}`, {
    headers: { Cookie: `${SESSION_COOKIE}=${token}` },
  });
  const { data } = await publicPage.loader({ request, params: { articleId: ARTICLE }, context: {} });
  expect(data).toMatchObject({
    kind: 'article',
    article: { draft: true, published: null, withdrawn: true, updated: null },
  });
});
