import type { Page } from 'playwright/test';
import { expectNothingWider, layoutShifts, watchLayout } from './page-quality';
import { storePicture } from './news-data';
import { enterAs } from './people';
import { arrangeSite } from './site-data';
import { expect, MODES, test, type SharedStack } from './test';

/** The sections of the page, of which some are parts with their own script. */
const SECTIONS = 'main > section, main > [data-part] > section';

const WIDTHS = [360, 1280] as const;

/** Gives the page every part that it can have, with pictures wherever there may be one. */
async function fillThePage(stack: SharedStack): Promise<void> {
  const pictures = [
    await storePicture(stack.dataDir),
    await storePicture(stack.dataDir, { width: 800, height: 1200 }),
    await storePicture(stack.dataDir),
  ];
  await arrangeSite(stack, {
    articles: pictures.map((file, at) => ({ title: `Story ${at}`, media: [{ file }], featuredMedia: 0 })),
    retailers: ['Argos', 'Smyths Toys', 'Magic Madhouse'],
    slides: { trackingSetsEnabled: true },
    tracking: true,
    trackingSets: [
      { name: 'First wave', enabled: true },
      { name: 'Second wave', enabled: true },
    ],
  });
}

test('the landing page shows the state of the shop, the last check and the next one @no-scripts', async ({
  page,
}) => {
  await page.goto('/');
  const card = page.getByRole('article', { name: 'Live monitor' });
  await expect(card.locator('[data-monitor-state]')).toBeVisible();
  await expect(card.getByText('Within them now')).toBeVisible();
  await expect(card.getByRole('img', { name: /last 12 hours/ })).toBeVisible();
});

test('the sections are there in their order, with all of their content @no-scripts', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Be in line before the line exists.');
  const titles = await page.locator(`:is(${SECTIONS}) > h2`).allTextContents();
  expect(titles.filter((title) => !['Latest News', 'Supported Retailers'].includes(title))).toEqual([
    'How an alert travels',
    'Why Join Our Beta',
    'What goes in the binder',
    'Roadmap',
    'Beta pricing',
  ]);
  const section = (title: string) =>
    page.locator(SECTIONS, { has: page.getByRole('heading', { level: 2, name: title }) });
  await expect(section('Why Join Our Beta').locator('dt')).toHaveText([
    'Early Access',
    'Direct Feedback Channel',
    'Beta Pricing',
    'Exclusive Community',
  ]);
  const features = section('What goes in the binder').getByRole('article');
  await expect(features.getByRole('heading')).toHaveText([
    'Visual Drag & Drop Builder',
    'AI Workflow Assistant',
    'E-commerce Automation',
    'Template Library',
    'Built-in Safety Features',
    'Advanced Configuration',
  ]);
  await expect(features.filter({ hasText: 'Coming soon' })).toHaveText(/Template Library/);
  const stages = section('Roadmap').getByRole('listitem');
  for (const [at, words] of [
    ['Q3 2025', 'Current'],
    ['Q4 2025', 'Upcoming'],
    ['Q1 2026', 'Planned'],
  ].entries()) {
    for (const word of words) await expect(stages.nth(at)).toContainText(word);
  }
});

test.describe('with news, pictures and retailers', () => {
  test.beforeEach(({ stack }) => fillThePage(stack));
  test.afterEach(({ stack }) => arrangeSite(stack));

  test('the sections are in order, with the call to action last, above the footer @no-scripts', async ({
    page,
  }) => {
    await page.goto('/');
    const parts = await page
      .locator(`main h1, ${SECTIONS}, body footer`)
      .evaluateAll((all) =>
        all.map(
          (part) =>
            part.getAttribute('aria-label') ??
            (part.matches('h1, footer') ? part.localName : part.querySelector('h2')?.textContent),
        ),
      );
    expect(parts).toEqual([
      'h1',
      'A look inside',
      'How an alert travels',
      'Why Join Our Beta',
      'What goes in the binder',
      'Roadmap',
      'Beta pricing',
      'Latest News',
      'Supported Retailers',
      'The next waiting room opens without warning.',
      'footer',
    ]);
  });

  for (const width of WIDTHS) {
    test(`nothing moves while its pictures arrive at ${width} pixels @own-context`, async ({ page }) => {
      await page.setViewportSize({ width, height: 800 });
      await watchLayout(page);
      await page.goto('/');
      const pictures = page.locator('#news img, [aria-roledescription="slide"] img');
      // Three stories and three slides: the newest story's, and one of each tracking set.
      await expect(pictures).toHaveCount(6);
      for (const picture of await pictures.all()) {
        await picture.scrollIntoViewIfNeeded();
        await expect
          .poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0))
          .toBe(true);
      }
      await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
      expect(await layoutShifts(page)).toEqual([]);
    });
  }
});

