import type { Page } from 'playwright/test';
import { storePicture } from './news-data';
import { expectNoFaults } from './page-quality';
import { signInAdmin } from './people';
import { arrangeSite } from './site-data';
import { expect, test } from './test';

/** More than any page here has: the walk ends when the focus has left the page, or comes round. */
const MAX_TAB_STOPS = 100;

interface Stop {
  name: string;
  /** Whether the part of it that can be seen at all is seen, under no bar. */
  seen: boolean;
}

/** What has the focus, and whether any bar lies over it. Null: nothing has. */
function readStop(page: Page): Promise<Stop | null> {
  return page.evaluate(() => {
    const focused = document.activeElement;
    if (focused === null || focused === document.body) return null;
    const name = `${focused.localName} ${focused.getAttribute('aria-label') ?? focused.textContent}`.slice(
      0,
      60,
    );
    const { top, bottom, height } = focused.getBoundingClientRect();
    const bars = ['header', '[data-consent]'].map((bar) => document.querySelector(bar));
    // The bars' own, and the way to the content, which comes over the upper one.
    if (bars.some((bar) => bar?.contains(focused)) || focused.matches('[href="#content"]'))
      return { name, seen: true };
    const from = bars[0]?.getBoundingClientRect().bottom ?? 0;
    const to = bars[1]?.getBoundingClientRect().top ?? window.innerHeight;
    // What is higher than the room between the bars cannot be seen whole.
    return {
      name,
      seen: height <= to - from ? top >= from - 1 && bottom <= to + 1 : bottom > from && top < to,
    };
  });
}

/** Walks over the whole page with a key; names what lay under a bar, and how many stops there were. */
async function walk(page: Page, key: 'Tab' | 'Shift+Tab'): Promise<{ hidden: string[]; stops: number }> {
  const hidden: string[] = [];
  for (let stops = 0; stops < MAX_TAB_STOPS; stops += 1) {
    await page.keyboard.press(key);
    const stop = await readStop(page);
    if (stop === null) return { hidden, stops };
    if (!stop.seen) hidden.push(stop.name);
  }
  throw new Error('the walk never ends');
}

test.describe('while the banner asks, no focus is ever under it', () => {
  test.beforeEach(async ({ page, stack }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const file = await storePicture(stack.dataDir);
    await arrangeSite(stack, {
      articles: Array.from({ length: 12 }, (_, at) => ({
        title: `Story ${at}`,
        media: at === 0 ? [{ file }] : [],
      })),
      retailers: ['Argos'],
    });
  });
  test.afterEach(({ stack }) => arrangeSite(stack));

  // Only the landing page has other stops without scripts: the links of the slideshow.
  for (const [path, tag] of [
    ['/', ''],
    ['/news', ' @scripts'],
  ] as const) {
    for (const [width, height] of [
      [360, 740],
      [768, 1024],
      [1280, 720],
    ] as const) {
      test(`on ${path} at ${width} by ${height}, also with its settings open${tag}`, async ({ page }) => {
        await page.setViewportSize({ width, height });
        await page.goto(path);
        for (const customised of [false, true]) {
          if (customised) await page.getByText('Customize Settings').click();
          await page.evaluate(() => {
            window.scrollTo(0, 0);
            document.body.tabIndex = -1;
            document.body.focus();
            document.body.removeAttribute('tabindex');
          });
          const forth = await walk(page, 'Tab');
          expect(forth.hidden).toEqual([]);
          expect(forth.stops).toBeGreaterThan(15);
          expect((await walk(page, 'Shift+Tab')).hidden).toEqual([]);
        }
      });
    }
  }
});

