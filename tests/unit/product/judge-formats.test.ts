import { describe } from 'vitest';
import { box, BUY, linkedData, NAME, priced, type ProductCase, shopPage, testCases } from './product-pages';

// What stands beside the product on pages of real shops: other formats, other sellers, labels of prices, news.

const LISTED = (vendor: string) =>
  `<div class="product-list">${['Hollowpine Deck Box', 'Copper Fen Sleeves']
    .map(
      (name) =>
        `<div class="product-item"><a href="/products/${name.toLowerCase().replaceAll(' ', '-')}"><img alt=""></a><a class="product-item__vendor" href="/collections/vendors?q=Card+Maker">${vendor}</a><a href="/products/${name.toLowerCase().replaceAll(' ', '-')}">${name}</a><span class="price">£9.99</span><button type="submit">Add to cart</button></div>`,
    )
    .join('')}</div>`;

const JAPANESE = (rows: string) =>
  `<div class="detail"><h1>霧灯の詠 ブースターパック BOX</h1><form method="post" action="/basket/add"><table>${rows}</table><input type="submit" value="カートに入れる"></form></div>`;

const CASES: ProductCase[] = [
  {
    name: 'the brand in a list of others, which themes call a vendor, is no seller',
    body: shopPage(
      `${priced('<p class="stock">Sold out</p><button type="submit" disabled>Sold out</button>')}<section><h2>Complete the set</h2>${LISTED('Card Maker')}</section>`,
    ),
    expected: { availability: 'out_of_stock', detail: null, price: '49.99 GBP' },
  },
  {
    name: 'sellers of whom one has sold out, under a title of the shop’s own',
    body: shopPage(
      `${priced(`<p>In stock</p>${BUY}`)}<div><h2>Delivered in another way</h2><div class="alternative-sellers"><div class="alternative-seller">£38.00 Sold by Card King <a class="btn">Add to basket</a></div><div class="alternative-seller">Game Market: sold out</div></div></div>`,
    ),
    expected: { availability: 'in_stock', price: '49.99 GBP', seller: null },
  },
  {
    name: 'rows of offers by sellers, of which the last has no button',
    body: shopPage(
      `${priced(`<p>In stock</p>${BUY}`)}<ul><li class="offer"><a href="/sellers/card-king">Card King</a> £38.00 <button>Add to basket</button></li><li class="offer"><a href="/sellers/moon-cards">Moon Cards</a> £39.00 <button>Add to basket</button></li><li class="offer">Game Market: sold out</li></ul>`,
    ),
    expected: { availability: 'in_stock', price: '49.99 GBP' },
  },
  {
    name: 'a digital edition that is gone, beside the boxed one',
    body: shopPage(
      box(
        `<div><h2>New</h2><p>In stock</p><p>£34.99</p>${BUY}</div><div><h2>Digital edition</h2><p>Out of stock</p></div>`,
      ),
    ),
    expected: { availability: 'in_stock', price: '34.99 GBP' },
  },
  {
    name: 'a digital edition that can be bought, beside the boxed one that is gone',
    body: shopPage(
      box(
        `<div><h2>New</h2><p>£34.99</p><p>Out of stock</p></div><div><h2>Digital edition</h2><p>£12.00</p>${BUY}</div>`,
      ),
    ),
    expected: { availability: 'out_of_stock' },
  },
  {
    name: 'buying options in an aside, with their own titles',
    body: shopPage(
      `<h1>${NAME}</h1><aside class="options"><h2>Buying options</h2><h3>New</h3><p>In stock</p><p>£34.99</p>${BUY}</aside>`,
    ),
    expected: { availability: 'in_stock', price: '34.99 GBP' },
  },
  {
    name: 'rows that name amounts are no variants, whatever is struck in them',
    body: shopPage(
      JAPANESE(
        '<tr><th>定価</th><td><s>6,600円(税込)</s></td></tr><tr><th>販売価格</th><td>5,500円(税込)</td></tr><tr><th>会員価格</th><td>5,280円</td></tr><tr><th>在庫</th><td>8</td></tr><tr><th>購入数</th><td><input type="text" name="num" value="1"></td></tr>',
      ),
      { lang: 'ja' },
    ),
    expected: { availability: 'in_stock', variants: {} },
  },
  {
    name: 'a day of release to come, in Japanese',
    body: shopPage(
      JAPANESE(
        '<tr><th>販売価格</th><td>5,500円(税込)</td></tr><tr><th>発売日</th><td>2027年3月19日（金）発売予定</td></tr>',
      ).replace('カートに入れる', '予約する'),
      { lang: 'ja' },
    ),
    expected: { availability: 'preorder', detail: 'release' },
  },
  {
    name: 'a day of release that has passed, in Japanese',
    body: shopPage(
      JAPANESE(
        '<tr><th>販売価格</th><td>5,500円(税込)</td></tr><tr><th>発売日</th><td>2026年3月19日（木）発売</td></tr>',
      ),
      { lang: 'ja' },
    ),
    expected: { availability: 'in_stock' },
  },
  {
    name: 'what others bought, in Japanese',
    body: shopPage(
      `${JAPANESE('<tr><th>販売価格</th><td>5,500円(税込)</td></tr>')}<h3>この商品を買った人はこんな商品も買っています</h3><ul><li><a href="/products/2">硝子の翼 BOX</a> 5,500円 <span>在庫切れ</span></li></ul>`,
      { lang: 'ja' },
    ),
    expected: { availability: 'in_stock' },
  },
  {
    name: 'not yet published, and sent as soon as it comes in: a pre-order',
    body: shopPage(
      priced(
        '<p>Not yet published. Publishing 11 March 2027; pre-order now and we will send it as soon as it comes in.</p><form action="/cart/add" method="post"><button>Pre-order</button></form>',
      ),
    ),
    expected: { availability: 'preorder', detail: 'release' },
  },
  {
    name: 'a maker that does not sell to the public, with news of other things',
    body: shopPage(
      `<h1>${NAME}</h1><p>Four boosters in a tin.</p><section><h2>Where to buy</h2><p>We do not sell to the public. Ask at one of these shops.</p></section><section class="stories"><h2>News</h2><article><a href="/news/winterbourne-pre-orders-open"><h3>Winterbourne pre-orders open</h3></a></article><article><a href="/news/coming-soon"><h3>Coming soon: Starling Tide</h3></a></article></section>`,
      { head: linkedData([]) },
    ),
    expected: { availability: 'unknown', reason: 'unrecognised' },
  },
  {
    name: 'a shop that does not sell this product any more',
    body: shopPage(priced('<p>We no longer sell this.</p>')),
    expected: { availability: 'unknown', reason: 'discontinued' },
  },
  ...(
    [
      ['Barcode (EAN)', '5012345004174'],
      ['EAN/UPC', '5012345004174'],
      ['GTIN-13:', '5012345004174'],
      ['Código de barras', '5012345004174'],
      ['EAN-Nummer', '5012345004174'],
    ] as const
  ).map(([label, gtin]) => ({
    name: `the GTIN in a table of details below the description, as ${label}`,
    body: shopPage(
      `${priced(`<p>In stock</p>${BUY}`)}<div><h2>Description</h2><p>${'Two decks and a cloth map. '.repeat(4)}</p><h2>Details</h2><table><tr><td>${label}</td><td>${gtin}</td></tr></table></div>`,
    ),
    expected: { availability: 'in_stock' as const, gtin },
  })),
  {
    name: 'the GTIN of another product, in a list of others',
    body: shopPage(
      `${priced(`<p>In stock</p>${BUY}`)}<section><h2>You may also like</h2><div>Hollowpine Deck Box £9.99 EAN: 5012345004174</div></section>`,
    ),
    expected: { availability: 'in_stock', gtin: null },
  },
  {
    name: 'another edition with its price, whose link is gone',
    body: shopPage(
      priced(
        `<p>Sofort verfügbar</p><div>Englische Ausgabe: <a href="/products/amber-tide-english">129,99 € – ausverkauft</a></div>${BUY}`,
      ),
      { lang: 'de' },
    ),
    expected: { availability: 'in_stock', price: '49.99 GBP' },
  },
  {
    name: 'the terms of a price for members',
    body: shopPage(
      priced(
        `<p>£18.00 Plus Price</p><p>Offer valid for delivery from 28/09/2026 until 20/10/2026. Members only.</p>${BUY}`,
      ),
    ),
    expected: { availability: 'in_stock', price: '49.99 GBP' },
  },
  {
    name: 'what only members can buy',
    body: shopPage(priced(`<p>Members only.</p>${BUY}`)),
    expected: { availability: 'out_of_stock' },
  },
  {
    name: 'a title that refuses, and a line that counts nothing',
    body: shopPage(`<div><h1>Sold Out! ${NAME}</h1><p>£49.99</p>${BUY}</div>`),
    expected: { availability: 'out_of_stock' },
  },
  {
    name: 'a refusal with a question behind it',
    body: shopPage(
      priced('<p>This product is currently unavailable to buy. Why not look at some others?</p>'),
    ),
    expected: { availability: 'out_of_stock' },
  },
  {
    name: 'a question about the stock',
    body: shopPage(priced(`<p>In stock. Want to know when it was last out of stock?</p>${BUY}`)),
    expected: { availability: 'in_stock' },
  },
  {
    name: 'what may happen later, in French',
    body: shopPage(priced(`<p>En stock</p><p>Prix garanti ; rupture de stock possible ensuite.</p>${BUY}`), {
      lang: 'fr',
    }),
    expected: { availability: 'in_stock' },
  },
  {
    name: 'a pre-order that the Italian shop calls orderable',
    body: shopPage(
      priced(
        '<p>Ordinabile in prevendita</p><form action="/cart/add" method="post"><button>Preordina ora</button></form>',
      ),
      { lang: 'it' },
    ),
    expected: { availability: 'preorder', detail: 'release' },
  },
  {
    name: 'another design, which the description says is gone',
    body: shopPage(priced(`${BUY}<p>The Lighthouse design is sold out and comes back in May.</p>`)),
    expected: { availability: 'in_stock' },
  },
  {
    name: 'the design of the product, which a line says is gone',
    body: shopPage(priced(`${BUY}<p>This design is sold out and comes back in May.</p>`)),
    expected: { availability: 'out_of_stock' },
  },
  {
    name: 'what can be ordered and comes in two weeks, in the words of Shopware',
    body: shopPage(priced(`<p>Available in 14 days, delivery time 2-5 days</p>${BUY}`)),
    expected: { availability: 'preorder', detail: 'backorder' },
  },
  {
    name: 'the choice of the address is gone, in the words of PrestaShop',
    url: 'https://cardcabin.example/tins/412-1188-amber-tide-elite-trainer-box.html',
    body: shopPage(
      priced(
        '<p>Product available with different options</p><form action="/cart"><button type="submit" disabled>Add to cart</button></form>',
      ),
    ),
    expected: { availability: 'out_of_stock' },
  },
  {
    name: 'used copies that are gone, above new ones',
    body: shopPage(
      box(
        `<div class="option"><span>Pre-owned</span><span>£34.99</span><button disabled>Out of stock</button></div><div class="option"><span>New</span><span>£42.99</span><p>In stock</p>${BUY}</div>`,
      ),
    ),
    expected: { availability: 'in_stock', price: '42.99 GBP' },
  },
  {
    name: 'new copies that are gone, above used ones',
    body: shopPage(
      box(
        `<div class="option"><span>New</span><span>£42.99</span><button disabled>Out of stock</button></div><div class="option"><span>Pre-owned</span><span>£34.99</span><p>In stock</p>${BUY}</div>`,
      ),
    ),
    expected: { availability: 'out_of_stock', detail: 'used_only' },
  },
  {
    name: 'another thing, refused in a clause behind its name',
    body: shopPage(priced(`${BUY}<p>Ask us about Fox, which is sold out until Christmas.</p>`)),
    expected: { availability: 'in_stock' },
  },
  {
    name: 'the product, refused in a clause behind its name',
    body: shopPage(priced(`${BUY}<p>Our Trainer Box, which is sold out until Christmas.</p>`)),
    expected: { availability: 'out_of_stock' },
  },
  {
    name: 'an amount in pence, which its neighbour shows in pounds',
    body: shopPage(`<h1>${NAME}</h1><p>Loading …</p>`, {
      after: `<script type="application/json">${JSON.stringify({ product: { name: NAME, price: { amount: 3299, currency: 'GBP', formatted: '£32.99' }, stock: { status: 'IN_STOCK', quantity: 27 } } })}</script>`,
    }),
    expected: { availability: 'in_stock', price: '32.99 GBP' },
  },
  {
    name: 'an amount in pounds, which its neighbour shows as well',
    body: shopPage(`<h1>${NAME}</h1><p>Loading …</p>`, {
      after: `<script type="application/json">${JSON.stringify({ product: { name: NAME, price: { amount: 3299, currency: 'GBP', formatted: '£3,299.00' }, stock: { status: 'IN_STOCK', quantity: 27 } } })}</script>`,
    }),
    expected: { availability: 'in_stock', price: '3299.00 GBP' },
  },
  {
    name: 'a shop that posts alerts of what may be sold out, in Japanese, below what is in stock',
    body: shopPage(
      `${JAPANESE('<tr><th>販売価格</th><td>5,500円(税込)</td></tr><tr><th>在庫</th><td>在庫あり</td></tr>')}<p>※売り切れの際はご容赦ください。再入荷のお知らせはメールで承ります。</p>`,
      { lang: 'ja' },
    ),
    expected: { availability: 'in_stock' },
  },
  {
    name: 'none on the shelf, and on back-order',
    body: shopPage(
      priced(
        `<p>In stock</p><p>We have none on the shelf today. This item is on back-order: order now and we dispatch it when our next delivery lands, in about 3 to 4 weeks.</p>${BUY}`,
      ),
    ),
    expected: { availability: 'preorder', detail: 'backorder' },
  },
  {
    name: 'none on the shelf, and no more to come soon',
    body: shopPage(
      priced(
        `<p>We have none on the shelf today. This item is made once a year, and the next ones are expected when the leaves fall again.</p>${BUY}`,
      ),
    ),
    expected: { availability: 'out_of_stock' },
  },
  {
    name: 'a maker that does not sell from its own site',
    body: shopPage(`<h1>${NAME}</h1><p>Ask your local game shop. We do not sell from this site.</p>`, {
      head: linkedData([]),
    }),
    expected: { availability: 'unknown', reason: 'unrecognised' },
  },
  {
    name: 'a shop that does not stock this',
    body: shopPage(priced('<p>We do not stock this item any more.</p>')),
    expected: { availability: 'unknown', reason: 'discontinued' },
  },
  {
    name: 'a swatch of another character that is gone',
    body: shopPage(
      priced(
        `<ul class="dimension-values-list"><li><span>Otter</span> <span>£49.99</span></li><li><span>Heron</span> <span>Currently unavailable.</span></li></ul><p>Only 3 left in stock.</p>${BUY}`,
      ),
    ),
    expected: { availability: 'limited', price: '49.99 GBP' },
  },
  {
    name: 'swatches that are gone, and no button',
    body: shopPage(
      priced(
        '<ul class="dimension-values-list"><li><span>Otter</span> <span>Currently unavailable.</span></li><li><span>Heron</span> <span>Currently unavailable.</span></li></ul>',
      ),
    ),
    expected: { availability: 'out_of_stock' },
  },
  {
    name: 'choices that BigCommerce hides until its script has them',
    body: shopPage(
      priced(
        `<form action="/cart.php"><div data-product-option-change style="display:none;">${['Midnight', 'Teal'].map((name, at) => `<input type="radio" id="c${at}" name="attribute[301]" value="${at}"><label class="form-option ${at === 1 ? 'unavailable' : ''}" for="c${at}">${name}</label>`).join('')}</div><button>Add to basket</button></form>`,
      ),
    ),
    expected: { availability: 'in_stock', variants: { Midnight: 'in_stock', Teal: 'out_of_stock' } },
  },
  {
    name: 'a counter that BigCommerce hides until it counts',
    body: shopPage(
      priced(
        `<p>In stock</p><div class="form-field--stock u-hiddenVisually">Current Stock: <span data-product-stock>0</span></div>${BUY}`,
      ),
    ),
    expected: { availability: 'in_stock' },
  },
  {
    name: 'the filters of a list to which the address leads',
    requested: 'https://cardcabin.example/products/gale-rising-mini-tin/0196214108431.html',
    url: 'https://cardcabin.example/toys-and-games/trading-cards/',
    body: shopPage(
      `<h1>Trading Cards</h1><div>28 results</div><div><a>In stock (21)</a><a>Pre-order (3)</a></div><div class="product-grid">${['Amber Dominion Bundle', 'Crystal Ascent Tin', 'Thunder Accord Binder'].map((name, at) => `<div class="product-tile"><a href="/products/${at}.html">${name}</a><span>£9.99</span><div>In stock</div><button>Add to basket</button></div>`).join('')}</div>`,
      { title: 'Trading Cards | Card Cabin' },
    ),
    expected: { availability: 'unknown' },
  },
];

describe('what stands beside the product', () => {
  testCases(CASES);
});
