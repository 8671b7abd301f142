import { describe, expect, test } from 'vitest';
import {
  box,
  BUY,
  IN,
  IN_MARKUP,
  judgeCase,
  linkedData,
  NAME,
  OUTS,
  priced,
  shopPage,
} from './product-pages';

/** What is on the page, the page, and the availabilities that are right. */
const PAGES: ReadonlyArray<readonly [name: string, body: string, right: readonly string[]]> = [
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
  ['buying closed', shopPage(priced(`<p>Sales are closed for this product</p>${BUY}`)), ['out_of_stock']],
  ['channel islands', shopPage(priced(`${BUY}<p>We do not ship to the Channel Islands.</p>`)), IN],
  ['not outside uk', shopPage(priced(`${BUY}<p>Sorry, we cannot deliver outside the UK.</p>`)), IN],
  ['delivers UK only', shopPage(priced(`${BUY}<p>Delivery to UK addresses only</p>`)), IN],
  ['only ships within UK', shopPage(priced(`${BUY}<p>This item only ships within the UK</p>`)), IN],
  ['order limit', shopPage(priced(`${BUY}<p>You cannot order more than 2 of these.</p>`)), IN],
  ['missed you', shopPage(priced(`${BUY}<p>Missed the Black Friday deal? Sign up</p>`)), IN],
  ['sale starts banner', shopPage(`<p>Our winter sale starts on Friday!</p>${priced(BUY)}`), IN],
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
  ['join club', shopPage(priced(`<p>In stock</p>${BUY}<p>Members only price £45 with code</p>`)), IN],
  ['price on member', shopPage(priced(`${BUY}<p>Exclusive offers for our members</p>`)), IN],
];

describe('when, where and to whom it is sold', () => {
  test.each(PAGES)('%s', (_name, body, right) => {
    const product = judgeCase({ body });
    expect(right, JSON.stringify(product, null, 1)).toContain(product.availability);
  });
});
