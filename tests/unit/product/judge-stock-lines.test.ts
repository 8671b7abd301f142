import { describe, expect, test } from 'vitest';
import { box, BUY, IN, IN_MARKUP, judgeCase, priced, shopPage } from './product-pages';

/** What is on the page, the page, and the availabilities that are right. */
const PAGES: ReadonlyArray<readonly [name: string, body: string, right: readonly string[]]> = [
  ['sold price', shopPage(box('<p class="price">SOLD £49.99</p>'), { head: IN_MARKUP }), ['out_of_stock']],
  ['sold alone line', shopPage(priced('<p>SOLD</p>'), { head: IN_MARKUP }), ['out_of_stock']],
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
  ...[
    ['In stock on 14 January 2027. Order it now.', 'Add to basket'],
    ['Lieferbar ab 14. Januar 2027', 'In den Warenkorb'],
    ['Disponible à partir du 14 janvier 2027', 'Ajouter au panier'],
    ['Disponible a partir del 14 de enero de 2027', 'Añadir al carrito'],
    ['Disponibile dal 14 gennaio 2027', 'Aggiungi al carrello'],
    ['Leverbaar vanaf 14 januari 2027', 'In winkelwagen'],
    ['Dostępny od 14 stycznia 2027', 'Do koszyka'],
    ['Disponível a partir de 14 de janeiro de 2027', 'Adicionar ao carrinho'],
    ['I lager från den 14 januari 2027', 'Lägg i varukorgen'],
  ].map(([line = '', label = '']): [string, string, string[]] => [
    line,
    shopPage(priced(`<p>${line}</p><button>${label}</button>`)),
    ['preorder'],
  ]),
  ['never in stock', shopPage(priced('<p>We never have this in stock for long</p>')), ['unknown']],
  ['in stock rarely', shopPage(priced('<p>Rarely in stock</p>')), ['unknown', 'out_of_stock']],
  ['last in stock', shopPage(priced('<p>Last in stock: 4 October 2026</p>')), ['unknown', 'out_of_stock']],
  [
    'last seen in stock',
    shopPage(priced('<p>Last seen in stock 3 days ago</p>')),
    ['unknown', 'out_of_stock'],
  ],
  ['used: label', shopPage(priced(`<p>Condition: Pre-owned</p>${BUY}`)), ['out_of_stock']],
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
    'in baskets',
    shopPage(
      priced(
        `<p>Every last one is in someone's basket. Check back in ten minutes.</p><button disabled>Add to basket</button>`,
      ),
    ),
    ['out_of_stock'],
  ],
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
  ['sold out last time', shopPage(priced(`${BUY}<p>Our first batch sold out in 10 minutes!</p>`)), IN],
  ['in stock (5)', shopPage(priced(`<p>In stock (5)</p>${BUY}`)), IN],
  ['in stock: 5', shopPage(priced(`<p>In stock: 5</p>`)), IN],
  ['in stock: yes', shopPage(priced(`<table><tr><th>In stock</th><td>Yes</td></tr></table>`)), IN],
  ['stock table 7', shopPage(priced(`<table><tr><th>Stock</th><td>7</td></tr></table>`)), IN],
  ['available: 12', shopPage(priced(`<p>Quantity available: 12</p>${BUY}`)), IN],
  ['image in', shopPage(priced(`<img src="/in-stock.png" alt="In stock">${BUY}`)), IN],
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
  ['available from (multiple stores)', shopPage(priced('<p>Available from £49.99</p>' + BUY)), IN],
  ['stock photo', shopPage(priced(`${BUY}<p>Stock photo; box may differ</p>`)), IN],
  ['reviews none', shopPage(priced(`${BUY}<p>No reviews yet. Not yet rated.</p>`)), IN],
  ['out for delivery', shopPage(priced(`${BUY}<p>Orders go out of the warehouse daily</p>`)), IN],
];

describe('lines and tables about stock', () => {
  test.each(PAGES)('%s', (_name, body, right) => {
    const product = judgeCase({ body });
    expect(right, JSON.stringify(product, null, 1)).toContain(product.availability);
  });
});

/** Lines with the number of items, of which the first ones are few. */
const FEW = [
  '2 in stock',
  '3 in stock',
  'In stock: 2',
  'In stock (2)',
  'Stock: 3 units',
  '2 available',
  'Quantity available: 2',
  '2 copies in stock',
  '2 auf Lager',
  '2 Stück auf Lager',
  'Lagerbestand: 2',
  '2 en stock',
  '2 exemplaires en stock',
  '2 disponibili',
  '2 op voorraad',
  '2 szt. na stanie',
  '2 i lager',
  '2 på lager',
];
const MANY = [
  '12 in stock',
  '6 in stock',
  'In stock: 20',
  '2+ in stock',
  '3 in stock (can be backordered)',
  'In stock: 2-3 days',
  'In stock, 2 day delivery',
  'Auf Lager: 2-3 Tage',
  'In stock (2 day delivery)',
  'Stock: 2,500',
];

describe('numbers of items', () => {
  test.each(FEW)('%s: few', (line) => {
    const [label, value] = ['Status', line];
    for (const html of [`<p>${line}</p>`, `<DL><DT>${label}<DD>${value}<DT>Barcode<DD>5096348142323</DL>`])
      expect(judgeCase({ body: shopPage(priced(html + BUY)) })).toMatchObject({
        availability: 'limited',
        detail: 'low_stock',
      });
  });

  test.each(MANY)('%s: many', (line) => {
    expect(judgeCase({ body: shopPage(priced(`<p>${line}</p>${BUY}`)) }).availability).toBe('in_stock');
  });

  test.each(['Leeds store: 2 in stock', '0 in stock', '2 in stock at Leeds'])('%s: none here', (line) => {
    const { availability } = judgeCase({
      body: shopPage(priced(`<p>${line}</p><button disabled>Add to basket</button>`)),
    });
    expect(availability).toBe('out_of_stock');
  });
});
