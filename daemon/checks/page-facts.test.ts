import { expect, test } from 'vitest';
import { findPageFacts } from './page-facts';

const facts = (head: string): ReturnType<typeof findPageFacts> =>
  findPageFacts({ body: `<html><head>${head}</head></html>`, finalUrl: 'https://shop.example/p/1' });
const product = (fields: Record<string, unknown>): string =>
  `<script type="application/ld+json">${JSON.stringify({ '@graph': [{ '@type': 'WebPage' }, { '@type': 'Product', ...fields }] })}</script>`;

test.each([
  ['a text', product({ brand: ' Lantern Games ' }), 'Lantern Games'],
  ['a Brand', product({ brand: { '@type': 'Brand', name: 'Lantern Games' } }), 'Lantern Games'],
  [
    'the first of several',
    product({ brand: [{ name: 'Lantern Games' }, { name: 'Other' }] }),
    'Lantern Games',
  ],
  ['Open Graph', '<meta property="product:brand" content="Lantern Games">', 'Lantern Games'],
  [
    'structured data before Open Graph',
    `<meta property="og:brand" content="Other">${product({ brand: 'Lantern Games' })}`,
    'Lantern Games',
  ],
  ['none', product({ name: 'Chest' }), null],
  ['one that is too long', product({ brand: 'x'.repeat(81) }), null],
])('the brand of a page: %s', (_, head, brand) => {
  expect(facts(head).brand).toBe(brand);
});

test('image and brand come from any product of the page that names them', () => {
  expect(facts(product({ brand: 'Lantern Games' }) + product({ image: '/chest.png' }))).toEqual({
    brand: 'Lantern Games',
    imageUrl: 'https://shop.example/chest.png',
  });
});
