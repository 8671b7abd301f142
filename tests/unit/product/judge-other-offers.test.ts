import { describe, expect, test } from 'vitest';
import { box, BUY, IN, judgeCase, NAME, OUTS, priced, shopPage } from './product-pages';

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
  ...[
    'Sold and dispatched by our partner Collect-A-Lot Ltd. Partner items cannot be returned to our shops.',
    'This item is sold by a third-party seller. See their returns policy.',
    'Verkauf und Versand durch einen externen Händler. Es gelten dessen Bedingungen.',
    'Vendu par un vendeur partenaire. Retours chez le vendeur.',
    'Verkocht door onze partner Kaartwinkel. Retourneren kan alleen bij hen.',
    'Ships from and sold by Collect-A-Lot',
    'Marketplace item, sold by Collect-A-Lot',
    'Fulfilled by a third-party seller',
    'Vendido e entregue por Cartas Lda',
    'Säljs av Kortboden AB',
    'Sælges af Kortboden ApS',
    'Sprzedaje i wysyła Karty Sp. z o.o.',
    '販売元: カード堂',
  ].map((line): [string, string, string[]] => [
    line,
    shopPage(priced(`<p>${line}</p><p>In stock</p>${BUY}`)),
    ['out_of_stock'],
  ]),
  ...[
    'Sold and dispatched by Card Cabin. Free returns.',
    'Sold by our own team in York. Ask us anything.',
    'Delivered by our trusted courier DPD. Track it all the way.',
    'Dispatched by our partner Royal Mail.',
    'Säljs av Card Cabin',
    '販売元: Card Cabin',
    'Never sold by third-party sellers: each box is from us.',
  ].map((line): [string, string, string[]] => [
    line,
    shopPage(priced(`<p>${line}</p><p>In stock</p>${BUY}`)),
    ['in_stock'],
  ]),
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
    'editions links sold out',
    shopPage(
      priced(`<p>In stock</p>${BUY}<ul><li><a href="/products/x">Collector edition (sold out)</a></li></ul>`),
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
    'unavailable colour',
    shopPage(
      priced(
        `<p>In stock</p><label><input type=radio name=c checked>Red</label><label class="unavailable"><input type=radio name=c disabled>Blue (sold out)</label>${BUY}`,
      ),
    ),
    IN,
  ],
];

describe('offers of other products, variants and sellers', () => {
  test.each(PAGES)('%s', (_name, body, right) => {
    const product = judgeCase({ body });
    expect(right, JSON.stringify(product, null, 1)).toContain(product.availability);
  });
});
