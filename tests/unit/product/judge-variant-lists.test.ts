import { describe, expect, test } from 'vitest';
import {
  box,
  BUY,
  IN_MARKUP,
  judgeCase,
  NAME,
  priced,
  type ProductCase,
  shopPage,
  testCases,
} from './product-pages';

const data = (value: unknown): string => `<script type="application/json">${JSON.stringify(value)}</script>`;
const radios = (name: string, values: readonly string[], off = ''): string =>
  `<fieldset><legend>${name}</legend>${values.map((value, at) => `<input type="radio" id="${name}${at}" name="${name}" value="${value}" class="${off}"><label for="${name}${at}">${value}</label>`).join('')}</fieldset>`;
const swatch = (name: string, line: string): string =>
  `<li><button type="button"><p>${name}</p><span>£139.95</span><span>${line}</span></button></li>`;

/** Pages whose product has variants, in the ways in which pages list them and addresses name them. */
const CASES: ProductCase[] = [
  {
    name: 'a variant that is gone has no id in the form, and stands in the list of the others',
    body: shopPage(
      priced(
        '<form action="/cart/add" method="post"><select name="id"><option disabled>Ember - Sold Out</option><option value="41877230051499" selected>Moth</option><option value="41877230084267">Bramble</option></select><button>Add to cart</button></form>',
      ),
      {
        after: data([
          { id: 41877230018731, title: 'Ember', option1: 'Ember', available: false, price: 4999 },
          { id: 41877230051499, title: 'Moth', option1: 'Moth', available: true, price: 4999 },
          { id: 41877230084267, title: 'Bramble', option1: 'Bramble', available: true, price: 4999 },
        ]),
      },
    ),
    expected: {
      availability: 'in_stock',
      variants: { Ember: 'out_of_stock', Moth: 'in_stock', Bramble: 'in_stock' },
    },
  },
  {
    name: 'the address names a variant by its own name',
    url: 'https://cardcabin.example/binders/amber-tide?edition=raven',
    body: shopPage(
      `${priced('<button disabled>Sold out</button>')}${data({
        product: {
          title: NAME,
          availableForSale: true,
          variants: [
            { title: 'Moth', availableForSale: true, price: { amount: '22.50', currencyCode: 'GBP' } },
            { title: 'Raven', availableForSale: false, price: { amount: '49.99', currencyCode: 'GBP' } },
          ],
        },
      })}`,
    ),
    expected: { availability: 'out_of_stock', price: '49.99 GBP' },
  },
  {
    name: 'the path of the address names a variant',
    url: 'https://cardcabin.example/amber-tide/poppy-red/p113',
    body: shopPage(
      `${priced('<p>Choose a colour</p>')}${data({
        product: {
          title: NAME,
          variants: [
            { skuId: '1', colour: 'Forest Green', availability: { status: 'IN_STOCK', stockLevel: 31 } },
            { skuId: '2', colour: 'Poppy Red', availability: { status: 'OUT_OF_STOCK', stockLevel: 0 } },
          ],
        },
      })}`,
    ),
    expected: {
      availability: 'out_of_stock',
      variants: { 'Forest Green': 'in_stock', 'Poppy Red': 'out_of_stock' },
    },
  },
  {
    name: 'Salesforce: the address has the end of the number of the variant',
    url: 'https://cardcabin.example/gb/amber-tide/WRS-2210.html?dwvar_WRS-2210_color=BLU',
    body: shopPage(
      `${priced('<p>Availability: Out of Stock</p><button disabled>Add to Bag</button>')}${data({
        variants: [
          { id: 'WRS-2210-BLU', color: 'Blue', available: false },
          { id: 'WRS-2210-RED', color: 'Red', available: true },
        ],
      })}`,
      { head: IN_MARKUP },
    ),
    expected: { availability: 'out_of_stock', variants: { Blue: 'out_of_stock', Red: 'in_stock' } },
  },
  {
    name: 'Amazon: the buttons of a list of choices name what they refuse',
    body: shopPage(
      box(
        `<p>£139.95</p><ul role="radiogroup" class="swatches">${swatch('Booster Display', 'In stock')}${swatch('Mini Tin', 'Currently unavailable')}</ul><div id="availability">In stock</div>${BUY}<table><tr><th>Is discontinued by manufacturer</th><td>No</td></tr></table>`,
      ),
    ),
    expected: {
      availability: 'in_stock',
      variants: { 'Booster Display': 'in_stock', 'Mini Tin': 'out_of_stock' },
    },
  },
  {
    name: 'options of a list box that are off',
    body: shopPage(
      priced(
        '<div role="listbox"><div role="option" aria-disabled="true"><span>Russet</span><small> (out of stock)</small></div><div role="option" aria-disabled="true"><span>Silver</span><small> (out of stock)</small></div></div><button disabled>Out of Stock</button>',
      ),
    ),
    expected: { availability: 'out_of_stock', variants: { Russet: 'out_of_stock', Silver: 'out_of_stock' } },
  },
  {
    name: 'all pairs of two choices are gone',
    body: shopPage(
      priced(
        `${radios('Figure', ['Heron', 'Lynx'], 'disabled')}${radios('Language', ['English', 'French'], 'disabled')}<button disabled>Sold out</button>`,
      ),
    ),
    expected: {
      availability: 'out_of_stock',
      variants: {
        'Heron / English': 'out_of_stock',
        'Heron / French': 'out_of_stock',
        'Lynx / English': 'out_of_stock',
        'Lynx / French': 'out_of_stock',
      },
    },
  },
  {
    name: 'what can be ordered of a pre-order comes later, too',
    body: shopPage(
      priced(
        `<p>Release date: 19 March 2027</p><select name="size"><option selected>Display</option><option disabled>Case (sold out)</option></select><button>Pre-order</button>`,
      ),
    ),
    expected: { availability: 'preorder', variants: { Display: 'preorder', Case: 'out_of_stock' } },
  },
  {
    name: 'WooCommerce: the line of a variation says how many are left, in euros',
    url: 'https://cartas.example/producto/amber/?attribute_pa_idioma=espanol',
    body: `<html lang="es"><head><title>${NAME}</title></head><body><h1>${NAME}</h1><p class="price">54,95&nbsp;€</p><form class="variations_form cart" data-product_variations="${JSON.stringify(
      [
        {
          attributes: { attribute_pa_idioma: 'espanol' },
          availability_html: '<p class="stock in-stock">¡Solo quedan 2 disponibles!</p>',
          display_price: 54.95,
          is_in_stock: true,
          variation_id: 7711,
        },
        {
          attributes: { attribute_pa_idioma: 'ingles' },
          availability_html: '<p class="stock out-of-stock">Agotado</p>',
          display_price: 54.95,
          is_in_stock: false,
          variation_id: 7712,
        },
      ],
    ).replaceAll(
      '"',
      '&quot;',
    )}"><select name="attribute_pa_idioma"><option value="">Elige una opción</option><option value="espanol" selected>Español</option><option value="ingles">Inglés</option></select><button type="submit">Añadir al carrito</button></form></body></html>`,
    expected: {
      availability: 'limited',
      price: '54.95 EUR',
      variants: { Español: 'limited', Inglés: 'out_of_stock' },
    },
  },
];

