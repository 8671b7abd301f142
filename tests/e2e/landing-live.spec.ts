import type { Page } from 'playwright/test';
import { signInAdmin } from './people';
import { expect, test } from './test';

const LIVE = '**/live.json';

/** The browser logs every request that fails as an error of the page; here some must. */
const NOTED = /^Failed to load resource: /;

test.use({ notedFaults: NOTED });

/** Fires the event of a tab that becomes visible again. */
const comeBack = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

const card = (page: Page) => page.getByRole('article', { name: 'Live monitor' });

test('coming back to the page refreshes its state at once', async ({ page }) => {
  await page.goto('/');
  const refresh = page.waitForResponse(LIVE);
  await comeBack(page);
  expect((await refresh).status()).toBe(200);
});

/** How a refresh fails: no connection, a proxy error, or an answer of another server. */
const FAILURES = {
  'the connection is down': { abort: true },
  'a proxy answers 502': { status: 502, body: 'Bad Gateway' },
  'a hotel answers with its own page': { status: 200, contentType: 'text/html', body: '<h1>Welcome</h1>' },
} as const;

for (const [failure, answer] of Object.entries(FAILURES)) {
  // It once brought the error page for good: the router takes the page away when its data fail to load anew.
  test(`a page stays when ${failure}, says how old it is, and keeps polling @own-context`, async ({
    page,
  }) => {
    await page.clock.install();
    await page.goto('/');
    await page.evaluate(() => document.body.setAttribute('data-same-page', ''));
    await page.route(LIVE, (route) => ('abort' in answer ? route.abort() : route.fulfill(answer)));
    const asked = page.waitForRequest(LIVE);
    await comeBack(page);
    await asked;
    await expect(card(page).locator('[data-monitor-state]')).toBeVisible();
    await expect(card(page).getByText('Not up to date')).toHaveCount(0);

    const askedAgain = page.waitForRequest(LIVE);
    await page.clock.runFor(90_000);
    await askedAgain;
    await expect(card(page).getByRole('status')).toHaveText(
      /^Not up to date: last updated at \d\d:\d\d:\d\d\. We keep trying\.$/,
    );
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Be in line before the line exists.');

    await page.unroute(LIVE);
    const back = page.waitForResponse(LIVE);
    await page.clock.runFor(31_000);
    expect((await back).status()).toBe(200);
    await expect(card(page).getByText('Not up to date')).toHaveCount(0);
    await expect(page.locator('body[data-same-page]')).toHaveCount(1);
  });
}

test('a page is up to date again although nothing has changed since @own-context', async ({
  page,
  request,
}) => {
  await page.clock.install();
  await page.goto('/');
  const state = (await (await request.get('/live.json')).json()) as { now: string };
  const json = { ...state, now: new Date(Date.parse(state.now) + 60_000).toISOString() };
  let online = true;
  await page.route(LIVE, (route) => (online ? route.fulfill({ json }) : route.abort()));
  const hear = async () => {
    online = true;
    const answered = page.waitForResponse(LIVE);
    await page.clock.runFor(31_000);
    await answered;
  };
  await hear();
  online = false;
  await page.clock.runFor(120_000);
  await expect(card(page).getByText('Not up to date')).toBeVisible();
  await hear();
  await expect(card(page).getByText('Not up to date')).toHaveCount(0);
});

test("the admin's monitor stays, too, and its switches with it", async ({ page, stack }) => {
  await signInAdmin(page, stack);
  await page.goto('/dashboard/monitor');
  await page.route(LIVE, (route) => route.abort());
  const asked = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/live.json'));
  await comeBack(page);
  await asked;
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pokemon Center UK Monitor');
  await expect(page.getByRole('button', { name: 'Check now' })).toBeVisible();
});
