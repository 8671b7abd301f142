import { describe, expect, test } from 'vitest';
import { box, BUY, IN, judgeCase, NAME, OUTS, priced, shopPage } from './product-pages';

/** What is on the page, the page, and the availabilities that are right. */
const PAGES: ReadonlyArray<readonly [name: string, body: string, right: readonly string[]]> = [
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
    'off button by text only',
    shopPage(priced('<span class="btn btn-grey">Add to basket</span><p>Item unavailable</p>')),
    ['out_of_stock'],
  ],
  [
    'newsletter beside button',
    shopPage(
      priced(
        `${BUY}<form><p>Get 10% off your first order</p><input type=email name=email><button>Join</button></form>`,
      ),
    ),
    IN,
  ],
  ['no phone orders', shopPage(priced(`${BUY}<p>We are not taking orders over the phone.</p>`)), IN],
  [
    'gift wrap unavailable',
    shopPage(priced(`${BUY}<p>Gift wrapping is not available for this item</p>`)),
    IN,
  ],
  ['finance unavailable', shopPage(priced(`${BUY}<p>Finance not available on this product</p>`)), IN],
  ['click collect unavailable', shopPage(priced(`${BUY}<p>Click &amp; Collect: unavailable</p>`)), IN],
  ['collect off button', shopPage(priced(`${BUY}<button disabled>Reserve in store</button>`)), IN],
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
  [
    'waitlist for grading',
    shopPage(priced(`<p>In stock</p>${BUY}<p>Join the waitlist for our grading service</p>`)),
    IN,
  ],
];

describe('what a button sells', () => {
  test.each(PAGES)('%s', (_name, body, right) => {
    const product = judgeCase({ body });
    expect(right, JSON.stringify(product, null, 1)).toContain(product.availability);
  });
});
