import { describe, expect, test } from 'vitest';
import { BUY, IN_MARKUP, judgeCase, NAME, shopPage } from './product-pages';

/** What a page is judged as that shows the name, a price and `inner`, with markup that says in stock. */
const judged = (inner: string, styles = ''): string =>
  judgeCase({
    body: shopPage(`<div class="pdp"><h1>${NAME}</h1><p class="price">£49.99</p>${inner}</div>`, {
      head: `${IN_MARKUP}<style>${styles}</style>`,
    }),
  }).availability;

const REFUSALS = [
  'All gone',
  'None left',
  'We have run out',
  'We have none',
  'Nil stock',
  'Zero in stock',
  'No more available',
  'Stock level: 0',
  'Stock status: Out',
  'Available: no',
  'Available online: No',
  'In stock online: ✗',
  'Availability: none',
  'Our allocation has sold through',
  'Every copy has been claimed',
  'Awaiting delivery from supplier',
  'We are waiting for more',
  'Waiting for reprint',
  'Between print runs',
  'Stock due 12 December',
  'Reprint expected in spring',
  'Sorry, someone just bought the last one',
  'Temporarily off sale',
  'Reserved for another customer',
  'On hold',
  'Display only',
  'Closed',
  "Today's stock is sold out",
  'The March shipment is sold out',
  'Main warehouse is out of stock',
  'Our distributor is out of stock',
  'Both boxes are sold out',
  'ETBs are sold out',
  'Ordering is unavailable',
  'Flash sale ended',
  'Everything here is sold out',
  'Sadly our supply is exhausted',
];

const OF_OTHERS = [
  'Sale ended – back to regular price',
  'Our Black Friday sale has ended',
  'The Collector Box of this set is sold out',
  'The Japanese edition is out of stock',
  'Signed copies are sold out',
  'First print sold out',
  'Wave 1 sold out, wave 2 is here',
  'Early-bird price sold out',
  'Amber Tide Booster Box sold out? Try this.',
  'The bundle is sold out',
  'Sleeves are currently out of stock',
  'Chat is unavailable',
  'Reward points are not available on this item',
  'Not available in the US',
  'International delivery is not available',
  'Not available in store: online only',
  'Sold out in store, available online',
  'Collection: out of stock. Delivery: in stock',
  'Sold by weight',
  'Never miss a drop: get restock alerts',
];

describe('lines beside a button that sells', () => {
  for (const line of REFUSALS)
    test(`"${line}" refuses the product`, () => {
      expect([judged(`<p>${line}</p>${BUY}`), judged(`<p>${line}</p>`)]).toEqual([
        'out_of_stock',
        'out_of_stock',
      ]);
    });
  for (const line of OF_OTHERS)
    test(`"${line}" is about something else`, () => {
      expect(judged(`<p>${line}</p>${BUY}`)).toBe('in_stock');
    });
  test('a refusal of something else counts where nothing sells', () => {
    expect(judged('<p>The Japanese edition is out of stock</p>')).toBe('out_of_stock');
  });
});

describe('buttons that are off', () => {
  for (const part of [
    '<button title="Sold out">Add to basket</button>',
    '<button aria-label="Sold out">Add to basket</button>',
    '<button data-available="false">Add to basket</button>',
    '<button data-state="disabled">Add to basket</button>',
    '<button style="cursor:not-allowed;opacity:.4">Add to basket</button>',
    '<button class="opacity-50 pointer-events-none">Add to basket</button>',
    '<button class="isDisabled">Add to basket</button>',
    '<div class="buy-box buy-box--oos"><button>Add to basket</button></div>',
    '<div data-sold-out="true"><button>Add to basket</button></div>',
    '<form action="/cart/add" data-in-stock="false"><button>Add to basket</button></form>',
    '<form action="/cart/add"><input type="number" max="0" value="0"><button>Add to basket</button></form>',
  ])
    test(part, () => {
      expect(judged(part)).toBe('out_of_stock');
    });
  for (const part of [
    '<button class="disabled:opacity-50 disabled:cursor-not-allowed">Add to basket</button>',
    '<div class="hide-if-unavailable"><button>Add to basket</button></div>',
    '<div data-available="true"><button>Add to basket</button></div>',
  ])
    test(`not: ${part}`, () => {
      expect(judged(part)).toBe('in_stock');
    });
});

describe('style sheets decide which of two lines shows', () => {
  const LINES = '<p class="m in">In stock</p><p class="m out">Out of stock</p>';
  const BOTH = '.state-in .out{display:none}.state-out .in,.state-out .buy{display:none}';
  const cases: Array<[string, string, string, string]> = [
    ['by a class around them', `<div class="state-in">${LINES}${BUY}</div>`, BOTH, 'in_stock'],
    [
      'by a class around them, out',
      `<div class="state-out">${LINES}<div class="buy">${BUY}</div></div>`,
      BOTH,
      'out_of_stock',
    ],
    [
      'by an attribute',
      `<div data-state="in">${LINES}${BUY}</div>`,
      '[data-state="in"] > .out{display:none}',
      'in_stock',
    ],
    ['by two classes', `${LINES}${BUY}`, '.m.out{display:none}', 'in_stock'],
    [
      'a stronger rule shows what a weaker one hides',
      `<div id="d">${LINES}</div>`,
      '.m{display:none}#d .out{display:block}',
      'out_of_stock',
    ],
    [
      'the later of two equal rules',
      LINES,
      '.out{display:none}.in{display:none}.out{display:block}',
      'out_of_stock',
    ],
    [
      'an important rule beats a stronger one',
      `<div id="d">${LINES}${BUY}</div>`,
      '.out{display:none!important}#d .out{display:block}',
      'in_stock',
    ],
  ];
  for (const [name, inner, styles, expected] of cases)
    test(name, () => {
      expect(judged(inner, styles)).toBe(expected);
    });
});

