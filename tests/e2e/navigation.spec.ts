import { newId } from '#shared/ids';
import { storeCheck } from '../integration/alerts/finished-check';
import { insertProductWatch, productCheck } from '../integration/monitor/product-watch';
import { setArticles, withDatabase } from './news-data';
import { afterFrame, layoutShifts, watchLayout } from './page-quality';
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

test('the links of the landing page’s bar load the page’s data before the press @own-context', async ({
  page,
}) => {
  await page.goto('/');
  const requests = await watchDataRequests(page);
  const link = page.getByRole('navigation').getByRole('link', { name: 'Restocks' }).first();
  await link.hover();
  const prefetched = { path: '/restock.data', isPrefetch: true };
  await expect.poll(() => requests).toEqual([prefetched]);
  await link.click();
  await expect(page).toHaveURL(/\/restock$/);
  expect(requests).toEqual([prefetched]);
});

test('a finger on a link of the footer loads the page’s data before it leaves the screen @own-context', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/privacy');
  const requests = await watchDataRequests(page);
  const link = page.getByRole('contentinfo').getByRole('link', { name: 'Terms' });
  await link.scrollIntoViewIfNeeded();
  const { x = 0, y = 0, width = 0, height = 0 } = (await link.boundingBox()) ?? {};
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  const touchPoints = [{ x: x + width / 2, y: y + height / 2 }];
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  const prefetched = { path: '/terms.data', isPrefetch: true };
  await expect.poll(() => requests).toEqual([prefetched]);
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await expect(page).toHaveURL(/\/terms$/);
  expect(requests).toEqual([prefetched]);
});

