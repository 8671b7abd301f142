import { describe } from 'vitest';
import { BUY, type Expected, linkedData, NAME, type ProductCase, shopPage, testCases } from './product-pages';

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
  // Words and machinery of buttons.
  [
    '<p>In stock</p><form action="/basket" method="post"><button name="add-to-cart">Get it</button></form><button>Email me about drops like this</button><p>Restock alerts</p>',
    { availability: 'in_stock', strength: 'strong' },
  ],
  [
    '<form action="basket.php" method="post"><input type="image" src="b.gif" alt="Pop in basket"></form>',
    { availability: 'in_stock' },
  ],
  [
    '<p>Sold out</p><form action="/cart/add"><button name="add">Get the latest news</button></form>',
    { availability: 'out_of_stock' },
  ],
  ['<p>Out of stock</p><button>Add gift wrap to basket</button>', { availability: 'out_of_stock' }],
  [
    '<p>Few remain</p><div class="buy disabled"><button>Add to basket</button></div>',
    { availability: 'out_of_stock' },
  ],
  ['<a class="btn" href="https://otherbay.example/itm/1">Buy now</a>', { availability: 'unknown' }],
  ['<a class="btn" href="/products/moss-court-mini-tin">Add to basket</a>', { availability: 'unknown' }],
  // Told, expected, and about something else.
  [
    `<p>Each pack holds ten cards. This set was out of stock since March.</p><p>Only 2 left</p>${BUY}`,
    { availability: 'limited' },
  ],
  ['<p>Back in stock in March</p>', { availability: 'out_of_stock' }],
  [
    '<p>SKU: 1 Categories: <a href="/c/1">Sealed</a>, <a href="/c/2">In Stock Now</a></p>',
    { availability: 'unknown' },
  ],
  ['<p>Gift wrap available</p><p>Rulebook available online</p>', { availability: 'unknown' }],
  ['<h3>Stock in our shops</h3><ul><li>Leeds: in stock</li></ul>', { availability: 'unknown' }],
  [`<p>In stock</p>${BUY}<p>Elsewhere: Sleeves – sold out; Mats – £12.00</p>`, { availability: 'in_stock' }],
  [
    `<p>Current Stock: <label class="form-label">0</label></p><label class="form-label">Stock: 0</label>${BUY}`,
    { availability: 'out_of_stock' },
  ],
  [
    `<p>Temporarily out of stock.<br>Order now and we'll deliver when available.</p>${BUY}`,
    { availability: 'preorder', detail: 'backorder' },
  ],
  [
    '<p>Coming soon. Pre-orders open on 4 December at 9am.</p><a class="button" href="/n">Remind me</a>',
    { availability: 'out_of_stock', detail: 'coming_soon' },
  ],
  [`<p>Low stock</p><p>Hurry, nearly gone</p>${BUY}`, { availability: 'limited' }],
  [
    `${BUY}<p>Customers also bought</p><table><tr><td>Moss Court Tin<br>£66.00<br>Out of stock</td><td>Iron Lark Box<br>£9.00<br>Sold out</td></tr></table>`,
    { availability: 'in_stock', variants: {} },
  ],
  [
    `<div><a href="/pack.html">Single pack <em>Sold out</em></a><a href="#">Box</a></div><p>In stock, posted today</p>${BUY}`,
    { availability: 'in_stock' },
  ],
  [
    '<p>Order by 4pm | Pre-orders never charged twice</p><p>Delivery: <b>not sold online</b></p><p>In stock at our Hull store</p>',
    { availability: 'out_of_stock', detail: 'in_store_only' },
  ],
  [
    `<fieldset><input type="radio" name="d" value="Otter" checked><label>Otter</label><input type="radio" name="d" value="Lynx" class="disabled"><label>Lynx</label></fieldset>${BUY}`,
    { availability: 'in_stock', variants: { Otter: 'in_stock', Lynx: 'out_of_stock' } },
  ],
  // Who sells, what, and to whom.
  [
    `<p>In stock</p>${BUY}<div><span>Dispatches from</span> <span>QuickFlip</span> <span>Sold by</span> <a href="/sp">QuickFlip</a></div>`,
    { availability: 'out_of_stock', detail: 'marketplace_only', price: null },
  ],
  [
    '<p>Op voorraad</p><div>Verkoop door partner <a href="/v/k/">KaartenKoning</a> <span>8,9</span></div><a role="button" href="/basket/add">In winkelwagen</a>',
    { availability: 'out_of_stock', detail: 'marketplace_only', price: null },
  ],
  [
    `<p>Card Cabin is a marketplace: all offers below are by private sellers.</p><div>${BUY}</div>`,
    { availability: 'out_of_stock', detail: 'marketplace_only' },
  ],
  [
    `<div><div class="usedAccordionRow"><h5>Buy used: <span>£31.00</span></h5><p>Used: Very Good</p></div><p>Only 1 left in stock.</p>${BUY}</div>`,
    { availability: 'out_of_stock', detail: 'used_only' },
  ],
];

