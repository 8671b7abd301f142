import { describe } from 'vitest';
import {
  box,
  BUY,
  IN_MARKUP,
  linkedData,
  NAME,
  priced,
  type ProductCase,
  shopPage,
  testCases,
} from './product-pages';

const magento = {
  '#product_addtocart_form': {
    configurable: {
      spConfig: {
        attributes: {
          141: {
            id: '141',
            code: 'size',
            label: 'Size',
            options: [
              { id: '166', label: 'Small', products: ['2001'] },
              { id: '167', label: 'Medium', products: [] },
            ],
          },
        },
        optionPrices: { 2001: { oldPrice: { amount: 34 }, finalPrice: { amount: 32 } } },
      },
    },
  },
};
const MAGENTO = `<div class="product-info-main"><h1>${NAME}</h1><p>As low as £32.00</p><p class="stock available">In stock</p><form id="product_addtocart_form"><select name="super_attribute[141]"><option value="">Choose an Option...</option></select><script type="text/x-magento-init">${JSON.stringify(magento)}</script><button type="submit" id="product-addtocart-button" disabled>Add to Basket</button></form></div>`;

/** Pages on which something beside the product speaks of stock, or the product speaks of it in an unusual place. */
const CASES: ProductCase[] = [
  {
    name: 'CS-Cart: a field of the product is named like a list',
    body: shopPage(
      `${priced('<div class="product-list-field"><label>Availability:</label><span>Out-of-stock</span></div>')}<form><h3>Starter bundle: box and sleeves</h3><p>In stock.</p><p>Price for all £92.00</p><button>Add all to cart</button></form>`,
    ),
    expected: { availability: 'out_of_stock' },
  },
  {
    name: 'the postage behind the price',
    body: shopPage(box(`<p><b>£21.50</b> each, VAT included. Post £3.50.</p><p>In stock</p>${BUY}`)),
    expected: { availability: 'in_stock', price: '21.50 GBP' },
  },
  {
    name: 'the condition is chosen: new is gone, refurbished is left',
    body: shopPage(
      box(
        `<form action="/basket/add" method="post"><div><input type="radio" name="cond" id="n" value="new" disabled><label for="n">New <span>Sold out</span></label></div><div><input type="radio" name="cond" id="r" value="refurb" checked><label for="r">Refurbished, grade A <span>£139.99</span> <span>In stock</span></label></div><button type="submit">Add refurbished to basket</button></form>`,
      ),
      { head: linkedData({ price: '179.99', availability: 'https://schema.org/OutOfStock' }) },
    ),
    expected: { availability: 'out_of_stock', detail: 'used_only' },
  },
  {
    name: 'a page that says that it has failed, with status 200',
    body: '<html><head><title>There has been an error processing your request</title></head><body><main><h1>There has been an error processing your request</h1><p>Error log record number: <strong>4b9d0e21c7</strong></p></main></body></html>',
    expected: { availability: 'unknown', reason: 'error' },
  },
  {
    name: 'Magento 1: in stock, and the short description says when it comes out',
    body: shopPage(
      priced(
        `<p>Availability: In stock</p><div class="short-description"><div class="std">Due for release on 20 August 2027. Order now and your copy reaches you on the day it comes out.</div></div>${BUY}`,
      ),
      { head: IN_MARKUP },
    ),
    expected: { availability: 'preorder', detail: 'release' },
  },
  ...(
    [
      ['20 August 2027', 'preorder'],
      ['4 September 2025', 'in_stock'],
    ] as const
  ).map(([day, availability]) => ({
    name: `a table of facts with the release date ${day}`,
    body: shopPage(
      priced(
        `<p>In stock</p>${BUY}<div class="specs"><table><tr><th>Pages</th><td>144</td></tr><tr><th>Release date</th><td>${day}</td></tr></table></div>`,
      ),
    ),
    expected: { availability },
  })),
  ...(
    [
      ['Wednesday 7 January 2026', 'limited'],
      ['Wednesday 6 January 2027', 'preorder'],
    ] as const
  ).map(([day, availability]) => ({
    name: `"Out" is the label of ${day}`,
    body: shopPage(
      priced(`<dl><dt>Out</dt><dd>${day}</dd><dt>Stock</dt><dd>2 available to order</dd></dl>${BUY}`),
    ),
    expected: { availability },
  })),
  ...['Friday 26th February 2027', 'Fri, 26 Feb 2027', 'Freitag, 26.02.2027', 'vendredi 26 février 2027'].map(
    (day) => ({
      name: `the day of release, ${day}`,
      body: shopPage(priced(`<p>Release date: ${day}</p>${BUY}`), { head: IN_MARKUP }),
      expected: { availability: 'preorder' as const },
    }),
  ),
  {
    name: 'a list that begins with the product that is gone',
    url: 'https://cardcabin.example/trading-cards/decks?gone=70441',
    requested: 'https://cardcabin.example/amber-tide-elite-trainer-box/p/70441',
    body: `<html><head><title>Decks | Card Cabin</title></head><body><main><section role="alert"><h1>${NAME}</h1><p>Sorry, this product is out of stock at the moment.</p></section><h2>Decks</h2>${[1, 2, 3].map((at) => `<div class="card"><a href="/p/${at}">Moss Court Deck ${at}</a><span>£12.00</span><button>Add to basket</button></div>`).join('')}</main></body></html>`,
    expected: { availability: 'out_of_stock', title: NAME },
  },
  {
    name: 'the availability is an object whose address ends with a slash',
    body: shopPage(box(''), {
      head: linkedData({
        price: '52.49',
        availability: { '@type': 'ItemAvailability', '@id': 'http://schema.org/InStock/' },
      }),
    }),
    expected: { availability: 'in_stock', price: '52.49 GBP' },
  },
  {
    name: 'what the product replaces is discontinued',
    body: shopPage(
      priced(
        `<p>It replaces our old ring binder, which has been discontinued and which we no longer sell.</p><p>In stock</p>${BUY}`,
      ),
    ),
    expected: { availability: 'in_stock' },
  },
  {
    name: 'a shop for the trade shows its stock after a sign-in',
    body: shopPage(
      box('<p>Please log in to see prices and stock.</p><a class="btn" href="/login">Log in to order</a>'),
    ),
    expected: { availability: 'unknown', reason: 'unrecognised' },
  },
  {
    name: 'Magento 2: the choices and what can be bought of each',
    body: shopPage(MAGENTO),
    expected: { availability: 'in_stock', variants: { Small: 'in_stock', Medium: 'out_of_stock' } },
  },
  {
    name: 'another edition has a page, with its own price and date',
    body: shopPage(
      priced(
        `<ul class="formats"><li><b>Hardback</b></li><li><a href="/book/paperback">Paperback <b>£10.99</b> <i>Pre-order, May 2027</i></a></li></ul><p>In stock online</p>${BUY}`,
      ),
    ),
    expected: { availability: 'in_stock' },
  },
  {
    name: 'one shop of several has none',
    body: shopPage(
      priced(
        `<p>Available - posted today if you order by 3pm</p>${BUY}<p>Also on the shelf in Bristol and Newcastle. Out of stock in Camden.</p>`,
      ),
    ),
    expected: { availability: 'in_stock' },
  },
  {
    name: 'a country is no shop',
    body: shopPage(priced('<p>Sold out in UK</p>'), { head: IN_MARKUP }),
    expected: { availability: 'out_of_stock' },
  },
  {
    name: 'a custom element is the button',
    body: shopPage(priced('<hs-buy role="button" tabindex="0">Get it today</hs-buy>')),
    expected: { availability: 'in_stock' },
  },
  {
    name: 'it is sent when it is released',
    body: shopPage(
      priced(
        '<p>Ships when released: 19 March 2027</p><a class="buy" href="/basket/add?sku=918822"><span>Secure your copy</span></a>',
      ),
      { head: IN_MARKUP },
    ),
    expected: { availability: 'preorder', detail: 'release' },
  },
  {
    name: 'Squarespace: the body is named after the overlay of its header',
    body: `<html><head><title>${NAME}</title></head><body class="header-overlay-alignment-center view-item"><main><section><h1>${NAME}</h1><p>£145.00</p><p>Last one!</p><div class="sqs-add-to-cart-button" role="button">Snap it up</div></section><section class="related"><h2>Her relatives</h2><ul><li><a href="/shop/p/hare">Hare Warden</a> £145.00 <em>sold out</em></li><li><a href="/shop/p/owl">Owl Warden</a> £165.00 <em>sold out</em></li></ul></section></main></body></html>`,
    expected: { availability: 'limited' },
  },
  {
    name: 'all of an edition are claimed',
    body: shopPage(priced('<p>250 of 250 claimed in 14 minutes</p><p>Sorry, you have missed this one</p>')),
    expected: { availability: 'out_of_stock' },
  },
  {
    name: 'Elastic Path: the state is in a list of one, and scripts draw the button',
    url: 'https://cardcabin.example/en-gb/product/10-10104-108/amber-tide',
    body: shopPage(
      `<h1>${NAME}</h1><div id="buy"></div><script id="__NEXT_DATA__" type="application/json">${JSON.stringify(
        {
          product: {
            name: NAME,
            code: '10-10104-108',
            _availability: [{ state: 'NOT_AVAILABLE' }],
            _price: [{ 'purchase-price': [{ amount: 54.99, currency: 'GBP' }] }],
          },
          recommendations: { items: [{ name: 'Pale Armada Pin', _availability: [{ state: 'AVAILABLE' }] }] },
        },
      )}</script>`,
    ),
    expected: { availability: 'out_of_stock', price: '54.99 GBP' },
  },
  ...['Shipping & pre-orders', 'When will sold-out friends be back?', 'Email me about new boxes'].map(
    (label) => ({
      name: `a part of the page opens under "${label}"`,
      body: shopPage(
        priced(`<p>In stock</p>${BUY}<details><summary>${label}</summary><p>We say so here.</p></details>`),
      ),
      expected: { availability: 'in_stock' as const },
    }),
  ),
  {
    name: 'a product that is retired',
    body: shopPage(
      `<h1>${NAME}</h1><p><strong>Retired.</strong> Old Tom has been discontinued and we no longer sell him. He will not be made again, so there is no list to join. Thank you to all 2,140 homes that took him in.</p>`,
    ),
    expected: { availability: 'unknown', reason: 'discontinued' },
  },
  {
    name: 'a table of other packs below the button, of which all are gone',
    body: `<HTML><HEAD><TITLE>${NAME}</TITLE></HEAD><BODY><H1>${NAME}</H1><P>Our price £11.60 each pack, VAT paid. 10 packs £104.40<P>IN STOCK<FORM METHOD=POST ACTION="/cgi-bin/basket.pl"><INPUT TYPE=SUBMIT VALUE="Add to basket"></FORM><TABLE><TR><TH>Pack<TH>Price<TH>&nbsp;<TR><TD>Dragoons, dismounted<TD>£11.60<TD>OUT OF STOCK<TR><TD>Firelocks<TD>£11.60<TD>OUT OF STOCK</TABLE></BODY></HTML>`,
    expected: { availability: 'in_stock', price: '11.60 GBP' },
  },
  {
    name: 'the data layer of the page names the GTIN, in a list of one',
    body: shopPage(priced(`<p>In stock</p>${BUY}`), {
      head: `<script>var utag_data=${JSON.stringify({ product_name: [NAME], product_unit_price: ['49.99'], product_ean: ['5702015891332'] })};</script>`,
    }),
    expected: { availability: 'in_stock', gtin: '5702015891332' },
  },
  {
    name: 'Spartacus: the state in Angular’s signs',
    body: shopPage(priced(BUY), {
      after: `<script id="spartacus-app-state" type="application/json">${JSON.stringify({ product: { code: '300938', name: NAME, ean: '5051293704484', stock: { stockLevelStatus: 'lowStock' } } }).replaceAll('"', '&q;')}</script>`,
    }),
    expected: { availability: 'limited', gtin: '5051293704484' },
  },
  {
    name: 'PrestaShop: what the shop promises of pre-orders',
    body: shopPage(
      priced(
        `<p>En stock</p>${BUY}<div class="blockreassurance_product"><span>Précommande</span><p>Expédiée le jour de la sortie</p></div>`,
      ),
    ),
    expected: { availability: 'in_stock' },
  },
  {
    name: 'a quotation, and a rule of the house',
    body: shopPage(
      priced(
        `<p>IN STOCK</p>${BUY}<p>“A very nice little kit, sold out at the Telford show” – Model Farmer</p><p>Items marked SOLD OUT can be back-ordered by telephone only.</p><p>Sold out lines are struck off.</p>`,
      ),
    ),
    expected: { availability: 'in_stock' },
  },
  {
    name: 'parts for new and for used goods, each with a link',
    body: shopPage(
      `<div><h1>${NAME}</h1><div class="buyingOption mint"><h2>New</h2><span>£44.99</span><span>Out of stock</span><a href="/wishlist/add/1">Add to wish list</a></div><div class="buyingOption preowned"><h2>Pre-owned</h2><a href="/promise">Checked and complete</a><a href="/basket/add/1-U" class="btn">Buy Pre-owned <span>£31.99</span></a><span>In stock</span></div><div class="buyingOption trade"><a href="/trade-in/1">Trade yours in for £14.00</a></div></div>`,
    ),
    expected: { availability: 'out_of_stock', detail: 'used_only', price: '44.99 GBP' },
  },
  {
    name: 'names are drawn',
    body: shopPage(
      priced(
        '<form action="/ballot" method="post"><input type="email" name="email"><button>Put my name in the hat</button></form>',
      ),
    ),
    expected: { availability: 'out_of_stock', detail: 'ballot' },
  },
  {
    name: 'a partner sells it, the shop has none',
    body: shopPage(
      `<h1>${NAME}</h1><div><p>Sold and sent by Card Cabin</p><p>None left at Card Cabin</p></div><div><p>Sold and sent by our partner <a href="/partners/c">Cardwick Ltd</a></p><p class="price">£89.99</p><p>In stock with the partner, 3 to 5 days</p><button>Buy from Cardwick</button></div>`,
    ),
    expected: { availability: 'out_of_stock', detail: 'marketplace_only', price: null },
  },
];

describe('what stands beside the product', () => {
  testCases(CASES);
});
