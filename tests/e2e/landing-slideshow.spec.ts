import type { Page } from 'playwright/test';
import { SECOND } from '#shared/clock';
import { layoutShifts, watchLayout } from './page-quality';
import { arrangeSite } from './site-data';
import { expect, MODES, test } from './test';

/** How long a slide is shown before the next one comes. */
const TURN_MS = 8 * SECOND;

test.beforeEach(async ({ page, stack }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await arrangeSite(stack);
});
test.afterEach(({ stack }) => arrangeSite(stack));

const slideshow = (page: Page) => page.getByRole('region', { name: 'A look inside' });
const slides = (page: Page) => slideshow(page).locator('[aria-roledescription="slide"]');
const strip = (page: Page) => slideshow(page).getByRole('group', { name: 'Slides' });

/** Which slide is shown, by its label. */
async function expectShown(page: Page, label: string): Promise<void> {
  await expect(slides(page).and(page.getByLabel(label, { exact: true }))).toBeInViewport({ ratio: 0.5 });
}

/** Opens the page with the slideshow in view, on a clock that the test winds. */
async function openOnClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.goto('/');
  await slideshow(page).getByRole('button', { name: 'Next slide' }).scrollIntoViewIfNeeded();
  await expectShown(page, '1 of 2: Community alerts');
}

for (const mode of MODES) {
  test(`the switches decide which slides there are${mode}`, async ({ page, stack }) => {
    const off = { newsSlideEnabled: false, discordSlideEnabled: false, checkoutSlideEnabled: false };
    const labels = async () => {
      await page.goto('/');
      return slides(page).evaluateAll((all) => all.map((slide) => slide.getAttribute('aria-label')));
    };
    await arrangeSite(stack, { articles: [{ title: 'The newest story' }, { title: 'An older one' }] });
    expect(await labels()).toEqual(['1 of 3: Latest story', '2 of 3: Community alerts', '3 of 3: Checkout']);
    await expect(slides(page).first()).toContainText('The newest story');
    await expect(slides(page).nth(1)).toContainText('Pokemon Center UK: the waiting room is open');
    await expect(slides(page).nth(2).getByRole('listitem')).toHaveCount(5);

    const trackingSets = [
      { name: 'Second wave', enabled: true },
      { name: 'Not yet', enabled: false },
      { name: 'First wave', enabled: true },
    ];
    await arrangeSite(stack, { slides: { ...off, trackingSetsEnabled: true }, tracking: true, trackingSets });
    expect(await labels()).toEqual(['1 of 2: Second wave', '2 of 2: First wave']);
    const picture = slides(page).first().locator('img');
    // Phones are sent a form of their size.
    await page.setViewportSize({ width: 360, height: 740 });
    await page.reload();
    await picture.scrollIntoViewIfNeeded();
    await expect(picture).toHaveJSProperty('complete', true);
    expect(await picture.evaluate((image: HTMLImageElement) => image.currentSrc)).toMatch(/\/480\.webp$/);
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);

    await arrangeSite(stack, {
      slides: { ...off, trackingSetsEnabled: true },
      tracking: false,
      trackingSets,
    });
    expect(await labels()).toEqual([]);
    await expect(slideshow(page)).toHaveCount(0);
    await arrangeSite(stack, { slides: off, tracking: true, trackingSets });
    expect(await labels()).toEqual([]);
  });
}