describe('amounts of the product in columns', () => {
  const column = (name: string, price: string, isIn: boolean): string =>
    `<div class="col"><h3>${name}</h3><p>£${price}</p><p>${isIn ? 'In stock' : 'Out of stock'}</p><button${isIn ? '' : ' disabled'}>Add to basket</button></div>`;
  for (const [single, several, expected] of [
    [true, false, ['in_stock', 4999]],
    [false, true, ['in_stock', 48000]],
    [false, false, ['out_of_stock', 4999]],
  ] as const)
    test(`a box ${single ? 'in' : 'out of'} stock, a case ${several ? 'in' : 'out of'} stock`, () => {
      const { availability, price } = judgeCase({
        body: shopPage(
          `<h1>${NAME}</h1><div>${column('Single box', '49.99', single)}${column('Case of 10', '480.00', several)}</div>`,
          { head: IN_MARKUP },
        ),
      });
      expect([availability, price?.amount]).toEqual(expected);
    });
});

describe('prices that are named', () => {
  const shown = (inner: string): number | undefined =>
    judgeCase({ body: shopPage(`<div class="pdp"><h1>${NAME}</h1>${inner}${BUY}</div>`) }).price?.amount;
  for (const whose of ['Havoc Club', 'Insider', 'Student', 'VIP', 'App', 'Trade'])
    test(`"${whose} price" is not for all`, () => {
      expect(shown(`<p>£49.99</p><p>${whose} price <b>£44.99</b></p>`)).toBe(4999);
    });
  for (const name of ['Our price', 'Sale price', 'Black Friday price', 'Price', 'Clearance price'])
    test(`"${name}" is`, () => {
      expect(shown(`<p>£59.99</p><p>${name} <b>£49.99</b></p>`)).toBe(4999);
    });
  test('a class that says what stands beside the price does not rename it', () => {
    expect(shown('<p class="price has-discount with-list-price">£49.99 <s>£59.99</s></p>')).toBe(4999);
  });
});

describe('shops and sellers by the names of their parts', () => {
  test('out of stock in shops does not refuse the delivery', () => {
    expect(judged(`<p>In stock</p><div class="clickCollect"><span>Out of stock</span></div>${BUY}`)).toBe(
      'in_stock',
    );
  });
  test('in stock in shops sells nothing to the door', () => {
    expect(judged('<p>Sold out</p><div><span class="instoreMessage">In stock</span></div>')).toBe(
      'out_of_stock',
    );
  });
  test('rows of sellers are not the shop', () => {
    const row = (name: string, price: string): string =>
      `<div class="row"><div class="col-seller"><a href="/users/${name}">${name}</a></div><span>£${price}</span><button>Add to basket</button></div>`;
    const { availability, detail, price } = judgeCase({
      body: shopPage(
        `<h1>${NAME}</h1><p>Available now</p><div>${row('ann', '40.00')}${row('bob', '42.00')}</div>`,
      ),
    });
    expect([availability, detail, price]).toEqual(['out_of_stock', 'marketplace_only', null]);
  });
});

describe('alerts, dates and conditions', () => {
  test('an alert of the price refuses nothing', () => {
    expect(
      judged(`<p>In stock</p>${BUY}<a class="btn" href="/alert">Notify me when the price drops</a>`),
    ).toBe('in_stock');
  });
  test('a pre-order says when it will be in stock', () => {
    expect(judged(`<p>Pre-Order</p><p>The item will be in stock on Fri Mar 12 2027</p>${BUY}`)).toBe(
      'preorder',
    );
    expect(judged(`<p>The item will be in stock on Fri Mar 12 2027</p>${BUY}`)).toBe('preorder');
  });
  test.each(['The item will be in stock on Fri Mar 12 2027', 'Back in stock on 12 March 2027'])(
    'without a way to order, a day says that there is none now: %s',
    (line) => {
      expect(judged(`<p>${line}</p>`)).toBe('out_of_stock');
      expect(judged(`<p>${line}</p><button>Pre-order</button>`)).toBe('preorder');
    },
  );
  test('what can be had from a day to come is not in stock', () => {
    expect(judged(`<p>Available from Friday 12 March 2027</p>${BUY}`)).toBe('preorder');
  });
  test('a sentence that begins with the condition is about the offer', () => {
    expect(judged(`<p>Pre-owned and tested, with a warranty.</p>${BUY}`)).toBe('out_of_stock');
  });
  test('a part that is named as used goods is about those alone', () => {
    expect(
      judged(
        `<div><form><p>In stock</p>${BUY}</form><div id="usedRow"><h5>Save with Used - Very Good</h5><p>£31.12</p></div></div>`,
      ),
    ).toBe('in_stock');
  });
  test('the linked profile of a seller is not the shop', () => {
    const { availability, detail } = judgeCase({
      body: shopPage(
        `<h1>${NAME}</h1><a href="/usr/ann_cards">ann_cards</a> <span>99.6% positive</span><p>£49.99</p><p>3 available</p>${BUY}`,
      ),
    });
    expect([availability, detail]).toEqual(['out_of_stock', 'marketplace_only']);
  });
  test('how many things the shop has in stock says nothing about the product', () => {
    expect(
      judged('<p>Over 4,000 lines in stock and ready to ship.</p><p>Only available in Warforge stores.</p>'),
    ).toBe('out_of_stock');
  });
});
