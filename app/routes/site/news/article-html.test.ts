import { expect, test } from 'vitest';
import type { Media } from '#shared/news/article';
import { nestHeadings, placeImages, withAbsoluteAddresses } from './article-html.server';

const UPLOAD = '/uploads/11111111-1111-4111-8111-111111111111';

function image(changes: Partial<Media> = {}): Media {
  return {
    id: 'm1',
    placement: 'gallery',
    inText: false,
    mediaType: 'image',
    filePath: `${UPLOAD}/1200.webp`,
    altText: '',
    caption: '',
    displayOrder: 0,
    originalName: 'a.jpg',
    fileSize: 1,
    width: 1200,
    height: 800,
    shareImage: null,
    sources: [
      { path: `${UPLOAD}/600.webp`, width: 600, height: 400 },
      { path: `${UPLOAD}/1200.webp`, width: 1200, height: 800 },
    ],
    ...changes,
  };
}

test('headings are rendered below the title, with their classes', () => {
  const stored =
    '<h1>a</h1>\n<h2 class="align-center">b</h2>\n<h3>c</h3>\n<p>&lt;h1&gt; <code>&lt;h2 x</code></p>';
  expect(nestHeadings(stored)).toBe(
    '<h2>a</h2>\n<h3 class="align-center">b</h3>\n<h4>c</h4>\n<p>&lt;h1&gt; <code>&lt;h2 x</code></p>',
  );
});

test.each([
  ['h2 h3 h2', 'h2 h3 h2'],
  ['h3 h3', 'h2 h2'],
  ['h1 h3 h1 h3', 'h2 h3 h2 h3'],
  ['h2 h1 h2 h3', 'h2 h2 h3 h4'],
  ['h3 h2 h1 h3 h2', 'h2 h2 h2 h3 h3'],
])('the headings %s are rendered as %s: from h2, without a gap', (stored, shown) => {
  const write = (tags: string) =>
    tags
      .split(' ')
      .map((tag) => `<${tag}>a</${tag}>`)
      .join('<p>b</p>');
  expect(nestHeadings(write(stored))).toBe(write(shown));
});

test('an uploaded image in the text gets its size and its variants, and is not in the gallery', () => {
  const { html, unplaced } = placeImages(`<p><img src="${UPLOAD}/600.webp" alt="A card"></p>`, [image()]);
  expect(html).toBe(
    `<p><img src="${UPLOAD}/600.webp" alt="A card" width="1200" height="800"` +
      ` srcset="${UPLOAD}/600.webp 600w, ${UPLOAD}/1200.webp 1200w"` +
      ' sizes="(min-width: 52.5rem) 45rem, (min-width: 40rem) calc(100vw - 122px), calc(100vw - 82px)"' +
      ' fetchpriority="high" decoding="async"></p>',
  );
  expect(unplaced).toEqual([]);
});

test('an image below the first screen, or after another, is loaded when it comes near', () => {
  const tag = `<img src="${UPLOAD}/600.webp" alt="">`;
  expect(placeImages(`<p>${'Words. '.repeat(70)}</p>${tag}`, [image()]).html).toContain('loading="lazy"');
  const [, first, second] = placeImages(tag + tag, [image()]).html.split('<img');
  expect(first).toContain('fetchpriority="high"');
  expect(second).toContain('loading="lazy"');
});

test('a size that the author chose is kept', () => {
  const { html } = placeImages(`<img src="${UPLOAD}/600.webp" alt="" width="300" height="200">`, [image()]);
  expect(html).toContain('width="300" height="200"');
});

test('an image outside the text is in the gallery, and an unknown one is unchanged', () => {
  const other = '/uploads/22222222-2222-4222-8222-222222222222/9.webp';
  const { html, unplaced } = placeImages(`<img src="${other}" alt="">`, [image()]);
  expect(html).toBe(`<img src="${other}" alt="" fetchpriority="high" decoding="async">`);
  expect(unplaced).toHaveLength(1);
});

test('an address in plain text is unchanged', () => {
  const text = '<p>&lt;img src="/uploads/x/y.webp"&gt;</p>';
  expect(placeImages(text, [image()]).html).toBe(text);
});

test('in the feed, addresses on this site are absolute', () => {
  expect(
    withAbsoluteAddresses(
      '<a href="/news">a</a><a href="https://x.example/">b</a><img src="/uploads/a/b.webp">',
      'https://us.example',
    ),
  ).toBe(
    '<a href="https://us.example/news">a</a><a href="https://x.example/">b</a><img src="https://us.example/uploads/a/b.webp">',
  );
});

test('in the feed, an address in plain text is unchanged', () => {
  const html =
    '<pre><code>&lt;a href="/x"&gt; and src="/y"</code></pre><p>href="/z" <a href="/news" title="a href=&quot;/q">a</a></p>';
  expect(withAbsoluteAddresses(html, 'https://us.example')).toBe(
    html.replace('<a href="/news"', '<a href="https://us.example/news"'),
  );
});
