import { describe, expect, test } from 'vitest';
import {
  judgeCase,
  linkedData,
  NAME,
  shopPage,
  statedOf,
  type Expected,
  type ProductCase,
} from './product-pages';

const BUY = '<form action="/cart/add" method="post"><button type="submit">Add to basket</button></form>';
const box = (inner: string): string =>
  shopPage(`<div class="pdp"><h1>${NAME}</h1><p class="price">£49.99</p>${inner}</div>`);
const marked = (inner: string, availability: string): string =>
  shopPage(`<div class="pdp"><h1>${NAME}</h1><p class="price">£49.99</p>${inner}</div>`, {
    head: linkedData({ price: '49.99', availability }),
  });

/** What stands beside the heading and the price of £49.99, and what that means on 27 November 2026. */
const BOXES: ReadonlyArray<readonly [inner: string, expected: Expected]> = [
  [`<p>Back order: ships in 3-4 weeks</p>${BUY}`, { availability: 'preorder', detail: 'backorder' }],
  [`<p>Available from 12 December 2026</p>${BUY}`, { availability: 'preorder', detail: 'release' }],
  [`<p>Available from 12 November 2026</p>${BUY}`, { availability: 'in_stock' }],
  [`<p>Released 12/11/2026</p><p>In stock</p>${BUY}`, { availability: 'in_stock' }],
  [`<dl><dt>Release date</dt><dd>26 Feb 2027</dd></dl>${BUY}`, { availability: 'preorder' }],
  [`<p>Expected February 26, 2027</p>${BUY}`, { availability: 'preorder' }],
  [`<p>In stock. Dispatched 28 November 2026</p>${BUY}`, { availability: 'in_stock' }],
  [`<p>On order: due in early January</p>${BUY}`, { availability: 'preorder' }],
  [`<p>Pre-orders have now shipped - remaining copies in stock now</p>${BUY}`, { availability: 'in_stock' }],
  [
    '<p>Available by invitation</p><button>Request invite</button>',
    { availability: 'out_of_stock', detail: 'ballot' },
  ],
  [
    '<p>Online: Sold out</p><p>Leeds store: 3 in stock</p><button disabled>Add to basket</button>',
    { availability: 'out_of_stock', detail: 'in_store_only' },
  ],
  [
    '<p class="stock available"><span>In stock</span></p><button id="product-addtocart-button" disabled>Add to Basket</button>',
    { availability: 'in_stock' },
  ],
  [
    '<p class="stock unavailable"><span>Out of stock</span></p><button id="product-addtocart-button" disabled>Add to Basket</button>',
    { availability: 'out_of_stock' },
  ],
  [
    `<p><span class="label">Availability:</span> <span class="indicator">out of stock</span></p>`,
    { availability: 'out_of_stock' },
  ],
  [
    `<div class="option-used"><div><div><div><div><div>${BUY}</div></div></div></div></div></div>`,
    { availability: 'out_of_stock', detail: 'used_only', price: null },
  ],
  [
    `<label><input type="radio" name="v" checked> English</label><label><input type="radio" name="v"> Japanese <em>sold out</em></label><p>In stock</p>${BUY}`,
    { availability: 'in_stock', variants: { English: 'in_stock', Japanese: 'out_of_stock' } },
  ],
  [
    `<table><tr><th>Design</th><th>Price</th></tr><tr><td>Fox</td><td>£49.99</td><td>Sold out</td></tr><tr><td>Heron</td><td>£52.99</td><td>${BUY}</td></tr></table>`,
    { availability: 'in_stock', price: '52.99 GBP', variants: { Fox: 'out_of_stock', Heron: 'in_stock' } },
  ],
  [
    '<p>Out of stock online</p><table><tr><th>Shop</th><th>Stock</th></tr><tr><td>Leeds</td><td>In stock</td></tr><tr><td>York</td><td>Out of stock</td></tr></table>',
    { availability: 'out_of_stock', variants: {} },
  ],
  [
    `<ul>${['Pre-Orders', 'Coming Soon', 'Sold out', 'Out of print'].map((page) => `<li><a href="/${page}">${page}</a></li>`).join('')}</ul><p>Call us for details.</p>`,
    { availability: 'unknown', reason: 'unrecognised', price: '49.99 GBP', title: NAME },
  ],
  [
    `<div>Home / <a href="/pre-orders">Pre-Orders</a> / Boxes</div><p>In stock</p>${BUY}`,
    { availability: 'in_stock' },
  ],
  [
    `<h3>What people say</h3><p>It was sold out everywhere!</p><blockquote>Out of stock again</blockquote><p>In stock</p>`,
    { availability: 'unknown' },
  ],
];

