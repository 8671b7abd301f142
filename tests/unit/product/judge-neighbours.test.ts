import { describe, expect, test } from 'vitest';
import { BUY, box, IN_MARKUP, judgeCase, linkedData, priced, shopPage } from './product-pages';

const ADD = '<button type="button">Add to basket</button>';
const OTHERS = ['Pale Orchard Booster Box', 'Saltwind Saga Sleeves (65)', 'Kestrel Wars Starter Deck'];
const [FIRST = '', SECOND = ''] = OTHERS;
const each = (row: (name: string, index: number) => string, names: readonly string[] = OTHERS): string =>
  names.map(row).join('');
const link = (name: string, index: number): string => `<a href="/products/other-${index}">${name}</a>`;

/** What the product's own box says, whether it can be bought, and its price in pence. */
const PRODUCTS: Record<string, readonly [inner: string, head: string, sells: boolean, price: number | null]> =
  {
    'a line': [priced('<p>Sold out</p>'), IN_MARKUP, false, 4999],
    'a button that is off': [priced('<button disabled>Add to basket</button>'), IN_MARKUP, false, 4999],
    'a notice': [
      priced('<form><input type="email"><button>Notify me when available</button></form>'),
      '',
      false,
      4999,
    ],
    markup: [
      priced('<p>A box of nine packs.</p>'),
      linkedData({ price: '49.99', availability: 'https://schema.org/OutOfStock' }),
      false,
      4999,
    ],
    nothing: [priced('<p>A box of nine packs.</p>'), '', false, 4999],
    'no price': [box('<p>Price to be announced</p>'), '', false, null],
    'a form that sells': [priced(BUY), IN_MARKUP, true, 4999],
    'a button that sells': [priced(`<p>In stock</p>${ADD}`), '', true, 4999],
  };

/** What stands beside the product and is about others. */
const NEIGHBOURS: Record<string, string> = {
  suggestions: `<section><h2>You may also like</h2><ul>${each((name, at) => `<li>${link(name, at)}<b>£${9 + at}.99</b>${ADD}</li>`)}</ul></section>`,
  tiles: each((name, at) => `<div class="tile">${link(name, at)}<span>£${9 + at}.99</span>${ADD}</div>`),
  'tiles that are sold out': each(
    (name, at) =>
      `<div class="tile">${link(name, at)}<span>£${9 + at}.99</span><span>Out of stock</span></div>`,
  ),
  'tiles without prices': each((name, at) => `<div class="tile">${link(name, at)}${ADD}</div>`),
  'tiles without links': each(
    (name, at) => `<div class="tile"><p>${name}</p><p>£${9 + at}.99</p>${ADD}</div>`,
  ),
  'tiles of the series': each(
    (name, at) => `<div class="tile">${link(name, at)}<span>£${9 + at}.99</span>${ADD}</div>`,
    ['Amber Tide Sleeves', 'Amber Tide Binder', 'Amber Tide Elite Trainer Box Case of 10'],
  ),
  'a table': `<table>${each((name, at) => `<tr><td>${link(name, at)}</td><td>£${9 + at}.99</td><td>${ADD}</td></tr>`)}</table>`,
  'a list of what is in stock': `<section><h3>In stock today</h3><ul>${each((name, at) => `<li>${link(name, at)} <b>£${9 + at}.99</b> ${ADD}</li>`)}</ul></section>`,
  'one card': `<div class="offer"><h3>${link(FIRST, 1)}</h3><p>£9.99</p>${ADD}</div>`,
  'one card that is sold out': `<div class="offer"><h3>${link(FIRST, 1)}</h3><p>£9.99</p><p>Sold out</p></div>`,
  'a sentence': `<p>Try ${link(FIRST, 1)} instead: £9.99 ${ADD}</p>`,
  'a bundle': `<div><h3>Buy it with</h3><p>${SECOND} £4.99</p><button>Add both to basket</button></div>`,
  'a button with the name of another': `<div><p>${SECOND}</p><button aria-label="Add ${SECOND} to basket">Add to basket</button></div>`,
};

const PLACES: Record<string, (own: string, other: string) => string> = {
  behind: (own, other) => own + other,
  before: (own, other) => other + own,
  inside: (own, other) => own.replace(/<\/div>$/, `${other}</div>`),
  aside: (own, other) => `${own}</main><aside>${other}</aside><main>`,
};

describe('a product beside others', () => {
  for (const [name, other] of Object.entries(NEIGHBOURS))
    test(name, () => {
      const wrong = Object.entries(PRODUCTS).flatMap(([says, [own, head, sells, price]]) =>
        Object.entries(PLACES).flatMap(([place, join]) => {
          const product = judgeCase({ body: shopPage(join(own, other), { head }) });
          const isPriced = product.availability === 'unknown' || (product.price?.amount ?? null) === price;
          const isRight = (product.availability === 'in_stock') === sells && isPriced;
          return isRight ? [] : `${says}, ${place}: ${product.availability} ${product.price?.amount ?? ''}`;
        }),
      );
      expect(wrong).toEqual([]);
    });
});
