import { describe, expect, test } from 'vitest';
import { judgeCase, linkedData, NAME, shopPage } from './product-pages';

const BUY = '<form action="/cart/add" method="post"><button type="submit">Add to basket</button></form>';
const IN_MARKUP = linkedData({ price: '49.99', availability: 'https://schema.org/InStock' });
const IN = ['in_stock', 'limited'];
const OUTS = ['out_of_stock'];
const box = (inner: string): string => `<div class="pdp"><h1>${NAME}</h1>${inner}</div>`;
const priced = (inner: string): string => box(`<p class="price">£49.99</p>${inner}`);

/** What is on the page, the page, and the availabilities that are right. */
const PAGES: ReadonlyArray<readonly [name: string, body: string, right: readonly string[]]> = [
  [
    'woo grouped, all rows out, button remains',
    shopPage(
      `<div class="product type-product"><h1 class="product_title">${NAME}</h1><p class="price">£9.99 – £49.99</p><form class="cart grouped_form" action="/p" method="post"><table class="woocommerce-grouped-product-list group_table"><tr><td class="qty"><a class="button" href="/product/a">Read more</a></td><td>Fox tin</td><td>£9.99<p class="stock out-of-stock">Out of stock</p></td></tr><tr><td class="qty"><a href="/product/b">Read more</a></td><td>Owl tin</td><td>£9.99<p class="stock out-of-stock">Out of stock</p></td></tr></table><button type="submit" class="single_add_to_cart_button">Add to basket</button></form></div>`,
    ),
    ['out_of_stock'],
  ],
  [
    'paypal smart button beside out',
    shopPage(
      priced(
        '<p class="stock out-of-stock">Out of stock</p><div id="ppc-button"><button>Buy now with PayPal</button></div>',
      ),
    ),
    ['out_of_stock'],
  ],
  [
    'paypal button alone, class outofstock',
    shopPage(
      `<div class="product outofstock type-product"><h1>${NAME}</h1><p class="price">£49.99</p><button>Buy now</button></div>`,
    ),
    ['out_of_stock', 'unknown'],
  ],
  [
    'data of product out (flag), lone button',
    shopPage(
      priced(BUY) +
        `<script>window.__STATE__={"product":{"name":"${NAME}","available":false,"price":49.99}}</script>`,
    ),
    ['out_of_stock', 'unknown'],
  ],
  [
    'shopify variants all unavailable, button enabled by script later',
    shopPage(
      priced(BUY) +
        `<script type="application/json" data-product-json>{"title":"${NAME}","handle":"amber-tide-elite-trainer-box","variants":[{"id":1,"title":"Fox","option1":"Fox","available":false,"price":4999},{"id":2,"title":"Owl","option1":"Owl","available":false,"price":4999}]}</script>`,
    ),
    ['out_of_stock'],
  ],
  [
    'single shopify variant unavailable',
    shopPage(
      priced(BUY) +
        `<script type="application/json">{"title":"${NAME}","handle":"amber-tide-elite-trainer-box","variants":[{"id":1,"title":"Default Title","option1":"Default Title","available":false,"price":4999}]}</script>`,
    ),
    ['out_of_stock'],
  ],
  [
    'buylist',
    shopPage(
      priced(
        '<p class="stock">Sell to us: we pay £30 cash</p><form action="/buylist/add"><button>Add to sell cart</button></form>',
      ),
    ),
    ['unknown'],
  ],
  [
    'buylist 2',
    shopPage(priced('<form action="/sell/basket"><button>Sell yours</button></form><p>We are buying</p>')),
    ['unknown'],
  ],
  [
    'add to collection',
    shopPage(priced('<button>Add to collection</button><button>Add to deck</button>')),
    ['unknown'],
  ],
  ['add', shopPage(priced('<button>Add - wish list</button><button>Add a review</button>')), ['unknown']],
  ['add to list', shopPage(priced('<button>Add to list</button>')), ['unknown']],
  [
    'buy digital',
    shopPage(priced('<p>Physical edition: sold out</p><button>Buy the PDF</button>')),
    ['out_of_stock'],
  ],
  [
    'buy digital alone',
    shopPage(priced('<button>Buy digital edition</button>')),
    ['unknown', 'out_of_stock'],
  ],
  ['order history', shopPage(priced('<button>Order status</button>')), ['unknown']],
  [
    'drop ended overlay',
    shopPage(
      priced(`${BUY}`) +
        '<div class="overlay"><h2>This drop has ended</h2><p>Thanks to everyone who took part.</p></div>',
    ),
    ['out_of_stock', 'unknown'],
  ],
  [
    'auction ended',
    shopPage(priced('<p>This auction has ended</p><p>Winning bid: £61.00</p><button>Buy it now</button>')),
    ['out_of_stock', 'unknown'],
  ],
  [
    'listing ended',
    shopPage(priced('<p>This listing has ended.</p><button>Buy similar</button>')),
    ['out_of_stock', 'unknown'],
  ],
  [
    'auction bid',
    shopPage(priced('<p>Current bid £20</p><button>Place bid</button>'), {
      head: linkedData({ price: '20', availability: 'https://schema.org/InStock' }),
    }),
    ['unknown', 'out_of_stock'],
  ],
  ['sold price', shopPage(box('<p class="price">SOLD £49.99</p>'), { head: IN_MARKUP }), ['out_of_stock']],
  ['sold alone line', shopPage(priced('<p>SOLD</p>'), { head: IN_MARKUP }), ['out_of_stock']],
  [
    'not for UK',
    shopPage(priced(`<p>Sorry, this item cannot be shipped to the United Kingdom.</p>${BUY}`)),
    ['out_of_stock', 'unknown'],
  ],
  [
    'not deliver',
    shopPage(priced(`<p>We do not ship this product to your country</p>${BUY}`)),
    ['out_of_stock', 'unknown'],
  ],
  ['US only', shopPage(priced(`<p>Ships to US addresses only</p>${BUY}`)), ['out_of_stock', 'unknown']],
  [
    'not available in your region',
    shopPage(priced(`<p>This product is not available in your region.</p>${BUY}`)),
    ['out_of_stock', 'unknown'],
  ],
  [
    'image sold out',
    shopPage(priced('<img src="/img/soldout.gif" alt="Sold out">'), { head: IN_MARKUP }),
    ['out_of_stock'],
  ],
  [
    'image sold out no alt',
    shopPage(priced('<img src="/img/btn_out_of_stock.gif" alt="">'), { head: IN_MARKUP }),
    ['out_of_stock'],
  ],
  [
    'goes on sale at',
    shopPage(priced(`<p>Goes on sale Friday 4 December at 6pm</p>${BUY}`)),
    ['out_of_stock', 'preorder'],
  ],
  ['countdown', shopPage(priced(`<p>Sale starts in 02:13:44</p>${BUY}`)), ['out_of_stock', 'unknown']],
  [
    'available from',
    shopPage(priced(`<p>Available from 4 December 2026</p>${BUY}`)),
    ['preorder', 'out_of_stock'],
  ],
  ['ships in december', shopPage(priced(`<p>Releases 18/12/2026</p>${BUY}`)), ['preorder']],
  [
    'expected back',
    shopPage(priced('<p>Expected back in stock: 12 December 2026</p>')),
    ['out_of_stock', 'preorder'],
  ],
  [
    'In stock: No',
    shopPage(priced('<table><tr><th>In stock</th><td>No</td></tr></table>')),
    ['out_of_stock'],
  ],
  ['In stock: No same line', shopPage(priced('<p>In stock: No</p>')), ['out_of_stock']],
  ['In stock? No', shopPage(priced('<p>In Stock? No</p>')), ['out_of_stock']],
  ['In stock: 0', shopPage(priced('<p>In stock: 0</p>')), ['out_of_stock']],
  ['Stock 0 table', shopPage(priced('<table><tr><th>Stock</th><td>0</td></tr></table>')), ['out_of_stock']],
  ['Qty available 0', shopPage(priced('<p>Quantity available: 0</p>')), ['out_of_stock']],
  ['In stock soon', shopPage(priced('<p>In stock soon</p>')), ['out_of_stock']],
  ['in stock from', shopPage(priced('<p>In stock from 3 December</p>')), ['out_of_stock', 'preorder']],
  ['never in stock', shopPage(priced('<p>We never have this in stock for long</p>')), ['unknown']],
  ['in stock rarely', shopPage(priced('<p>Rarely in stock</p>')), ['unknown', 'out_of_stock']],
  ['last in stock', shopPage(priced('<p>Last in stock: 4 October 2026</p>')), ['unknown', 'out_of_stock']],
  [
    'last seen in stock',
    shopPage(priced('<p>Last seen in stock 3 days ago</p>')),
    ['unknown', 'out_of_stock'],
  ],
  [
    'comparison site',
    shopPage(
      priced('<p>In stock at 3 retailers</p><a class="btn" href="https://other.example/x">Buy now</a>'),
    ),
    ['unknown', 'out_of_stock'],
  ],
  [
    'in stock in store list',
    shopPage(
      priced(
        '<button disabled>Sold out</button><h3>Our shops</h3><ul><li>Leeds: In stock</li><li>York: In stock</li></ul>',
      ),
    ),
    ['out_of_stock'],
  ],
  [
    'store list only',
    shopPage(priced('<h3>Our shops</h3><ul><li>Leeds: In stock</li><li>York: In stock</li></ul>')),
    ['out_of_stock', 'unknown'],
  ],
  [
    'store table only',
    shopPage(
      priced(
        '<table><tr><td>Leeds</td><td>In stock</td></tr><tr><td>York</td><td>Out of stock</td></tr></table>',
      ),
    ),
    ['out_of_stock', 'unknown'],
  ],
  [
    'click collect only button',
    shopPage(priced('<p>Home delivery unavailable</p><button>Add to basket for collection</button>')),
    ['out_of_stock'],
  ],
  [
    'reserve and collect',
    shopPage(priced('<p>Not available for delivery</p><button>Reserve &amp; collect</button>')),
    ['out_of_stock'],
  ],
  [
    'radio delivery disabled',
    shopPage(
      priced(
        '<label><input type="radio" name="ful" disabled> Delivery - unavailable</label><label><input type="radio" name="ful" checked> Collection - in stock in Leeds</label><button>Add to basket</button>',
      ),
    ),
    ['out_of_stock'],
  ],
  ['members', shopPage(priced(`<p>Exclusive to Gold members</p>${BUY}`)), ['out_of_stock']],
  [
    'early access',
    shopPage(
      priced(
        '<p>Early access for members. General sale opens 1 December.</p><button>Unlock with membership</button>',
      ),
    ),
    ['out_of_stock', 'unknown'],
  ],
  [
    'password page',
    shopPage(
      '<h1>Opening soon</h1><p>Enter store using password</p><form><input type=password><button>Enter</button></form>',
    ),
    ['unknown', 'out_of_stock'],
  ],
  [
    'parent sold-out class',
    shopPage(`<div class="pdp product--sold-out"><h1>${NAME}</h1><p class="price">£49.99</p>${BUY}</div>`),
    ['out_of_stock', 'unknown'],
  ],
  [
    'x-show false',
    shopPage(
      priced(`<p x-show="!available">Sold out</p><div x-show="available" style="display: none">${BUY}</div>`),
    ),
    ['out_of_stock'],
  ],
  ['ng-hide', shopPage(priced(`<div class="ng-hide">${BUY}</div><p>Sold out</p>`)), ['out_of_stock']],
  [
    'v-cloak',
    shopPage(priced(`<div v-if="inStock">${BUY}</div><div v-else>Out of stock</div>`)),
    ['out_of_stock', 'unknown'],
  ],
  [
    'mustache template',
    shopPage(
      priced('<div>{{ inStock ? "In stock" : "Out of stock" }}</div><button>{{ buttonText }}</button>'),
    ),
    ['unknown', 'out_of_stock'],
  ],
  ['used: label', shopPage(priced(`<p>Condition: Pre-owned</p>${BUY}`)), ['out_of_stock']],
  [
    'marketplace sold by',
    shopPage(priced(`<p>Sold by: RandomCards123</p><p>In stock</p>${BUY}`)),
    ['out_of_stock'],
  ],
  [
    'marketplace linked',
    shopPage(priced(`<p>Sold by <a href="/sellers/x">RandomCards123</a></p>${BUY}`)),
    ['out_of_stock'],
  ],
  [
    'marketplace offer from',
    shopPage(
      priced(`<p>Sold and shipped by <a href="/sellers/x">Cardz Ltd</a>, a marketplace partner</p>${BUY}`),
    ),
    ['out_of_stock'],
  ],
  [
    'buy button for bundle',
    shopPage(
      priced(
        `<p>Sold out on its own</p><p>Available in the Starter Bundle</p><a class="btn" href="/products/starter-bundle">Buy the bundle</a>`,
      ),
    ),
    ['out_of_stock'],
  ],
  [
    'only in bundle',
    shopPage(
      priced(
        `<p>Only available as part of a bundle</p><a class="btn" href="/bundles/starter">Shop the bundle</a>`,
      ),
    ),
    ['out_of_stock', 'unknown'],
  ],
  [
    'sticky header other product',
    shopPage(
      priced('<p>Sold out</p>') +
        '<div class="sticky"><p>Moss Court Tin £9.99</p><button>Add to basket</button></div>',
    ),
    ['out_of_stock'],
  ],
  [
    'sticky of other product, nothing said',
    shopPage(
      priced('<p>Nine boosters</p>') +
        '<div class="sticky"><p>Moss Court Tin</p><p>£9.99</p><button>Add to basket</button></div>',
    ),
    ['unknown'],
  ],
  [
    'similar inside box',
    shopPage(
      priced(
        '<p>We suggest instead:</p><div><a href="/products/moss">Moss Court Tin</a> £9.99 <button>Add to basket</button></div>',
      ),
    ),
    ['unknown'],
  ],
  [
    'sleeves',
    shopPage(
      priced(
        '<p>Sleeves to match?</p><div><span>Matching sleeves £4.99</span><button>Add to basket</button></div>',
      ),
    ),
    ['unknown'],
  ],
  [
    'checkbox addon',
    shopPage(priced('<label><input type=checkbox> Add sleeves £4.99</label><p>In stock</p>')),
    ['in_stock'],
  ],
  [
    'gift card',
    shopPage(priced('<p>Buy them a gift card instead</p><button>Add gift card to basket</button>')),
    ['unknown'],
  ],
  ['quote', shopPage(priced('<button>Add to quote</button>')), ['unknown']],
  [
    'add to enquiry basket',
    shopPage(priced('<form action="/enquiry-basket/add"><button>Add to enquiry basket</button></form>')),
    ['unknown'],
  ],
  [
    'trade account',
    shopPage(priced('<p>Trade only. Log in to buy.</p><button>Add to basket</button>')),
    ['out_of_stock'],
  ],
  [
    'trade price',
    shopPage(box('<p>Please log in to see prices</p><p>In stock</p>')),
    ['out_of_stock', 'unknown'],
  ],
  [
    'in stock alerts',
    shopPage(priced('<p>In stock notifications</p><form><input type=email><button>Submit</button></form>')),
    ['out_of_stock', 'unknown'],
  ],
  [
    'email form',
    shopPage(
      priced(
        '<p>Get an email when this comes back</p><form><input type=email name=email><button>Sign me up</button></form>',
      ),
    ),
    ['out_of_stock'],
  ],
  [
    'ld in, availabilityEnds past',
    shopPage(box('<p>Nine boosters</p>'), {
      head: linkedData({
        price: '49.99',
        availability: 'https://schema.org/InStock',
        availabilityEnds: '2026-10-01',
      }),
    }),
    ['out_of_stock', 'unknown'],
  ],
  [
    'ld in, availabilityStarts future',
    shopPage(box('<p>Nine boosters</p>'), {
      head: linkedData({
        price: '49.99',
        availability: 'https://schema.org/InStock',
        availabilityStarts: '2026-12-24',
      }),
    }),
    ['preorder', 'out_of_stock', 'unknown'],
  ],
  [
    'ld inventoryLevel 0',
    shopPage(box('<p>Nine boosters</p>'), {
      head: linkedData({
        price: '49.99',
        availability: 'https://schema.org/InStock',
        inventoryLevel: { '@type': 'QuantitativeValue', value: 0 },
      }),
    }),
    ['out_of_stock', 'unknown'],
  ],
  [
    'review says',
    shopPage(priced('<p>Sold out</p><div><p>"In stock and arrived fast" - Sue</p></div>')),
    ['out_of_stock'],
  ],
  [
    'tag line in stock filter',
    shopPage(priced('<label><input type=checkbox> In stock only</label>')),
    ['unknown'],
  ],
  ['in stock facets', shopPage(priced('<a href="/?instock=1">In stock</a>')), ['unknown']],
  ['stock bar', shopPage(priced('<p>Stock: ░░░░░ 0%</p>')), ['unknown', 'out_of_stock']],
  ['sold x of y', shopPage(priced('<p>500 of 500 sold</p>')), ['out_of_stock', 'unknown']],
  [
    'checkout paused',
    shopPage(priced(`<p>Ordering is paused while we count our stock</p>${BUY}`)),
    ['out_of_stock', 'unknown'],
  ],
  [
    'holiday',
    shopPage(
      priced(`${BUY}`).replace(
        '<div class="pdp">',
        '<p>Our shop is closed until 5 January. You cannot order at the moment.</p><div class="pdp">',
      ),
    ),
    ['out_of_stock', 'unknown'],
  ],
  [
    'shop closed',
    shopPage(priced('<p>This shop has closed. Thank you for 20 years.</p><button>Add to basket</button>')),
    ['out_of_stock', 'unknown'],
  ],
  [
    'demo store',
    shopPage(
      priced(`<p>This is a demo store for testing purposes — no orders shall be fulfilled.</p>${BUY}`),
    ),
    ['out_of_stock', 'unknown'],
  ],
  [
    'not eligible',
    shopPage(priced(`<p>This item is not eligible for purchase</p>${BUY}`)),
    ['out_of_stock', 'unknown'],
  ],
  [
    'limit reached',
    shopPage(priced(`<p>All units are reserved in other customers' baskets</p>${BUY}`)),
    ['out_of_stock', 'unknown'],
  ],
  [
    'in baskets',
    shopPage(
      priced(
        `<p>Every last one is in someone's basket. Check back in ten minutes.</p><button disabled>Add to basket</button>`,
      ),
    ),
    ['out_of_stock'],
  ],
  [
    'variants select all disabled but first choose',
    shopPage(
      priced(
        `<form action="/cart/add"><select name="id"><option value="">Choose</option><option value="1" disabled>Fox</option><option value="2" disabled>Owl</option></select><button>Add to basket</button></form>`,
      ),
    ),
    ['out_of_stock'],
  ],
  [
    'select single sold out',
    shopPage(
      priced(
        `<form action="/cart/add"><select name="id"><option value="1">Fox - Sold out</option></select><button>Add to basket</button></form>`,
      ),
    ),
    ['out_of_stock'],
  ],
  [
    'radios all sold out',
    shopPage(
      priced(
        `<form action="/cart/add"><label><input type="radio" name="d" value="fox" disabled>Fox</label><label><input type="radio" name="d" value="owl" disabled>Owl</label><button>Add to basket</button></form>`,
      ),
    ),
    ['out_of_stock'],
  ],
  [
    'subscribe all off',
    shopPage(
      priced(
        `<p>One-time purchase: sold out</p><p>Subscribe monthly: sold out</p><button>Add to basket</button>`,
      ),
    ),
    ['out_of_stock'],
  ],
  [
    'off button by text only',
    shopPage(priced('<span class="btn btn-grey">Add to basket</span><p>Item unavailable</p>')),
    ['out_of_stock'],
  ],
  ['buying closed', shopPage(priced(`<p>Sales are closed for this product</p>${BUY}`)), ['out_of_stock']],
  ['only 0 left', shopPage(priced('<p>Only 0 left!</p>')), ['out_of_stock', 'unknown']],
  ['hurry, was only 3', shopPage(priced('<p>Only 3 were made</p>')), ['unknown']],
  ['one per customer', shopPage(priced('<p>Limited to one per customer</p>')), ['unknown']],
  [
    'limited availability text',
    shopPage(priced('<p>Limited edition, limited quantities produced worldwide</p>')),
    ['unknown'],
  ],
  [
    'low stock policy',
    shopPage(priced('<p>Stock is limited so be quick when it drops</p>')),
    ['unknown', 'out_of_stock'],
  ],
  ['dispatch 24h', shopPage(priced('<p>Usually ready to ship in 24 hours when in stock</p>')), ['unknown']],
  ['waiting for approval', shopPage(priced('<p>Awaiting stock from distributor</p>')), ['out_of_stock']],
  ['display only', shopPage(priced(`<p>Display item – not for sale</p>${BUY}`)), ['out_of_stock', 'unknown']],
  [
    'archive',
    shopPage(priced('<p>This product has been archived</p>'), { head: IN_MARKUP }),
    ['out_of_stock', 'unknown'],
  ],
  [
    'unavailable at this time',
    shopPage(priced('<p>Purchasing is unavailable at this time.</p>'), { head: IN_MARKUP }),
    ['out_of_stock'],
  ],
  [
    'the item you want',
    shopPage(priced('<p>Sorry! You just missed it.</p>'), { head: IN_MARKUP }),
    ['out_of_stock', 'unknown'],
  ],
  [
    'none remaining',
    shopPage(priced('<p>None remaining</p><p>Zero left</p>'), { head: IN_MARKUP }),
    ['out_of_stock'],
  ],
  [
    'sell out',
    shopPage(priced('<p>We have sold all of our stock</p>'), { head: IN_MARKUP }),
    ['out_of_stock'],
  ],
  ['ran out', shopPage(priced('<p>We ran out of these</p>'), { head: IN_MARKUP }), ['out_of_stock']],
  ['run out', shopPage(priced("<p>Oh no, we've run out!</p>"), { head: IN_MARKUP }), ['out_of_stock']],
  [
    'oversold',
    shopPage(priced('<p>Out-of-Stock</p><button>Add to Backorder list</button>')),
    ['out_of_stock', 'preorder'],
  ],
  [
    'sold out h2 other heading',
    shopPage(`<h2>Sold out</h2>${priced('')}`, { head: IN_MARKUP }),
    ['out_of_stock'],
  ],
  ['s o l d', shopPage(priced('<p>S O L D &nbsp; O U T</p>'), { head: IN_MARKUP }), ['out_of_stock']],
  ['soldout one word', shopPage(priced('<p>SOLDOUT</p>'), { head: IN_MARKUP }), ['out_of_stock']],
  ['OOS abbreviation', shopPage(priced('<p>OOS</p>'), { head: IN_MARKUP }), ['out_of_stock']],
  ['zero-width', shopPage(priced('<p>Sold\u200b out</p>'), { head: IN_MARKUP }), ['out_of_stock']],
  [
    'newsletter beside button',
    shopPage(
      priced(
        `${BUY}<form><p>Get 10% off your first order</p><input type=email name=email><button>Join</button></form>`,
      ),
    ),
    IN,
  ],
  ['channel islands', shopPage(priced(`${BUY}<p>We do not ship to the Channel Islands.</p>`)), IN],
  ['not outside uk', shopPage(priced(`${BUY}<p>Sorry, we cannot deliver outside the UK.</p>`)), IN],
  ['delivers UK only', shopPage(priced(`${BUY}<p>Delivery to UK addresses only</p>`)), IN],
  ['only ships within UK', shopPage(priced(`${BUY}<p>This item only ships within the UK</p>`)), IN],
  ['order limit', shopPage(priced(`${BUY}<p>You cannot order more than 2 of these.</p>`)), IN],
  ['no phone orders', shopPage(priced(`${BUY}<p>We are not taking orders over the phone.</p>`)), IN],
  [
    'gift wrap unavailable',
    shopPage(priced(`${BUY}<p>Gift wrapping is not available for this item</p>`)),
    IN,
  ],
  ['finance unavailable', shopPage(priced(`${BUY}<p>Finance not available on this product</p>`)), IN],
  ['click collect unavailable', shopPage(priced(`${BUY}<p>Click &amp; Collect: unavailable</p>`)), IN],
  ['collect off button', shopPage(priced(`${BUY}<button disabled>Reserve in store</button>`)), IN],
  ['missed you', shopPage(priced(`${BUY}<p>Missed the Black Friday deal? Sign up</p>`)), IN],
  ['sale starts banner', shopPage(`<p>Our winter sale starts on Friday!</p>${priced(BUY)}`), IN],
  ['sold out last time', shopPage(priced(`${BUY}<p>Our first batch sold out in 10 minutes!</p>`)), IN],
  [
    'editions links sold out',
    shopPage(
      priced(`<p>In stock</p>${BUY}<ul><li><a href="/products/x">Collector edition (sold out)</a></li></ul>`),
    ),
    IN,
  ],
  ['in stock (5)', shopPage(priced(`<p>In stock (5)</p>${BUY}`)), IN],
  ['in stock: 5', shopPage(priced(`<p>In stock: 5</p>`)), IN],
  ['in stock: yes', shopPage(priced(`<table><tr><th>In stock</th><td>Yes</td></tr></table>`)), IN],
  ['stock table 7', shopPage(priced(`<table><tr><th>Stock</th><td>7</td></tr></table>`)), IN],
  ['available: 12', shopPage(priced(`<p>Quantity available: 12</p>${BUY}`)), IN],
  ['image in', shopPage(priced(`<img src="/in-stock.png" alt="In stock">${BUY}`)), IN],
  ['aria-disabled false', shopPage(priced(`<button aria-disabled="false">Add to basket</button>`)), IN],
  [
    'custom element button',
    shopPage(priced(`<add-to-cart><button type="button" name="add">Add to cart</button></add-to-cart>`)),
    IN,
  ],
  [
    'input image add',
    shopPage(priced(`<form action="/cart.php"><input type="image" src="/add.gif" alt="Add to cart"></form>`)),
    IN,
  ],
  [
    'input image add no alt',
    shopPage(
      priced(`<p>In stock</p><form action="/cart.php"><input type="image" src="/add_to_cart.gif"></form>`),
    ),
    IN,
  ],
  ['link as button', shopPage(priced(`<a class="btn" href="/cart/add?id=4">Buy</a>`)), IN],
  [
    'RRP above, price beside button',
    shopPage(
      `<div class="a"><h1>${NAME}</h1><p>RRP £59.99</p></div><div class="b"><p>£49.99</p><p>Earn loyalty rewards today</p>${BUY}</div>`,
    ),
    IN,
  ],
  [
    'loyalty line before price',
    shopPage(
      `<div class="a"><h1>${NAME}</h1><p>Was £59.99</p></div><div class="b"><p>Black Friday Offer</p><p>£49.99</p>${BUY}</div>`,
    ),
    IN,
  ],
  [
    'variant rows with buttons',
    shopPage(
      `<div class="pdp"><h1>${NAME}</h1><table><tr><td>Fox design</td><td>£9.99</td><td><button>Add to basket</button></td></tr><tr><td>Owl design</td><td>£9.99</td><td>Sold out</td></tr></table></div>`,
    ),
    IN,
  ],
  [
    'asp.net whole page form',
    `<html><head><title>${NAME}</title></head><body><form action="/page.aspx"><div><h1>${NAME}</h1><p>£49.99</p><p>In stock</p><input type=submit value="Add to basket"></div><ul><li><a href="/p/1-moss-court-tin">Moss Court Tin</a> £9.99 Sold out</li><li><a href="/p/2-iron-lark">Iron Lark Binder</a> £5 <input type=submit value="Add to basket"></li></ul></form></body></html>`,
    IN,
  ],
  [
    'asp.net out',
    `<html><head><title>${NAME}</title></head><body><form action="/page.aspx"><div><h1>${NAME}</h1><p>£49.99</p><p>Out of stock</p></div><ul><li><a href="/p/1-moss-court-tin">Moss Court Tin</a> £9.99 <input type=submit value="Add to basket"></li><li><a href="/p/2-iron-lark">Iron Lark Binder</a> £5 <input type=submit value="Add to basket"></li></ul><input type=submit value="Subscribe"></form></body></html>`,
    OUTS,
  ],
  [
    'asp.net nothing',
    `<html><head><title>${NAME}</title></head><body><form action="/page.aspx"><div><h1>${NAME}</h1><p>£49.99</p></div><ul><li><a href="/p/1-moss-court-tin">Moss Court Tin</a> £9.99 <input type=submit value="Add to basket"></li><li><a href="/p/2-iron-lark">Iron Lark Binder</a> £5 <input type=submit value="Add to basket"></li></ul></form></body></html>`,
    ['unknown'],
  ],
  [
    'plain divs of others, nothing own',
    shopPage(
      `${priced('<p>Nine boosters.</p>')}<div class="c">Hollow Covenant Booster £33.49 <button>Add To Basket</button></div><div class="c">Thistle Vale Trainer £33.50 <button>Add To Basket</button></div>`,
    ),
    ['unknown'],
  ],
  [
    'plain divs of others out, own in',
    shopPage(
      `${priced(BUY)}<div class="c">Hollow Covenant Booster Out of stock</div><div class="c">Thistle Vale Trainer £33.50</div>`,
    ),
    IN,
  ],
  [
    'plain spans in-stock of others, own out button missing',
    shopPage(
      `${priced('<p>Nine boosters.</p>')}<div class="c">Hollow Covenant Booster In stock</div><div class="c">Thistle Vale Trainer In stock</div>`,
    ),
    ['unknown'],
  ],
  [
    'others, one button each, prices same as own',
    shopPage(
      `${priced('<p>Nine boosters.</p>')}<div class="c"><b>Hollow Covenant Booster</b> £49.99 <button>Add To Basket</button></div><div class="c"><b>Thistle Vale Trainer</b> £33.50 <button>Add To Basket</button></div>`,
    ),
    ['unknown'],
  ],
  [
    'single cross-sell same price',
    shopPage(
      `${priced('<p>Sorry, all gone for now</p>')}<div class="c"><b>Hollow Covenant Booster</b> £49.99 <button>Add To Basket</button></div>`,
    ),
    OUTS,
  ],
  [
    'one other w/o price',
    shopPage(
      `${priced('<p>Nine boosters.</p>')}<div class="c"><a href="/products/hollow">Hollow Covenant Booster</a> <button>Add To Basket</button></div>`,
    ),
    ['unknown'],
  ],
  [
    'no price at all, others',
    shopPage(
      `${box('<p>Nine boosters.</p>')}<div class="c"><a href="/products/hollow">Hollow Covenant Booster</a> £3 <button>Add To Basket</button></div>`,
    ),
    ['unknown'],
  ],
  [
    'overlay role dialog no modal',
    shopPage(
      `<div class="overlay" role="dialog"><h2>Sold out</h2><p>Thanks for playing</p></div>${priced(BUY)}`,
    ),
    OUTS.concat('unknown'),
  ],
  [
    'overlay over the image of another product',
    shopPage(
      `${priced(BUY)}<div class="tiles"><div class="tile"><div class="image"><div class="overlay">Sold out</div></div><p>Moss Court Tin</p></div></div>`,
    ),
    IN,
  ],
  [
    'overlay plain div',
    shopPage(`<div class="fullscreen-overlay"><h2>Sold out</h2></div>${priced(BUY)}`),
    OUTS.concat('unknown'),
  ],
  [
    'overlay inside image',
    shopPage(
      `<div class="pdp"><div class="gallery"><img src=a.jpg><div class="ribbon">Sold out</div></div><h1>${NAME}</h1><p class="price">£49.99</p></div>`,
      { head: IN_MARKUP },
    ),
    OUTS,
  ],
  ['closed dialog sold out', shopPage(`<dialog><h2>Sold out</h2></dialog>${priced(BUY)}`), IN],
  [
    'hidden modal',
    shopPage(
      `<div class="modal fade" aria-modal="true" style="display:none"><h2>Sorry, this item is sold out</h2></div>${priced(BUY)}`,
    ),
    IN,
  ],
  [
    'cookie modal',
    shopPage(
      `<div role="dialog" aria-modal="true"><h2>Cookies</h2><p>Not available without consent.</p><button>Accept</button></div>${priced(BUY)}`,
    ),
    IN,
  ],
  [
    'age gate modal',
    shopPage(
      `<div role="dialog" aria-modal="true"><h2>Are you over 18?</h2><p>This product cannot be sold to under 18s.</p><button>Yes</button></div>${priced(BUY)}`,
    ),
    IN,
  ],
  [
    'country modal',
    shopPage(
      `<div role="dialog" aria-modal="true"><h2>Shipping to United States?</h2><p>Not available in your country? Choose another.</p><button>Shop now</button></div>${priced('<p>Nine.</p>')}`,
    ),
    ['unknown', 'out_of_stock'],
  ],
  [
    'shop now link',
    shopPage(priced('<p>Nine.</p><a class="btn" href="/collections/all">Shop now</a>')),
    ['unknown'],
  ],
  [
    'order now link category',
    shopPage(priced('<p>Nine.</p><a class="btn" href="/collections/new">Order now</a>')),
    ['unknown'],
  ],
  [
    'buy now link to collection',
    shopPage(priced('<p>Nine.</p><a class="btn" href="/collections/new">Buy now</a>')),
    ['unknown'],
  ],
  [
    'checkout button of mini cart',
    shopPage(
      priced('<p>Nine.</p>') + '<div class="side"><p>Your bag is empty</p><button>Checkout</button></div>',
    ),
    ['unknown'],
  ],
  ['checkout in header', shopPage(priced('<p>Nine.</p><a href="/checkout">Checkout</a>')), ['unknown']],
  ['add note', shopPage(priced('<p>Nine.</p><button>Add - note</button>')), ['unknown']],
  [
    'add another item',
    shopPage(priced('<p>Sold out</p><button>Add 2 more to unlock free delivery</button>')),
    OUTS,
  ],
  ['sub box', shopPage(priced('<p>Sold out</p><button>Subscribe and save</button>')), OUTS],
  ['out in second language', shopPage(priced('<p>Na sklade: 0 ks</p>')), ['out_of_stock', 'unknown']],
  ['limited table', shopPage(priced('<p>Availability</p><p>Sold in sets of 4</p>' + BUY)), IN],
  ['sold in line', shopPage(priced('<p>Sold in packs of ten.</p>'), { head: IN_MARKUP }), IN],
  ['sold individually', shopPage(priced('<p>Sold individually</p>' + BUY)), IN],
  ['sold by', shopPage(priced('<p>Sold by Card Cabin</p>' + BUY)), IN],
  ['500 sold', shopPage(priced('<p>500+ sold</p>' + BUY)), IN],
  ['bestseller sold', shopPage(priced('<p>23 sold in the last 24 hours</p>' + BUY)), IN],
  ['in baskets (2)', shopPage(priced('<p>12 people have this in their basket</p>' + BUY)), IN],
  ['in others baskets soft', shopPage(priced("<p>In 12 other people's baskets</p>" + BUY)), IN],
  ['cannot find', shopPage(priced("<p>Can't find it in store? Buy online.</p>" + BUY)), IN],
  ['back in stock badge', shopPage(priced('<span class=badge>Back in stock</span>' + BUY)), IN],
  ['back in stock line only', shopPage(priced('<p>Back in stock!</p>')), IN],
  [
    'not discontinued',
    shopPage(priced('<p>The previous edition has been discontinued.</p><p>In stock</p>' + BUY)),
    IN,
  ],
  [
    'unavailable colour',
    shopPage(
      priced(
        `<p>In stock</p><label><input type=radio name=c checked>Red</label><label class="unavailable"><input type=radio name=c disabled>Blue (sold out)</label>${BUY}`,
      ),
    ),
    IN,
  ],
  [
    'preorder cancels',
    shopPage(
      priced('<p>In stock</p><p>If your basket contains pre-orders all items ship together.</p>' + BUY),
    ),
    IN,
  ],
  ['preorder mixed', shopPage(priced('<p>Pre-order and in-stock items ship separately</p>' + BUY)), IN],
  ['release past', shopPage(priced('<p>Release date: 14 November 2026</p>' + BUY)), IN],
  [
    'release future, plain button',
    shopPage(priced('<p>Release date: 14 January 2027</p>' + BUY)),
    ['preorder'],
  ],
  ['dispatch date future', shopPage(priced('<p>In stock. Dispatched Monday 30 November</p>' + BUY)), IN],
  ['delivery Tuesday', shopPage(priced('<p>Get it by Tuesday 1 December</p>' + BUY)), IN],
  ['est. ship', shopPage(priced('<p>Estimated dispatch: 1 December 2026</p>' + BUY)), IN.concat('preorder')],
  ['next batch ships', shopPage(priced('<p>Next batch ships 15 January 2027</p>' + BUY)), ['preorder']],
  ['order by', shopPage(priced('<p>Order by 18 December for Christmas</p>' + BUY)), IN],
  ['available from (multiple stores)', shopPage(priced('<p>Available from £49.99</p>' + BUY)), IN],
  [
    'waitlist for grading',
    shopPage(priced(`<p>In stock</p>${BUY}<p>Join the waitlist for our grading service</p>`)),
    IN,
  ],
  ['join club', shopPage(priced(`<p>In stock</p>${BUY}<p>Members only price £45 with code</p>`)), IN],
  ['price on member', shopPage(priced(`${BUY}<p>Exclusive offers for our members</p>`)), IN],
  ['stock photo', shopPage(priced(`${BUY}<p>Stock photo; box may differ</p>`)), IN],
  ['reviews none', shopPage(priced(`${BUY}<p>No reviews yet. Not yet rated.</p>`)), IN],
  ['out for delivery', shopPage(priced(`${BUY}<p>Orders go out of the warehouse daily</p>`)), IN],
];

describe('what sells, and what only looks like it', () => {
  test.each(PAGES)('%s', (_name, body, right) => {
    const product = judgeCase({ body });
    expect(right, JSON.stringify(product, null, 1)).toContain(product.availability);
  });
});
