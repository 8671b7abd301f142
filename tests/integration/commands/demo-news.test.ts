import { afterEach, beforeEach, expect, test } from 'vitest';
import { DAY, systemClock } from '#shared/clock';
import { listAllArticles } from '#shared/news/list-articles';
import { readSiteSettings } from '#shared/settings/read-settings';
import { addDemoNews } from '../../../daemon/cli/demo/demo-news';
import { createTestDatabase, type TestDatabase } from '../database';

let fixture: TestDatabase;
beforeEach(async () => {
  fixture = await createTestDatabase();
});
afterEach(() => fixture.cleanup());

test('the demo data has articles over many weeks, two of them featured, a draft, and retailers', async () => {
  const now = systemClock.now();
  await addDemoNews(fixture.db, { clock: { now: () => now } });
  const { articles } = await listAllArticles(fixture.db, { page: 1, limit: 100 });
  const published = articles.filter((article) => article.published);
  expect(published.length).toBeGreaterThanOrEqual(7);
  expect(published.filter((article) => article.featured)).toHaveLength(2);
  expect(articles.filter((article) => !article.published)).toHaveLength(1);
  const ages = published.map((article) => (now - Date.parse(article.publishedAt ?? '')) / DAY);
  expect(Math.min(...ages)).toBeLessThan(1);
  expect(Math.max(...ages)).toBeGreaterThan(30);
  expect((await readSiteSettings(fixture.db)).retailers.length).toBeGreaterThan(2);
  // The sanitiser removes nothing from them.
  for (const { content } of articles) expect(content).toMatch(/^<p>[^]*>$/);
});
