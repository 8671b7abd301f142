import type { PageRecords } from './page-data';
import type { Price } from '#shared/monitor/checks/verdict';
import { readGtin } from '#shared/monitor/products/gtin';
import type { StructuredProduct } from './offers';
import { readAmount, readCurrency } from './price-text';
import { type Context, EURO_HOSTS, HOME_CURRENCY } from './product-context';
import { type ProductReader, textOf } from './product-reader';
import { type Watched, bestOffer } from './variants';

/** The currency of a page: as its meta elements or data name it, else by its host. */
export function pageCurrency(reader: ProductReader, final: URL | null): string {
  for (const name of [
    'product:price:currency',
    'og:price:currency',
    'product:sale_price:currency',
    'twitter:currency',
  ]) {
    const code = readCurrency(reader.meta.get(name));
    if (code !== null) return code;
  }
  return EURO_HOSTS.test(final?.hostname ?? '') ? 'EUR' : HOME_CURRENCY;
}

export function isProductMeta({ meta }: ProductReader): boolean {
  return (
    /product/.test(meta.get('og:type') ?? '') ||
    meta.has('product:price:amount') ||
    meta.has('og:price:amount')
  );
}

export function statedPrices(
  { reader, currency }: Context,
  subject: StructuredProduct | null,
  data: PageRecords,
  { variant }: Watched,
): Price[] {
  const prices: Price[] = [];
  const push = (price: Price | null | undefined): void => {
    if (price !== null && price !== undefined) prices.push(price);
  };
  push(variant?.price);
  const offers =
    subject === null
      ? []
      : [...subject.offers, ...subject.variants.flatMap((one) => one.offers)].filter(({ used }) => !used);
  push(bestOffer(offers)?.price);
  for (const offer of offers) push(offer.price);
  for (const record of data.own) push(record.price);
  for (const name of [
    'product:sale_price:amount',
    'product:price:amount',
    'og:price:amount',
    'twitter:data1',
  ]) {
    const amount = readAmount(reader.meta.get(name), currency);
    if (amount !== null) prices.push({ amount, currency });
  }
  return prices;
}

const LABELLED_GTIN =
  /(?:^|[^a-z])(?:gtin(?:-?\d{1,2})?|ean(?:-?13|-?8)?|upc|bar ?code|isbn(?:-?13)?)(?: ?(?:code|number|no\.?|nummer))?[\s:#.]{1,4}(\d[\d -]{6,18}\d)(?!\d)/i;

export function gtinOf(
  { reader, box }: Context,
  subject: StructuredProduct | null,
  data: PageRecords,
  { variant }: Watched,
): string | null {
  if (variant !== null && variant.gtin !== null) return variant.gtin;
  const own = subject?.gtin ?? (subject?.variants.length === 1 ? subject.variants[0]?.gtin : null) ?? null;
  if (own !== null) return own;
  // Each variant has a GTIN of its own: one of several says nothing about the product.
  const offered = new Set(
    data.own
      .filter((record) => data.variants.length < 2 || !data.variants.includes(record))
      .flatMap(({ gtin }) => gtin ?? []),
  );
  if (offered.size === 1) return [...offered][0] ?? null;
  for (const name of [
    'product:ean',
    'product:gtin',
    'product:gtin13',
    'product:upc',
    'og:upc',
    'og:ean',
    'product:isbn',
    'gtin',
    'gtin13',
  ]) {
    const gtin = readGtin(reader.meta.get(name));
    if (gtin !== null) return gtin;
  }
  let label = '';
  for (const line of reader.lines) {
    if (box.isOutside(line.node)) continue;
    const text = textOf(line).slice(0, 400);
    const gtin = readGtin(LABELLED_GTIN.exec(`${label} ${text}`)?.[1]);
    if (gtin !== null) return gtin;
    label = text.length < 20 ? text : '';
  }
  return null;
}
