import { expect, test } from 'vitest';
import type { Article, Media } from '#shared/news/article';
import { landingStory, pickLatest } from './latest-news';

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
  const film = media('film', { mediaType: 'video', width: null, height: null, sources: [] });
  const all = [film, media('one'), media('two')];
  const picture = (fields: Partial<Article>) => landingStory(article('a', fields), NOW).picture;
  expect(picture({ media: all, featuredImageId: 'two' })).toMatchObject({
    src: '/uploads/two/1600.webp',
    srcSet: '/uploads/two/400.webp 400w, /uploads/two/1600.webp 1600w',
    width: 1600,
    height: 900,
  });
  expect(picture({ media: all })?.src).toBe('/uploads/one/1600.webp');
  expect(picture({ media: all, featuredImageId: 'film' })?.src).toBe('/uploads/one/1600.webp');
  expect(picture({ media: [film] })).toBeNull();
  expect(picture({})).toBeNull();
});

test('a card contains no markup of the article', () => {
  expect(JSON.stringify(landingStory(article('a'), NOW))).not.toContain('<p>');
});
