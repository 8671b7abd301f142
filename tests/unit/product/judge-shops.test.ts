import { describe } from 'vitest';
import { type Expected, linkedData, NAME, type ProductCase, shopPage, testCases } from './product-pages';

const box = (inner: string): string => `<div class="detail"><h1>${NAME}</h1>${inner}</div>`;

/** Label, price as written, price as read, line of stock, button, availability. */
const LANGUAGES: ReadonlyArray<readonly [string, string, string, string, string, Expected['availability']]> =
  [
    ['de', '1.299,00 €', '1299.00 EUR', 'Sofort lieferbar', '<button>In den Warenkorb</button>', 'in_stock'],
    [
      'de',
      '49,99 €',
      '49.99 EUR',
      'Derzeit nicht verfügbar',
      '<button>Benachrichtigen, sobald verfügbar</button>',
      'out_of_stock',
    ],
    [
      'de',
      '49,99 €',
      '49.99 EUR',
      'Erscheint am 26.02.2027',
      '<button>Jetzt vorbestellen</button>',
      'preorder',
    ],
    [
      'de',
      '49,99 €',
      '49.99 EUR',
      'Nur noch 3 auf Lager',
      '<button>In den Einkaufswagen</button>',
      'limited',
    ],
    ['fr', '49,90 €', '49.90 EUR', 'En stock', '<button>Ajouter au panier</button>', 'in_stock'],
    [
      'fr',
      '49,90 €',
      '49.90 EUR',
      'Rupture de stock',
      '<button disabled>Ajouter au panier</button>',
      'out_of_stock',
    ],
    ['fr', '49,90 €', '49.90 EUR', 'Sortie le 26 février 2027', '<button>Précommander</button>', 'preorder'],
    ['es', '49,95 €', '49.95 EUR', 'Disponible', '<button>Añadir al carrito</button>', 'in_stock'],
    [
      'es',
      '49,95 €',
      '49.95 EUR',
      'Agotado',
      '<button>Avísame cuando esté disponible</button>',
      'out_of_stock',
    ],
    [
      'it',
      '49,95 €',
      '49.95 EUR',
      'Disponibilità immediata',
      '<button>Aggiungi al carrello</button>',
      'in_stock',
    ],
    ['it', '49,95 €', '49.95 EUR', 'Non disponibile', '<button>Avvisami</button>', 'out_of_stock'],
    ['nl', '€ 49,95', '49.95 EUR', 'Op voorraad', '<button>In winkelwagen</button>', 'in_stock'],
    [
      'nl',
      '€ 49,95',
      '49.95 EUR',
      'Niet op voorraad',
      '<button>Houd me op de hoogte</button>',
      'out_of_stock',
    ],
    ['nl', '€ 49,95', '49.95 EUR', 'Uitverkocht', '', 'out_of_stock'],
    ['pl', '199,99 zł', '199.99 PLN', 'Produkt dostępny', '<button>Dodaj do koszyka</button>', 'in_stock'],
    [
      'pl',
      '199,99 zł',
      '199.99 PLN',
      'Produkt niedostępny',
      '<button>Powiadom o dostępności</button>',
      'out_of_stock',
    ],
    ['pl', '199,99 zł', '199.99 PLN', 'Ostatnie sztuki', '<button>Do koszyka</button>', 'limited'],
    ['sv', '499 kr', '499.00 SEK', 'I lager', '<button>Lägg i varukorgen</button>', 'in_stock'],
    ['sv', '499 kr', '499.00 SEK', 'Slut i lager', '<button>Bevaka</button>', 'out_of_stock'],
  ];

/** What stands where the price is, and the price. */
const PRICES: ReadonlyArray<readonly [string, string]> = [
  ['<p class="price">£49<sup>.99</sup></p>', '49.99 GBP'],
  ['<p class="price">£49<sup>99</sup></p>', '49.99 GBP'],
  ['<p class="price"><span class="pounds">£49</span><span class="pence">99</span></p>', '49.99 GBP'],
  ['<p class="price"><span>RRP £59.99</span> <b>£49.99</b></p>', '49.99 GBP'],
  ['<p class="price">Was £59.99 Now £49.99</p>', '49.99 GBP'],
  ['<p class="price">Was £59.99, now £49.99. Save £10.00</p>', '49.99 GBP'],
  ['<p class="price">£49.99 <s>£59.99</s></p>', '49.99 GBP'],
  ['<p class="price"><span style="text-decoration: line-through">£59.99</span> £49.99</p>', '49.99 GBP'],
  ['<p class="price">£49.99</p><p>or 3 interest-free payments of £16.66 with Klarna</p>', '49.99 GBP'],
  ['<p>From £4.17 a month</p><p class="price">£49.99</p>', '49.99 GBP'],
  ['<p class="price">£49.99</p><p>(£5.55 per pack)</p>', '49.99 GBP'],
  ['<p class="price">£49.99</p><p>Delivery £3.95</p>', '49.99 GBP'],
  ['<p>Members pay £44.99</p><p class="price">£49.99</p>', '49.99 GBP'],
  ['<p class="price">£49.99 inc. VAT</p><p class="price-ex">£41.66 ex. VAT</p>', '49.99 GBP'],
  ['<dl><dt>RRP</dt><dd>£59.99</dd><dt>Our price</dt><dd>£49.99</dd></dl>', '49.99 GBP'],
  ['<p class="price">£1,249.00</p>', '1249.00 GBP'],
  ['<p class="price">49.99 GBP</p>', '49.99 GBP'],
  ['<p class="price">£ 49.99</p>', '49.99 GBP'],
  ['<p class="price">£49</p>', '49.00 GBP'],
  ['<p class="old-price">£59.99</p><p class="special-price">£49.99</p>', '49.99 GBP'],
  ['<p class="price">£49.99</p><p class="trade-in">Trade in for £20.00 cash</p>', '49.99 GBP'],
  ['<p class="price">£0.00</p>', 'none'],
];

