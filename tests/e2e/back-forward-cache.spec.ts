import { chromium, type Page } from 'playwright/test';
import { CARDS, payOnStripesPage } from './membership-data';
import { SECOND, toIso } from '#shared/clock';
import { PLAIN_SESSION_COOKIE } from '~/http/cookies/session-cookie.server';
import { withDatabase } from './news-data';
import { openSession } from './people';
import { expect, test as base, type SharedStack } from './test';

declare global {
  interface Window {
    /** Whether the page came from the back/forward cache when it was last shown. */
    shownFromCache?: boolean;
  }
}

/** A browser with its back/forward cache, which Playwright switches off. */
const test = base.extend<{ cached: Page }>({
  cached: async ({ browserName: _unused, launchOptions, extraHTTPHeaders }, use) => {
    const browser = await chromium.launch({
      ...launchOptions,
      ignoreDefaultArgs: [
        ...(Array.isArray(launchOptions.ignoreDefaultArgs) ? launchOptions.ignoreDefaultArgs : []),
        '--disable-back-forward-cache',
      ],
    });
    const page = await browser.newPage({ extraHTTPHeaders: extraHTTPHeaders ?? {} });
    page.setDefaultTimeout(15 * SECOND);
    await page.addInitScript(() => {
      window.addEventListener('pageshow', ({ persisted }) => (window.shownFromCache = persisted));
    });
    await use(page);
    await browser.close();
  },
});

/** Goes back to the page that was left. Returns why the browser did not take it from its cache; empty if it did. */
async function goBack(page: Page): Promise<string[]> {
  const reasons: string[] = [];
  const session = await page.context().newCDPSession(page);
  await session.send('Page.enable');
  session.on('Page.backForwardCacheNotUsed', ({ notRestoredExplanations }) =>
    reasons.push(...notRestoredExplanations.map(({ reason }) => reason)),
  );
  // The load event does not happen again.
  await page.goBack({ waitUntil: 'commit' });
  await expect.poll(() => page.evaluate(() => window.shownFromCache)).toBeDefined();
  const isCached = await page.evaluate(() => window.shownFromCache);
  await session.detach();
  return isCached === true ? [] : ['not from the cache', ...reasons];
}

/** Leaves the page with a button, comes back, and finds the button alive. */
async function leaveAndReturn(page: Page, stack: SharedStack, name: string): Promise<string[]> {
  const button = page.getByRole('button', { name });
  // Playwright loses sight of navigations of a page from the cache.
  const leave = async () => {
    await button.click({ noWaitAfter: true });
    await expect.poll(() => page.evaluate(() => location.origin).catch(() => '')).toBe(stack.sandbox.origin);
    await page.waitForLoadState();
  };
  await leave();
  const reasons = await goBack(page);
  await expect(button).toBeEnabled();
  await expect(button).not.toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('progressbar', { name: 'Loading' })).toHaveCount(0);
  await leave();
  return reasons;
}

async function enter(page: Page, stack: SharedStack): Promise<void> {
  const { accountId, token } = await openSession(stack, 'member');
  await page.context().addCookies([{ name: PLAIN_SESSION_COOKIE, value: token, url: stack.siteUrl }]);
  const now = toIso(Date.now());
  await withDatabase(stack.dataDir, (db) =>
    db
      .updateTable('users')
      .set({ beta_requested_at: now, beta_approved_at: now, beta_ever_requested: 1 })
      .where('id', '=', accountId)
      .execute(),
  );
}

test('buttons that leave the site work again after Back', async ({ cached: page, stack }) => {
  const found: Record<string, string[]> = {};
  for (const path of ['/login', '/?auth=login', '/auth/discord/error?reason=invalid_state']) {
    await page.goto(stack.siteUrl + path);
    found[path] = await leaveAndReturn(page, stack, 'Sign in with Discord');
  }
  await enter(page, stack);
  await page.goto(`${stack.siteUrl}/dashboard/subscription?pay=pro-monthly`);
  found.checkout = await leaveAndReturn(page, stack, 'Pay on Stripe’s page');
  await payOnStripesPage(page, CARDS.succeeds);
  found.portal = await leaveAndReturn(page, stack, 'Update card or see invoices');
  // Nothing of these pages keeps them out of the cache. The headless shell has none for any page.
  const shell = ['not from the cache', 'BackForwardCacheDisabledForDelegate'];
  for (const path of ['/login', '/?auth=login']) expect([[], shell]).toContainEqual(found[path]);
});
