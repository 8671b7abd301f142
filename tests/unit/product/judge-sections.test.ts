import { describe, expect, test } from 'vitest';
import { BUY, IN_MARKUP, judgeCase, NAME, shopPage } from './product-pages';

/** What stands where the product is sold, whether it can be bought, and its price in pence. */
const SOLD: Record<string, readonly [inner: string, right: string]> = {
  'a button that is off': [
    '<form action="/cart/add"><button disabled>Sold out</button></form>',
    'out_of_stock',
  ],
  'a line': ['<p>Out of stock</p>', 'out_of_stock'],
  'a notice': ['<p>Sold out</p><button>Notify me when available</button>', 'out_of_stock'],
  'a form that sells': [BUY, 'in_stock'],
  'a line and a button': ['<p>In stock</p><button type="button">Add to basket</button>', 'in_stock'],
};

const HEAD = `<h1>${NAME}</h1>`;
const PRICE = '<p class="price">£49.99</p>';
const TEXT = '<p>Nine boosters, sleeves and dice for two players. Made from card; for ages six and up.</p>';

/** Where the texts stand: between the heading and what sells. */
const LAYOUTS: Record<string, (sections: string[], sold: string) => string> = {
  'a column': (sections, sold) =>
    `<div class="head">${HEAD}</div><div class="cols"><div><div class="gallery"><img src="/1.jpg" alt="${NAME}"></div><section>${sections.map((one) => `<div>${one}</div>`).join('')}</section></div><div class="buy">${PRICE}${sold}</div></div>`,
  'a column without parts': (sections, sold) =>
    `<div class="head">${HEAD}</div><div class="cols"><div>${sections.join('')}</div><div class="buy">${PRICE}${sold}</div></div>`,
  'below the heading': (sections, sold) =>
    `<div class="cols"><div>${HEAD}${sections.join('')}</div><div class="buy">${PRICE}${sold}</div></div>`,
  flat: (sections, sold) => `${HEAD}${sections.join('')}${PRICE}${sold}`,
  'below the price': (sections, sold) =>
    `<div class="head">${HEAD}${PRICE}</div><div class="cols"><div>${sections.join('')}</div><div>${sold}</div></div>`,
  'in a list': (sections, sold) =>
    `${HEAD}<ul>${sections.map((one) => `<li>${one}</li>`).join('')}</ul><div>${PRICE}${sold}</div>`,
  'in parts': (sections, sold) =>
    `${HEAD}${sections.map((one) => `<section>${one}</section>`).join('')}<div>${PRICE}${sold}</div>`,
};

const TITLES =
  'Description|Product description|Product details|Details|About this item|About the set|Overview|Features|Key features|Highlights|Specifications|Technical specification|Contents|What’s in the box|What you get|In the box|More information|Product information|Delivery|Delivery & returns|Shipping information|Reviews|Customer reviews|What customers say|Q&A|Questions & answers|FAQs|Safety warning|Size guide|How to play|Beschreibung|Produktbeschreibung|Produktdetails|Lieferumfang|Inhalt|Bewertungen|Eigenschaften|Technische Daten|Caractéristiques|Contenu de la boîte|Avis clients|Fiche technique|Descripción|Características|Contenido|Opiniones|Descrizione|Caratteristiche|Contenuto|Recensioni|Omschrijving|Beschrijving|Kenmerken|Inhoud|Beoordelingen|Opis|Opis produktu|Specyfikacja|Zawartość|Opinie|Descrição|Beskrivning|Beskrivelse|商品説明|商品詳細|レビュー|The story so far|Nine packs, one box|Popular choice|Recommended age|Why collectors love it'.split(
    '|',
  );

describe('texts about the product that stand above what sells', () => {
  test.each(TITLES)('%s', (title) => {
    const wrong = Object.entries(LAYOUTS).flatMap(([layout, join]) =>
      Object.entries(SOLD).flatMap(([says, [sold, right]]) =>
        [1, 2].flatMap((count) => {
          const sections = [`<h2>${title}</h2>${TEXT}`, `<h2>Notes</h2>${TEXT}`].slice(0, count);
          const body = shopPage(join(sections, sold), { head: IN_MARKUP });
          const { availability, price } = judgeCase({ body });
          return availability === right && price?.amount === 4999
            ? []
            : `${layout}, ${says}, ${count}: ${availability} ${price?.amount ?? ''}`;
        }),
      ),
    );
    expect(wrong).toEqual([]);
  });

  test.each(['Bestseller', 'Popular choice', 'New in', 'Trending now', 'Recommended'])(
    'the badge "%s"',
    (badge) => {
      const gallery = `<div><span>${badge}</span><img src="/1.jpg" alt="${NAME}"></div>`;
      const wrong = Object.entries(SOLD).flatMap(([says, [sold, right]]) =>
        [
          `<div>${HEAD}</div><div>${gallery}<div>${PRICE}${sold}</div></div>`,
          `<div>${HEAD}${PRICE}</div><div>${gallery}<div>${sold}</div></div>`,
        ].flatMap((main) => {
          const { availability, price } = judgeCase({ body: shopPage(main, { head: IN_MARKUP }) });
          return availability === right && price?.amount === 4999 ? [] : `${says}: ${availability} ${main}`;
        }),
      );
      expect(wrong).toEqual([]);
    },
  );

  test('an amount in such a text is not the price', () => {
    const sections = [
      `<h2>Description</h2>${TEXT}`,
      '<h2>Delivery & returns</h2><p>Standard delivery £3.95, free over £50.</p>',
      '<h2>Reviews</h2><p>Would buy again for £20, not for £60.</p>',
    ];
    const wrong = Object.entries(LAYOUTS).flatMap(([layout, join]) => {
      const body = shopPage(join(sections, '<button disabled>Sold out</button>'), { head: IN_MARKUP });
      const { availability, price } = judgeCase({ body });
      return availability === 'out_of_stock' && price?.amount === 4999
        ? []
        : `${layout}: ${availability} ${price?.amount ?? ''}`;
    });
    expect(wrong).toEqual([]);
  });

  const CARD = '<h3>Saltwind Saga Sleeves (65)</h3><p>£9.99</p><button type="button">Add to basket</button>';
  test.each([
    ['a card', `<div class="card">${CARD}</div>`],
    ['a card of the same price', `<div class="card">${CARD.replace('£9.99', '£49.99')}</div>`],
    ['a section', `<section><h2>Goes well with</h2>${CARD}</section>`],
    ['a linked card', `<div>${CARD.replace(/>(Saltwind[^<]*)</, '><a href="/products/x">$1</a><')}</div>`],
  ])('%s below such a text is not the product', (_name, other) => {
    const wrong = ['', PRICE, '<p>Sold out</p>', `${PRICE}<button disabled>Add to basket</button>`].flatMap(
      (own) =>
        ['Description', 'Contents', 'Reviews', 'Notes'].flatMap((title) => {
          const body = shopPage(
            `<div>${HEAD}${own}</div><section><h2>${title}</h2>${TEXT}</section>${other}`,
          );
          const { availability, price } = judgeCase({ body });
          return availability === 'in_stock' || price?.amount === 999
            ? `${own} ${title}: ${availability}`
            : [];
        }),
    );
    expect(wrong).toEqual([]);
  });
});
