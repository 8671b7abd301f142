import type { Locator, Page } from 'playwright/test';
import { holdBack } from './hold-back';
import { expectNoFaults } from './page-quality';
import { signInAdmin } from './people';
import { expect, test } from './test';

const bar = (page: Page) => page.getByRole('progressbar', { name: 'Loading', exact: true });
const spinner = (page: Page) => page.getByText('Loading your dashboard');
const busy = (page: Page) => page.locator('[aria-busy=true]');

/** From here on time passes in the page only when the test says so. */
async function stopTime(page: Page): Promise<void> {
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000));
}

/**
 * Passes time in the page until it shows an element. React renders that a navigation has started, and sets the timer, in
 * real time after the request: time that passes earlier does not count for that timer.
 */
async function passTimeUntil(page: Page, shown: Locator): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(50);
    expect(await shown.isVisible()).toBe(true);
  }).toPass({ intervals: [10] });
}

test.beforeEach(async ({ context, stack }) => {
  await context.addCookies([
    {
      name: 'cookie-consent',
      value: encodeURIComponent('{"necessary":true,"analytics":false,"marketing":false}'),
      url: stack.siteUrl,
    },
  ]);
});

test('a slow page shows a bar after 150 ms, and says that it is busy @own-context', async ({ page }) => {
  await page.clock.install();
  await page.goto('/news');
  const held = await holdBack(page, /\/privacy\.data/);
  await stopTime(page);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click();
  await held.asked;
  await page.clock.runFor(100);
  await expect(bar(page)).toHaveCount(0);
  await passTimeUntil(page, bar(page));
  await expect(busy(page)).toHaveCount(1);
  await expect(spinner(page)).toHaveCount(0);
  await page.clock.resume();
  held.go();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Privacy');
  await expect(bar(page)).toHaveCount(0);
  await expect(busy(page)).toHaveCount(0);
});

test('a slow form shows it, too', async ({ page, stack }) => {
  await signInAdmin(page, stack);
  await page.goto('/dashboard/site-settings');
  const held = await holdBack(page, /site-settings\.data/);
  await page.getByRole('switch', { name: 'News Section' }).click();
  await held.asked;
  await expect(bar(page)).toBeVisible();
  await expect(busy(page)).toHaveCount(1);
  await expectNoFaults(page);
  held.go();
  await expect(bar(page)).toHaveCount(0);
  // The switch shows its new place before it is saved, and the next test needs the news.
  const saved = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.getByRole('switch', { name: 'News Section' }).click();
  await saved;
  await expect(page.getByRole('switch', { name: 'News Section' })).toBeChecked();
});

test('the way to the dashboard has a spinner, for 800 ms at most @own-context', async ({ page, stack }) => {
  await signInAdmin(page, stack);
  await page.clock.install();
  await page.goto('/news');
  const held = await holdBack(page, /\/dashboard\.data/);
  await page.locator('[data-user-menu] summary').click();
  await stopTime(page);
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
  await held.asked;
  await passTimeUntil(page, spinner(page));
  await page.clock.runFor(800);
  await expect(spinner(page)).toHaveCount(0);
  await expect(bar(page)).toBeVisible();
  await page.clock.resume();
  held.go();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Admin dashboard');
  await expect(bar(page)).toHaveCount(0);
});

test('the bar stands still where motion is reduced', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/news');
  const held = await holdBack(page, /\/terms\.data/);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms' }).click();
  await expect(bar(page)).toBeVisible();
  const animation = await bar(page).evaluate((element) => getComputedStyle(element, '::after').animationName);
  expect(animation).toBe('none');
  held.go();
  await expect(bar(page)).toHaveCount(0);
});
