import { describe, expect, test } from 'vitest';
import { BUY, IN_MARKUP, judgeCase, NAME, priced, shopPage } from './product-pages';

const NAMES = ['Fox', 'Owl', 'Stag'];
const each = (choice: (name: string, index: number) => string): string => NAMES.map(choice).join('');
const variants = (isOut: readonly boolean[]): string =>
  JSON.stringify({
    title: NAME,
    variants: NAMES.map((title, at) => ({
      id: 450_020 + at,
      title,
      available: isOut[at] !== true,
      price: 4999,
    })),
  });

/** How shops show the choices of a product, of which some are gone. */
const CHOICES: Record<string, (isOut: readonly boolean[]) => string> = {
  'words in options': (isOut) =>
    `<select name="v"><option value="">Choose a design</option>${each((name, at) => `<option value="${at + 1}">${name}${isOut[at] ? ' (out of stock)' : ''}</option>`)}</select>`,
  'options that are off': (isOut) =>
    `<select name="v">${each((name, at) => `<option value="${at + 1}"${isOut[at] ? ' disabled' : ''}>${name}</option>`)}</select>`,
  'radio buttons that are off': (isOut) =>
    each(
      (name, at) =>
        `<input type="radio" name="v" id="v${at}" value="${name}"${isOut[at] ? ' disabled' : ''}><label for="v${at}">${name}</label>`,
    ),
  'labels by their class': (isOut) =>
    each(
      (name, at) =>
        `<label${isOut[at] ? ' class="sold-out"' : ''}><input type="radio" name="v" value="${name}">${name}</label>`,
    ),
  'buttons that are off': (isOut) =>
    each((name, at) => `<button type="button"${isOut[at] ? ' disabled' : ''}>${name}</button>`),
  'buttons as they are read aloud': (isOut) =>
    `<ul>${each((name, at) => `<li><button type="button" aria-label="${name}${isOut[at] ? ', sold out' : ''}">${name}</button></li>`)}</ul>`,
  'links by their class': (isOut) =>
    `<div>${each((name, at) => `<a href="?variant=${at + 1}" class="swatch${isOut[at] ? ' soldout' : ''}">${name}</a>`)}</div>`,
  'links with words beside them': (isOut) =>
    `<ul>${each((name, at) => `<li><a href="?variant=${at + 1}">${name}</a>${isOut[at] ? ' Sold out' : ''}</li>`)}</ul>`,
  'swatches by their data': (isOut) =>
    `<div>${each((name, at) => `<span data-value="${name}" data-available="${isOut[at] !== true}">${name}</span>`)}</div>`,
  'data of the page': (isOut) => `<script type="application/json">${variants(isOut)}</script>`,
};
const BUTTONS = [BUY, '<button disabled>Select a design</button>'];

describe('choices of a product', () => {
  for (const [shape, show] of Object.entries(CHOICES))
    test(shape, () => {
      for (const button of BUTTONS)
        for (const isOut of [
          [true, true, true],
          [true, false, false],
        ]) {
          const body = shopPage(priced(show(isOut) + button), { head: IN_MARKUP });
          const product = judgeCase({ body });
          const states = product.variants.map(({ name, availability }) => `${name} ${availability}`);
          expect(states).toEqual(
            NAMES.map((name, at) => `${name} ${isOut[at] ? 'out_of_stock' : 'in_stock'}`),
          );
          expect(product.availability, button).toBe(isOut.includes(false) ? 'in_stock' : 'out_of_stock');
        }
    });
});

test('the variant that an address or a watch names is told, by whichever of its keys', () => {
  const body = shopPage(priced(CHOICES['data of the page']?.([true, false, false]) + BUY), {
    head: IN_MARKUP,
  });
  const url = 'https://cardcabin.example/products/chest';
  const watchedOf = (address: string, variantKey: string | null = null) =>
    judgeCase({ body, url: address, variantKey }).watchedVariant;
  expect(watchedOf(`${url}?variant=450021`)).toBe('450021');
  expect(watchedOf(url, 'owl')).toBe('450021');
  expect(watchedOf(url)).toBeNull();
  // No parameter that names a variant.
  expect(watchedOf(`${url}?ref=450021`)).toBeNull();
});

const ways = (delivery: string, collection: string): string =>
  `<fieldset><label><input type="radio" name="way"${delivery.includes('ut of') ? ' disabled' : ''}> ${delivery}</label><label><input type="radio" name="way" checked> ${collection}</label></fieldset>`;

/** Ways to get a product, which are no variants of it. */
describe('a choice between delivery and collection', () => {
  test.each([
    ['Delivery - <span>Out of stock online</span>', 'Click &amp; Collect - In stock at 4 stores near you'],
    ['Home delivery: out of stock', 'Pick up in store: available'],
    ['Lieferung: Out of stock', 'Abholung im Markt: verfügbar'],
    ['Livraison : rupture de stock', 'Retrait en magasin : disponible'],
  ])('%s, %s: out of stock', (delivery, collection) => {
    const { availability, variants } = judgeCase({
      body: shopPage(priced(`${ways(delivery, collection)}<button disabled>Add to basket</button>`)),
    });
    expect({ availability, variants }).toEqual({ availability: 'out_of_stock', variants: [] });
  });

  test('what can be delivered is in stock', () => {
    const { availability, variants } = judgeCase({
      body: shopPage(priced(`${ways('Delivery - In stock', 'Collection - Out of stock')}${BUY}`)),
    });
    expect({ availability, variants }).toEqual({ availability: 'in_stock', variants: [] });
  });

  test('names that begin with such words are variants', () => {
    const { variants } = judgeCase({
      body: shopPage(
        priced(
          `<label><input type="radio" name="v" value="1" disabled> Collector tin</label><label><input type="radio" name="v" value="2"> Shopkeeper tin</label>${BUY}`,
        ),
      ),
    });
    expect(variants.map(({ name }) => name)).toEqual(['Collector tin', 'Shopkeeper tin']);
  });
});
