import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, toIso } from '#shared/clock';
import type { Article, Media } from '#shared/news/article';
import { landingStory, pickLatest, relativeDate } from './latest-news';

const NOW = '2026-12-15T12:00:00.000Z';

function article(id: string, fields: Partial<Article> = {}): Article {
  return {
    id,
    title: `Story ${id}`,
    content: '<p>Some words.</p>',
    excerpt: null,
    summary: 'Some words.',
    published: true,
    featured: false,
    featuredImageId: null,
    authorUsername: null,
    createdAt: '2026-12-10T12:00:00.000Z',
    updatedAt: '2026-12-10T12:00:00.000Z',
    publishedAt: '2026-12-14T12:00:00.000Z',
    readTimeMinutes: 4,
    media: [],
    ...fields,
  };
}

function media(id: string, fields: Partial<Media> = {}): Media {
  return {
    id,
    placement: 'gallery',
    inText: false,
    mediaType: 'image',
    filePath: `/uploads/${id}/1600.webp`,
    altText: `Picture ${id}`,
    caption: '',
    displayOrder: 1,
    originalName: `${id}.jpg`,
    fileSize: 1,
    width: 1600,
    height: 900,
    shareImage: null,
    sources: [
      { path: `/uploads/${id}/400.webp`, width: 400, height: 225 },
      { path: `/uploads/${id}/1600.webp`, width: 1600, height: 900 },
    ],
    ...fields,
  };
}

test('featured articles come first, then the newest, three in all', () => {
  const fetched = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) =>
    article(id, { featured: id === 'c' || id === 'e' }),
  );
  expect(pickLatest(fetched).map(({ id }) => id)).toEqual(['c', 'e', 'a']);
  expect(pickLatest(fetched.slice(0, 2)).map(({ id }) => id)).toEqual(['a', 'b']);
  expect(pickLatest([])).toEqual([]);
});

test('a card shows the author, the read time and the date', () => {
  expect(landingStory(article('a', { authorUsername: 'Misty' }), NOW)).toMatchObject({
    id: 'a',
    title: 'Story a',
    author: 'Misty',
    readTime: '4 min read',
    published: { iso: '2026-12-14T12:00:00.000Z', text: 'Yesterday' },
    featured: false,
  });
  expect(landingStory(article('a'), NOW).author).toBe('Admin');
});

test('a card shows the excerpt, else the first 120 characters of the content', () => {
  expect(landingStory(article('a', { excerpt: 'In short.' }), NOW).summary).toBe('In short.');
  expect(landingStory(article('a', { summary: 'w'.repeat(120) }), NOW).summary).toBe('w'.repeat(120));
  expect(landingStory(article('a', { summary: 'w'.repeat(300) }), NOW).summary).toBe(`${'w'.repeat(120)}…`);
});

test('a card shows the featured image, else the first image, else a placeholder', () => {
  const video = media('video', { mediaType: 'video', width: null, height: null, sources: [] });
  const all = [video, media('one'), media('two')];
  const imageOf = (fields: Partial<Article>) => landingStory(article('a', fields), NOW).image;
  expect(imageOf({ media: all, featuredImageId: 'two' })).toMatchObject({
    src: '/uploads/two/1600.webp',
    srcSet: '/uploads/two/400.webp 400w, /uploads/two/1600.webp 1600w',
    width: 1600,
    height: 900,
  });
  expect(imageOf({ media: all })?.src).toBe('/uploads/one/1600.webp');
  expect(imageOf({ media: all, featuredImageId: 'video' })?.src).toBe('/uploads/one/1600.webp');
  expect(imageOf({ media: [video] })).toBeNull();
  expect(imageOf({})).toBeNull();
});

test('a card contains no markup of the article', () => {
  expect(JSON.stringify(landingStory(article('a'), NOW))).not.toContain('<p>');
});

const NOON = Date.parse('2026-12-15T12:00:00.000Z');

test.each([
  [0, 'Today'],
  [1, 'Yesterday'],
  [2, '2 days ago'],
  [6, '6 days ago'],
  [7, '1 week ago'],
  [13, '1 week ago'],
  [14, '2 weeks ago'],
  [28, '4 weeks ago'],
  [29, '4 weeks ago'],
  [30, 'November 15, 2026'],
  [400, 'November 10, 2025'],
])('%i days back is: %s', (days, words) => {
  expect(relativeDate(toIso(NOON - days * DAY), NOON)).toBe(words);
});

test('days are calendar days, not spans of 24 hours', () => {
  const midnight = Date.parse('2026-12-15T00:00:00.000Z');
  expect(relativeDate(toIso(midnight - MINUTE), midnight + MINUTE)).toBe('Yesterday');
  expect(relativeDate(toIso(midnight), midnight + 23 * HOUR)).toBe('Today');
});

test('days begin at midnight in London, in summer too', () => {
  const halfPastMidnight = Date.parse('2026-07-14T23:30:00.000Z');
  expect(relativeDate('2026-07-14T22:59:00.000Z', halfPastMidnight)).toBe('Yesterday');
  expect(relativeDate('2026-07-14T23:01:00.000Z', halfPastMidnight)).toBe('Today');
  expect(relativeDate('2026-06-14T23:01:00.000Z', halfPastMidnight)).toBe('June 15, 2026');
});

test('a day of 23 or 25 hours counts as one', () => {
  expect(relativeDate('2027-03-27T23:30:00.000Z', Date.parse('2027-03-28T23:30:00.000Z'))).toBe('2 days ago');
  expect(relativeDate('2026-10-24T22:30:00.000Z', Date.parse('2026-10-25T23:59:00.000Z'))).toBe('Yesterday');
});

test('an article from the future counts as today’s', () => {
  expect(relativeDate(toIso(NOON + 2 * DAY), NOON)).toBe('Today');
});
