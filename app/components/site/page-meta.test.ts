import { expect, test } from 'vitest';
import { DESCRIPTION_LIMIT, describe as describeText, pageMeta, type PageFacts } from './page-meta';
import { organization, webSite } from './structured-data';

const APP_URL = 'https://packwatch.example';
const FACTS: PageFacts = { title: 'A page', description: 'About it.', path: '/page', appUrl: APP_URL };

function contentOf(name: string, facts: PageFacts): unknown {
  const found = pageMeta(facts).find(
    (descriptor) =>
      ('property' in descriptor && descriptor.property === name) ||
      ('name' in descriptor && descriptor.name === name),
  );
  return found !== undefined && 'content' in found ? found.content : undefined;
}

function linkOf(rel: string, facts: PageFacts): unknown {
  const found = pageMeta(facts).find((descriptor) => 'rel' in descriptor && descriptor.rel === rel);
  return found !== undefined && 'href' in found ? found.href : undefined;
}

test.each([
  ['short', 'short'],
  ['  two\n lines ', 'two lines'],
  ['x'.repeat(160), 'x'.repeat(160)],
  ['x'.repeat(161), `${'x'.repeat(159)}…`],
  [`${'x'.repeat(158)} yz`, `${'x'.repeat(158)}…`],
  ['🃏'.repeat(161), `${'🃏'.repeat(159)}…`],
])('the description of %j is %j', (text, described) => {
  expect(describeText(text)).toBe(described);
  expect([...described].length).toBeLessThanOrEqual(DESCRIPTION_LIMIT);
});

test('a page has one canonical address, British English, and our default image or its own', () => {
  expect(linkOf('canonical', FACTS)).toBe(`${APP_URL}/page`);
  expect(contentOf('og:url', FACTS)).toBe(`${APP_URL}/page`);
  expect(contentOf('og:type', FACTS)).toBe('website');
  expect(contentOf('og:locale', FACTS)).toBe('en_GB');
  expect(contentOf('og:image', FACTS)).toBe(`${APP_URL}/share.png`);
  expect(contentOf('og:image:type', FACTS)).toBe('image/png');
  expect(contentOf('twitter:card', FACTS)).toBe('summary_large_image');
  const image = {
    path: '/uploads/a/1.jpeg',
    type: 'image/jpeg',
    width: 10,
    height: 20,
    alt: 'A card',
  } as const;
  const own = { ...FACTS, image };
  expect(contentOf('og:image', own)).toBe(`${APP_URL}/uploads/a/1.jpeg`);
  expect(contentOf('og:image:type', own)).toBe('image/jpeg');
  expect(contentOf('og:image:height', own)).toBe('20');
  expect(contentOf('og:image:alt', own)).toBe('A card');
  expect(contentOf('twitter:image:alt', own)).toBe('A card');
  // X shows no large card for an image of this size.
  expect(contentOf('twitter:card', own)).toBe('summary');
});

test('a page that is excluded from search has the robots tag alone', () => {
  const left = { ...FACTS, indexed: false, feed: true };
  expect(contentOf('robots', left)).toBe('noindex');
  expect(linkOf('canonical', left)).toBeUndefined();
  expect(linkOf('alternate', left)).toBeUndefined();
  expect(contentOf('robots', FACTS)).toBeUndefined();
});

test('previous page, next page and feed are linked where they exist', () => {
  const facts = { ...FACTS, previousPath: '/news', nextPath: '/news?page=3', feed: true };
  expect(linkOf('prev', facts)).toBe(`${APP_URL}/news`);
  expect(linkOf('next', facts)).toBe(`${APP_URL}/news?page=3`);
  expect(linkOf('alternate', facts)).toBe(`${APP_URL}/news/feed.xml`);
  expect(linkOf('prev', FACTS)).toBeUndefined();
});

test('structured data is one JSON-LD graph', () => {
  const graph = pageMeta({ ...FACTS, about: [organization(APP_URL), webSite(APP_URL)] }).at(-1);
  expect(graph).toMatchObject({
    'script:ld+json': {
      '@context': 'https://schema.org',
      '@graph': [
        {
          '@type': 'Organization',
          '@id': `${APP_URL}/#organization`,
          name: 'Packwatch',
          url: `${APP_URL}/`,
          logo: { url: `${APP_URL}/apple-touch-icon.png` },
        },
        { '@type': 'WebSite', url: `${APP_URL}/`, publisher: { '@id': `${APP_URL}/#organization` } },
      ],
    },
  });
});