const CASES: ProductCase[] = [
  {
    name: 'headings behind the button name no card, and a column beside the product is none',
    body: shopPage(
      `<div><div class="col"><h1>${NAME}</h1></div><div class="col-6"><p>In stock</p><b>£49.99</b>${BUY}<div><h2>Description</h2><p>A box.</p></div><h5>Other sellers</h5><a href="/offers">6 new from £39.00</a></div></div>`,
    ),
    expected: { availability: 'in_stock', price: '49.99 GBP', strength: 'strong' },
  },
  {
    name: 'variants in a hidden field, in pence, named by the ids of the form',
    url: 'https://cardcabin.example/products/amber-tide?variant=45002',
    body: shopPage(
      `<div><h1>${NAME}</h1><p class="price">£3.50</p><form action="/cart/add"><select name="id"><option value="45001">Near Mint</option><option value="45002" selected>Light Play</option></select><button disabled>Sold out</button></form></div><textarea hidden>[{"id":45001,"title":"Near Mint","available":true,"price":500},{"id":45002,"title":"Light Play","available":false,"price":350}]</textarea>`,
    ),
    expected: {
      availability: 'out_of_stock',
      price: '3.50 GBP',
      variants: { 'Near Mint': 'in_stock', 'Light Play': 'out_of_stock' },
    },
  },
  {
    name: 'one button orders what the fields of all rows say',
    body: box(
      `<form action="/cart/many"><table><tr><td>Black</td><td>£8.99</td><td>Out of stock</td><td><input type="number" disabled></td></tr><tr><td>Forest</td><td>£8.99</td><td>In stock</td><td><input type="number"></td></tr></table><button>Add to cart</button></form>`,
    ),
    expected: { availability: 'in_stock', variants: { Black: 'out_of_stock', Forest: 'in_stock' } },
  },
  {
    name: 'an offer by reference, and a badge beside markup',
    body: shopPage(`<div><h1>${NAME}</h1><div data-island="buy"></div></div>`, {
      head: `<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"Offer","@id":"#o","price":"20.50","priceCurrency":"GBP","availability":"InStock"},{"@type":"Product","name":"${NAME}","offers":{"@id":"#o"}}]}</script>`,
    }),
    expected: { availability: 'in_stock', price: '20.50 GBP', strength: 'weak' },
  },
  {
    name: 'a visible badge refuses what only the markup says',
    body: marked(
      '<div class="sold-flag">Sold out</div><form hidden><button>Add to basket</button></form>',
      'InStock',
    ),
    expected: { availability: 'out_of_stock', strength: 'weak' },
  },
  {
    name: 'the only button leads to a talk with the shop',
    body: marked('<a class="btn" href="/contact">Enquire now</a>', 'InStock'),
    expected: { availability: 'unknown', reason: 'unrecognised', price: '49.99 GBP', title: NAME },
  },
  {
    name: 'members alone can buy',
    body: marked('<a class="btn" href="/login">Log in to buy</a>', 'InStock'),
    expected: { availability: 'out_of_stock' },
  },
  {
    name: 'a remark about this item stands above everything',
    body: shopPage(
      `<div class="alert">Sorry, this item is out of stock.</div><div><div><h1>${NAME}</h1><p>£49.99</p>${BUY}</div></div>`,
    ),
    expected: { availability: 'out_of_stock' },
  },
  {
    name: 'prices: pence alone, words that lead the next amount, yen behind the number',
    body: shopPage(`<div><h1>${NAME}</h1><p>99p</p><p>or 5 for £4.00</p><p>In stock</p>${BUY}</div>`),
    expected: { availability: 'in_stock', price: '0.99 GBP' },
  },
  {
    name: 'a price in a block that is hidden from screen readers, beside its copy in words',
    body: shopPage(
      `<div><h1>${NAME}</h1><h2 aria-hidden="true">£24<sup>.00</sup></h2><span class="sr-only">24 pounds</span><div hidden><div aria-hidden="true">£9.00</div></div>${BUY}</div>`,
    ),
    expected: { availability: 'in_stock', price: '24.00 GBP' },
  },
  {
    name: 'the words that lead the next amount are not about the first',
    body: shopPage(`<div><h1>${NAME}, handmade</h1><p><b>£18.50</b> (RRP <s>£24.99</s>)</p>${BUY}</div>`),
    expected: { availability: 'in_stock', price: '18.50 GBP' },
  },
  {
    name: 'the address leads to an article',
    requested: 'https://cardcabin.example/products/mega-horizon-etb',
    url: 'https://cardcabin.example/blogs/news/mega-horizon',
    body: shopPage(
      '<article><h1>Mega Horizon: everything we know</h1><p>Pre-orders will go live at 9am. Last time they sold out in minutes.</p></article>',
    ),
    expected: { availability: 'unknown', reason: 'not_a_product' },
  },
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
  testCases(CASES);
});
