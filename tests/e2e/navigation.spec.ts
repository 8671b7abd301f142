import { newId } from '#shared/ids';
import { storeCheck } from '../integration/alerts/finished-check';
import { insertProductWatch, productCheck } from '../integration/monitor/product-watch';
import { setArticles, withDatabase } from './news-data';
import { layoutShifts, watchLayout } from './page-quality';
import { signInAdmin } from './people';
import type { Page } from 'playwright';
import { expect, MODES, test, type SharedStack } from './test';

test('a navigation without a new document says the title of each page', async ({ page }) => {
  await page.goto('/status');
  const announced = page.locator('[data-route-announcer]');
  await expect(announced).toHaveText('');
  await page
    .getByRole('link', { name: /waiting room$/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/restock\//);
  await expect(announced).toHaveText(/^Waiting room alert · /);
  await page.goBack();
  await expect(announced).toHaveText(/^Status: /);
  await expect(announced).toHaveAttribute('aria-live', 'polite');
});

const scrollOf = (page: Page) => page.evaluate(() => Math.round(window.scrollY));

function storeArticles({ dataDir }: SharedStack, count: number): Promise<string[]> {
  return withDatabase(dataDir, (db) => setArticles(db, Array(count).fill({})));
}

/** Returns the requests of the page for the data of pages that reach the site, as they come. */
async function watchDataRequests(page: Page): Promise<{ path: string; isPrefetch: boolean }[]> {
  const devtools = await page.context().newCDPSession(page);
  const isPrefetch = new Map<string, boolean>();
  const requests: { path: string; isPrefetch: boolean }[] = [];
  devtools.on('Network.requestWillBeSent', ({ requestId, request: { headers } }) =>
    isPrefetch.set(requestId, headers['Sec-Purpose'] === 'prefetch'),
  );
  devtools.on('Network.responseReceived', ({ requestId, response: { url, fromDiskCache } }) => {
    const path = new URL(url).pathname;
    if (path.endsWith('.data') && fromDiskCache !== true)
      requests.push({ path, isPrefetch: isPrefetch.get(requestId) === true });
  });
  await devtools.send('Network.enable');
  return requests;
}

test('a link that a visitor points at loads the page’s data, and the press does not request them again @own-context', async ({
  page,
  stack,
}) => {
  const [id = ''] = await storeArticles(stack, 3);
  await page.goto('/news');
  const requests = await watchDataRequests(page);
  const link = page.getByRole('link', { name: 'Story 1', exact: true });
  await link.hover();
  const prefetched = { path: `/news/${id}.data`, isPrefetch: true };
  await expect.poll(() => requests).toEqual([prefetched]);
  await link.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Story 1');
  expect(requests).toEqual([prefetched]);
});

test('a browser that saves data loads nothing before the press @own-context', async ({ page, stack }) => {
  const [, second = ''] = await storeArticles(stack, 3);
  await page.goto('/news');
  const requests = await watchDataRequests(page);
  const saveData = (value: boolean) =>
    page.evaluate((saves) => {
      Object.defineProperty(navigator, 'connection', { value: { saveData: saves }, configurable: true });
    }, value);
  await saveData(true);
  await page.getByRole('link', { name: 'Story 1', exact: true }).hover();
  await saveData(false);
  await page.getByRole('link', { name: 'Story 2', exact: true }).hover();
  await expect.poll(() => requests).toEqual([{ path: `/news/${second}.data`, isPrefetch: true }]);
});

test('the data of a signed-in user are requested with the press alone @own-context', async ({
  page,
  stack,
}) => {
  const [id = ''] = await storeArticles(stack, 3);
  await signInAdmin(page, stack);
  await page.goto('/news');
  const requests = await watchDataRequests(page);
  const link = page.getByRole('link', { name: 'Story 1', exact: true });
  await link.hover();
  // The script of the page shows that the link has been noticed.
  await expect
    .poll(() =>
      page.evaluate(() =>
        performance.getEntriesByType('resource').some(({ name }) => /\/article-[^/]*\.js$/.test(name)),
      ),
    )
    .toBe(true);
  await link.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Story 1');
  expect(requests).toEqual([{ path: `/news/${id}.data`, isPrefetch: false }]);
});

for (const mode of MODES)
  test(`Back shows a list where it was left, with its filter${mode}`, async ({ page, stack }) => {
    // The end of an id is random, its beginning is the time: the mode before has another name.
    const name = `Chest ${newId().slice(-8)}`;
    await withDatabase(stack.dataDir, async (db) => {
      for (let at = 0; at < 12; at += 1) {
        const id = await insertProductWatch(db, { title: `${name} ${at}` });
        await storeCheck(db, { now: () => Date.now() }, productCheck(id));
      }
      await db.updateTable('watches').set({ running: 0 }).where('kind', '=', 'product').execute();
    });
    try {
      await page.setViewportSize({ width: 360, height: 740 });
      // The site's list can be five seconds old.
      const listed = async () => (await page.request.get('/restock', { params: { q: name } })).text();
      await expect.poll(listed).toContain(`${name} 7`);
      await page.goto('/restock');
      await page.getByRole('searchbox', { name: 'Search' }).fill(name);
      await page.getByRole('button', { name: 'Show' }).click();
      await expect(page).toHaveURL(/q=Chest/);
      const link = page.getByRole('link', { name: `${name} 7`, exact: true });
      await link.scrollIntoViewIfNeeded();
      const left = await scrollOf(page);
      expect(left).toBeGreaterThan(300);
      await link.click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${name} 7`);
      await page.goBack();
      await expect(page.getByRole('searchbox', { name: 'Search' })).toHaveValue(name);
      await expect.poll(() => scrollOf(page)).toBe(left);
    } finally {
      await withDatabase(stack.dataDir, (db) =>
        db.updateTable('products').set({ deleted_at: new Date().toISOString() }).execute(),
      );
    }
  });

for (const mode of MODES)
  test(`Back shows a list of the admins where it was left${mode}`, async ({ page, stack }) => {
    await storeArticles(stack, 30);
    await signInAdmin(page, stack);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto('/dashboard/articles?page=2');
    const link = page.getByRole('link', { name: /^Edit/ }).last();
    await link.scrollIntoViewIfNeeded();
    const left = await scrollOf(page);
    expect(left).toBeGreaterThan(300);
    await link.click();
    await expect(page).toHaveURL(/\/dashboard\/articles\/[\w-]{36}/);
    await page.goBack();
    await expect(page).toHaveURL(/page=2$/);
    await expect.poll(() => scrollOf(page)).toBe(left);
  });

test('nothing moves when a visitor goes from page to page and back @own-context', async ({ page, stack }) => {
  await storeArticles(stack, 3);
  await page.setViewportSize({ width: 360, height: 740 });
  await watchLayout(page);
  await page.goto('/news');
  await page.getByRole('link', { name: 'Story 1', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Story 1');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Status' }).click();
  await expect(page).toHaveURL(/\/status$/);
  await page
    .getByRole('link', { name: /waiting room$/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/restock\//);
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Latest News');
  expect(await layoutShifts(page)).toEqual([]);
});
