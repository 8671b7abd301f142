import { describe } from 'vitest';
import { box, BUY, linkedData, NAME, priced, type ProductCase, shopPage, testCases } from './product-pages';

const CASES: ProductCase[] = [
  {
    name: 'a hidden badge says sold out',
    body: shopPage(
      priced(`<span style="display:none">Sold out</span><span class="hidden">Out of stock</span>${BUY}`),
    ),
    expected: { availability: 'in_stock', price: '49.99 GBP' },
  },
  {
    name: 'a comment and a script say sold out',
    body: shopPage(
      priced(
        `<!-- Sold out --><script>var texts = { soldOut: "Sold out", available: false };</script><template>Sold out</template>${BUY}`,
      ),
    ),
    expected: { availability: 'in_stock' },
  },
  {
    name: 'all texts of one button are in its attributes',
    body: shopPage(
      priced(
        '<button data-sold-out="Sold out" data-preorder="Pre-order" data-text="Add to cart" disabled>Sold out</button>',
      ),
    ),
    expected: { availability: 'out_of_stock' },
  },
  {
    name: 'delivery notes speak of stock',
    body: shopPage(
      priced(
        '<p>Sold out</p><div class="tabs"><p>In stock items leave today. Add to basket before 3pm.</p></div>',
      ),
    ),
    expected: { availability: 'out_of_stock' },
  },
  {
    name: 'a frequently bought together box can be bought',
    body: shopPage(
      `${priced('<p class="stock">Out of stock</p>')}<div class="fbt"><h2>Frequently bought together</h2><p>Total: £61.98</p><button>Add both to basket</button></div>`,
    ),
    expected: { availability: 'out_of_stock', price: '49.99 GBP' },
  },
  {
    name: 'a carousel without names: its cards have headings and links',
    body: shopPage(
      `${priced('<button disabled>Sold out</button>')}<div class="x1"><div class="x2"><a href="/p/1"><h4>Moss Court Mini Tin</h4></a><b>£9.99</b><button>Add to basket</button></div><div class="x2"><a href="/p/2"><h4>Iron Lark Binder</h4></a><b>£19.99</b><button>Add to basket</button></div></div>`,
    ),
    expected: { availability: 'out_of_stock', price: '49.99 GBP' },
  },
  {
    name: 'a promoted product without link can be bought, this one shows nothing',
    body: shopPage(
      `${box('<p class="price">£49.99</p><p>Temporarily out of stock</p>')}<div class="promo"><h3>Gift wrapping kit</h3><span>£4.00</span><button>Add to basket</button></div>`,
    ),
    expected: { availability: 'out_of_stock', price: '49.99 GBP' },
  },
  {
    name: 'JSON-LD of another product is in stock, nothing else',
    body: shopPage(priced('<p>A fine box.</p>'), {
      head: linkedData(
        { price: '9.99', availability: 'https://schema.org/InStock' },
        { name: 'Moss Court Mini Tin' },
      ),
    }),
    expected: { availability: 'unknown', reason: 'unrecognised', title: NAME },
  },
  {
    name: 'JSON-LD lists others beside this product',
    body: shopPage(priced('<button disabled>Add to basket</button>'), {
      head: `${linkedData({ price: '49.99', availability: 'https://schema.org/OutOfStock' })}${linkedData({ price: '5.00', availability: 'https://schema.org/InStock' }, { name: 'Moss Court Mini Tin' })}`,
    }),
    expected: { availability: 'out_of_stock' },
  },
  {
    name: 'no button, no line, no markup: nothing is known',
    body: shopPage(priced('<p>Nine boosters.</p>')),
    expected: { availability: 'unknown', reason: 'unrecognised', price: '49.99 GBP', title: NAME },
  },
  {
    name: 'Open Graph alone',
    body: shopPage(priced(''), {
      head: '<meta property="og:type" content="product"><meta property="product:availability" content="in stock"><meta property="product:price:amount" content="49.99"><meta property="product:price:currency" content="GBP">',
    }),
    expected: { availability: 'in_stock', strength: 'weak', price: '49.99 GBP' },
  },
  {
    name: 'RDFa',
    body: shopPage(
      `<div vocab="https://schema.org/" typeof="Product"><h1 property="name">${NAME}</h1><div property="offers" typeof="Offer"><span property="priceCurrency" content="GBP">£</span><span property="price" content="49.99">49.99</span><link property="availability" href="https://schema.org/OutOfStock"></div></div>`,
    ),
    expected: { availability: 'out_of_stock', price: '49.99 GBP', title: NAME },
  },
  {
    name: 'an AggregateOffer of variants',
    body: shopPage(priced(''), {
      head: linkedData(
        {},
        {
          offers: {
            '@type': 'AggregateOffer',
            lowPrice: '49.99',
            highPrice: '59.99',
            priceCurrency: 'GBP',
            availability: 'https://schema.org/InStock',
          },
        },
      ),
    }),
    expected: { availability: 'in_stock', price: '49.99 GBP' },
  },
  {
    name: 'a ProductGroup: one variant left',
    body: shopPage(box('<p class="price">£9.99</p>'), {
      head: `<script type="application/ld+json">${JSON.stringify({
        '@context': 'https://schema.org',
        '@type': 'ProductGroup',
        name: NAME,
        hasVariant: [
          ['Fox', 'OutOfStock'],
          ['Stag', 'InStock'],
        ].map(([name, state], index) => ({
          '@type': 'Product',
          name: `${NAME} - ${name}`,
          sku: `S${index}`,
          offers: {
            '@type': 'Offer',
            price: 9.99,
            priceCurrency: 'GBP',
            availability: `https://schema.org/${state}`,
          },
        })),
      })}</script>`,
    }),
    expected: {
      availability: 'in_stock',
      variants: { Fox: 'out_of_stock', Stag: 'in_stock' },
      price: '9.99 GBP',
    },
  },
  {
    name: 'broken JSON-LD with a raw line break and a comma too many',
    body: shopPage(priced(''), {
      head: `<script type="application/ld+json">//<![CDATA[\n{"@context":"https://schema.org","@type":"Product","name":"${NAME}","description":"two\nlines",,"offers":{"@type":"Offer","price":"49.99","priceCurrency":"GBP","availability":"OutOfStock",}}\n//]]></script>`,
    }),
    expected: { availability: 'out_of_stock' },
  },
  {
    name: 'a waitlist instead of the button',
    body: shopPage(priced('<button>Join the waitlist</button>')),
    expected: { availability: 'out_of_stock' },
  },
  {
    name: 'a ballot',
    body: shopPage(
      priced('<p>Entries close on Sunday.</p><a class="btn" href="/ballot/1">Enter the ballot</a>'),
    ),
    expected: { availability: 'out_of_stock', detail: 'ballot' },
  },
  {
    name: 'coming soon, tell me',
    body: shopPage(priced('<p class="stock">Coming soon</p><button>Notify me</button>')),
    expected: { availability: 'out_of_stock', detail: 'coming_soon' },
  },
  {
    name: 'register your interest',
    body: shopPage(priced('<a class="button" href="#interest">Register your interest</a>')),
    expected: { availability: 'out_of_stock' },
  },
  {
    name: 'in store only',
    body: shopPage(
      priced(
        '<p class="availability">Available in store only</p><a href="/stores" class="btn">Find your nearest store</a>',
      ),
    ),
    expected: { availability: 'out_of_stock', detail: 'in_store_only' },
  },
  {
    name: 'JSON-LD says InStoreOnly',
    body: shopPage(priced(''), {
      head: linkedData({ price: '49.99', availability: 'https://schema.org/InStoreOnly' }),
    }),
    expected: { availability: 'out_of_stock', detail: 'in_store_only' },
  },
  {
    name: 'collection is out, delivery is in',
    body: shopPage(
      priced(`<ul><li>Home delivery: in stock</li><li>Click &amp; collect: out of stock</li></ul>${BUY}`),
    ),
    expected: { availability: 'in_stock' },
  },
  {
    name: 'a button that waits for a choice says nothing, the options do',
    body: shopPage(
      priced(
        '<select name="style"><option value="">Choose a style</option><option value="1">Fox</option><option value="2" disabled>Stag - Sold out</option></select><button disabled>Add to basket</button>',
      ),
    ),
    expected: { availability: 'in_stock', variants: { Fox: 'in_stock', Stag: 'out_of_stock' } },
  },
  {
    name: 'pre-order with a date and a plain button',
    body: shopPage(priced(`<p class="release">Pre-order: released 20 February 2027</p>${BUY}`), {
      head: linkedData({ price: '49.99', availability: 'https://schema.org/InStock' }),
    }),
    expected: { availability: 'preorder', detail: 'release' },
  },
  {
    name: 'pre-orders are closed',
    body: shopPage(priced('<p>Pre-orders are now closed.</p><button disabled>Pre-order</button>')),
    expected: { availability: 'out_of_stock' },
  },
  {
    name: 'discontinued',
    body: shopPage(priced('<p class="notice">We no longer sell this product.</p>'), {
      head: linkedData({ price: '49.99', availability: 'https://schema.org/InStock' }),
    }),
    expected: { availability: 'unknown', reason: 'discontinued', title: NAME },
  },
  {
    name: 'gone for good',
    body: shopPage('<h1>This page has gone</h1>'),
    status: 410,
    expected: { availability: 'unknown', reason: 'discontinued' },
  },
  {
    name: 'gone for good: the heading has the words of the address',
    body: shopPage(
      `<section><h1>${NAME}</h1><p><strong>Retired product.</strong> We no longer sell this item.</p></section>`,
    ),
    status: 410,
    expected: { availability: 'unknown', reason: 'discontinued', title: NAME, price: null },
  },
  {
    name: 'gone for good: the title element repeats the heading above a sentence about this product',
    body: shopPage(`<h1>${NAME}</h1><p>Dieses Produkt wird nicht mehr hergestellt.</p>`, { lang: 'de' }),
    url: 'https://cardcabin.example/p/40311',
    status: 410,
    expected: { availability: 'unknown', reason: 'discontinued', title: NAME },
  },
  {
    name: 'gone for good: a heading that names no product',
    body: shopPage('<h1>Gone fishing</h1><p>Look at our other sets.</p>', { title: 'Gone fishing' }),
    url: 'https://cardcabin.example/p/40311',
    status: 410,
    expected: { availability: 'unknown', reason: 'discontinued', title: null },
  },
  {
    name: 'a missing page with status 200',
    body: shopPage('<h1>Page not found</h1><p>Sorry, we cannot find the page you are looking for.</p>', {
      title: 'Page not found',
    }),
    expected: { availability: 'unknown', reason: 'error', title: null },
  },
  {
    name: 'a server error',
    body: '<html><body><h1>502 Bad Gateway</h1></body></html>',
    status: 502,
    expected: { availability: 'unknown', reason: 'error' },
  },
  { name: 'an empty answer', body: '', expected: { availability: 'unknown', reason: 'error' } },
  {
    name: 'a product with status 404 that is sold out',
    body: shopPage(priced('<p>Sold out</p>')),
    status: 404,
    expected: { availability: 'out_of_stock', title: NAME },
  },
  {
    name: 'a product page with status 503 that sells',
    body: shopPage(priced(`<p>In stock</p>${BUY}`)),
    status: 503,
    expected: { availability: 'in_stock' },
  },
  {
    name: 'the category instead of the product',
    body: shopPage(
      `<h1>Trainer boxes</h1><ul>${['Moss Court Mini Tin', 'Iron Lark Binder', 'Cinder Vale Box'].map((name) => `<li class="item"><a href="/p/${name.length}"><img alt="${name}" src="/x.jpg"><h2>${name}</h2></a><span class="price">£9.99</span><button>Add to basket</button></li>`).join('')}</ul>`,
      { title: 'Trainer boxes | Card Cabin' },
    ),
    url: 'https://cardcabin.example/collections/trainer-boxes',
    expected: { availability: 'unknown', reason: 'not_a_product', title: null, price: null },
  },
  {
    name: 'a category with a single product',
    body: shopPage(
      '<h1>Trainer boxes</h1><ul><li class="item"><a href="/p/9"><img alt="Moss Court Mini Tin" src="/x.jpg"><h2>Moss Court Mini Tin</h2></a><span class="price">£9.99</span><button>Add to basket</button></li></ul>',
      { title: 'Trainer boxes | Card Cabin' },
    ),
    url: 'https://cardcabin.example/collections/trainer-boxes',
    requested: 'https://cardcabin.example/products/amber-tide-elite-trainer-box',
    expected: { availability: 'unknown', reason: 'not_a_product' },
  },
  {
    name: 'redirected to another product',
    body: shopPage(`<h1>Moss Court Mini Tin</h1><p class="price">£9.99</p><p>In stock</p>${BUY}`, {
      title: 'Moss Court Mini Tin | Card Cabin',
    }),
    requested: 'https://cardcabin.example/products/amber-tide-elite-trainer-box',
    url: 'https://cardcabin.example/products/moss-court-mini-tin',
    expected: { availability: 'unknown', reason: 'not_a_product' },
  },
  {
    name: 'redirected to the next edition',
    body: shopPage(`<h1>Saltmarsh, Second Edition</h1><p class="price">£44.99</p><p>In stock</p>${BUY}`, {
      title: 'Saltmarsh, Second Edition | Card Cabin',
    }),
    requested: 'https://cardcabin.example/products/saltmarsh-first-edition',
    url: 'https://cardcabin.example/products/saltmarsh-second-edition',
    expected: { availability: 'unknown', reason: 'not_a_product' },
  },
  {
    name: 'redirected to a longer address of the same product',
    body: shopPage(`<h1>Saltmarsh Trainer Box</h1><p class="price">£44.99</p><p>In stock</p>${BUY}`, {
      title: 'Saltmarsh Trainer Box | Card Cabin',
    }),
    requested: 'https://cardcabin.example/products/saltmarsh-trainer-box',
    url: 'https://cardcabin.example/products/saltmarsh-trainer-box-first-edition',
    expected: { availability: 'in_stock' },
  },
  {
    name: 'redirected to another way to write the same edition',
    body: shopPage(`<h1>Saltmarsh Volume 2</h1><p class="price">£44.99</p><p>In stock</p>${BUY}`, {
      title: 'Saltmarsh Volume 2 | Card Cabin',
    }),
    requested: 'https://cardcabin.example/2026/saltmarsh-vol-2',
    url: 'https://cardcabin.example/books/saltmarsh-volume-2-2026',
    expected: { availability: 'in_stock' },
  },
  {
    name: 'only an opened one is left',
    body: shopPage(
      `<h1>${NAME}</h1><div class="row off"><b>New</b> <span>£49.99</span> <span>No longer in stock</span></div><div class="row on"><b>Open box</b> <span>£39.99</span> <span>1 available</span> <button>Add open-box item to basket</button></div>`,
      { head: linkedData({ price: '39.99', availability: 'https://schema.org/InStock' }) },
    ),
    expected: { availability: 'out_of_stock', detail: 'used_only', price: '49.99 GBP' },
  },
  {
    name: 'how fast it sold out before',
    body: shopPage(priced(`${BUY}<p>Woven in Selkirk from new wool. Sold out in a week last autumn.</p>`)),
    expected: { availability: 'in_stock' },
  },
  {
    name: 'a group of variants between comments of CDATA',
    body: shopPage(priced(''), {
      head: `<script type="application/ld+json">
/*<![CDATA[*/
{"@context":"https://schema.org","@type":"ProductGroup","name":"${NAME}","hasVariant":[{"@type":"Product","name":"${NAME} - Night","offers":{"@type":"Offer","price":"49.99","priceCurrency":"GBP","availability":"OutOfStock"}},{"@type":"Product","name":"${NAME} - Dawn","offers":{"@type":"Offer","price":"49.99","priceCurrency":"GBP","availability":"InStock"}}]}
/*]]>*/
</script>`,
    }),
    expected: { availability: 'in_stock' },
  },
  {
    name: 'a page of a site that knows no products',
    body: '<!doctype html><html><head><title>App</title></head><body><div id="root"></div><script src="/a.js"></script></body></html>',
    expected: { availability: 'unknown', reason: 'unrecognised', title: null, price: null },
  },
  {
    name: 'GTIN with a wrong check digit',
    body: shopPage(priced(BUY), {
      head: linkedData({ price: '49.99', availability: 'InStock' }, { gtin13: '5026420066132' }),
    }),
    expected: { availability: 'in_stock', gtin: null },
  },
  {
    name: 'GTIN in a line',
    body: shopPage(priced(`${BUY}<table><tr><th>EAN</th><td>5026420066131</td></tr></table>`)),
    expected: { availability: 'in_stock', gtin: '5026420066131' },
  },
  {
    name: 'another seller',
    body: shopPage(priced(`<p>In stock</p><p>Sold by <a href="/seller/1">Foil Barn</a></p>${BUY}`)),
    expected: { availability: 'out_of_stock', detail: 'marketplace_only', price: null, seller: 'Foil Barn' },
  },
  {
    name: 'sold by the shop',
    body: shopPage(priced(`<p>In stock</p><p>Dispatched from and sold by Card Cabin</p>${BUY}`)),
    expected: { availability: 'in_stock', seller: 'Card Cabin' },
  },
  {
    name: 'see all buying options',
    body: shopPage(
      box('<p>No featured offers available</p><a class="btn" href="/offers">See all buying options</a>'),
    ),
    expected: { availability: 'out_of_stock', detail: 'marketplace_only', price: null },
  },
  {
    name: 'used in markup',
    body: shopPage(priced(BUY), {
      head: linkedData({
        price: '49.99',
        availability: 'InStock',
        itemCondition: 'https://schema.org/UsedCondition',
      }),
    }),
    expected: { availability: 'out_of_stock', detail: 'used_only' },
  },
  {
    name: 'WooCommerce Store API',
    body: JSON.stringify({
      id: 9,
      name: NAME,
      slug: 'a',
      prices: { price: '4495', regular_price: '4995', currency_code: 'GBP', currency_minor_unit: 2 },
      is_purchasable: true,
      is_in_stock: true,
      is_on_backorder: false,
      low_stock_remaining: 2,
      add_to_cart: { text: 'Add to basket' },
      variations: [],
    }),
    headers: { 'content-type': 'application/json' },
    expected: {
      availability: 'limited',
      detail: 'low_stock',
      strength: 'strong',
      price: '44.95 GBP',
      title: NAME,
    },
  },
  {
    name: 'WooCommerce Store API, on back-order, in a list of one',
    body: JSON.stringify([
      {
        id: 9,
        name: NAME,
        prices: { price: '4495', currency_code: 'EUR', currency_minor_unit: 2 },
        is_in_stock: true,
        is_on_backorder: true,
        low_stock_remaining: null,
      },
    ]),
    headers: { 'content-type': 'application/json' },
    expected: { availability: 'preorder', detail: 'backorder', price: '44.95 EUR' },
  },
  {
    name: "Shopify's JSON with variants, one named by the address",
    body: JSON.stringify({
      id: 1,
      title: NAME,
      handle: 'x',
      price: 999,
      available: true,
      variants: [
        { id: 11, title: 'Fox', option1: 'Fox', available: false, price: 999, barcode: '' },
        { id: 12, title: 'Stag', option1: 'Stag', available: true, price: 1299, barcode: '' },
      ],
    }),
    headers: { 'content-type': 'text/javascript' },
    url: 'https://cardcabin.example/products/x.js?variant=11',
    expected: {
      availability: 'out_of_stock',
      price: '9.99 GBP',
      variants: { Fox: 'out_of_stock', Stag: 'in_stock' },
    },
  },
  {
    name: 'JSON of an error',
    body: '{"code":"rest_no_route","message":"No route was found","data":{"status":404}}',
    status: 404,
    headers: { 'content-type': 'application/json' },
    expected: { availability: 'unknown', reason: 'error' },
  },
  {
    name: 'state of a store in a script',
    body: shopPage(`<h1>${NAME}</h1><div id="app"></div>`, {
      after: `<script>window.__STATE__ = ${JSON.stringify({ product: { name: NAME, sku: '1', stockStatus: 'OUT_OF_STOCK', price: 49.99 }, cart: { items: [] }, recommendations: [{ name: 'Moss Court Mini Tin', stockStatus: 'IN_STOCK', price: 9.99 }] })};</script>`,
    }),
    expected: { availability: 'out_of_stock', price: '49.99 GBP' },
  },
  {
    name: 'data that name the product say out: its script may yet turn off the button that it drew',
    body: shopPage(priced(BUY), {
      after: `<script id="__NEXT_DATA__" type="application/json">${JSON.stringify({ props: { product: { title: NAME, available: false } } })}</script>`,
    }),
    expected: { availability: 'out_of_stock', strength: 'weak' },
  },
  {
    name: 'such data beside a button and a line that sell',
    body: shopPage(priced(`<p>In stock</p>${BUY}`), {
      after: `<script id="__NEXT_DATA__" type="application/json">${JSON.stringify({ props: { product: { title: NAME, available: false } } })}</script>`,
    }),
    expected: { availability: 'in_stock', strength: 'weak' },
  },
];

describe('traps', () => {
  testCases(CASES);
});