test('the last call asks once more, and the foot says who we are @no-scripts', async ({ page }) => {
  await page.goto('/');
  const call = page.locator(SECTIONS).last();
  await expect(call.getByRole('heading', { level: 2 })).toHaveText(
    'The next waiting room opens without warning.',
  );
  await expect(call).toContainText('Ask for a place in the beta.');
  await expect(call.getByRole('link')).toHaveText('Request Beta Access');
  await expect(call.getByRole('link')).toHaveAttribute('href', '/?auth=login');

  const foot = page.getByRole('contentinfo');
  await expect(foot).toContainText('Packwatch is made by collectors. It is independent of Pokemon Center UK');
  await expect(foot).toContainText('Planned features are marked as planned.');
  const links = foot.getByRole('navigation', { name: 'On this page' }).getByRole('link');
  await expect(links).toHaveText(['How it works', 'Features', 'Roadmap', 'Pricing']);
  for (const [at, href] of ['#how', '#features', '#roadmap', '#pricing'].entries())
    await expect(links.nth(at)).toHaveAttribute('href', href);
});

test('the prices are those that were agreed @no-scripts', async ({ page }) => {
  await page.goto('/');
  const plans = page.locator('#pricing').getByRole('article');
  for (const words of ['Beta Access', 'Coming soon', 'Free', 'AI assistant, 10 uses a month'])
    await expect(plans.first()).toContainText(words);
  for (const words of [
    'Early Adopter',
    '£9.99',
    'a month',
    '£19.99',
    '50% off for life',
    'Unlimited AI assistant',
  ])
    await expect(plans.last()).toContainText(words);
  await expect(page.getByRole('link', { name: 'Request Beta Access' })).toHaveCount(3);
  for (const link of await page.getByRole('link', { name: 'Request Beta Access' }).all())
    await expect(link).toHaveAttribute('href', '/?auth=login');
});

for (const mode of MODES) {
  test(`the bar links to the sections, the news and the sign-in${mode}`, async ({ page }) => {
    await page.goto('/');
    const bar = page.getByRole('navigation', { name: 'Main' });
    for (const [name, href] of Object.entries({
      Features: '#features',
      Roadmap: '#roadmap',
      Pricing: '#pricing',
      News: '/news',
      'Log in': '/login',
      'Sign up': '/signup',
      'Join Beta': '/?auth=login',
    })) {
      await expect(bar.getByRole('link', { name, exact: true })).toHaveAttribute('href', href);
    }
    await expect(bar.getByText('BETA', { exact: true })).toBeVisible();
    await bar.getByRole('link', { name: 'Roadmap' }).click();
    await expect(page.getByRole('heading', { name: 'Roadmap' })).toBeInViewport();
  });
}

for (const mode of MODES) {
  test(`the bar shows the signed-in user and stays in view${mode}`, async ({ page, stack }) => {
    const person = await enterAs(page, stack, 'member');
    await page.goto('/');
    const bar = page.getByRole('navigation', { name: 'Main' });
    const menu = bar.locator('[data-user-menu]');
    await expect(menu.locator('summary')).toContainText(person.persona);
    for (const name of ['Log in', 'Sign up', 'Join Beta'])
      await expect(page.getByRole('link', { name, exact: true, includeHidden: true })).toHaveCount(0);
    await expect(menu.getByRole('button', { name: 'Sign out' })).toBeHidden();
    await menu.locator('summary').click();
    await expect(menu.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', '/dashboard');
    await expect(menu.getByRole('button', { name: 'Sign out' })).toBeVisible();
    await menu.locator('summary').click();

    await page.getByRole('contentinfo').scrollIntoViewIfNeeded();
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(1_000);
    await expect(bar).toBeInViewport({ ratio: 1 });
    expect((await page.getByRole('banner').boundingBox())?.y).toBe(0);

    const request = page.getByRole('link', { name: 'Request Beta Access' });
    await expect(request).toHaveCount(3);
    for (const link of await request.all()) await expect(link).toHaveAttribute('href', '/dashboard');
    await request.first().click();
    await expect(page).toHaveURL('/dashboard');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Account Overview');
  });
}

test('every link on the page leads somewhere @no-scripts', async ({ page, request }) => {
  await page.goto('/');
  const targets = await page
    .locator('a[href]')
    .evaluateAll((links) => [...new Set(links.map((link) => link.getAttribute('href') ?? ''))]);
  for (const target of targets) {
    if (target.startsWith('#')) await expect(page.locator(target), target).toHaveCount(1);
    else expect((await request.get(target, { maxRedirects: 0 })).status(), target).toBe(200);
  }
});

test('the home button is named as specified and leads home @no-scripts', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByTitle('Go to home page').first()).toHaveAttribute('href', '/');
});