test.describe('the cookie settings', () => {
  const banner = (page: Page) => page.getByRole('region', { name: 'Cookie Settings' });
  const settingsLink = (page: Page) =>
    page.getByRole('contentinfo').getByRole('link', { name: 'Cookie settings' });
  const savedChoice = async (page: Page) => {
    const cookie = (await page.context().cookies()).find(({ name }) => name === 'cookie-consent');
    return decodeURIComponent(cookie?.value ?? '');
  };

  // Once a choice was made there was no way back to it.
  test('open again from the footer, with the saved choice', async ({ page }) => {
    await page.goto('/news');
    await banner(page).getByRole('button', { name: 'Accept All' }).click();
    await expect(banner(page)).toHaveCount(0);

    await settingsLink(page).click();
    for (const category of ['Analytics', 'Marketing'])
      await expect(banner(page).getByLabel(category)).toBeChecked();
    await banner(page).getByLabel('Marketing').uncheck();
    await banner(page).getByRole('button', { name: 'Save Preferences' }).click();
    await expect(banner(page)).toHaveCount(0);
    await expect.poll(() => savedChoice(page)).toBe('{"necessary":true,"analytics":true,"marketing":false}');
    await expect(page).toHaveURL('/news');

    await settingsLink(page).click();
    await expect(banner(page).getByLabel('Analytics')).toBeChecked();
    await expect(banner(page).getByLabel('Marketing')).not.toBeChecked();
    await banner(page).getByRole('link', { name: 'Close cookie settings without saving' }).click();
    await expect(banner(page)).toHaveCount(0);
    await expect.poll(() => savedChoice(page)).toBe('{"necessary":true,"analytics":true,"marketing":false}');
  });

  test('are never part of a page that others are sent @no-scripts', async ({ page, browser, stack }) => {
    await page.goto('/news?cookies=settings');
    await expect(banner(page).getByLabel('Analytics')).toBeVisible();
    const other = await browser.newContext({ baseURL: stack.siteUrl });
    await other.addCookies([
      {
        name: 'cookie-consent',
        value: encodeURIComponent('{"necessary":true,"analytics":false,"marketing":false}'),
        url: stack.siteUrl,
      },
    ]);
    const visitor = await other.newPage();
    for (const [path, shown] of [
      ['/news', 0],
      ['/news?cookies=settings', 1],
      ['/news', 0],
    ] as const) {
      await visitor.goto(path);
      await expect(banner(visitor)).toHaveCount(shown);
      if (shown === 1) await expect(banner(visitor).getByLabel('Analytics')).not.toBeChecked();
    }
    await other.close();
  });

  test('are reached from every page, with the privacy page and the terms @no-scripts', async ({
    page,
    stack,
  }) => {
    const expectFooter = async (path: string) => {
      await page.goto(path);
      const footer = page.getByRole('contentinfo');
      await expect(footer, path).toHaveCount(1);
      for (const name of ['Privacy', 'Terms', 'Cookie settings'])
        await expect(footer.getByRole('link', { name }), path).toBeVisible();
    };
    for (const path of ['/', '/news', '/restock/ps5', '/privacy', '/terms', '/login', '/signup'])
      await expectFooter(path);
    await signInAdmin(page, stack);
    for (const path of ['/dashboard', '/dashboard/site-settings', '/dashboard/articles', '/account'])
      await expectFooter(path);
  });

  test('take the focus, and give it back @scripts', async ({ page }) => {
    await page.goto('/privacy');
    await banner(page).getByRole('button', { name: 'Essential Only' }).click();
    await expect(banner(page)).toHaveCount(0);
    await settingsLink(page).press('Enter');
    await expect(banner(page)).toBeFocused();
    await banner(page).getByRole('link', { name: 'Close cookie settings without saving' }).click();
    await expect(settingsLink(page)).toBeFocused();
  });
});

test('the privacy page and the terms say what is kept, and have no fault @scripts', async ({ page }) => {
  for (const [path, title] of [
    ['/privacy', 'Privacy'],
    ['/terms', 'Terms'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    await expectNoFaults(page);
  }
  await page.goto('/privacy?cookies=settings');
  await expectNoFaults(page);
});