const CASES: ProductCase[] = [
  ...LANGUAGES.map(([lang, price, read, line, button, availability]): ProductCase => ({
    name: `${lang}: ${line}, ${button.replaceAll(/<[^>]+>/g, '')}`,
    body: shopPage(
      box(`<div class="preis">${price.replace(' ', '&nbsp;')}</div><p class="verf">${line}</p>${button}`),
      { lang },
    ),
    expected: { availability, price: read },
  })),
  ...PRICES.map(([html, price]): ProductCase => ({
    name: `price: ${html}`,
    body: shopPage(box(`${html}<p>In stock</p><button>Add to basket</button>`)),
    expected: { availability: 'in_stock', price: price === 'none' ? null : price },
  })),
  {
    name: 'a member price in JSON-LD',
    body: shopPage(box('<p>In stock</p><button>Add to basket</button>'), {
      head: linkedData({
        availability: 'InStock',
        priceSpecification: [
          {
            '@type': 'UnitPriceSpecification',
            price: 44.99,
            priceCurrency: 'GBP',
            validForMemberTier: { '@type': 'MemberProgramTier', name: 'Gold' },
          },
          { '@type': 'UnitPriceSpecification', price: '1,049.99', priceCurrency: 'GBP' },
        ],
      }),
    }),
    expected: { availability: 'in_stock', price: '1049.99 GBP' },
  },
  {
    name: 'the visible currency beats the markup',
    body: shopPage(box('<p class="price">£49.99</p><button>Add to basket</button>'), {
      head: linkedData({ price: '62.00', priceCurrency: 'USD', availability: 'InStock' }),
    }),
    expected: { availability: 'in_stock', price: '49.99 GBP' },
  },
  {
    name: 'Shopify section rendering',
    body: `<div id="shopify-section-main" class="shopify-section"><div class="product"><h1>${NAME}</h1><div class="price">£49.99</div><button name="add" type="submit" disabled>Sold out</button></div></div>`,
    expected: { availability: 'out_of_stock', price: '49.99 GBP', title: NAME },
  },
  {
    name: 'Shopify variants in a data block, swatches, none of the address',
    body: shopPage(
      box(
        `<p class="price">£9.99</p><fieldset><legend>Design</legend><input type="radio" id="o1" name="Design" value="Fox" checked class="disabled"><label for="o1">Fox<span class="visually-hidden">Variant sold out or unavailable</span></label><input type="radio" id="o2" name="Design" value="Stag"><label for="o2">Stag</label></fieldset><script type="application/json" data-selected-variant>[{"id":1,"title":"Fox","option1":"Fox","available":false,"price":999,"compare_at_price":null},{"id":2,"title":"Stag","option1":"Stag","available":true,"price":999,"compare_at_price":null}]</script><form action="/cart/add"><button name="add" disabled><span>Sold out</span></button></form>`,
      ),
    ),
    expected: {
      availability: 'in_stock',
      variants: { Fox: 'out_of_stock', Stag: 'in_stock' },
      price: '9.99 GBP',
    },
  },
  {
    name: 'Imperva of a toy shop',
    body: '<html><head><title>Pardon Our Interruption</title></head><body><h1>Additional security check is required</h1><iframe src="/_Incapsula_Resource?CWUDNSAI=23&xinfo=1"></iframe></body></html>',
    expected: { availability: 'unknown', reason: 'blocked', title: null },
  },
  {
    name: 'rate limited',
    body: '<html><body><h1>Too many requests</h1></body></html>',
    status: 429,
    expected: { availability: 'unknown', reason: 'blocked' },
  },
  {
    name: 'refused',
    body: "<html><head><title>Access Denied</title></head><body><h1>Access Denied</h1>You don't have permission to access this server. Reference #18.2d3</body></html>",
    status: 403,
    expected: { availability: 'unknown', reason: 'blocked' },
  },
  {
    name: 'maintenance',
    body: '<html><head><title>Down for maintenance</title></head><body><h1>We will be back soon</h1><p>Our shop is down for maintenance.</p></body></html>',
    status: 503,
    expected: { availability: 'unknown', reason: 'error' },
  },
  {
    name: 'soft 404 of a product',
    body: shopPage('<h1>Sorry, this product could not be found</h1><p>It may have been removed.</p>', {
      title: 'Not found',
    }),
    expected: { availability: 'unknown', title: null },
  },
  {
    name: 'a search without results',
    body: shopPage('<h1>Search results</h1><p>Nothing matches.</p>', { title: 'Search' }),
    url: 'https://cardcabin.example/search?q=x',
    requested: 'https://cardcabin.example/products/amber-tide-elite-trainer-box',
    expected: { availability: 'unknown' },
  },
  {
    name: 'no longer available',
    body: shopPage(box('<p class="msg">Sorry, this product is no longer available.</p>')),
    expected: { availability: 'unknown', reason: 'discontinued', title: NAME },
  },
  {
    name: 'sold out with other editions beside',
    body: shopPage(
      `${box('<p class="price">£49.99</p><p class="stock">Sold out</p>')}<div class="editions"><h3>Other editions</h3><a href="/products/amber-tide-pc">Amber Tide Pokemon Center Elite Trainer Box</a> <span>£79.99</span> <button>Add to basket</button></div>`,
    ),
    expected: { availability: 'out_of_stock', price: '49.99 GBP' },
  },
  {
    name: 'an accordion of questions',
    body: shopPage(
      box(
        '<p class="price">£49.99</p><button>Notify me when available</button><div class="faq"><h3>Is it in stock?</h3><p>In stock items can be added to your basket.</p></div>',
      ),
    ),
    expected: { availability: 'out_of_stock' },
  },
  {
    name: 'reviews speak of stock',
    body: shopPage(
      box(
        '<p class="price">£49.99</p><p>In stock</p><button>Add to basket</button><div id="reviews"><p>Sold out</p><p>Out of stock for weeks</p></div>',
      ),
    ),
    expected: { availability: 'in_stock', strength: 'strong' },
  },
  {
    name: 'usually dispatched within weeks',
    body: shopPage(
      box(
        '<p class="price">£49.99</p><p id="availability">Usually dispatched within 3 to 4 weeks</p><button>Add to basket</button>',
      ),
    ),
    expected: { availability: 'preorder', detail: 'backorder' },
  },
  {
    name: 'collection only',
    body: shopPage(
      box(
        '<p class="price">£49.99</p><p>Delivery: unavailable</p><p>Collection: in stock at 3 stores near you</p><button disabled>Add to basket</button>',
      ),
    ),
    expected: { availability: 'out_of_stock', detail: 'in_store_only', price: '49.99 GBP' },
  },
  {
    name: 'an expected arrival',
    body: shopPage(
      box('<p class="price">£49.99</p><p>Due in stock 12 December 2026</p><button>Pre-order now</button>'),
    ),
    expected: { availability: 'preorder' },
  },
  {
    name: 'a button drawn later, line in stock',
    body: shopPage(box('<p class="price">£49.99</p><p class="stock">In stock</p><div id="buy"></div>')),
    expected: { availability: 'in_stock', strength: 'weak' },
  },
  {
    name: 'zero in stock',
    body: shopPage(box('<p class="price">£49.99</p><p>0 in stock</p>')),
    expected: { availability: 'out_of_stock' },
  },
  {
    name: 'stock as a number',
    body: shopPage(
      box('<p class="price">£49.99</p><p>Stock: 12</p><input type="submit" value="Add to cart">'),
    ),
    expected: { availability: 'in_stock' },
  },
  {
    name: 'header says in stock items',
    body: shopPage(box('<p class="price">£49.99</p><p>Out of stock</p>'), {
      head: linkedData({ price: '49.99', availability: 'InStock' }),
    }),
    expected: { availability: 'out_of_stock', strength: 'weak' },
  },
  {
    name: 'microdata out, button on',
    body: shopPage(
      `<div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">${NAME}</h1><div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><span itemprop="price">49.99</span><meta itemprop="priceCurrency" content="GBP"><link itemprop="availability" href="http://schema.org/InStock"></div><button>Add to basket</button></div>`,
    ),
    expected: { availability: 'in_stock', price: '49.99 GBP' },
  },
  {
    name: 'a page in an app with React state',
    body: shopPage(`<h1>${NAME}</h1>`, {
      after: `<script>window.__INITIAL_STATE__ = JSON.parse("${JSON.stringify({ pdp: { productName: NAME, sellable: true, price: { current: 49.99, currency: 'GBP' } } }).replaceAll('"', '\\"')}");</script>`,
    }),
    expected: { availability: 'in_stock', price: '49.99 GBP', strength: 'weak' },
  },
];

describe('languages, prices and shops', () => {
  testCases(CASES);
});
