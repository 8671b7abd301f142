import { describe, expect, test } from 'vitest';
import { otherProduct } from '../../../daemon/judging/product/page/moved-address';
import { BUY, IN_MARKUP, judgeCase, linkedData, NAME, priced, shopPage } from './product-pages';

const at = (path: string): URL =>
  new URL(path.startsWith('http') ? path : `https://cardcabin.example${path}`);
const isOther = (from: string, to: string, title: string, expected: string | null = null): boolean =>
  otherProduct({ from: at(from), to: at(to), title, expected }) !== null;

const BOX = 'Amber Tide Elite Trainer Box';

describe('an address that redirects', () => {
  test.each([
    ['another set', '/products/moonlit-rivals-elite-trainer-box', '/products/amber-tide-elite-trainer-box'],
    ['another kind', '/products/amber-tide-booster-bundle', '/products/amber-tide-elite-trainer-box'],
    ['another figure', '/shop/amber-tide-tin-fox.html', '/shop/amber-tide-tin-otter.html'],
    ['a path of another depth', '/c/boxes/moonlit-rivals-trainer-box', '/amber-tide-trainer-box/p/77'],
    ['a word that only looks alike', '/products/ember-crown-booster', '/products/amber-crown-booster'],
    ['an address without words', '/products/moonlit-rivals-elite-trainer-box', '/p/7731'],
    ['German', '/produkte/mondlicht-rivalen-top-trainer-box', '/produkte/bernstein-flut-top-trainer-box'],
    ['French', '/coffret-dresseur-lune-rivale', '/coffret-dresseur-maree-ambre'],
    ['another edition', '/amber-tide-first-edition-box', '/amber-tide-second-edition-box'],
  ])('to another product: %s', (_name, from, to) => {
    const title = to.includes('elite') || to === '/p/7731' ? BOX : (to.split('/').at(-1) ?? '');
    expect(isOther(from, to, title)).toBe(true);
  });

  test.each([
    ['a longer one', '/products/amber-tide-trainer-box', '/products/amber-tide-elite-trainer-box'],
    [
      'a shorter one',
      '/products/pokemon-tcg-amber-tide-elite-trainer-box-sealed',
      '/products/amber-tide-etb',
    ],
    ['letters', '/products/amber-tide-etb', '/products/amber-tide-elite-trainer-box'],
    ['letters spelled out', '/amber-tide-upc-new', '/amber-tide-ultra-premium-collection'],
    ['one word of two', '/amber-tide-play-mat', '/amber-tide-playmat-61cm'],
    ['two words of one', '/amber-tide-playmat-large', '/amber-tide-play-mat'],
    ['a plural', '/amber-tide-booster', '/amber-tide-boosters-english'],
    ['another spelling', '/amber-tide-elite-trianer-box', '/amber-tide-elite-trainer-box'],
    ['a letter left out', '/amber-tide-colection-box', '/amber-tide-collection-box'],
    [
      'words of the shop',
      '/amber-tide-elite-trainer-box-preorder-sale',
      '/amber-tide-elite-trainer-box-in-stock',
    ],
    ['a box or a display', '/amber-tide-booster-box-36-packs', '/amber-tide-booster-display-36'],
    [
      'another month',
      '/amber-tide-elite-trainer-box-march-release',
      '/amber-tide-elite-trainer-box-december',
    ],
    ['the same number', '/product/moonlit-rivals-8812290', '/vp/oos/amber-tide-chest/8812290'],
    ['another language', '/en/amber-tide-elite-trainer-box', '/de/bernsteinflut-top-trainer-box'],
    ['another country', 'https://cards.fr/coffret-dresseur-ambre', 'https://cards.de/bernstein-trainer-box'],
    ['an address of one word', '/products/tin', '/products/amber-tide-elite-trainer-box'],
    ['an address of numbers', '/product/9350311', '/products/amber-tide-elite-trainer-box'],
    ['an id and a name in its title', '/item/amber-tide-elite-trainer-box', '/p/7731'],
  ])('to the same product: %s', (_name, from, to) => {
    expect(isOther(from, to, BOX)).toBe(false);
  });

  test.each([
    ['Moonlit Rivals Elite Trainer Box', true],
    ['Amber Tide Booster Bundle', true],
    [BOX, false],
    ['Amber Tide ETB', false],
    ['Pokémon TCG: Amber Tide Elite Trainer Box (Pre-order)', false],
  ])('to a page that is not what the watch calls "%s": %s', (expected, right) => {
    expect(isOther('/p/1', '/p/2', BOX, expected)).toBe(right);
  });
});

describe('the page of another product behind a redirect', () => {
  const requested = 'https://cardcabin.example/products/moonlit-rivals-elite-trainer-box';
  test.each([
    ['in stock', `<p>In stock</p>${BUY}`, IN_MARKUP],
    ['sold out', '<p>Sold out</p><button disabled>Sold out</button>', IN_MARKUP],
    ['a pre-order', '<button>Pre-order now</button>', linkedData({ availability: 'PreOrder', price: 49.99 })],
    ['without markup', `<p>Only 2 left</p>${BUY}`, ''],
  ])('is not the product: %s', (_name, inner, head) => {
    const { availability, unknownReason, price, title } = judgeCase({
      body: shopPage(priced(inner), { head }),
      requested,
    });
    expect({ availability, unknownReason, price, title }).toEqual({
      availability: 'unknown',
      unknownReason: 'not_a_product',
      price: null,
      title: null,
    });
  });

  test.each([
    ['/products/moonlit-rivals-elite-trainer-box.js', 'unknown'],
    ['/products/amber-tide-etb.js', 'in_stock'],
  ])('is not the product in the JSON of a platform: %s', (path, availability) => {
    const variants = [{ id: 1, title: 'Default Title', available: true, price: 4999 }];
    const product = judgeCase({
      body: JSON.stringify({ id: 7, title: NAME, handle: 'amber-tide-elite-trainer-box', variants }),
      headers: { 'content-type': 'application/json' },
      url: 'https://cardcabin.example/products/amber-tide-elite-trainer-box.js',
      requested: `https://cardcabin.example${path}`,
    });
    expect(product.availability).toBe(availability);
  });

  test('is not the product when it is a search that was asked for', () => {
    const url = 'https://cardcabin.example/search?q=amber+tide';
    const body = shopPage('<h1>Search results for "amber tide"</h1><p>Nothing found.</p>', {
      title: 'Search',
    });
    const product = judgeCase({ body, url });
    expect(product).toMatchObject({ availability: 'unknown', unknownReason: 'not_a_product', title: null });
  });

  test('is the product when the shop only renamed it', () => {
    const product = judgeCase({
      body: shopPage(priced(`<p>In stock</p>${BUY}`)),
      requested: 'https://cardcabin.example/products/amber-tide-etb',
    });
    expect(product).toMatchObject({ availability: 'in_stock', title: NAME });
  });
});
