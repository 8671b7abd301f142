import type { Page } from 'playwright/test';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '#shared/ids';
import {
  setArticles,
  setNewsSection,
  storeFilm,
  storePicture,
  withDatabase,
  type ArticleSeed,
} from './news-data';
import { expectNoFaults, expectNothingWider, layoutShifts, watchLayout } from './page-quality';
import { enterAs } from './people';
import { expect, MODES, test, type SharedStack } from './test';

const FILM = readFileSync(new URL('../fixtures/news/film.webm', import.meta.url));
const ID = '22222222-2222-4222-8222-222222222222';

function publish(stack: SharedStack, seeds: readonly ArticleSeed[]): Promise<string[]> {
  return withDatabase(stack.dataDir, (db) => setArticles(db, seeds));
}

/** That many stories, the newest first. */
function stories(count: number): ArticleSeed[] {
  return Array.from({ length: count }, () => ({}));
}

function switchNews(stack: SharedStack, enabled: boolean): Promise<void> {
  return withDatabase(stack.dataDir, (db) => setNewsSection(db, enabled));
}

/** The titles of the cards below the hero, in their order. */
function titles(page: Page): Promise<string[]> {
  return page.locator('main ul h3').allTextContents();
}

test.afterEach(async ({ stack }) => {
  await publish(stack, []);
});

