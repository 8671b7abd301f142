import type { Page } from 'playwright/test';
import { storePicture } from './news-data';
import { expectNoFaults } from './page-quality';
import { signInAdmin } from './people';
import { arrangeSite } from './site-data';
import { expect, MODES, test } from './test';

/** More than any page here has: the walk ends when the focus has left the page, or comes round. */
const MAX_TAB_STOPS = 100;

const PHONE = { width: 360, height: 740 };
const TABLET = { width: 768, height: 1024 };
const DESKTOP = { width: 1280, height: 720 };

interface Stop {
  name: string;
  /** Whether the part of it that can be seen at all is seen, under no bar. */
  seen: boolean;
}

declare global {
  interface Window {
    /** What has the focus. Null: nothing has. */
    readStop?: () => Stop | null;
  }
}

/**
 * Notes, of every stop of the page, whether any bar lies over it. Bars' own stops are seen, and so is the way to the
 * content, which comes over the upper one.
 */
function watchFocus(page: Page): Promise<void> {
  return page.evaluate(() => {
    window.readStop = () => {
      const focused = document.activeElement;
      if (focused === null || focused === document.body) return null;
      const name = `${focused.localName} ${focused.getAttribute('aria-label') ?? focused.textContent}`.slice(
        0,
        60,
      );
      const { top, bottom, height } = focused.getBoundingClientRect();
      const bars = ['header', '[data-consent]'].map((bar) => document.querySelector(bar));
      if (bars.some((bar) => bar?.contains(focused)) || focused.matches('[href="#content"]'))
        return { name, seen: true };
      const from = bars[0]?.getBoundingClientRect().bottom ?? 0;
      const to = bars[1]?.getBoundingClientRect().top ?? window.innerHeight;
      // What is higher than the room between the bars cannot be seen whole.
      return {
        name,
        seen: height <= to - from ? top >= from - 1 && bottom <= to + 1 : bottom > from && top < to,
      };
    };
  });
}

/** Puts the focus before the first stop of the page. */
function leaveStops(page: Page): Promise<void> {
  return page.evaluate(() => {
    window.scrollTo(0, 0);
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute('tabindex');
  });
}

/** Walks over the whole page with a key, until the focus has left it. */
async function walk(page: Page, key: 'Tab' | 'Shift+Tab'): Promise<Stop[]> {
  const stops: Stop[] = [];
  while (stops.length < MAX_TAB_STOPS) {
    await page.keyboard.press(key);
    const stop = await page.evaluate(() => window.readStop?.() ?? null);
    if (stop === null) return stops;
    stops.push(stop);
  }
  throw new Error('the walk never ends');
}