for (const mode of MODES)
  test(`Back shows the status and the page for developers where they were left${mode}`, async ({
    page,
    javaScriptEnabled,
  }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto('/status');
    const leave = async (name: string, path: RegExp) => {
      const link = page.getByRole('contentinfo').getByRole('link', { name });
      await link.scrollIntoViewIfNeeded();
      const left = await scrollOf(page);
      await link.click();
      await expect(page).toHaveURL(path);
      return left;
    };
    const status = await leave('Developers', /\/developers$/);
    // Without scripts Chromium 153 scrolls to the part that the address names after it has restored the position, on each page
    // that preloads a font.
    if (javaScriptEnabled) {
      await page.getByRole('link', { name: 'Failures', exact: true }).last().click();
      await expect(page).toHaveURL(/#failures$/);
    }
    const address = page.url();
    const before = await scrollOf(page);
    const developers = await leave('Privacy', /\/privacy$/);
    await page.goBack();
    await expect(page).toHaveURL(address);
    await expect.poll(() => scrollOf(page)).toBe(developers);
    expect(developers).toBeGreaterThan(before);
    if (javaScriptEnabled) await page.goBack();
    await expect(page).toHaveURL(/\/developers$/);
    await page.goBack();
    await expect(page).toHaveURL(/\/status$/);
    await expect.poll(() => scrollOf(page)).toBe(status);
  });

test('a visitor who goes elsewhere while half of a page’s data has come causes no error @own-context', async ({
  page,
}) => {
  await page.addInitScript(() => {
    const send = window.fetch.bind(window);
    window.fetch = async (input, init) => {
      const answer = await send(input, init);
      if (!answer.url.includes('/terms.data')) return answer;
      // The rest of the answer never comes.
      const body = new ReadableStream({
        start(controller) {
          init?.signal?.addEventListener('abort', () => controller.error(init.signal?.reason));
          document.documentElement.dataset.half = 'true';
        },
      });
      return new Response(body, { status: answer.status, headers: answer.headers });
    };
  });
  await page.goto('/privacy');
  const footer = page.getByRole('contentinfo');
  await footer.getByRole('link', { name: 'Terms' }).click();
  await expect(page.locator('[data-half]')).toBeAttached();
  await footer.getByRole('link', { name: 'Developers' }).click();
  await expect(page).toHaveURL(/\/developers$/);
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

/** Stores products that no check changes, waits until the site lists them, and returns what their titles begin with. */
async function storeProducts(page: Page, { dataDir }: SharedStack, count: number): Promise<string> {
  // The end of an id is random, its beginning is the time: the products of the test before have another name.
  const name = `Chest ${newId().slice(-8)}`;
  await withDatabase(dataDir, async (db) => {
    for (let at = 0; at < count; at += 1) {
      const id = await insertProductWatch(db, { title: `${name} ${at}` });
      await storeCheck(db, { now: () => Date.now() }, productCheck(id));
    }
    await db.updateTable('watches').set({ running: 0 }).where('kind', '=', 'product').execute();
  });
  // The site's list can be five seconds old.
  const listed = async () => (await page.request.get('/restock', { params: { q: name } })).text();
  await expect.poll(listed).toContain(`aria-label="${count} product`);
  return name;
}

function deleteProducts({ dataDir }: SharedStack): Promise<unknown> {
  return withDatabase(dataDir, (db) =>
    db.updateTable('products').set({ deleted_at: new Date().toISOString() }).execute(),
  );
}

for (const mode of MODES)
  test(`Back shows a list where it was left, with its filter${mode}`, async ({ page, stack }) => {
    const name = await storeProducts(page, stack, 12);
    try {
      await page.setViewportSize({ width: 360, height: 740 });
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
      await deleteProducts(stack);
    }
  });

// Without scripts the browser filled in the state that was chosen before the list was filtered.
for (const mode of MODES)
  test(`Back to the list without a filter shows none in the form${mode}`, async ({ page, stack }) => {
    await storeProducts(page, stack, 1);
    try {
      await page.goto('/restock');
      await page.getByLabel('State').selectOption('unknown');
      await page.getByRole('searchbox', { name: 'Search' }).fill('Chest');
      await page.getByRole('button', { name: 'Show' }).click();
      await expect(page).toHaveURL(/state=unknown/);
      await page.goBack();
      await expect(page).toHaveURL('/restock');
      await expect(page.getByLabel('State')).toHaveValue('');
      await expect(page.getByRole('searchbox', { name: 'Search' })).toHaveValue('');
      await page.goForward();
      await expect(page.getByLabel('State')).toHaveValue('unknown');
    } finally {
      await deleteProducts(stack);
    }
  });

// The next page scrolled visibly from the end of the list to its top, and "Next" stood elsewhere on it.
for (const width of [360, 1280])
  test(`nothing moves when a list shows another page, or nothing, at ${width} pixels @own-context`, async ({
    page,
    stack,
  }) => {
    const name = await storeProducts(page, stack, 49);
    try {
      await page.setViewportSize({ width, height: 740 });
      await watchLayout(page);
      await page.goto(`/restock?q=${encodeURIComponent(name)}`);
      const next = page.getByRole('link', { name: 'Next' });
      const leftOf = async () => (await next.boundingBox())?.x;
      const left = await leftOf();
      for (const number of [2, 3]) {
        await next.scrollIntoViewIfNeeded();
        await next.click();
        await expect(page.getByText(`Page ${number} of 3`)).toBeVisible();
        expect(await scrollOf(page)).toBe(0);
        expect(await leftOf()).toBe(left);
      }
      await expect(next).toBeDisabled();
      await page.getByRole('searchbox', { name: 'Search' }).fill('no such product');
      await page.getByRole('button', { name: 'Show' }).click();
      await expect(page.getByText('No products match')).toBeVisible();
      await page.goBack();
      await expect(page.getByText('Page 3 of 3')).toBeVisible();
      await afterFrame(page);
      expect(await layoutShifts(page)).toEqual([]);
    } finally {
      await deleteProducts(stack);
    }
  });

test('a link to a section of the landing page scrolls to it, and Back to that page shows where it was left at once @own-context', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 740 });
  await page.goto('/');
  const behaviour = () => page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior);
  expect(await behaviour()).toBe('auto');
  await page.locator('footer a[href^="#"]').first().click();
  await expect.poll(behaviour).toBe('smooth');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Status' }).click();
  await expect(page).toHaveURL(/\/status$/);
  // The address changes before the page does.
  await expect(page.locator('#features')).toHaveCount(0);
  expect(await behaviour()).toBe('auto');
  await page.goBack();
  await expect(page).toHaveURL(/#/);
  await expect(page.locator('#features')).toBeVisible();
  expect(await behaviour()).toBe('auto');
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