test.describe('the news list', () => {
  test('without stories says so, and has no other pages @no-scripts', async ({ page, stack }) => {
    await publish(stack, [{ published: false }]);
    await page.goto('/news');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Latest News');
    await expect(page.getByRole('heading', { name: 'No Stories Yet' })).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Pages' })).toHaveCount(0);
  });

  for (const count of [1, 9]) {
    test(`with ${count} stories is one page of Latest Stories, the newest first @no-scripts`, async ({
      page,
      stack,
    }) => {
      await publish(stack, stories(count));
      await page.goto('/news');
      await expect(page.getByRole('heading', { name: 'Latest Stories' })).toBeVisible();
      await expect(page.getByText('Featured Story')).toHaveCount(0);
      expect(await titles(page)).toEqual(Array.from({ length: count }, (_, at) => `Story ${at + 1}`));
      await expect(page.getByRole('navigation', { name: 'Pages' })).toHaveCount(0);
    });
  }

  test('opens with the first featured story of its first page, and never shows it twice @no-scripts', async ({
    page,
    stack,
  }) => {
    await publish(stack, [{}, { featured: true }, { featured: true }, ...stories(9)]);
    await page.goto('/news');
    const hero = page.getByRole('region', { name: 'Featured Story' });
    await expect(hero.getByRole('heading', { level: 3 })).toHaveText('Story 2');
    await expect(hero.getByText('Featured', { exact: true })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'More Stories' })).toBeVisible();
    expect(await titles(page)).toEqual([1, 3, 4, 5, 6, 7, 8, 9].map((number) => `Story ${number}`));
    const other = page.locator('main ul article').filter({ hasText: 'Story 3' });
    await expect(other.getByText('Featured', { exact: true })).toBeVisible();

    await page.goto('/news?page=2');
    await expect(page.getByText('Featured Story')).toHaveCount(0);
    await expect(page.getByRole('heading', { name: 'Latest Stories' })).toBeVisible();
    expect(await titles(page)).toEqual(['Story 10', 'Story 11', 'Story 12']);
  });

  test('with nothing but a featured story has no heading over nothing @no-scripts', async ({
    page,
    stack,
  }) => {
    await publish(stack, [{ featured: true }]);
    await page.goto('/news');
    await expect(page.getByRole('heading', { level: 3 })).toHaveText('Story 1');
    for (const name of ['More Stories', 'Latest Stories', 'No Stories Yet'])
      await expect(page.getByRole('heading', { name })).toHaveCount(0);
  });

  for (const mode of MODES) {
    test(`is paged by Previous and Next${mode}`, async ({ page, stack }) => {
      await publish(stack, stories(10));
      await page.goto('/news');
      const pages = page.getByRole('navigation', { name: 'Pages' });
      await expect(pages.getByText('Page 1 of 2')).toBeVisible();
      await expect(pages.getByRole('link', { name: 'Previous' })).toHaveAttribute('aria-disabled', 'true');
      await pages.getByRole('link', { name: 'Next' }).click();
      await expect(page).toHaveURL('/news?page=2');
      await expect(pages.getByText('Page 2 of 2')).toBeVisible();
      expect(await titles(page)).toEqual(['Story 10']);
      await expect(pages.getByRole('link', { name: 'Next' })).toHaveAttribute('aria-disabled', 'true');
      await pages.getByRole('link', { name: 'Previous' }).click();
      await expect(page).toHaveURL('/news');
    });
  }

  test('numbers five pages around the current one, then the last @no-scripts', async ({ page, stack }) => {
    await publish(stack, stories(60));
    const pages = page.getByRole('navigation', { name: 'Pages' });
    const row = () => pages.locator('ol').innerText();
    await page.goto('/news');
    expect((await row()).split(/\s+/)).toEqual(['1', '2', '3', '4', '5', '…', '7']);
    await expect(pages.getByRole('link', { name: 'Page 1', exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    );
    await pages.getByRole('link', { name: 'Page 4' }).click();
    await expect(pages.getByText('Page 4 of 7')).toBeVisible();
    expect((await row()).split(/\s+/)).toEqual(['2', '3', '4', '5', '6', '…', '7']);
    await pages.getByRole('link', { name: 'Page 7' }).click();
    await expect(pages.getByText('Page 7 of 7')).toBeVisible();
    expect((await row()).split(/\s+/)).toEqual(['3', '4', '5', '6', '7']);
    expect(await titles(page)).toEqual([55, 56, 57, 58, 59, 60].map((number) => `Story ${number}`));
  });

  test('tells search engines its position in the site @no-scripts', async ({ page, stack }) => {
    await publish(stack, stories(10));
    for (const path of ['/news', '/news?page=2']) {
      await page.goto(path);
      const scripts = page.locator('script[type="application/ld+json"]');
      await expect(scripts).toHaveCount(1);
      expect(JSON.parse((await scripts.textContent()) ?? '')).toEqual({
        '@context': 'https://schema.org',
        '@graph': [
          {
            '@type': 'BreadcrumbList',
            itemListElement: [
              { '@type': 'ListItem', position: 1, name: 'Packwatch', item: `${stack.siteUrl}/` },
              { '@type': 'ListItem', position: 2, name: 'Latest News', item: `${stack.siteUrl}/news` },
            ],
          },
        ],
      });
    }
  });

  test('redirects an invalid page number to a valid page @no-scripts', async ({ page, stack }) => {
    await publish(stack, stories(20));
    for (const [asked, given] of [
      ['/news?page=99', '/news?page=3'],
      ['/news?page=999999999', '/news'],
      ['/news?page=0', '/news'],
      ['/news?page=-1', '/news'],
      ['/news?page=2.5', '/news'],
      ['/news?page=two', '/news'],
      ['/news?page=', '/news'],
    ] as const) {
      await page.goto(asked);
      await expect(page, asked).toHaveURL(given);
    }
  });

  test('shows of each story what a reader chooses by @no-scripts', async ({ page, stack }) => {
    const long = 'word '.repeat(410).trim();
    const [featured, first] = [await storePicture(stack.dataDir), await storePicture(stack.dataDir)];
    await publish(stack, [
      { title: 'In the hero', featured: true, content: `<p>${'h'.repeat(300)}</p>` },
      {
        title: 'With an author',
        author: 'mira',
        content: `<p>${long}</p>`,
        publishedAt: '2026-10-31T23:30:00.000Z',
        media: [{ file: first }, { file: featured }],
        featuredMedia: 1,
      },
      {
        title: 'Without an author',
        excerpt: 'Short and good.',
        media: [{ file: await storePicture(stack.dataDir) }],
        publishedAt: '2026-07-31T23:30:00.000Z',
      },
      { title: 'Without a picture', publishedAt: '2026-07-01T12:00:00.000Z' },
    ]);
    await page.goto('/news');
    const hero = page.getByRole('region', { name: 'Featured Story' });
    await expect(hero.getByText(`${'h'.repeat(250)}…`, { exact: true })).toBeVisible();

    const card = (title: string) => page.locator('main ul article').filter({ hasText: title });
    await expect(
      card('With an author').getByText(`${long.slice(0, 200).trim()}…`, { exact: true }),
    ).toBeVisible();
    await expect(card('With an author').getByText('mira · 3 min read')).toBeVisible();
    const published = card('With an author').locator('time');
    await expect(published).toHaveText('October 31, 2026');
    await expect(published).toHaveAttribute('datetime', '2026-10-31T23:30:00.000Z');
    await expect(card('With an author').locator('img')).toHaveAttribute('src', featured.filePath);
    await expect(card('Without an author').getByText('Short and good.')).toBeVisible();
    await expect(card('Without an author').getByText('Admin · 1 min read')).toBeVisible();
    // Half past midnight in London.
    await expect(card('Without an author').locator('time')).toHaveText('August 1, 2026');
    await expect(card('Without an author').locator('img')).toHaveCount(1);
    await expect(card('Without a picture').locator('img')).toHaveCount(0);
  });

  for (const mode of MODES) {
    test(`leads to an article from anywhere on its card${mode}`, async ({ page, stack }) => {
      await publish(stack, [{ id: ID }]);
      await page.goto('/news');
      // The title's link lies over the text.
      await page.getByText('Two new boxes are on their way to the shelves.').click({ force: true });
      await expect(page).toHaveURL(`/news/${ID}`);
      await page.getByRole('link', { name: 'All news' }).click();
      await expect(page).toHaveURL('/news');
    });
  }

  test('tells search engines its one address and its neighbours @no-scripts', async ({ request, stack }) => {
    await publish(stack, stories(20));
    const head = async (path: string) =>
      (await (await request.get(path, { headers: { 'X-Forwarded-Host': 'evil.example' } })).text()).split(
        '</head>',
      )[0] ?? '';
    const first = await head('/news?page=1');
    expect(first).toContain(`rel="canonical" href="${stack.siteUrl}/news"`);
    expect(first).toContain(`rel="next" href="${stack.siteUrl}/news?page=2"`);
    expect(first).not.toContain('rel="prev"');
    expect(first).toContain(
      `rel="alternate" href="${stack.siteUrl}/news/feed.xml" type="application/atom+xml"`,
    );
    const second = await head('/news?page=2');
    expect(second).toContain(`rel="canonical" href="${stack.siteUrl}/news?page=2"`);
    expect(second).toContain(`rel="prev" href="${stack.siteUrl}/news"`);
    expect(second).toContain(`rel="next" href="${stack.siteUrl}/news?page=3"`);
    expect(await head('/news?page=3')).not.toContain('rel="next"');
    expect(first + second).not.toContain('evil.example');
  });
});