/** Focuses each stop that a walk forth passes, and then back again. The browser scrolls to it as it does for a key. */
function focusEach(page: Page): Promise<Stop[]> {
  return page.evaluate(() => {
    const elements = [
      ...document.querySelectorAll<HTMLElement>('a, button, input, select, summary, video, [tabindex]'),
    ];
    const stops: Stop[] = [];
    for (const element of [...elements, ...elements.toReversed()]) {
      if (element.tabIndex < 0 || !element.checkVisibility({ visibilityProperty: true })) continue;
      element.focus();
      const stop = document.activeElement === element ? window.readStop?.() : null;
      if (stop != null) stops.push(stop);
    }
    return stops;
  });
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
  for (const [path, mode] of [
    ['/', ''],
    ['/', ' @no-scripts'],
    ['/news', ''],
  ] as const) {
    test(`on ${path} on a phone, a tablet and a desktop, also with its settings open${mode}`, async ({
      page,
    }) => {
      await page.setViewportSize(PHONE);
      await page.goto(path);
      await watchFocus(page);
      for (const customised of [false, true]) {
        if (customised) await page.getByText('Customize Settings').click();
        // By keys where there is the least room between the bars.
        await page.setViewportSize(PHONE);
        await leaveStops(page);
        const forth = await walk(page, 'Tab');
        expect(forth.length).toBeGreaterThan(15);
        expect([...forth, ...(await walk(page, 'Shift+Tab'))].filter(({ seen }) => !seen)).toEqual([]);
        for (const size of [PHONE, TABLET, DESKTOP]) {
          await page.setViewportSize(size);
          const stops = await focusEach(page);
          expect(stops.length).toBeGreaterThan(30);
          expect(stops.filter(({ seen }) => !seen)).toEqual([]);
        }
      }
    });
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
  for (const mode of MODES) {
    test(`open again from the footer, with the saved choice${mode}`, async ({ page }) => {
      await page.goto('/news');
      await banner(page).getByRole('button', { name: 'Accept All' }).click();
      await expect(banner(page)).toHaveCount(0);

      await settingsLink(page).click();
      for (const category of ['Analytics', 'Marketing'])
        await expect(banner(page).getByLabel(category)).toBeChecked();
      await banner(page).getByLabel('Marketing').uncheck();
      await banner(page).getByRole('button', { name: 'Save Preferences' }).click();
      await expect(banner(page)).toHaveCount(0);
      await expect
        .poll(() => savedChoice(page))
        .toBe('{"necessary":true,"analytics":true,"marketing":false}');
      await expect(page).toHaveURL('/news');

      await settingsLink(page).click();
      await expect(banner(page).getByLabel('Analytics')).toBeChecked();
      await expect(banner(page).getByLabel('Marketing')).not.toBeChecked();
      await banner(page).getByRole('link', { name: 'Close cookie settings without saving' }).click();
      await expect(banner(page)).toHaveCount(0);
      await expect
        .poll(() => savedChoice(page))
        .toBe('{"necessary":true,"analytics":true,"marketing":false}');
    });
  }

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

  // The bar with the editor's Save once covered the buttons of the banner.
  test('are not covered by a bar of the page', async ({ page, stack }) => {
    await signInAdmin(page, stack);
    await page.setViewportSize(PHONE);
    await page.goto('/dashboard/articles/new');
    await banner(page).getByRole('button', { name: 'Essential Only' }).click({ trial: true });
  });

  test('take the focus, and give it back', async ({ page }) => {
    await page.goto('/privacy');
    await banner(page).getByRole('button', { name: 'Essential Only' }).click();
    await expect(banner(page)).toHaveCount(0);
    await settingsLink(page).press('Enter');
    await expect(banner(page)).toBeFocused();
    await banner(page).getByRole('link', { name: 'Close cookie settings without saving' }).click();
    await expect(settingsLink(page)).toBeFocused();
  });

  test('stay open, with the choice, when they are opened while the first one is being saved', async ({
    page,
  }) => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/consent', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto('/privacy');
    await banner(page).getByRole('button', { name: 'Accept All' }).click();
    await expect(banner(page)).toHaveCount(0);
    await settingsLink(page).press('Enter');
    await expect(banner(page)).toBeFocused();
    release();
    await expect
      .poll(async () => (await page.context().cookies()).some(({ name }) => name === 'cookie-consent'))
      .toBe(true);
    // The page has handled the response when a later task has run.
    await page.evaluate(() => fetch('/robots.txt').then((response) => response.text()));
    for (const category of ['Analytics', 'Marketing'])
      await expect(banner(page).getByLabel(category)).toBeChecked();
  });
});

test('the privacy page and the terms say what is kept, and have no fault', async ({ page }) => {
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

test('the banner comes after the way to the content, leaves the focus on the page, and scrolls with it at a zoom of 400 %', async ({
  page,
}) => {
  const banner = page.getByRole('region', { name: 'Cookie Settings' });
  await page.goto('/');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(banner.getByText('Customize Settings')).toBeFocused();
  await banner.getByRole('link', { name: 'Close cookie settings without saving' }).press('Enter');
  await expect(banner).toHaveCount(0);
  // The focus was lost once, with the banner.
  await expect(page.locator('#content')).toBeFocused();

  await page.reload();
  await banner.getByRole('button', { name: 'Essential Only' }).press('Enter');
  await expect(banner).toHaveCount(0);
  await expect(page.locator('#content')).toBeFocused();

  await page.context().clearCookies();
  await page.setViewportSize({ width: 320, height: 256 });
  await page.goto('/status');
  const heading = page.getByRole('heading', { level: 1 });
  await heading.scrollIntoViewIfNeeded();
  await expect(heading).toBeInViewport();
  await expect(banner).not.toBeInViewport();
});
