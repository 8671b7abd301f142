import { describe, expect, test } from 'vitest';
import { BUY, judgeCase, NAME, shopPage } from './product-pages';

const SHOP = { title: 'Card Cabin' };
const STATE = (name: string, available: boolean): string =>
  `<div id="app"></div><script>window.__STATE__={"product":{"name":"${name}","available":${available},"price":49.99}}</script>`;

describe('a page without a heading', () => {
  test.each([
    ['bold type', `<div><b>${NAME}</b><p>£49.99</p>${BUY}</div>`],
    ['a paragraph', `<div><p>${NAME}</p><p>£49.99</p>${BUY}</div>`],
    [
      'a table',
      `<table><tr><td><font size="5">${NAME}</font></td></tr><tr><td>£49.99</td><td>${BUY}</td></tr></table>`,
    ],
    ['below its path', `<ul><li>Home</li><li>${NAME}</li></ul><div><p>${NAME}</p><p>£49.99</p>${BUY}</div>`],
  ])('has the name of its title element in a line: %s', (_name, main) => {
    const product = judgeCase({ body: shopPage(main) });
    expect(product).toMatchObject({ availability: 'in_stock', title: NAME, price: { amount: 4999 } });
    const soldOut = judgeCase({ body: shopPage(main.replace(BUY, '<button disabled>Sold out</button>')) });
    expect(soldOut).toMatchObject({ availability: 'out_of_stock', title: NAME });
  });

  test('has the name of its title element in its data', () => {
    expect(judgeCase({ body: shopPage(STATE(NAME, true)) })).toMatchObject({
      availability: 'in_stock',
      title: NAME,
    });
    expect(judgeCase({ body: shopPage(STATE(NAME, false)) })).toMatchObject({ availability: 'out_of_stock' });
  });

  test.each([
    ['a line', '<div id="app"></div><p>In stock</p>'],
    ['a chat', '<div id="app"></div><p>Chat available now</p>'],
    ['a button', `<div><p>Saltwind Saga Sleeves (65)</p><p>£9.99</p>${BUY}</div>`],
    ['a pre-order', '<p>£9.99</p><button>Pre-order now</button>'],
    ['data', STATE('Saltwind Saga Sleeves', true)],
  ])('and without a name sells nothing: %s', (_name, main) => {
    for (const page of [SHOP, { title: '' }])
      expect(judgeCase({ body: shopPage(main, page) })).toMatchObject({
        availability: 'unknown',
        unknownReason: 'unrecognised',
      });
  });
});

describe('what is sold beside a product', () => {
  test.each(['Gift wrap £2.50', 'Gift wrapping: £3.00', 'Insurance £1.99', 'Donation £1.00'])(
    '"%s" is no price',
    (line) => {
      const body = shopPage(`<h1>${NAME}</h1><p>Sold out</p><label><input type="checkbox"> ${line}</label>`);
      expect(judgeCase({ body })).toMatchObject({ availability: 'out_of_stock', price: null });
    },
  );
});