const CASES: ProductCase[] = [
  ...BOXES.map(([inner, expected]): ProductCase => ({ name: inner, body: box(inner), expected })),
  {
    name: 'an order that the data of the page call a pre-order, behind a button that only buys',
    body: box(
      `<script type="application/json">${JSON.stringify({ name: NAME, availability: 'BACKORDER' })}</script>${BUY}`,
    ),
    expected: { availability: 'preorder', detail: 'backorder' },
  },
  {
    name: 'PrestaShop marks every product as a pre-order',
    body: marked(`<p>In Stock</p>${BUY}`, 'PreOrder'),
    expected: { availability: 'in_stock', strength: 'weak' },
  },
  {
    name: 'a promise above the product, and data that say sold out',
    body: shopPage(
      `<p>Everything in stock, posted today</p><p>Now available</p><div data-product='{"name":"${NAME}","in_stock":false}'><h1>${NAME}</h1><p>£49.99</p></div>`,
    ),
    expected: { availability: 'out_of_stock', price: '49.99 GBP' },
  },
  {
    name: 'a single SKU in the data of the page',
    body: box(
      `<script type="application/json">${JSON.stringify({ title: NAME, skus: [{ id: '1', stockStatus: 'OUT_OF_STOCK' }] })}</script>`,
    ),
    expected: { availability: 'out_of_stock', variants: {} },
  },
  {
    name: 'a price in minor units, which its neighbour names',
    body: shopPage(
      `<h1>${NAME}</h1><script type="application/json">${JSON.stringify({ name: NAME, inStock: true, price: { centAmount: 4999, currencyCode: 'GBP', fractionDigits: 2 } })}</script>`,
    ),
    expected: { availability: 'in_stock', price: '49.99 GBP' },
  },
  {
    name: 'a price without VAT before the one with it, a price with a card, a barcode below its label',
    body: shopPage(
      `<div><h1>${NAME}</h1><p>£41.66 ex VAT £49.99 inc VAT</p><p>£45.00 with Starcard</p><dl><dt>SKU:</dt><dd>AT-1</dd><dt>UPC:</dt><dd>5012345678900</dd></dl>${BUY}</div>`,
    ),
    expected: { availability: 'in_stock', price: '49.99 GBP', gtin: '5012345678900' },
  },
  {
    name: 'yen have no minor unit',
    body: shopPage(`<div><h1>${NAME}</h1><p>¥5,400</p>${BUY}</div>`),
    expected: { availability: 'in_stock', price: '5400 JPY' },
  },
  {
    name: 'a heading that says that the product is sold out',
    body: shopPage(`<h1>Sorry, ${NAME} is currently out of stock</h1><p>Try these instead.</p>`),
    expected: { availability: 'out_of_stock', title: NAME },
  },
  {
    name: 'the button of the variant shown first, and data that refuse the one of the address',
    body: box(
      `<script type="application/json">${JSON.stringify([
        { id: 7, title: 'Red', option1: 'Red', available: true, price: 4999 },
        { id: 8, title: 'Blue', option1: 'Blue', available: false, price: 4999 },
      ])}</script>${BUY}`,
    ),
    url: 'https://cardcabin.example/products/amber-tide-elite-trainer-box?variant=8',
    expected: { availability: 'out_of_stock', variants: { Red: 'in_stock', Blue: 'out_of_stock' } },
  },
  {
    name: 'a search instead of the product',
    body: shopPage('<h1>Search results for "amber tide"</h1><p>0 items in stock match.</p>'),
    url: 'https://cardcabin.example/search?q=amber+tide',
    requested: 'https://cardcabin.example/products/amber-tide-elite-trainer-box',
    expected: { availability: 'unknown', reason: 'not_a_product', title: null },
  },
];

describe('what is said beside a product', () => {
  for (const { name, expected, ...page } of CASES)
    test(name, () => {
      const product = judgeCase(page);
      expect(statedOf(product, expected), JSON.stringify(product, null, 1)).toEqual(expected);
    });
});
