import type { Page } from '@playwright/test';
import { storePicture } from './news-world';
import { arrangeSite } from './site-world';
import { expect, test } from './test';

/** More than any page here has: the walk ends when the focus has left the page, or comes round. */
const MOST_STOPS = 80;

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
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
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

  for (const path of ['/', '/news']) {
    for (const [width, height] of [
      [360, 740],
      [768, 1024],
      [1280, 720],
    ] as const) {
      for (const customised of [false, true]) {
        test(`on ${path} at ${width} by ${height}${customised ? ', with its settings open' : ''}`, async ({
          page,
        }) => {
          await page.setViewportSize({ width, height });
          await page.goto(path);
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
        });
      }
    }
  }
});
