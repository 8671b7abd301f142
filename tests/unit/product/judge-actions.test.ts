import { describe, expect, test } from 'vitest';
import { judgeCase, linkedData, NAME, shopPage } from './product-pages';

const MARKUP = linkedData({ price: '49.99', availability: 'https://schema.org/InStock' });
const ADD = '<button>Add to basket</button>';
const form = (inner: string): string => `<form action="/cart/add" method="post">${inner}</form>`;
const page = (inner: string, head = MARKUP): string =>
  shopPage(`<div class="product"><h1>${NAME}</h1><p class="price">£49.99</p>${inner}</div>`, { head });

/** Pages whose markup says in stock, and which sell nothing. */
const NOTHING_TO_BUY = [
  '<button onclick="return false">Add to basket</button>',
  `<button onclick="alert('Sorry, sold out!');return false">Add to basket</button>`,
  `<form action="/cart/add" onsubmit="return false;">${ADD}</form>`,
  form(`<input type="hidden" name="stock" value="0">${ADD}`),
  form(`<input type="hidden" name="in_stock" value="false">${ADD}`),
  form(`<input type="text" name="quantity" data-max="0">${ADD}`),
  form(`<input type="number" name="quantity" value="0" readonly>${ADD}`),
  form(`<select name="quantity"><option value="0">0</option></select>${ADD}`),
  '<button class="w-full opacity-50 cursor-not-allowed">Add to basket</button>',
  '<button class="w-full opacity-50">Add to basket</button>',
  `<div class="mt-4 pointer-events-none">${ADD}</div>`,
  '<button style="opacity:.5">Add to basket</button>',
  '<button class="btn btn-off">Add to basket</button>',
  '<button><s>Add to basket</s></button>',
  '<style>.b7{cursor:not-allowed}</style><button class="b7">Add to basket</button>',
  `<div data-available="false"></div>${ADD}`,
  `<span data-available="false"></span>${form(ADD)}`,
  '<button data-stock-level="0">Add to basket</button>',
  `<div data-stock="0"><div><div><div>${form(ADD)}</div></div></div></div>`,
  `<div style="display:none">${form(ADD)}</div>`,
  `<form hidden>${ADD}</form>`,
  `<style>.off{display:none}</style><div class="off">${ADD}</div>`,
  '<p class="stock">✗ In stock</p>',
  '<button class="cursor-default">Add to basket</button>',
  '<button class="w-full bg-gray-300 text-gray-500">Add to basket</button>',
  '<button style="background:#ccc">Add to basket</button>',
  '<button data-sold="1">Add to basket</button>',
  '<p class="stock"><s>In stock</s></p>',
  '<p class="stock" style="text-decoration:line-through">In stock</p>',
  '<span role="img" aria-label="Out of stock"></span>',
  `<p>This deal has expired</p>${form(ADD)}`,
  `<p>Pre-orders closed on 20 November 2026</p>${form(ADD)}`,
  '<p>Not available for home delivery or collection</p>',
  `${form(ADD)}<script>window.product={"name":"${NAME}","available":false,"price":49.99}</script>`,
  '<p class="stock">In stock</p><button>Reserve and collect</button>',
  '<a class="btn" href="#">Find out more</a>',
  '<div><button disabled>S</button><button disabled>M</button></div><button disabled>Select a size</button>',
  '<ul><li><button class="swatch sold-out">Fox</button></li><li><button class="swatch sold-out">Owl</button></li></ul>',
  `<p>In stock at our Leeds shop</p><section><h2>Available now</h2><ul>${[1, 2].map((at) => `<li class="card"><a href="/products/other-${at}">Pale Orchard Booster ${at}</a><b>£9.99</b>${ADD}</li>`).join('')}</ul></section><p>Sold out</p>`,
  ...[
    'Request',
    'Missed it',
    'Too late',
    'Watch',
    'Watch this item',
    'Follow',
    'Track it',
    'Vote for a reprint',
    'Find in store',
    'Check stock in store',
    'Sign in for access',
    'Add to wishlist',
    'Save for later',
    'Learn more',
    'Collect in store',
    'Only Tuesdays',
  ].map((label) => `<button>${label}</button>`),
  '<a class="btn" href="/collections/etb">See similar items</a>',
  '<a class="btn" href="https://partner.example/p/1">Buy from our partner</a>',
];

/** Pages whose buttons only look as if they sold nothing. */
const ON_SALE = [
  '<button class="disabled:opacity-50 disabled:cursor-not-allowed hover:opacity-90">Add to basket</button>',
  '<button onclick="addToCart(5); return false;">Add to basket</button>',
  '<form action="/cart/add" onsubmit="addToCart(this);return false"><button>Add to basket</button></form>',
  form(
    '<div class="swatch" data-available="false">Fox</div><div class="swatch" data-available="true">Owl</div><button>Add to basket</button>',
  ),
  `<button>Add to wishlist</button><button>Follow</button>${form(ADD)}`,
  '<button>Share</button><button>Zoom</button><button>Description</button>',
  form('<button>Snag it</button>'),
  `${form(ADD)}<div class="pickup-availability" data-available="false"></div>`,
  '<button class="bg-gray-900 text-white">Add to basket</button>',
  '<button class="bg-gray-200">Add to basket</button><button class="bg-green-600">Buy now</button>',
  `${form(ADD)}<p>Not available for delivery to Northern Ireland or the Channel Islands.</p>`,
  `${form(ADD)}<p>Gift wrap not available</p>`,
  `${form(ADD)}<p>Offer ended. Now at its usual price.</p>`,
  `<div><button disabled>S</button><button>M</button></div>${form(ADD)}`,
  `${form(ADD)}<p>Substitutes may be sent where an item is unavailable.</p>`,
  `${form(ADD)}<button>Collection in store unavailable</button>`,
  `${form(ADD)}<button>Learn more</button><button>Collect in store</button>`,
  `${form(ADD)}<p><s>Sold out</s></p>`,
  `${form(ADD)}<p>Order by 2pm for next-day delivery</p>`,
  `${form(ADD)}<script>window.product={"name":"${NAME}","inStock":true,"clickAndCollect":{"available":false}}</script>`,
  '',
];

describe('what a visitor can do', () => {
  for (const inner of NOTHING_TO_BUY)
    test(`sells nothing: ${inner}`, () => {
      expect(['unknown', 'out_of_stock']).toContain(judgeCase({ body: page(inner) }).availability);
    });
  for (const inner of ON_SALE)
    test(`sells: ${inner}`, () => {
      expect(judgeCase({ body: page(inner) }).availability).toBe('in_stock');
    });
  test('data that agree with the markup outweigh a hidden button, and no button that sells nothing', () => {
    const data = `<script>window.product={"name":"${NAME}","available":true,"price":49.99}</script>`;
    expect(judgeCase({ body: page(`<form hidden>${ADD}</form>${data}`) }).availability).toBe('in_stock');
    expect(judgeCase({ body: page(`<button>Watch</button>${data}`) }).availability).toBe('unknown');
  });
});