test('an unknown page leads home @no-scripts', async ({ page }) => {
  await page.goto('/no/such/page');
  await expect(page).toHaveURL('/');
});

for (const mode of MODES) {
  test(`the first tab stop skips to the content${mode}`, async ({ page }) => {
    await page.goto('/');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/#content');
  });
}

for (const mode of MODES) {
  test(`a chosen theme is remembered${mode}`, async ({ page }) => {
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
}

for (const mode of MODES) {
  test(`the menu of small screens opens and leads to a section${mode}`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto('/');
    await page.locator('header summary').click();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pricing' }).click();
    await expect(page).toHaveURL('/#pricing');
  });
}

for (const width of WIDTHS) {
  test(`nothing moves while the page loads and its times run at ${width} pixels @own-context`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await watchLayout(page);
    await page.goto('/');
    const ticking = page.getByRole('article', { name: 'Live monitor' }).locator('time').first();
    const first = await ticking.textContent();
    await expect(ticking).not.toHaveText(first ?? '');
    expect(await layoutShifts(page)).toEqual([]);
  });
}

const BAR_WIDTHS = [360, 768, 1024, 1152, 1280] as const;

/** Checks that the bar holds what is in it. The menu's button hangs 11 pixels over the edge, so that its lines stand on it. */
async function expectBarHoldsItsParts(page: Page): Promise<void> {
  const bar = await page.locator('header nav').boundingBox();
  const join = await page.locator('header nav > :last-child').boundingBox();
  expect((join?.x ?? 0) + (join?.width ?? 0)).toBeLessThanOrEqual((bar?.x ?? 0) + (bar?.width ?? 0) + 11);
}

for (const mode of MODES) {
  test(`nothing is wider than the screen at any width${mode}`, async ({ page }) => {
    await page.goto('/');
    for (const width of BAR_WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      await expectNothingWider(page, width);
      await expectBarHoldsItsParts(page);
    }
  });
}

test('nothing is wider than the screen when the fonts come too late @no-scripts', async ({ page }) => {
  // A separate page: the browser complains about files that do not come.
  const plain = await page.context().newPage();
  await plain.route('**/*.woff2', (route) => route.abort());
  await plain.goto('/');
  for (const width of BAR_WIDTHS) {
    await plain.setViewportSize({ width, height: 800 });
    await expectNothingWider(plain, width);
    await expectBarHoldsItsParts(plain);
  }
  await plain.close();
});

test('choosing a theme keeps the page: no reload', async ({ page }) => {
  await page.goto('/');
  await page.evaluate(() => document.body.setAttribute('data-same-page', ''));
  await page.getByRole('button', { name: 'Dark theme' }).click();
  await expect(page.getByRole('button', { name: 'Dark theme' })).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('body[data-same-page]')).toHaveCount(1);
});

test('one request returns the complete page, before any script @no-scripts', async ({ request }) => {
  const html = await (await request.get('/')).text();
  for (const word of ['Live monitor', 'How an alert travels', '£19.99', 'Roadmap', 'data-monitor-state'])
    expect(html).toContain(word);
});

test('search engines and link previews get what they need @no-scripts', async ({ request, stack }) => {
  const html = await (await request.get('/', { headers: { 'X-Forwarded-Host': 'evil.example' } })).text();
  expect(html).toContain('<html lang="en-GB"');
  expect(html).toContain(`rel="canonical" href="${stack.siteUrl}/"`);
  expect(html).toContain('property="og:locale" content="en_GB"');
  expect(html).not.toContain('evil.example');
  expect((await request.get('/share.png')).status()).toBe(200);
  const structured = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? '{}';
  expect(JSON.parse(structured)).toMatchObject({
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'Organization',
        '@id': `${stack.siteUrl}/#organization`,
        name: 'Packwatch',
        url: `${stack.siteUrl}/`,
        logo: {
          '@type': 'ImageObject',
          url: `${stack.siteUrl}/apple-touch-icon.png`,
          width: 180,
          height: 180,
        },
      },
      {
        '@type': 'WebSite',
        name: 'Packwatch',
        url: `${stack.siteUrl}/`,
        inLanguage: 'en-GB',
        publisher: { '@id': `${stack.siteUrl}/#organization` },
      },
    ],
  });
});
