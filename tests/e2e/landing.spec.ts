import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './test';

const THEMES = ['light', 'dark'] as const;
const WIDTHS = [360, 1280] as const;

/** A page that notes down every move of its layout, and what moved. */
type WatchedWindow = Window & { layoutShifts?: string[] };

/** web.dev/articles/cls, "Measure CLS in JavaScript"; not among TypeScript's own types. */
type LayoutShift = PerformanceEntry & { value: number; sources: { node: Node | null }[] };

test('the landing page says what the shop shows, when we looked and when we look next', async ({ page }) => {
  await page.goto('/');
  const card = page.getByRole('article', { name: 'Live monitor' });
  await expect(card.locator('[data-monitor-face]')).toBeVisible();
  await expect(card.getByText('Within them now')).toBeVisible();
  await expect(card.getByRole('img', { name: /last 12 hours/ })).toBeVisible();
});

test('promise, features, prices and what is planned are on the page', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Be in line before the line exists.');
  for (const name of [
    'Visual Drag & Drop Builder',
    'Template Library',
    'Why Join Our Beta',
    'Early Adopter',
  ]) {
    await expect(page.getByRole('heading', { name })).toBeVisible();
  }
  await expect(page.getByText('£9.99')).toBeVisible();
  await expect(page.getByText('Coming soon').first()).toBeVisible();
});

test('every link on the page leads somewhere', async ({ page, request }) => {
  await page.goto('/');
  const targets = await page
    .locator('a[href]')
    .evaluateAll((links) => [...new Set(links.map((link) => link.getAttribute('href') ?? ''))]);
  for (const target of targets) {
    if (target.startsWith('#')) await expect(page.locator(target), target).toHaveCount(1);
    else expect((await request.get(target, { maxRedirects: 0 })).status(), target).toBe(200);
  }
});

test('the home button is named as specified and leads home', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByTitle('Go to home page').first()).toHaveAttribute('href', '/');
});

test('an unknown page leads home', async ({ page }) => {
  await page.goto('/no/such/page');
  await expect(page).toHaveURL('/');
});

test('the first tab stop skips to the content', async ({ page }) => {
  await page.goto('/');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/#content');
});

test('a chosen theme is remembered', async ({ page }) => {
  await page.goto('/');
  const saved = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.getByRole('button', { name: 'Dark theme' }).click();
  await saved;
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.goto('/');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.getByRole('button', { name: 'Same theme as this device' }).click();
  await expect(page.locator('html')).not.toHaveAttribute('data-theme');
});

test('the menu of small screens opens and leads to a section', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/');
  await page.locator('header summary').click();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pricing' }).click();
  await expect(page).toHaveURL('/#pricing');
});

for (const width of WIDTHS) {
  for (const theme of THEMES) {
    test(`no accessibility fault at ${width} pixels in the ${theme} theme @scripts`, async ({ page }) => {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme: theme });
      await page.goto('/');
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations).toEqual([]);
    });
  }

  test(`nothing moves while the page loads and its times run at ${width} pixels @scripts`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.addInitScript(() => {
      const shifts: string[] = [];
      (window as WatchedWindow).layoutShifts = shifts;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as LayoutShift[]) {
          shifts.push(`${entry.value}: ${entry.sources.map(({ node }) => node?.textContent).join(' | ')}`);
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.goto('/');
    const ticking = page.getByRole('article', { name: 'Live monitor' }).locator('time').first();
    const first = await ticking.textContent();
    await expect(ticking).not.toHaveText(first ?? '');
    const shifts = await page.evaluate(() => (window as WatchedWindow).layoutShifts);
    expect(shifts).toEqual([]);
  });

  test(`nothing is wider than the screen at ${width} pixels`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/');
    const { width: pageWidth } = (await page.locator('html').boundingBox()) ?? { width: 0 };
    expect(pageWidth).toBeLessThanOrEqual(width);
    for (const part of ['header', 'main', 'footer']) {
      const box = await page.locator(part).first().boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0), part).toBeLessThanOrEqual(width);
    }
  });
}

test('choosing a theme keeps the page: no reload @scripts', async ({ page }) => {
  await page.goto('/');
  await page.evaluate(() => document.body.setAttribute('data-same-page', ''));
  await page.getByRole('button', { name: 'Dark theme' }).click();
  await expect(page.getByRole('button', { name: 'Dark theme' })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('body[data-same-page]')).toHaveCount(1);
});

test('coming back to the page refreshes its state at once @scripts', async ({ page }) => {
  await page.goto('/');
  await expect(async () => {
    const refresh = page.waitForResponse((response) => response.url().includes('.data'), { timeout: 500 });
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    expect((await refresh).status()).toBe(200);
  }).toPass();
});

test('the page is complete before any script: one request brings every word of it @no-scripts', async ({
  request,
}) => {
  const html = await (await request.get('/')).text();
  for (const word of ['Live monitor', 'How an alert travels', '£19.99', 'Roadmap', 'data-monitor-face'])
    expect(html).toContain(word);
});

test('search engines and link previews get what they need', async ({ request, stack }) => {
  const html = await (await request.get('/', { headers: { 'X-Forwarded-Host': 'evil.example' } })).text();
  expect(html).toContain('<html lang="en-GB"');
  expect(html).toContain(`rel="canonical" href="${stack.siteUrl}/"`);
  expect(html).toContain('property="og:locale" content="en_GB"');
  expect(html).not.toContain('evil.example');
  expect((await request.get('/share.png')).status()).toBe(200);
});
