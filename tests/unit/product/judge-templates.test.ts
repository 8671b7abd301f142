import { describe, expect, test } from 'vitest';
import {
  BUY,
  IN_MARKUP,
  judgeCase,
  NAME,
  priced,
  type ProductCase,
  shopPage,
  testCases,
} from './product-pages';

const PRODUCT_URL = 'https://cardcabin.example/item.php?id=AT-100';
const tab = (row: string): string =>
  `<div class="product-info"><h1>${NAME}</h1><p class="price">€49,99</p>${BUY}<div class="product-tabs"><table class="details"><tr><td>SKU:</td><td>AT-100</td></tr>${row}</table></div></div>`;
const host = (root: string, light: string): string =>
  `<h1>${NAME}</h1><buy-box><template shadowrootmode="open">${root}</template>${light}</buy-box>`;
const REFUSED = '<p>Sold out</p><button disabled>Sold out</button>';

/** Pages in the ways of frameworks, shop systems and hosting companies. */
const CASES: ProductCase[] = [
  {
    name: 'Alpine: a refusal that waits for its script',
    body: shopPage(
      priced(
        `<p class="stock">In stock</p>${BUY}<div x-show="asked" x-cloak><p>This product is sold out. Leave your address.</p><button>Notify me</button></div>`,
      ),
    ),
    expected: { availability: 'in_stock' },
  },
  {
    name: 'Vue: the whole product waits for its script, and is the product all the same',
    body: shopPage(`<div v-cloak>${priced(`<p class="stock">Out of stock</p>`)}</div>`),
    expected: { availability: 'out_of_stock' },
  },
  {
    name: 'a slot that the page fills: its own content is not shown',
    body: shopPage(
      host(
        `<div><slot name="stock"><p>Sold out</p></slot><slot name="action"><button disabled>Sold out</button></slot></div>`,
        `<p>£49.99</p><p slot="stock">In stock</p><form slot="action" action="/basket" method="post"><button>Add to basket</button></form>`,
      ),
    ),
    expected: { availability: 'in_stock' },
  },
  {
    name: 'a slot that the page leaves empty: its own content is shown',
    body: shopPage(
      host(`<p>£49.99</p><slot name="action">${REFUSED}</slot>`, `<p slot="note">Free delivery over £50</p>`),
    ),
    expected: { availability: 'out_of_stock' },
  },
  {
    name: 'WooCommerce: in stock by its class, and without the class of what has a price',
    body: shopPage(
      `<div class="product type-product status-publish instock product-type-simple"><div class="summary"><h1 class="product_title">${NAME}</h1></div></div><section class="related products"><ul>${[1, 2].map((at) => `<li class="product instock"><a href="/product/${at}/"><h2>Moss Court Tin ${at}</h2><span>£9.99</span></a><a class="button" href="?add-to-cart=${at}">Add to basket</a></li>`).join('')}</ul></section>`,
    ),
    url: 'https://cardcabin.example/product/amber-tide-elite-trainer-box/',
    expected: { availability: 'unknown', reason: 'unrecognised', title: NAME },
  },
  {
    name: 'WooCommerce: a tag named "pre-order"',
    body: shopPage(
      priced(`${BUY}<span>Tags: <a href="/product-tag/pre-order/" rel="tag">pre-order 2024</a></span>`),
    ),
    expected: { availability: 'in_stock' },
  },
  ...['Pre-order terms', 'About pre-orders', 'How pre-orders work', 'Our pre-order policy'].map((label) => ({
    name: `a tab named "${label}"`,
    body: shopPage(priced(`<p>In stock</p>${BUY}<a class="tab-button" href="#tab">${label}</a>`)),
    expected: { availability: 'in_stock' as const },
  })),
  {
    name: 'Dawn: the closed drawer of the basket is a dialog',
    body: shopPage(priced(BUY), {
      after:
        '<cart-drawer class="drawer"><div role="dialog" aria-modal="true" inert><p>Items that are sold out have been removed.</p></div></cart-drawer>',
    }),
    expected: { availability: 'in_stock' },
  },
  {
    name: 'Lightspeed: the stock is a row of a table in a tab',
    body: shopPage(tab('<tr><td>Beschikbaarheid:</td><td>Nog maar 3 op voorraad</td></tr>')),
    expected: { availability: 'limited' },
  },
  {
    name: 'a row of a table in a tab that refuses',
    body: shopPage(tab('<tr><td>Availability</td><td>Sold out</td></tr>')),
    expected: { availability: 'out_of_stock' },
  },
  {
    name: 'OpenCart: prices of more than one, below a status that ends with a word about prices',
    body: shopPage(
      `<div><h1>${NAME}</h1><ul><li>Availability: Pre-Order</li></ul><ul><li><h2>£49.99</h2></li><li>Ex Tax: £41.66</li><li>3 or more £47.99</li><li>6 and over £46.49</li></ul><button type="button" id="button-cart">Add to Cart</button></div>`,
    ),
    expected: { availability: 'preorder', price: '49.99 GBP' },
  },
  {
    name: 'a page laid out by tables: other products in the cell beside it',
    url: PRODUCT_URL,
    body: `<html><head><title>${NAME} - Card Cabin</title></head><body><table><tr><td width="520"><h1>${NAME}</h1><table><tr><td><img src="/1.jpg" alt=""></td><td><b>Price:</b> £14.50<br><b>Postage:</b> £3.20 (two or more boxes: £4.80)<br><b>Availability:</b> In stock<br><form action="/basket.php" method="post"><input type="submit" value="Add to Basket"></form></td></tr></table></td><td width="180"><b>Also by this artist</b><br><a href="/item.php?id=HB-500">Harbour Bookshop Box</a><br>£11.00<br><i>sold out</i><br><a href="/item.php?id=LM-1">Lido Morning Tin</a><br>£14.50<br><i>due in May</i></td></tr></table></body></html>`,
    expected: { availability: 'in_stock', price: '14.50 GBP' },
  },
  {
    name: 'osCommerce: a page without a heading says that there is no such product',
    url: 'https://cardcabin.example/product_info.php?products_id=61',
    body: '<html><head><title>Card Cabin</title></head><body><div id="bodyContent"><div>Product not found!</div><a href="index.php">Continue</a></div><div id="columnLeft"><a href="product_info.php?products_id=88">Velvet Thicket Elite Trainer Box</a><br>£47.95</div></body></html>',
    expected: { availability: 'unknown', reason: 'error' },
  },
  {
    name: 'a shop that is closed for a while says nothing of one product',
    status: 503,
    body: '<html><head><title>Back soon - Card Cabin</title></head><body><h1>We’re restocking the shelves!</h1><p>The shop is closed for a few minutes while we put new things in stock. Pre-orders and everything else will be back soon.</p></body></html>',
    expected: { availability: 'unknown', reason: 'error' },
  },
  {
    name: 'the check of SiteGround',
    status: 202,
    headers: { 'sg-captcha': 'challenge' },
    body: '<html><head><meta http-equiv="refresh" content="0;/.well-known/sgcaptcha/?r=%2Fproduct"></head></html>',
    expected: { availability: 'unknown', reason: 'challenge' },
  },
  {
    name: 'the check of Imunify360',
    body: '<html><head><title>One moment, please...</title></head><body><h1>Please wait while your request is being verified...</h1></body></html>',
    expected: { availability: 'unknown', reason: 'challenge' },
  },
  {
    name: 'the check of Fastly',
    body: '<html><head><title>Client Challenge</title><script src="/_fs-ch-1T1wmsGaOgGaSxcX/script.js"></script></head><body><p>A required part of this site couldn’t load.</p></body></html>',
    expected: { availability: 'unknown', reason: 'challenge' },
  },
  {
    name: 'the check of Vercel',
    status: 429,
    headers: { 'x-vercel-mitigated': 'challenge' },
    body: '<html><head><title>Vercel Security Checkpoint</title></head><body><p>We’re verifying your browser</p></body></html>',
    expected: { availability: 'unknown', reason: 'challenge' },
  },
  {
    name: 'the refusal of Shopify for too many requests',
    status: 430,
    body: '<html><head><title>Too many requests</title></head><body><h1>Rate limited</h1></body></html>',
    expected: { availability: 'unknown', reason: 'blocked' },
  },
  {
    name: 'the refusal of Wordfence',
    status: 503,
    body: '<html><head><title>Your access to this site has been limited by the site owner</title></head><body><h1>Your access to this site has been limited by the site owner</h1><p>Your access to this service has been limited. (HTTP response code 503)</p><p>Generated by Wordfence at Sun, 29 Nov 2026 19:48:12 GMT.</p></body></html>',
    expected: { availability: 'unknown', reason: 'blocked' },
  },
];

describe('pages of frameworks, shop systems and hosting companies', () => {
  testCases(CASES);
});

test('a refusal in the row of a table is not overruled by markup', () => {
  const body = shopPage(tab('<tr><td>Stock:</td><td>Out of stock</td></tr>'), { head: IN_MARKUP });
  expect(judgeCase({ body }).availability).toBe('out_of_stock');
});