/** Sentences that say less, or more, than their words about stock. */
const SENTENCES: ReadonlyArray<[line: string, availability: string]> = [
  ['Out of stock, available for pre-order', 'preorder'],
  ['Contents may vary between print runs.', 'in_stock'],
  ['We are between print runs.', 'out_of_stock'],
  [
    'We take cards and cheques. Items ordered that are not in stock are sent as soon as they reach us.',
    'in_stock',
  ],
];

describe('variants', () => {
  testCases(CASES);
});

describe('sentences', () => {
  for (const [line, availability] of SENTENCES)
    test(line, () => {
      const button = availability === 'preorder' ? '<button>Pre-order now</button>' : BUY;
      expect(judgeCase({ body: shopPage(priced(`<p>${line}</p>${button}`)) }).availability).toBe(
        availability,
      );
    });

  test('a partner sells it, and returns go to the partner', () => {
    const body = shopPage(
      priced(
        `<div><p>Sold and sent by our partner <a href="/partners/b">Brightspark Collectables</a></p><p>Returns go to the partner, not to our shops.</p></div><p>In stock</p>${BUY}`,
      ),
    );
    expect(judgeCase({ body })).toMatchObject({ availability: 'out_of_stock', detail: 'marketplace_only' });
  });

  test('a heading that is the title without the name of the shop before it', () => {
    const body = `<html><head><title>Thimble Games of Ludlow: Warden’s Oath – Two-Player Set</title></head><body><h2>Warden’s Oath – Two-Player Set</h2><p>£21.75</p><p>In stock</p>${BUY}</body></html>`;
    expect(judgeCase({ body })).toMatchObject({
      availability: 'in_stock',
      title: 'Warden’s Oath – Two-Player Set',
    });
  });

  test('the queue of a shop speaks of stock, and is a queue', () => {
    const body =
      '<html><head><title>Queue</title></head><body><main><h1>You are in the virtual queue</h1><p>A lot of people want to visit our shop right now. Please keep this page open: you will be let in when it is your turn.</p><dl><dt>Your place in the queue</dt><dd>6,214</dd></dl><p>Items may be in stock now and sold out by the time you get in.</p><form><label>Tell me by e-mail when it is my turn <input type="email"></label><button type="button">Notify me</button></form></main></body></html>';
    expect(judgeCase({ body })).toMatchObject({ availability: 'unknown', unknownReason: 'waiting_room' });
  });

  test('a page that is gone names no product by its status', () => {
    const body =
      '<html><head><title>HTTP 410 - Gone | Card Cabin</title></head><body><main><div>HTTP 410</div><div>Gone</div><p>The requested page is no longer available</p></main></body></html>';
    expect(judgeCase({ body, status: 410 })).toMatchObject({ unknownReason: 'discontinued', title: null });
  });
});

test('data that is nested a hundred thousand times ends nothing', () => {
  const nested = (key: string, [open, close]: readonly [string, string]): string =>
    `${`${open}"${key}":`.repeat(100_000)}1${close.repeat(100_000)}`;
  const OBJECT = ['{', '}'] as const;
  const LIST = ['[{', '}]'] as const;
  const values = [
    nested('availability', OBJECT),
    nested('_availability', LIST),
    nested('price', OBJECT),
    nested('_price', LIST),
    nested('name', OBJECT),
    `{"attributes":{"1":{"options":[{"id":"1","label":"A","products":[${nested('a', OBJECT)}]}]}},"optionPrices":{}}`,
  ];
  for (const value of values) {
    const script = `<script type="application/json">{"product":{"name":"${NAME}","in_stock":true,"spConfig":${value}}}</script>`;
    expect(judgeCase({ body: shopPage(priced(`${BUY}${script}`)) }).availability).toBe('in_stock');
  }
});
