import { beforeEach, describe, expect, test, vi } from 'vitest';
import { serverContext } from '~/http/server/context.server';
import { SESSION_COOKIE } from '~/http/cookies/session-cookie.server';
import { loader as rootLoader } from '~/root';
import { loader as monitorLoader } from '~/routes/admin/monitor/monitor';
import { loader as dashboardLoader } from '~/routes/dashboard/dashboard';
import { loader as articleLoader } from '~/routes/site/news/article';
import { loader as landingLoader } from '~/routes/site/landing';
import { loader as newsLoader } from '~/routes/site/news/news';
import { setArticles } from '../../e2e/news-data';
import { siteFixture } from '../site-fixture';

const ID = '33333333-3333-4333-8333-333333333333';
const site = siteFixture();

function args(path: string, params: Record<string, string> = {}) {
  return { request: new Request(`https://packwatch.example${path}`), params, context: {} };
}

/** The data of a loader with its status, 200 by default. */
function statusOf({ init }: { init: ResponseInit | null }): number {
  return init?.status ?? 200;
}

describe('when the database cannot be read', () => {
  beforeEach(async () => {
    // Used once, since SQLite opens the file at the first query.
    await newsLoader(args('/news'));
    await serverContext().db.destroy();
  });

  describe('a request with a session cookie', () => {
    const Cookie = `${SESSION_COOKIE}=${'a'.repeat(43)}`;
    const signedIn = (path: string, params: Record<string, string> = {}) => ({
      ...args(path, params),
      request: new Request(`https://packwatch.example${path}`, { headers: { Cookie } }),
    });

    test('is treated as signed out on public pages, and the failure is logged', async () => {
      const logged = vi.spyOn(serverContext().log, 'error');
      expect((await rootLoader(signedIn('/news'))).data).toMatchObject({ signedIn: null, newsEnabled: true });
      expect(logged.mock.calls.map(([, sentence]) => sentence)).toContain(
        'the session of a public page could not be read',
      );
      expect(await landingLoader(signedIn('/?auth=login'))).toMatchObject({ dialog: 'login', live: null });
      const answer = await articleLoader(signedIn(`/news/${ID}`, { articleId: ID }));
      expect([statusOf(answer), answer.data]).toEqual([500, { kind: 'failed' }]);
    });

    test('gets an error from the dashboard', async () => {
      expect(await dashboardLoader(signedIn('/dashboard'))).toEqual({ kind: 'failed' });
      await expect(monitorLoader(signedIn('/dashboard/monitor'))).rejects.toThrow();
    });
  });

  test('the news list is empty and not cacheable, and the failure is logged', async () => {
    const logged = vi.spyOn(serverContext().log, 'error');
    const answer = await newsLoader(args('/news'));
    expect(statusOf(answer)).toBe(503);
    expect(answer.data).toMatchObject({ hero: null, stories: [], totalPages: 1, failed: true });
    const sentences = logged.mock.calls.map(([, sentence]) => sentence);
    // The setting cannot be read either, so the news section counts as enabled.
    expect(sentences).toEqual(['the news setting could not be read', 'the news list could not be read']);
  });

  test('an article page reports that it could not be loaded, and the failure is logged', async () => {
    const logged = vi.spyOn(serverContext().log, 'error');
    const answer = await articleLoader(args(`/news/${ID}`, { articleId: ID }));
    expect([statusOf(answer), answer.data]).toEqual([500, { kind: 'failed' }]);
    expect(logged.mock.calls.at(-1)?.[1]).toBe('an article could not be read');
  });
});

test('the list contains no article content', async () => {
  await setArticles(site.db, [{ content: `<p>${'far beyond any summary '.repeat(50)}</p>` }]);
  const { data } = await newsLoader(args('/news'));
  expect(JSON.stringify(data).length).toBeLessThan(800);
});

test('an article is found by its id while it is published', async () => {
  await setArticles(site.db, [
    { id: ID, title: 'Here' },
    { title: 'A draft', published: false },
  ]);
  const found = await articleLoader(args(`/news/${ID}`, { articleId: ID }));
  expect([statusOf(found), found.data]).toMatchObject([200, { kind: 'article', article: { title: 'Here' } }]);
  const none = await articleLoader(args('/news/none', { articleId: 'none' }));
  expect([statusOf(none), none.data]).toEqual([404, { kind: 'missing' }]);
});

test('an article that changed only before its publication has no update date', async () => {
  const publishedAt = '2026-11-02T12:00:00.000Z';
  const updateOf = async (updatedAt: string) => {
    await setArticles(site.db, [{ id: ID, publishedAt, updatedAt }]);
    const { data } = await articleLoader(args(`/news/${ID}`, { articleId: ID }));
    return data.kind === 'article' ? [data.article.updated, data.facts.modifiedTime] : null;
  };
  expect(await updateOf('2026-11-01T12:00:00.000Z')).toEqual([null, publishedAt]);
  // Within the same minute, the page would show the same time twice.
  expect(await updateOf('2026-11-02T12:00:30.000Z')).toEqual([null, '2026-11-02T12:00:30.000Z']);
  expect(await updateOf('2026-11-03T12:00:00.000Z')).toEqual([
    { iso: '2026-11-03T12:00:00.000Z', text: 'November 3, 2026 at 12:00 PM' },
    '2026-11-03T12:00:00.000Z',
  ]);
});
