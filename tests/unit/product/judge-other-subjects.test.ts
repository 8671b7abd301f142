import { describe, expect, test } from 'vitest';
import { BUY, IN_MARKUP, judgeCase, NAME, priced, shopPage } from './product-pages';

const URL_2026 = 'https://cardcabin.example/products/amber-tide-elite-trainer-box-2026';
const NAME_2026 = `${NAME} (2026 Edition)`;

function judgeBeside(
  line: string,
  { button = BUY, lang = 'en' }: { button?: string; lang?: string } = {},
): string {
  const main = `<div class="pdp"><h1>${NAME_2026}</h1><p class="price">£49.99</p>${line}${button}</div>`;
  const { availability, unknownReason } = judgeCase({
    body: shopPage(main, { title: `${NAME_2026} | Card Cabin`, lang }),
    url: URL_2026,
  });
  return unknownReason ?? availability;
}

const OTHER_EDITIONS = [
  'The <a href="/products/amber-tide-elite-trainer-box-2023">2023 edition</a> has been discontinued and will not be coming back. This is the new one.',
  'The 2023 edition has been discontinued.',
  'The 2024 version is sold out.',
  'Version 2023 is no longer made.',
  'The first edition is no longer available.',
  'The previous edition has been discontinued.',
  'Die Ausgabe von 2023 ist ausverkauft.',
  'Die vorherige Auflage wird nicht mehr hergestellt.',
  'L’édition 2023 n’est plus fabriquée.',
  'L’ancienne édition est épuisée.',
  'La edición de 2023 está descatalogada.',
  'La edición anterior está agotada.',
  'L’edizione 2023 è fuori produzione.',
  'L’edizione precedente è esaurita.',
  'De editie van 2023 is uitverkocht.',
  'De vorige editie wordt niet meer gemaakt.',
  'Edycja 2023 jest wyprzedana.',
  'Poprzednia edycja została wycofana.',
  'Our <a href="/products/harbour-masks-tin">Harbour Masks Tin</a> is sold out.',
  '<a href="/products/harbour-masks-tin">Harbour Masks Tin</a> has been discontinued.',
];

const THIS_EDITION = [
  'The 2026 edition has been discontinued.',
  'This older edition has been discontinued.',
  'This edition has been discontinued.',
  'This product has been discontinued. See the <a href="/products/amber-tide-box-2027">2027 edition</a>.',
  'Sold out. The <a href="/products/amber-tide-elite-trainer-box-2023">2023 edition</a> is in stock.',
  '<a href="/products/amber-tide-elite-trainer-box-2026">Amber Tide Elite Trainer Box</a> is sold out.',
  'Dies ist die alte Auflage. Sie wird nicht mehr hergestellt.',
  '<a href="/products/harbour-masks-tin">Previous</a> Sold out',
];

describe('refusals of another edition or product', () => {
  test.each(OTHER_EDITIONS)('%s', (line) => {
    expect(judgeBeside(`<p>${line}</p>`)).toBe('in_stock');
    expect(judgeBeside(`<div class="callout">${line}</div><p>Available: 61 in our warehouse</p>`)).toBe(
      'in_stock',
    );
  });

  test.each(THIS_EDITION)('of this one: %s', (line) => {
    expect(['out_of_stock', 'discontinued', 'unrecognised']).toContain(judgeBeside(`<p>${line}</p>`));
  });

  test('without a button, even that refuses', () => {
    expect(judgeBeside('<p>The 2023 edition has been discontinued.</p>', { button: '' })).not.toBe(
      'in_stock',
    );
  });
});

const alertForm = (text: string, button = 'Notify me'): string =>
  `<form class="bis-form" method="post"><h4>Never miss out</h4><p>${text}</p><input type="email"><button type="submit">${button}</button></form>`;

const GENERAL_ALERTS = [
  alertForm('Email me when new Amber Tide products are back in stock'),
  alertForm('Tell me about other items of this set'),
  alertForm('Notify me when any of our products are back in stock', 'Sign me up'),
  alertForm('Get notified about new releases and restocks'),
  alertForm('', 'Email me about new products'),
  alertForm('Benachrichtigen Sie mich, wenn neue Produkte auf Lager sind', 'Benachrichtigen'),
  alertForm('Prévenez-moi quand d’autres produits sont disponibles', 'Prévenez-moi'),
  alertForm('Avísame cuando haya nuevos productos', 'Avísame'),
  alertForm('Avvisami quando arrivano nuovi prodotti', 'Avvisami'),
  alertForm('Houd me op de hoogte van nieuwe producten', 'Houd me op de hoogte'),
  alertForm('Powiadom mnie o nowych produktach', 'Powiadom mnie'),
];

describe('alerts about several products', () => {
  test.each(GENERAL_ALERTS)('refuse nothing below a button that sells: %s', (form) => {
    for (const head of [IN_MARKUP, ''])
      expect(judgeCase({ body: shopPage(priced(BUY + form), { head }) }).availability).toBe('in_stock');
  });

  test.each(GENERAL_ALERTS)('sell nothing in place of a button: %s', (form) => {
    expect(judgeCase({ body: shopPage(priced(form), { head: IN_MARKUP }) }).availability).not.toBe(
      'in_stock',
    );
  });

  test.each([
    alertForm('Email me when this is back in stock'),
    alertForm('Email me when these sleeves are back in stock'),
    alertForm('Email me when this product is back in stock, and about new products'),
    alertForm('', 'Email me when available'),
  ])('an alert about this product refuses: %s', (form) => {
    expect(judgeCase({ body: shopPage(priced(BUY + form)) }).availability).not.toBe('in_stock');
  });
});

const TILE =
  '<div class="t1"><a href="/products/saltwind-sleeves">Saltwind Saga Sleeves</a><span>£9.99</span><span>In stock</span><button type="button">Add to basket</button></div>';

describe('what is in stock besides the product', () => {
  test.each([
    TILE,
    TILE.replace('<span>In stock</span>', ''),
    TILE.replaceAll('span', 'b'),
    '<p>We have 12,000 items in stock</p>',
    '<p>Artikel auf Lager werden sofort versandt.</p>',
    '<p>Les articles en stock partent sous 24 h.</p>',
    '<p>Los artículos en stock salen hoy.</p>',
    '<p>Producten op voorraad verzenden we vandaag.</p>',
  ])('sells nothing of it: %s', (html) => {
    expect(judgeCase({ body: shopPage(priced(html)) }).availability).toBe('unknown');
    const { availability, price } = judgeCase({ body: shopPage(`<h1>${NAME}</h1><p>Sold out</p>${html}`) });
    expect({ availability, price }).toEqual({ availability: 'out_of_stock', price: null });
  });

  test('a button below a link to the page itself sells the product', () => {
    const own = `<div><a href="/products/amber-tide-elite-trainer-box">${NAME}</a><span>£49.99</span><button>Add to basket</button></div>`;
    expect(judgeCase({ body: shopPage(`<h1>${NAME}</h1>${own}`) }).availability).toBe('in_stock');
  });
});