test.describe('an article', () => {
  test('shows everything that is known about it @no-scripts', async ({ page, stack }) => {
    await publish(stack, [
      {
        id: ID,
        title: 'The waiting room of Tuesday',
        featured: true,
        excerpt: 'What we saw.',
        author: 'mira',
        content: `<h1>At nine</h1><p>${'word '.repeat(401)}<strong>bold</strong></p>`,
        publishedAt: '2026-07-31T18:05:00.000Z',
        updatedAt: '2026-08-02T09:00:00.000Z',
      },
    ]);
    await page.goto(`/news/${ID}`);
    await expect(page).toHaveTitle('The waiting room of Tuesday · Packwatch');
    const article = page.getByRole('article');
    await expect(article.getByRole('heading', { level: 1 })).toHaveText('The waiting room of Tuesday');
    await expect(article.getByText('Featured', { exact: true })).toBeVisible();
    await expect(article.getByText('What we saw.')).toBeVisible();
    await expect(article.getByText('By mira')).toBeVisible();
    // In London.
    await expect(article.getByText('Published July 31, 2026 at 7:05 PM')).toBeVisible();
    await expect(article.getByText('Updated August 2, 2026 at 10:00 AM')).toBeVisible();
    await expect(article.locator('time').first()).toHaveAttribute('datetime', '2026-07-31T18:05:00.000Z');
    await expect(article.getByText('3 min read')).toBeVisible();
    // The title is the only heading of the first level.
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    await expect(article.getByRole('heading', { name: 'At nine', level: 2 })).toBeVisible();
    await expect(article.locator('strong')).toHaveText('bold');
    await expect(article.getByText(`Article ID: ${ID}`)).toBeVisible();
  });

  test('says only what is true of it @no-scripts', async ({ page, stack }) => {
    await publish(stack, [{ id: ID }]);
    await page.goto(`/news/${ID}`);
    const article = page.getByRole('article');
    await expect(article.getByText('By Admin')).toBeVisible();
    await expect(article.getByText(/Updated/)).toHaveCount(0);
    await expect(article.getByText('Featured', { exact: true })).toHaveCount(0);
    await expect(article.getByRole('region', { name: 'Media' })).toHaveCount(0);
  });

  test(`has a gallery in its order, of what is not in the text already or has a caption @no-scripts`, async ({
    page,
    stack,
  }) => {
    const [one, two, placed, captioned] = [
      await storePicture(stack.dataDir, { colour: '#4f46e5' }),
      await storePicture(stack.dataDir, { width: 800, height: 1200, colour: '#0f766e' }),
      await storePicture(stack.dataDir, { colour: '#c81e5a' }),
      await storePicture(stack.dataDir, { colour: '#b45309' }),
    ];
    await publish(stack, [
      {
        id: ID,
        content: `<p>Look:</p><p><img src="${placed.sources[0]?.path}" alt="In the text"></p><p><img src="${captioned.filePath}" alt=""></p>`,
        media: [
          { file: one, altText: 'Second', caption: 'The second', displayOrder: 5 },
          { file: storeFilm(stack.dataDir, FILM), altText: 'The film', caption: 'Third', displayOrder: 7 },
          { file: two, altText: 'First', displayOrder: 2 },
          { file: placed, altText: 'Placed', displayOrder: 1 },
          { file: captioned, altText: 'Captioned', caption: 'Said only here', displayOrder: 9 },
        ],
      },
    ]);
    await page.goto(`/news/${ID}`);
    const gallery = page.getByRole('region', { name: 'Media' });
    const shown = gallery.locator('img, video');
    expect(await shown.evaluateAll((all) => all.map((each) => each.getAttribute('src')))).toEqual([
      two.filePath,
      one.filePath,
      expect.stringContaining('film.webm'),
      captioned.filePath,
    ]);
    await expect(gallery.getByText('Said only here')).toBeVisible();
    const picture = gallery.getByRole('img', { name: 'First' });
    await expect(picture).toHaveAttribute('width', '800');
    await expect(picture).toHaveAttribute('height', '1200');
    await expect(picture).toHaveAttribute('loading', 'lazy');
    const [, ...wide] = two.sources;
    await expect(picture).toHaveAttribute(
      'srcset',
      wide.map(({ path, width }) => `${path} ${width}w`).join(', '),
    );
    await expect(gallery.locator('figure').nth(1).locator('figcaption')).toHaveText('The second');
    await expect(gallery.locator('figure').nth(0).locator('figcaption')).toHaveCount(0);
    const film = gallery.locator('video');
    await expect(film).toHaveAttribute('controls', '');
    await expect(film).toHaveAttribute('preload', 'metadata');
    await expect(film).toHaveAttribute('aria-label', 'The film');
    expect((await page.request.get((await film.getAttribute('src')) ?? '')).headers()['content-type']).toBe(
      'video/webm',
    );

    // Measured by us, whatever the author left out.
    const inText = page.locator('.article-body img').first();
    await expect(inText).toHaveAttribute('width', '1200');
    await expect(inText).toHaveAttribute('height', '800');
    await expect(inText).toHaveAttribute('fetchpriority', 'high');
    await inText.scrollIntoViewIfNeeded();
    await expect
      .poll(() => inText.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0))
      .toBe(true);
  });

  test('stays readable when its files are gone', async ({ context, stack }) => {
    const [picture, film] = [await storePicture(stack.dataDir), storeFilm(stack.dataDir, FILM)];
    for (const { uploadId } of [picture, film])
      rmSync(join(stack.dataDir, 'uploads', uploadId), { recursive: true });
    await publish(stack, [
      { id: ID, media: [{ file: picture, altText: 'A card' }, { file: film }], featuredMedia: 0 },
    ]);
    // A separate page: the browser complains about files that are gone.
    const page = await context.newPage();
    await page.goto(`/news/${ID}`);
    await expect(page.getByText('This video can’t be played.')).toBeVisible();
    const pocket = page.locator('.gallery-pocket').first();
    const box = await pocket.boundingBox();
    expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(4 / 3, 1);
    await page.goto('/news');
    await expect(page.locator('.story-image').first()).toBeVisible();
    await page.close();
  });

  for (const mode of MODES) {
    test(`that does not exist, or is a draft, is not found${mode}`, async ({ request, context, stack }) => {
      await publish(stack, [{ id: ID, title: 'Secret', published: false }]);
      for (const id of [ID, newId(), 'x', '%00', '..%2f..%2fetc', 'ÿ', 'x'.repeat(500)]) {
        const answer = await request.get(`/news/${id}`);
        expect(answer.status(), id).toBe(404);
        const html = await answer.text();
        expect(html).toContain('Article Not Found');
        expect(html).toContain('content="noindex"');
        expect(html).not.toContain('Secret');
      }
      // A separate page: the browser complains about a 404.
      const page = await context.newPage();
      await page.goto(`/news/${ID}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Article Not Found');
      await page.getByRole('link', { name: 'Go to the news' }).click();
      await expect(page).toHaveURL('/news');
      await page.close();
    });
  }

  test('that is a draft is shown to admins as one @no-scripts', async ({ page, stack }) => {
    await publish(stack, [{ id: ID, title: 'Not yet', published: false }]);
    await enterAs(page, stack, 'admin');
    await page.goto(`/news/${ID}`);
    await expect(page.getByText('This is a draft. Only admins can see it.')).toBeVisible();
    await expect(page.getByText('Not published yet')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Edit this article' })).toHaveAttribute(
      'href',
      `/dashboard/articles/${ID}`,
    );
    await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
    await expect(page.locator('link[rel=canonical]')).toHaveCount(0);
  });

  test('that is a draft is not found for a member @no-scripts', async ({ page, stack }) => {
    await publish(stack, [{ id: ID, published: false }]);
    await enterAs(page, stack, 'member');
    expect((await page.request.get(`/news/${ID}`)).status()).toBe(404);
  });

  test('tells search engines and link previews what it is', async ({ page, stack }) => {
    const picture = await storePicture(stack.dataDir);
    await publish(stack, [
      {
        id: ID,
        title: 'Tuesday’s </script><script>window.__xss=1</script> “room”\u2028',
        author: 'mira',
        content: `<p>${'A sentence about it. '.repeat(20)}</p>`,
        publishedAt: '2026-07-31T18:05:00.000Z',
        updatedAt: '2026-08-02T09:00:00.000Z',
        media: [{ file: picture, altText: 'A card' }],
        featuredMedia: 0,
      },
    ]);
    await page.goto(`/news/${ID}`);
    const url = `${stack.siteUrl}/news/${ID}`;
    const content = (selector: string) => page.locator(selector).getAttribute('content');
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', url);
    const description = (await content('meta[name=description]')) ?? '';
    expect([...description]).toHaveLength(160);
    expect(description).toMatch(/^A sentence about it\. .*…$/);
    for (const [property, expected] of Object.entries({
      'og:type': 'article',
      'og:locale': 'en_GB',
      'og:url': url,
      'og:description': description,
      'og:image': stack.siteUrl + picture.shareImage?.path,
      'og:image:type': 'image/jpeg',
      'og:image:width': '1200',
      'og:image:height': '800',
      'og:image:alt': 'A card',
      'article:published_time': '2026-07-31T18:05:00.000Z',
      'article:modified_time': '2026-08-02T09:00:00.000Z',
    }))
      expect(await content(`meta[property="${property}"]`), property).toBe(expected);
    expect(await content('meta[name="twitter:card"]')).toBe('summary_large_image');
    expect(await content('meta[name="author"]')).toBe('mira');
    await expect(page.locator('meta[property="article:author"]')).toHaveCount(0);

    const scripts = page.locator('script[type="application/ld+json"]');
    await expect(scripts).toHaveCount(1);
    const data = JSON.parse((await scripts.textContent()) ?? '') as {
      '@context': string;
      '@graph': Record<string, unknown>[];
    };
    expect(data['@context']).toBe('https://schema.org');
    const [story, trail] = data['@graph'];
    expect(story).toMatchObject({
      '@type': 'NewsArticle',
      headline: expect.stringContaining('</script>'),
      description,
      inLanguage: 'en-GB',
      image: [
        {
          '@type': 'ImageObject',
          url: stack.siteUrl + picture.shareImage?.path,
          encodingFormat: 'image/jpeg',
          width: 1200,
          height: 800,
          description: 'A card',
        },
      ],
      datePublished: '2026-07-31T18:05:00.000Z',
      dateModified: '2026-08-02T09:00:00.000Z',
      author: { '@type': 'Person', name: 'mira' },
      publisher: {
        '@type': 'Organization',
        name: 'Packwatch',
        logo: { '@type': 'ImageObject', url: `${stack.siteUrl}/apple-touch-icon.png` },
      },
      mainEntityOfPage: { '@type': 'WebPage', '@id': url },
    });
    expect(trail).toMatchObject({
      '@type': 'BreadcrumbList',
      itemListElement: [
        { '@type': 'ListItem', position: 1, name: 'Packwatch', item: `${stack.siteUrl}/` },
        { '@type': 'ListItem', position: 2, name: 'Latest News', item: `${stack.siteUrl}/news` },
        { '@type': 'ListItem', position: 3, name: expect.stringContaining('“room”'), item: url },
      ],
    });
    expect(await page.evaluate(() => '__xss' in window)).toBe(false);
  });

  test('without an author or an image names Packwatch to search engines @no-scripts', async ({
    page,
    stack,
  }) => {
    await publish(stack, [{ id: ID }]);
    await page.goto(`/news/${ID}`);
    const text = await page.locator('script[type="application/ld+json"]').textContent();
    const data = JSON.parse(text ?? '') as { '@graph': unknown[] };
    expect(data['@graph'][0]).toMatchObject({
      '@type': 'NewsArticle',
      headline: 'Story 1',
      image: [{ url: `${stack.siteUrl}/share.png`, encodingFormat: 'image/png' }],
      author: { '@type': 'Organization', name: 'Packwatch', url: `${stack.siteUrl}/` },
    });
  });

  test('is previewed with its featured image, else its first one, else ours @no-scripts', async ({
    request,
    stack,
  }) => {
    const [first, second] = [await storePicture(stack.dataDir), await storePicture(stack.dataDir)];
    const media = [{ file: storeFilm(stack.dataDir, FILM) }, { file: first }, { file: second }];
    const preview = async (seed: ArticleSeed) => {
      await publish(stack, [{ id: ID, ...seed }]);
      const html = await (await request.get(`/news/${ID}`)).text();
      return /property="og:image" content="([^"]*)"/.exec(html)?.[1]?.replace(stack.siteUrl, '');
    };
    expect(await preview({ media, featuredMedia: 2 })).toBe(second.shareImage?.path);
    expect(await preview({ media })).toBe(first.shareImage?.path);
    // The daemon has not made the JPEG of this image yet.
    expect(await preview({ media: [{ file: { ...first, shareImage: undefined } }] })).toBe('/share.png');
    expect(await preview({})).toBe('/share.png');
  });
});

test.describe('sharing an article', () => {
  test('hands it to the device where the device can share', async ({ page, stack }) => {
    await publish(stack, [{ id: ID, title: 'To share' }]);
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'share', {
        value: (what: unknown) => {
          document.body.dataset.shared = JSON.stringify(what);
          return Promise.resolve();
        },
      });
    });
    await page.goto(`/news/${ID}`);
    await page.getByRole('button', { name: 'Share' }).click();
    const url = `${stack.siteUrl}/news/${ID}`;
    await expect(page.locator('body')).toHaveAttribute(
      'data-shared',
      JSON.stringify({ title: 'To share', url }),
    );
  });

  test('else copies its address and says so', async ({ page, context, stack }) => {
    await publish(stack, [{ id: ID }]);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.addInitScript(() => Object.defineProperty(navigator, 'share', { value: undefined }));
    await page.goto(`/news/${ID}`);
    const said = page.waitForEvent('dialog');
    await page.getByRole('button', { name: 'Share' }).click({ noWaitAfter: true });
    const dialog = await said;
    expect([dialog.type(), dialog.message()]).toEqual(['alert', 'Article URL copied to clipboard!']);
    await dialog.accept();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${stack.siteUrl}/news/${ID}`);
  });

  test('selects its address where pages may not copy', async ({ page, stack }) => {
    await publish(stack, [{ id: ID }]);
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'share', { value: undefined });
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
    });
    await page.goto(`/news/${ID}`);
    await page.getByRole('button', { name: 'Share' }).click();
    await expect(page.getByLabel('Article link')).toBeFocused();
    expect(await page.evaluate(() => document.getSelection()?.toString())).toBe(
      `${stack.siteUrl}/news/${ID}`,
    );
  });

  for (const mode of MODES) {
    test(`needs no scripts: the address is there, and so is mail${mode}`, async ({ page, stack }) => {
      await publish(stack, [{ id: ID, title: 'Fish & chips' }]);
      await page.goto(`/news/${ID}`);
      const url = `${stack.siteUrl}/news/${ID}`;
      await expect(page.getByLabel('Article link')).toHaveValue(url);
      await expect(page.getByRole('link', { name: 'By email' })).toHaveAttribute(
        'href',
        `mailto:?subject=Fish%20%26%20chips&body=${encodeURIComponent(url)}`,
      );
      // A button that could do nothing is not there.
      await expect(page.getByRole('button', { name: 'Share' })).toHaveCount(mode === '' ? 1 : 0);
    });
  }
});