test('the story of the slide is a link to it, and its image fills its frame on a phone @no-scripts', async ({
  page,
  stack,
}) => {
  await arrangeSite(stack, { articles: [{ title: 'The newest story' }] });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/');
  const image = slideshow(page).locator('.story-image');
  const [widths, heights] = await image.evaluate(
    ({ offsetWidth, offsetHeight, parentElement }: HTMLElement) => [
      [offsetWidth, parentElement?.clientWidth],
      [offsetHeight, parentElement?.clientHeight],
    ],
  );
  // It was once wider than its frame, which showed an empty part of it.
  expect(widths?.[0]).toBe(widths?.[1]);
  expect(heights?.[0]).toBe(heights?.[1]);
  await slideshow(page).getByRole('link', { name: 'Read the story: The newest story' }).click();
  await expect(page).toHaveURL(/\/news\/.+/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The newest story');
});

for (const mode of MODES) {
  test(`a single slide needs no controls${mode}`, async ({ page, stack }) => {
    await arrangeSite(stack, { slides: { checkoutSlideEnabled: false } });
    await page.goto('/');
    await expect(slides(page)).toHaveCount(1);
    await expect(slideshow(page).getByRole('button')).toHaveCount(0);
    await expect(slideshow(page).getByRole('link')).toHaveCount(0);
  });
}

test('without scripts links lead to the slides, and nothing is there that does nothing @no-scripts', async ({
  page,
}) => {
  await page.goto('/');
  await expect(slideshow(page).getByRole('button')).toHaveCount(0);
  await slideshow(page).getByRole('link', { name: 'Slide 2 of 2: Checkout' }).click();
  await expectShown(page, '2 of 2: Checkout');
  await slideshow(page).getByRole('link', { name: 'Slide 1 of 2: Community alerts' }).click();
  await expectShown(page, '1 of 2: Community alerts');
});

test('buttons and dots turn the slides, past the end to the beginning', async ({ page }) => {
  await page.goto('/');
  const next = slideshow(page).getByRole('button', { name: 'Next slide' });
  const dot = (at: number) => slideshow(page).getByRole('button', { name: new RegExp(`^Slide ${at} of 2`) });
  await next.click();
  await expectShown(page, '2 of 2: Checkout');
  await expect(dot(2)).toHaveAttribute('aria-current', 'true');
  await expect(slideshow(page).getByRole('status')).toHaveText('2 of 2: Checkout');
  await next.click();
  await expectShown(page, '1 of 2: Community alerts');
  await slideshow(page).getByRole('button', { name: 'Previous slide' }).click();
  await expectShown(page, '2 of 2: Checkout');
  await dot(1).click();
  await expectShown(page, '1 of 2: Community alerts');
  await expect(dot(1)).toHaveAttribute('aria-current', 'true');
  await expect(dot(2)).not.toHaveAttribute('aria-current');
});

test('presses in quick succession all count', async ({ page, stack }) => {
  await arrangeSite(stack, { articles: [{ title: 'The newest story' }] });
  await page.goto('/');
  const press = async (name: string) => {
    const button = slideshow(page).getByRole('button', { name });
    await button.scrollIntoViewIfNeeded();
    await button.evaluate(async (element: HTMLElement) => {
      element.click();
      await new Promise(requestAnimationFrame);
      element.click();
    });
  };
  await press('Next slide');
  await expectShown(page, '3 of 3: Checkout');
  await press('Previous slide');
  await expectShown(page, '1 of 3: Latest story');
});

test('the keyboard alone turns the slides', async ({ page }) => {
  await page.goto('/');
  await strip(page).focus();
  await page.keyboard.press('ArrowRight');
  await expectShown(page, '2 of 2: Checkout');
  await slideshow(page).getByRole('button', { name: 'Previous slide' }).focus();
  await page.keyboard.press('Enter');
  await expectShown(page, '1 of 2: Community alerts');
});

test('the dots follow a swipe', async ({ page }) => {
  await page.goto('/');
  await strip(page).evaluate((element) => element.scrollBy({ left: element.clientWidth }));
  await expect(slideshow(page).getByRole('button', { name: /^Slide 2 of 2/ })).toHaveAttribute(
    'aria-current',
    'true',
  );
});

test('the slides turn automatically, and nothing else moves @own-context', async ({ page }) => {
  await watchLayout(page);
  await openOnClock(page);
  await page.clock.runFor(TURN_MS);
  await expectShown(page, '2 of 2: Checkout');
  await expect(slideshow(page).getByRole('status')).toBeEmpty();
  await page.clock.runFor(TURN_MS);
  await expectShown(page, '1 of 2: Community alerts');
  expect(await layoutShifts(page)).toEqual([]);
});

test('they stand still under the pointer @own-context', async ({ page }) => {
  await openOnClock(page);
  await slides(page).first().hover();
  await page.clock.runFor(3 * TURN_MS);
  await expectShown(page, '1 of 2: Community alerts');
  await page.mouse.move(0, 0);
  await page.clock.runFor(TURN_MS);
  await expectShown(page, '2 of 2: Checkout');
});

test('they stand still while the keyboard is inside, and continue when it leaves @own-context', async ({
  page,
}) => {
  await openOnClock(page);
  await slideshow(page).getByRole('button', { name: 'Previous slide' }).focus();
  await page.keyboard.press('Tab');
  await page.clock.runFor(3 * TURN_MS);
  await expectShown(page, '1 of 2: Community alerts');
  // The next stop is far down the page, where the slides would stand still for being out of sight.
  await slideshow(page)
    .getByRole('button', { name: 'Next slide' })
    .evaluate((button) => button.blur());
  await page.clock.runFor(TURN_MS);
  await expectShown(page, '2 of 2: Checkout');
});

test('they stand still once paused, and continue at Play with the focus on it @own-context', async ({
  page,
}) => {
  await openOnClock(page);
  await slideshow(page).getByRole('button', { name: 'Pause' }).focus();
  await page.keyboard.press('Enter');
  await page.clock.runFor(3 * TURN_MS);
  await expectShown(page, '1 of 2: Community alerts');
  const play = slideshow(page).getByRole('button', { name: 'Play' });
  await expect(play).toBeFocused();
  await page.keyboard.press('Enter');
  await page.clock.runFor(TURN_MS);
  await expectShown(page, '2 of 2: Checkout');
});

test('they stand still while the tab is hidden @own-context', async ({ page }) => {
  await openOnClock(page);
  const show = (state: 'hidden' | 'visible') =>
    page.evaluate((visibility) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, value: visibility });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  await show('hidden');
  await page.clock.runFor(3 * TURN_MS);
  await expectShown(page, '1 of 2: Community alerts');
  await show('visible');
  await page.clock.runFor(TURN_MS);
  await expectShown(page, '2 of 2: Checkout');
});

test('they never turn automatically for people who want less motion @own-context', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openOnClock(page);
  await page.clock.runFor(5 * TURN_MS);
  await expectShown(page, '1 of 2: Community alerts');
  await expect(slideshow(page).getByRole('button', { name: /^(Pause|Play)$/ })).toHaveCount(0);
  await slideshow(page).getByRole('button', { name: 'Next slide' }).click();
  await expectShown(page, '2 of 2: Checkout');
});
