import { DAY, toIso } from '#shared/clock';
import { setNewsSection, storePicture, withDatabase } from './news-data';
import { expectNoFaults } from './page-quality';
import { arrangeSite } from './site-data';
import { expect, MODES, test } from './test';

test.afterEach(({ stack }) => arrangeSite(stack));

/** A story's age in words. relative-date.test.ts holds which words. */
const AGE = /^(Today|Yesterday|\d days ago|\d weeks? ago|\w+ \d+, \d{4})$/;

const daysAgo = (days: number) => toIso(Date.now() - days * DAY);

for (const mode of MODES) {
  test(`three stories are shown, the featured one first, each with its facts and picture${mode}`, async ({
    page,
    stack,
  }) => {
    const [first, second] = [await storePicture(stack.dataDir), await storePicture(stack.dataDir)];
    await arrangeSite(stack, {
      articles: [
        {
          title: 'The newest',
          excerpt: 'In short: it is new.',
          author: 'Misty',
          publishedAt: daysAgo(0),
          media: [{ file: first }, { file: second }],
          featuredMedia: 1,
        },
        {
          title: 'From yesterday',
          content: `<h2>Heading</h2><p>${'word '.repeat(250)}</p>`,
          publishedAt: daysAgo(1),
        },
        { title: 'Too old to be shown', publishedAt: daysAgo(3) },
        { title: 'The featured one', featured: true, publishedAt: daysAgo(8) },
      ],
    });
    await page.goto('/');
    const news = page.locator('#news');
    await expect(news.getByRole('heading', { level: 2 })).toHaveText('Latest News');
    const cards = news.getByRole('article');
    await expect(cards.getByRole('heading', { level: 3 })).toHaveText([
      'The featured one',
      'The newest',
      'From yesterday',
    ]);
    await expect(cards.nth(0)).toContainText('Featured');
    await expect(cards.nth(0).locator('img')).toHaveCount(0);

    await expect(cards.nth(1)).not.toContainText('Featured');
    for (const words of ['Misty', '1 min read', 'In short: it is new.'])
      await expect(cards.nth(1)).toContainText(words);
    await expect(cards.nth(1).locator('img')).toHaveAttribute('src', second.filePath);

    for (const words of ['Admin', '2 min read']) await expect(cards.nth(2)).toContainText(words);
    const summary = `Heading · ${'word '.repeat(250)}`.slice(0, 120).trimEnd();
    await expect(cards.nth(2)).toContainText(`${summary}…`);
    for (const age of await cards.locator('time').all()) {
      await expect(age).toHaveText(AGE);
      await expect(age).toHaveAttribute('datetime', /^\d{4}-\d\d-\d\dT.*Z$/);
    }

    await news.getByRole('link', { name: 'The newest' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('The newest');
    await page.goto('/');
    await news.getByRole('link', { name: 'View All News' }).click();
    await expect(page).toHaveURL('/news');
  });
}

test('markup in a title or an excerpt is text', async ({ page, stack }) => {
  const payload = '<img src=x onerror=alert(1)></script><script>alert(1)</script>';
  page.on('dialog', () => {
    throw new Error('a story ran');
  });
  await arrangeSite(stack, { articles: [{ title: payload, excerpt: payload, author: payload }] });
  await page.goto('/');
  await expect(page.locator('#news').getByRole('heading', { level: 3 })).toHaveText(payload);
});

test('without stories there is no section @no-scripts', async ({ page, stack }) => {
  await arrangeSite(stack);
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Latest News' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'View All News' })).toHaveCount(0);
  await expect(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'News' }),
  ).toHaveCount(1);
});

test('while news are off neither section, slide nor link is there @no-scripts', async ({ page, stack }) => {
  await arrangeSite(stack, { articles: [{ title: 'Hidden for now' }] });
  await page.goto('/');
  await expect(page.locator('#news')).toBeVisible();
  await withDatabase(stack.dataDir, (db) => setNewsSection(db, false));
  await page.goto('/');
  await expect(page.getByText('Hidden for now')).toHaveCount(0);
  await expect(page.locator('a[href^="/news"]')).toHaveCount(0);
});

test('the retailers are listed as admins wrote them; without any there is no section @no-scripts', async ({
  page,
  stack,
}) => {
  const retailers = ['Argos', 'Smyths Toys', '<b>Magic</b> Madhouse'];
  await arrangeSite(stack, { retailers });
  await page.goto('/');
  await expect(page.locator('#retailers').getByRole('listitem')).toHaveText(retailers);
  await arrangeSite(stack);
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Supported Retailers' })).toHaveCount(0);
});

test('the full page has no accessibility fault, and nothing is wider than the screen', async ({
  page,
  stack,
}) => {
  const picture = await storePicture(stack.dataDir);
  await arrangeSite(stack, {
    articles: [
      { title: 'A story with a picture', media: [{ file: picture, altText: 'A sealed box' }] },
      { title: 'W'.repeat(150), featured: true },
    ],
    retailers: ['Argos', 'W'.repeat(80)],
    slides: { trackingSetsEnabled: true },
    tracking: true,
    trackingSets: [{ name: 'Prismatic Evolutions', enabled: true }],
  });
  await page.goto('/');
  await expectNoFaults(page);
});