test('without a news section every news page leads home, for admins too, and nothing links there @no-scripts', async ({
  page,
  stack,
}) => {
  await publish(stack, [{ id: ID }]);
  await page.goto('/login');
  await expect(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'News' }),
  ).toHaveAttribute('href', '/news');
  await switchNews(stack, false);
  await page.goto('/login');
  await expect(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'News' }),
  ).toHaveCount(0);
  for (const role of ['visitor', 'admin'] as const) {
    if (role === 'admin') await enterAs(page, stack, 'admin');
    for (const path of ['/news', '/news?page=2', `/news/${ID}`, '/news/feed.xml']) {
      const answer = await page.request.get(path, { maxRedirects: 0 });
      expect([answer.status(), answer.headers().location], `${path} for ${role}`).toEqual([302, '/']);
    }
  }
  const api = await page.request.get(`/api/news/${ID}`);
  expect(api.status()).toBe(200);
  await switchNews(stack, true);
  expect((await page.request.get('/news', { maxRedirects: 0 })).status()).toBe(200);
});

test.describe('the pages', () => {
  test('have no accessibility fault', async ({ page, stack }) => {
    test.slow();
    const files = [await storePicture(stack.dataDir), storeFilm(stack.dataDir, FILM)];
    await publish(stack, [
      {
        id: ID,
        featured: true,
        content:
          '<h2>One</h2><h1>Two</h1><h3>Three</h3><p class="align-center">a <a href="/news">link</a></p><ul><li>x</li></ul><blockquote>said</blockquote><pre><code>a line of code that is rather longer than a small screen is wide, by far</code></pre><p class="indent-8">deep</p>',
        media: files.map((file, at) => ({ file, altText: `Thing ${at}`, caption: `Caption ${at}` })),
      },
      { featured: true },
      ...stories(60),
    ]);
    for (const path of ['/news', '/news?page=4', `/news/${ID}`]) {
      await page.goto(path);
      await expectNoFaults(page);
    }
    await publish(stack, [{ id: ID, published: false }]);
    await page.goto('/news');
    await expect(page.getByRole('heading', { name: 'No Stories Yet' })).toBeVisible();
    await expectNoFaults(page);
    // A separate page: the browser complains about a 404.
    const missing = await page.context().newPage();
    await missing.goto(`/news/${ID}`);
    await expect(missing.getByRole('heading', { level: 1 })).toHaveText('Article Not Found');
    await expectNoFaults(missing);
    await missing.close();
    await enterAs(page, stack, 'admin');
    for (const path of ['/news', `/news/${ID}`]) {
      await page.goto(path);
      await expectNoFaults(page);
    }
  });

  test(`keep words without spaces within the screen`, async ({ page, stack }) => {
    const endless = {
      title: 'T'.repeat(200),
      excerpt: `So long: ${'e'.repeat(64)}`,
      author: 'a'.repeat(64),
      content: `<p>${'c'.repeat(300)}</p>`,
    };
    await publish(stack, [
      {
        ...endless,
        id: ID,
        media: [{ file: await storePicture(stack.dataDir), caption: 'c'.repeat(200) }],
      },
      { ...endless, featured: true },
      endless,
    ]);
    for (const path of ['/', '/news', `/news/${ID}`]) {
      await page.goto(path);
      for (const width of [320, 360, 700]) {
        await page.setViewportSize({ width, height: 740 });
        await expectNothingWider(page, width);
        // Cards cut off what sticks out, so the page as a whole would not tell.
        const cut = await page
          .locator('article')
          .locator('h1, h3, p, li, span, figcaption')
          .evaluateAll((all) =>
            all
              .filter((each) => {
                const card = each.closest('article')?.getBoundingClientRect().right ?? 0;
                return !each.classList.contains('sr-only') && each.getBoundingClientRect().right > card + 1;
              })
              .map((each) => each.textContent),
          );
        expect(cut, `${path} at ${width}`).toEqual([]);
      }
    }
  });

  for (const [role, mode] of [
    [null, ''],
    ['member', ' @no-scripts'],
    ['admin', ' @no-scripts'],
  ] as const) {
    test(`fit a screen of 320 pixels for ${role ?? 'a visitor'}, the way to the news, too${mode}`, async ({
      page,
      stack,
    }) => {
      await publish(stack, [{ id: ID }]);
      if (role !== null) await enterAs(page, stack, role);
      await page.setViewportSize({ width: 320, height: 640 });
      for (const path of ['/', '/news', `/news/${ID}`, '/restock/ps5']) {
        await page.goto(path);
        await expectNothingWider(page, 320);
      }
      const bar = page.getByRole('navigation', { name: 'Main' });
      await bar.locator('summary').click();
      await bar.getByRole('link', { name: 'News', exact: true }).click();
      await expect(page).toHaveURL('/news');
    });
  }

  for (const width of [360, 1280]) {
    test(`hold still while they load at ${width} pixels @own-context`, async ({ page, stack }) => {
      const files = [
        await storePicture(stack.dataDir),
        await storePicture(stack.dataDir, { width: 800, height: 1200 }),
      ];
      const placed = await storePicture(stack.dataDir);
      await publish(stack, [
        {
          id: ID,
          featured: true,
          content: `<p>Look:</p><p><img src="${placed.filePath}" alt=""></p><p>${'More words. '.repeat(200)}</p>`,
          media: [
            ...files.map((file) => ({ file })),
            { file: placed },
            { file: storeFilm(stack.dataDir, FILM) },
          ],
          featuredMedia: 0,
        },
        ...stories(20),
      ]);
      await page.setViewportSize({ width, height: 800 });
      await watchLayout(page);
      for (const path of ['/news', `/news/${ID}`]) {
        await page.goto(path, { waitUntil: 'networkidle' });
        for (const part of await page.locator('main img, main video, main section').all())
          await part.scrollIntoViewIfNeeded();
        await page.waitForLoadState('networkidle');
        expect(await layoutShifts(page), path).toEqual([]);
      }
    });
  }

  test('are complete in one request, before any script @no-scripts', async ({ request, stack }) => {
    await publish(stack, [{ id: ID, excerpt: 'In short.' }]);
    const list = await (await request.get('/news')).text();
    for (const word of ['Latest News', 'Story 1', 'In short.', 'min read', '<time'])
      expect(list).toContain(word);
    const article = await (await request.get(`/news/${ID}`)).text();
    for (const word of ['Two new boxes', 'In short.', 'Article ID', 'Share this story'])
      expect(article).toContain(word);
  });
});

test('a browser shows the feed as a page, with links to its articles @own-context', async ({
  page,
  stack,
}) => {
  await publish(stack, [{ id: ID, title: 'Boxes & <b>tins</b>' }]);
  const title = page.getByRole('link', { name: 'Boxes & <b>tins</b>' });
  // Without a wait for scripts, which a feed does not have.
  await page.goto('/news/feed.xml', { waitUntil: 'load' });
  await expect(title).toBeVisible();
  await expect(page.locator('updated').first()).toBeHidden();
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await title.click();
  await expect(page).toHaveURL(`/news/${ID}`);
});
