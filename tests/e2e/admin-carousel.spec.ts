import type { CDPSession, Page } from 'playwright/test';
import { enterAs, signInAdmin } from './people';
import { expectNoFaults } from './page-quality';
import { expect, MODES, test } from './test';

const SECTIONS = [
  ['/dashboard/site-settings', 'Site Settings', 'Site Settings'],
  ['/dashboard/beta-access', 'Beta Access', 'Beta Access Management'],
  ['/dashboard/hero-slides', 'Hero Slide Configuration', 'Hero Slide Configuration'],
  ['/dashboard/hero-tracking', 'Hero Tracking Images', 'Hero Tracking Slides'],
  ['/dashboard/articles', 'Article Management', 'Article Management'],
  ['/dashboard/monitor', 'Pokemon Center Monitor', 'Pokemon Center UK Monitor'],
] as const;

const bar = (page: Page) => page.getByRole('navigation', { name: 'Admin sections' });

test('an admin’s dashboard is six cards, each with its state @no-scripts', async ({ page, stack }) => {
  await signInAdmin(page, stack);
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Admin dashboard');
  await expect(page.getByText('Buy More Tokens')).toHaveCount(0);
  const pockets = page.getByRole('main').getByRole('listitem');
  await expect(pockets.getByRole('heading')).toHaveText(SECTIONS.map(([, name]) => name));
  await expect(pockets.filter({ hasText: '/6' })).toHaveCount(0);
  await expect(pockets.nth(0)).toContainText(/News section (on|off)\./);
  await expect(pockets.nth(1)).toContainText(/(No|\d+) pending requests?\./);
  await expect(pockets.nth(2)).toContainText(/\d of 4 slide types on\./);
  await expect(pockets.nth(4)).toContainText(/\d+ published, \d+ drafts?\./);
  await expect(pockets.nth(5)).toContainText('Monitoring is');
  await pockets.nth(1).getByRole('link').click();
  await expect(page).toHaveURL('/dashboard/beta-access');
});

for (const mode of MODES) {
  test(`the carousel leads through the six sections and round again${mode}`, async ({ page, stack }) => {
    await signInAdmin(page, stack);
    await page.goto('/dashboard/site-settings');
    for (const [index, [path, name, heading]] of SECTIONS.entries()) {
      await expect(page).toHaveURL(path);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
      const links = bar(page).getByRole('listitem').getByRole('link');
      await expect(links).toHaveText(SECTIONS.map(([, each], at) => `${each}${at + 1}/6`));
      await expect(links.nth(index)).toHaveAttribute('aria-current', 'page');
      await expect(bar(page).locator('[aria-current]')).toHaveCount(1);
      await expect(page).toHaveTitle(`${heading} · Packwatch`);
      const next = SECTIONS[(index + 1) % SECTIONS.length]?.[1] ?? name;
      await bar(page)
        .getByRole('link', { name: `Next: ${next}` })
        .click();
    }
    await expect(page).toHaveURL('/dashboard/site-settings');
    await bar(page).getByRole('link', { name: 'Previous: Pokemon Center Monitor' }).click();
    await expect(page).toHaveURL('/dashboard/monitor');
    await bar(page).getByRole('link', { name: 'Hero Slide Configuration' }).click();
    await expect(page).toHaveURL('/dashboard/hero-slides');
    await bar(page).getByRole('link', { name: 'Admin dashboard' }).click();
    await expect(page).toHaveURL('/dashboard');
  });
}

test('the sections are for admins @no-scripts', async ({ page, stack }) => {
  for (const [path] of SECTIONS) {
    await page.goto(path);
    await expect(page).toHaveURL(`/?${new URLSearchParams({ auth: 'login', next: path })}`);
  }
  await enterAs(page, stack, 'member');
  for (const [path] of SECTIONS) {
    await page.goto(path);
    await expect(page).toHaveURL('/dashboard');
  }
});

test('an admin has no subscription page @no-scripts', async ({ page, stack }) => {
  await signInAdmin(page, stack);
  await page.goto('/dashboard/subscription');
  await expect(page).toHaveURL('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Admin dashboard');
});

test.describe('by keyboard', () => {
  // Remix logs a response that it stops reading because the next page was requested.
  test.use({ notedFaults: /AbortError/ });

  test('keys turn the pages, on the bar and with Alt, but not where text is typed', async ({
    page,
    stack,
  }) => {
    await signInAdmin(page, stack);
    await page.goto('/dashboard/site-settings');
    await bar(page).locator('[aria-current=page]').focus();
    await page.keyboard.press('ArrowRight');
    await expect(page).toHaveURL('/dashboard/beta-access');
    await expect(bar(page).locator('[aria-current=page]')).toBeFocused();
    await page.keyboard.press('End');
    await expect(page).toHaveURL('/dashboard/monitor');
    await page.keyboard.press('ArrowRight');
    await expect(page).toHaveURL('/dashboard/site-settings');
    await expect(bar(page).locator('[aria-current=page]')).toBeFocused();

    await page.keyboard.press('Alt+PageDown');
    await expect(page).toHaveURL('/dashboard/beta-access');
    await page.keyboard.press('Alt+PageUp');
    await expect(page).toHaveURL('/dashboard/site-settings');
    // Two keys before the first page has arrived turn two pages.
    await page.keyboard.press('Alt+PageUp');
    await page.keyboard.press('Alt+PageUp');
    await expect(page).toHaveURL('/dashboard/articles');
    await page.keyboard.press('Alt+PageDown');
    await page.keyboard.press('Alt+PageDown');
    await expect(page).toHaveURL('/dashboard/site-settings');

    await page.getByLabel('Add a retailer').focus();
    await page.keyboard.press('Alt+PageDown');
    await page.keyboard.press('ArrowRight');
    await expect(page.getByLabel('Add a retailer')).toBeFocused();
    await expect(page).toHaveURL('/dashboard/site-settings');
  });
});

async function stroke(client: CDPSession, from: [number, number], to: [number, number]): Promise<void> {
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: [number, number][]) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
  await touch('touchStart', [from]);
  for (const part of [0.3, 0.7, 1])
    await touch('touchMove', [[from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part]]);
  await touch('touchEnd', []);
}

test.describe('by touch', () => {
  test.use({ hasTouch: true, viewport: { width: 360, height: 800 } });

  test('swiping turns the pages, scrolling does not @own-context', async ({ page, stack }) => {
    await signInAdmin(page, stack);
    await page.goto('/dashboard/hero-slides');
    const client = await page.context().newCDPSession(page);
    await stroke(client, [280, 350], [90, 360]);
    await expect(page).toHaveURL('/dashboard/hero-tracking');
    await stroke(client, [90, 300], [280, 310]);
    await expect(page).toHaveURL('/dashboard/hero-slides');

    await stroke(client, [200, 600], [170, 350]);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(0);
    await expect(page).toHaveURL('/dashboard/hero-slides');
    // The bar scrolls automatically, and the section at hand is in sight.
    await page.goto('/dashboard/monitor');
    await expect(bar(page).locator('[aria-current=page]')).toBeInViewport({ ratio: 1 });
  });
});

test('no accessibility fault in the overview and in any section', async ({ page, stack }) => {
  test.slow();
  await signInAdmin(page, stack);
  await page.goto('/dashboard');
  await expectNoFaults(page);
  for (const [path] of SECTIONS) {
    await page.goto(path);
    await expectNoFaults(page);
  }
});
