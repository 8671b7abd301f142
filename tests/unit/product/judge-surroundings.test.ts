import { describe, expect, test } from 'vitest';
import { BUY, IN_MARKUP, judgeCase, linkedData, NAME, priced, shopPage } from './product-pages';

const HEAD = `<h1>${NAME}</h1>`;
const PRICE = '<p class="price">£49.99</p>';
const IMAGE_BUTTON =
  '<form action="/basket.php"><input type="image" src="/buy.gif" alt="Add to basket"></form>';

describe('amounts that are no price', () => {
  test.each([
    'Free UK delivery over £50',
    'Standard delivery £3.95, free over £50.',
    'Spend £60 and get a free playmat',
    'Versandkostenfrei ab 50 €, sonst Versand 4,90 €',
    'Livraison gratuite dès 50 € d’achat',
    'Envío gratis a partir de 50 €',
    'Spedizione gratuita sopra i 50 €',
    'Gratis verzending vanaf 50 €',
    'Darmowa dostawa od 200 zł',
    'Fri frakt över 500 kr',
    'Save £10 with code TIDE',
    'Earn 50 points, worth £0.50',
  ])('"%s" between the name and the price', (line) => {
    for (const button of [BUY, IMAGE_BUTTON])
      for (const main of [
        `${HEAD}<ul><li>${line}</li></ul><div>${PRICE}<p>Royal Mail Tracked £3.95</p><p>In stock</p>${button}</div>`,
        `<div>${HEAD}<p>${line}</p></div><div><div>${PRICE}<p>In stock</p></div>${button}</div>`,
      ]) {
        const { availability, price } = judgeCase({ body: shopPage(main) });
        expect({ availability, price: price?.amount }, main).toEqual({
          availability: 'in_stock',
          price: 4999,
        });
      }
  });
});

describe('a column beside the product that sells it', () => {
  test.each(['Description', 'Résumé', 'What you get', 'Good to know before you buy'])(
    'below "%s"',
    (title) => {
      const text = '<p>Nine boosters, sleeves and dice for two players. For ages six and up.</p>';
      const page = (sold: string): string =>
        shopPage(
          `<div>${HEAD}<section><h2>${title}</h2>${text}</section></div><aside>${PRICE}${sold}</aside>`,
          {
            head: IN_MARKUP,
          },
        );
      expect(judgeCase({ body: page(BUY) })).toMatchObject({
        availability: 'in_stock',
        price: { amount: 4999 },
      });
      const soldOut = judgeCase({ body: page('<button disabled>Sold out</button>') });
      expect(soldOut.availability).toBe('out_of_stock');
    },
  );
});

describe('lists of shops', () => {
  const rows = (tag: string, texts: string[]): string =>
    texts.map((text) => `<${tag}>${text}</${tag}>`).join('');
  test.each([
    ['lines', `<h3>Collect from a shop</h3>${rows('p', ['Leeds: In stock', 'York: Out of stock'])}`],
    ['refusals first', `<h3>Stock in our shops</h3>${rows('li', ['York: Out of stock', 'Leeds: In stock'])}`],
    ['a plain title', `<p>Check our stores</p>${rows('p', ['Leeds – In stock', 'St Albans – Sold out'])}`],
    ['French', `<h3>Retrait en magasin</h3>${rows('li', ['Lyon : En stock', 'Paris : Rupture de stock'])}`],
    ['German', `<h3>Abholung in der Filiale</h3>${rows('li', ['Köln: Auf Lager', 'Bonn: Nicht vorrätig'])}`],
  ])('refuse no delivery: %s', (_name, list) => {
    const { availability } = judgeCase({ body: shopPage(priced(`<p>In stock</p>${BUY}<div>${list}</div>`)) });
    expect(availability).toBe('in_stock');
    const soldOut = judgeCase({ body: shopPage(priced(`<button disabled>Add to basket</button>${list}`)) });
    expect(soldOut.availability).toBe('out_of_stock');
  });

  test.each([
    'Home delivery: Out of stock',
    'Availability: Out of stock',
    'Online: Sold out',
    'Out of stock',
  ])('"%s" below their title still refuses', (line) => {
    const list = `<h3>Stock in our shops</h3><p>Leeds: In stock</p><p>${line}</p>`;
    const { availability } = judgeCase({ body: shopPage(priced(`${list}${BUY}`), { head: IN_MARKUP }) });
    expect(availability).toBe('out_of_stock');
  });
});

describe('forms for the news of a shop', () => {
  const news = (action: string, field = ''): string =>
    `<div><h3>Never miss a restock</h3><form action="${action}"><input type="email" name="email">${field}<button>Notify me</button></form></div>`;
  test('refuse nothing below a button that sells', () => {
    const [preorder, sells] = ['<button>Pre-order now</button>', '<button>Add to basket</button>'].map(
      (button) => judgeCase({ body: shopPage(priced(button) + news('/subscribe')) }),
    );
    expect(preorder?.availability).toBe('preorder');
    expect(sells?.availability).toBe('in_stock');
  });

  test.each([
    ['below one that is off', `<button disabled>Add to basket</button>${news('/subscribe')}`],
    ['alone', news('/subscribe')],
    [
      'when they name the product',
      `${BUY}${news('/subscribe', '<input type="hidden" name="product" value="7">')}`,
    ],
    ['when they are about the stock', `${BUY}${news('/back-in-stock/subscribe')}`],
  ])('refuse %s', (_name, inner) => {
    const { availability } = judgeCase({ body: shopPage(priced(inner), { head: IN_MARKUP }) });
    expect(availability).toBe('out_of_stock');
  });
});

describe('offers that are not the shop’s', () => {
  test.each(['Place bid', 'Bid now', 'Gebot abgeben', 'Enchérir', 'Pujar ahora', 'Bod plaatsen', 'Licytuj'])(
    'the link "%s" is an auction',
    (label) => {
      const body = shopPage(priced(`<p>14 bids</p><a href="/bfl/2651">${label}</a>`), { head: IN_MARKUP });
      expect(judgeCase({ body })).toMatchObject({ availability: 'unknown', price: null });
    },
  );

  test.each(['/users/', '/de/Users/', '/seller/', '/profile/'])('rows with profiles below %s', (path) => {
    const row = (name: string, price: string): string =>
      `<tr><td><a href="${path}${name}">${name}</a></td><td>Near Mint</td><td>£${price}</td><td><button>Add to basket</button></td></tr>`;
    const table = `<table>${row('reed_attic', '41.00')}${row('cardcellar', '44.50')}</table>`;
    const product = judgeCase({ body: shopPage(`${HEAD}<p>From £41.00</p>${table}`) });
    expect(product.availability).not.toBe('in_stock');
    const own = judgeCase({
      body: shopPage(priced(`<p>In stock</p>${BUY}`) + table, { head: linkedData({ price: 49.99 }) }),
    });
    expect(own).toMatchObject({ availability: 'in_stock', price: { amount: 4999 } });
  });
});
