import type { Page } from 'playwright/test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '#shared/database/connection.server';
import { openSqliteDatabase } from '#shared/database/sqlite/sqlite-database.server';
import { setArticles } from './news-data';
import { expectNoFaults } from './page-quality';
import { createDatabase, startWeb, type Environment, type Web } from './stack';
import { expect, test } from './test';

const ID = '44444444-4444-4444-8444-444444444444';

/** The browser logs every answer of the 5xx as an error of the page; here there must be one. */
const NOTED = /^Failed to load resource: the server responded with a status of 50[03]/;

test.use({ notedFaults: NOTED });

let folder: string;
let db: Database;
/** A separate web process: other spec files keep their articles. */
let web: Web;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packwatch-news-faults-'));
  const environment: Environment = {
    // Takes its address from the port it is given.
    SANDBOX: '1',
    DATA_DIR: folder,
    REDIS_URL: 'redis://127.0.0.1:1',
    SESSION_SECRET: 'a-secret-of-some-length',
  };
  await createDatabase(folder);
  db = openSqliteDatabase(join(folder, 'packwatch.db'));
  web = await startWeb(environment, folder);
});

test.beforeEach(async () => {
  const tables = await db.introspection.getTables();
  if (tables.some(({ name }) => name === 'articles_away')) await bringBack();
  await setArticles(db, [{ id: ID, title: 'Still there' }]);
});

test.afterAll(async () => {
  await web.running.stop();
  await db.destroy();
  rmSync(folder, { recursive: true, force: true });
});

/** A table that is not there is the plainest way for a read to fail. */
const takeAway = () => db.schema.alterTable('articles').renameTo('articles_away').execute();
const bringBack = () => db.schema.alterTable('articles_away').renameTo('articles').execute();

/** Opens a page that fails, and says with what status. */
async function openFailing(page: Page, path: string): Promise<number | undefined> {
  const noted = page.waitForEvent('console', { predicate: (message) => NOTED.test(message.text()) });
  const answer = await page.goto(web.url + path);
  await noted;
  return answer?.status();
}

test('an article that fails to load says so, and is back as soon as it can be read', async ({ page }) => {
  await takeAway();
  expect(await openFailing(page, `/news/${ID}`)).toBe(500);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Failed to load article. Please try again later.',
  );
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
  await expect(page.getByRole('main').getByRole('link', { name: 'Go to the news' })).toHaveAttribute(
    'href',
    '/news',
  );
  await bringBack();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Still there');
});

test('news that fail to load are none, with the reason, and are back as soon as they can be read', async ({
  page,
}) => {
  await takeAway();
  expect(await openFailing(page, '/news')).toBe(503);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Latest News');
  const empty = page.locator('main section').filter({ has: page.getByRole('heading', { level: 2 }) });
  await expect(empty.getByRole('heading')).toHaveText('No Stories Yet');
  await expect(empty).toContainText('The news couldn’t be loaded. Try again in a moment.');
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
  await bringBack();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Still there' })).toBeVisible();
});

test('the landing page comes without its news when they fail to load', async ({ page }) => {
  await takeAway();
  expect((await page.goto(web.url))?.status()).toBe(200);
  await expect(page.locator('#pricing')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Latest News' })).toHaveCount(0);
  // The page continues to request what its links lead to; the process must not be gone by then.
  await page.waitForLoadState('networkidle');
});

test('pages that failed have no accessibility fault', async ({ page }) => {
  test.slow();
  await takeAway();
  for (const path of ['/news', `/news/${ID}`]) {
    await openFailing(page, path);
    await expectNoFaults(page);
  }
});
