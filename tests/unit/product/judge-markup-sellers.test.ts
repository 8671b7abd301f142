import { describe, expect, test } from 'vitest';
import { BUY, judgeCase, linkedData, priced, shopPage } from './product-pages';

const offer = (name: string, state: string, price = '49.99', url?: string): Record<string, unknown> => ({
  '@type': 'Offer',
  price,
  priceCurrency: 'GBP',
  availability: `https://schema.org/${state}`,
  seller: { '@type': 'Organization', name, ...(url === undefined ? {} : { url }) },
});

const judged = (offers: Array<Record<string, unknown>>, after = '', inner = `<p>In stock</p>${BUY}`) =>
  judgeCase({ body: shopPage(priced(inner), { head: linkedData(offers), after }) });

describe('a seller whom only the markup names', () => {
  test.each([
    ['a legal name', [offer('Larch & Daughters Trading Ltd', 'InStock')], ''],
    ['the brand', [offer('Harbour Games International', 'InStock')], ''],
    ['the shop', [offer('Card Cabin', 'InStock')], '<p><a href="/sell">Sell on Card Cabin</a></p>'],
    ['its host', [offer('cardcabin.example', 'InStock')], '<p><a href="/sell">Sell on Card Cabin</a></p>'],
    ['the shop beside another', [offer('Card Cabin', 'InStock'), offer('Foil Barn', 'InStock', '44.00')], ''],
    [
      'a legal name in the last line of a marketplace',
      [offer('Larch Trading Ltd', 'InStock')],
      '<p><a href="/sell">Sell on Card Cabin</a></p><p>© 2026 Larch Trading Limited</p>',
    ],
    [
      'the address of the shop',
      [offer('Larch Trading', 'InStock', '49.99', 'https://cardcabin.example/')],
      '',
    ],
  ])('sells for the shop: %s', (_name, offers, after) => {
    expect(judged(offers, after)).toMatchObject({ availability: 'in_stock', price: { amount: 4999 } });
  });

  test.each([
    ['the shop has none', [offer('Card Cabin', 'OutOfStock'), offer('Foil Barn', 'InStock')], ''],
    ['of several', [offer('Foil Barn', 'InStock'), offer('Reed Attic', 'InStock', '52.00')], ''],
    ['with a profile', [offer('Foil Barn', 'InStock', '49.99', '/sellers/foil-barn')], ''],
    ['on a marketplace', [offer('Foil Barn', 'InStock')], '<a href="/sell">Sell on Card Cabin</a>'],
    ['on a German one', [offer('Foil Barn', 'InStock')], '<a href="/v">Händler werden</a>'],
    ['with a pre-order', [offer('Foil Barn', 'PreOrder', '49.99', '/merchant/7')], ''],
  ])('is another one: %s', (_name, offers, after) => {
    expect(judged(offers, after)).toMatchObject({
      availability: 'out_of_stock',
      detail: 'marketplace_only',
      price: null,
      seller: expect.stringMatching(/^Foil Barn|^Reed/) as string,
    });
  });

  test('is not asked for when the page names the seller', () => {
    const offers = [offer('Larch Trading', 'InStock', '49.99', '/sellers/larch')];
    const { availability } = judged(offers, '', `<p>Sold by Card Cabin</p><p>In stock</p>${BUY}`);
    expect(availability).toBe('in_stock');
  });
});
