import type { Price, ProductSign, ProductVariant } from '#shared/monitor/checks/verdict';
import { parseAddress } from '../../waiting-room/fetch/web-address';
import { foldText } from '../../waiting-room/parse/normalise-text';
import type { StructuredOffer, StructuredProduct } from './offers';
import { type PageRecords, type DataRecord, availabilityOf } from './page-data';
import type { ProductBox } from './product-box';
import { type Context, MAX_VARIANTS } from './product-context';
import type { ProductReader } from './product-reader';
import { isNoChoice, readStockLine } from './stock-words';

/** A variant with the keys by which an address may name it. */
export interface KnownVariant extends ProductVariant {
  keys: string[];
  source: ProductSign['source'];
  evidence: string;
  wording: DataRecord['wording'];
  gtin: string | null;
}

export function listVariants(
  { reader, box, title }: Context,
  subject: StructuredProduct | null,
  data: PageRecords,
): KnownVariant[] {
  const fromData = data.variants.map((record) => variantOf(record, title));
  const named = fromData.filter(({ name }) => name !== '');
  const unique = new Map<string, KnownVariant>();
  for (const variant of named) if (!unique.has(variant.name)) unique.set(variant.name, variant);
  if (unique.size > 1) return [...unique.values()].slice(0, MAX_VARIANTS);
  if (subject !== null && subject.variants.length > 1)
    return subject.variants.slice(0, MAX_VARIANTS).map((variant) => {
      const offer = bestOffer(variant.offers);
      return {
        key: variant.sku ?? variantInAddress(offer?.url ?? variant.url) ?? variant.name ?? '',
        keys: [
          variant.sku,
          variantInAddress(offer?.url ?? null),
          variantInAddress(variant.url),
          variant.id,
          variant.name,
          variant.gtin,
        ].flatMap((key) => key ?? []),
        name: shortName(variant.name ?? variant.sku ?? '', subject.name ?? title),
        availability: availabilityOf(offer?.wording ?? null),
        price: offer?.price ?? null,
        source: 'structured_data' as const,
        evidence: `${variant.name ?? ''}: ${offer?.term ?? ''}`,
        wording: offer?.wording ?? null,
        gtin: variant.gtin,
      };
    });
  if (subject !== null && subject.offers.length > 1 && subject.offers.every(({ name }) => name !== null))
    return subject.offers.slice(0, MAX_VARIANTS).map((offer) => ({
      key: variantInAddress(offer.url) ?? offer.sku ?? offer.name ?? '',
      keys: [variantInAddress(offer.url), offer.sku, offer.name].flatMap((key) => key ?? []),
      name: shortName(offer.name ?? '', subject.name ?? title),
      availability: availabilityOf(offer.wording),
      price: offer.price,
      source: 'structured_data' as const,
      evidence: `${offer.name ?? ''}: ${offer.term ?? ''}`,
      wording: offer.wording,
      gtin: null,
    }));
  return variantsOfChoice(reader, box);
}

export function variantOf(record: DataRecord, title: string | null): KnownVariant {
  const name = record.options ?? shortName(record.name ?? '', title ?? record.parent?.name ?? null);
  return {
    key: record.keys[0] ?? name,
    keys: [...record.keys, name],
    name: name === 'Default Title' ? '' : name,
    availability: availabilityOf(record.wording),
    price: record.price,
    source: 'page_data',
    evidence: `${name}: ${record.evidence}`,
    wording: record.wording,
    gtin: record.gtin,
  };
}

/** A variant's name without the product's: "Mini Tin - Fox" is "Fox". */
function shortName(name: string, product: string | null): string {
  if (product === null || product === '' || !name.startsWith(product)) return name;
  return name
    .slice(product.length)
    .replace(/^[\s\-–—:/|,(]+/, '')
    .replace(/\)$/, '')
    .trim();
}

/** The variants of a choice whose options say that they are sold out. */
function variantsOfChoice(reader: ProductReader, box: ProductBox): KnownVariant[] {
  const choices = reader.choices.filter(
    ({ node, options }) =>
      box.holds(node) &&
      options.length > 1 &&
      !/qty|quantity|sort|country/i.test(
        `${reader.elements[node]?.attribs['name'] ?? ''}${reader.elements[node]?.attribs['id'] ?? ''}`,
      ),
  );
  const [choice] = choices;
  if (choice === undefined || choices.length > 1) return [];
  const options = choice.options.filter(({ text, value }) => value !== '' && !isNoChoice(foldText(text)));
  if (options.length < 2) return [];
  const stated = options.map(({ text, disabled }) => {
    const wording = readStockLine(foldText(text));
    return disabled ? { says: 'out_of_stock' as const, detail: null } : wording;
  });
  if (stated.every((wording) => wording === null)) return [];
  return options.slice(0, MAX_VARIANTS).map(({ text, value }, index) => {
    const wording = stated[index] ?? { says: 'in_stock' as const, detail: null };
    const name = text
      .replace(
        / ?[-–—(:|] ?(?:sold out|out of stock|unavailable|in stock|pre-?order|ausverkauft|nicht verfügbar|épuisé|rupture[^)]{0,30}|agotado|esaurito|uitverkocht|only \d{1,3} left)\)?$/i,
        '',
      )
      .trim();
    return {
      key: value,
      keys: [value, name],
      name,
      availability: availabilityOf(wording),
      price: null,
      source: 'stock_line' as const,
      evidence: text,
      wording,
      gtin: null,
    };
  });
}

const VARIANT_PARAMETERS = [
  'variant',
  'variation_id',
  'sku',
  'variantid',
  'variant_id',
  'skuid',
  'v',
  'variation',
  'option',
  'colour',
  'color',
  'size',
  'design',
  'style',
  'dwvar',
];

export function variantInAddress(address: string | null): string | null {
  if (address === null) return null;
  const url = parseAddress(address, 'https://unknown.invalid/');
  if (url === null) return null;
  for (const [name, value] of url.searchParams) {
    const key = name.toLowerCase();
    if (
      value !== '' &&
      (VARIANT_PARAMETERS.includes(key) || key.startsWith('attribute_') || key.startsWith('dwvar_'))
    )
      return value;
  }
  return null;
}

/** The watched variant, when the address or the watch names one. `isMissing`: it is named, and the page does not have it. */
export interface Watched {
  variant: KnownVariant | null;
  offer: StructuredOffer | null;
  key: string | null;
  isShown: boolean;
}

export function findWatched(
  { answer, expected, reader, box }: Context,
  variants: readonly KnownVariant[],
  _data: PageRecords,
  subject: StructuredProduct | null,
): Watched {
  const inAddress = variantInAddress(answer.finalUrl) ?? variantInAddress(answer.requestUrl);
  const key = expected.variantKey ?? inAddress;
  if (key === null) return { variant: null, offer: null, key: null, isShown: true };
  const folded = foldText(key);
  const isKey = (one: string): boolean =>
    foldText(one) === folded || foldText(one).replace(/[^\p{L}\p{N}]+/gu, '-') === folded;
  const variant = variants.find(({ keys }) => keys.some(isKey)) ?? null;
  const offer =
    subject?.offers.find((one) =>
      [variantInAddress(one.url), one.sku, one.name].some((text) => text !== null && isKey(text)),
    ) ?? null;
  const selected = reader.elements.some(
    (element, node) =>
      element.name === 'input' &&
      /^(?:id|variant|variation_id|sku)$/.test(element.attribs['name'] ?? '') &&
      element.attribs['value'] === key &&
      box.holds(node),
  );
  const isShown = expected.variantKey === null || (inAddress !== null && isKey(inAddress)) || selected;
  return { variant, offer, key: variant === null && offer === null ? null : key, isShown };
}

export function watchedPrice({ variant, offer }: Watched): Price | null {
  return variant?.price ?? offer?.price ?? null;
}

export function bestOffer(offers: readonly StructuredOffer[]): StructuredOffer | null {
  const rank = ['in_stock', 'limited', 'preorder', 'out_of_stock', 'discontinued'];
  const stated = offers.filter(({ wording, used }) => wording !== null && !used);
  return (
    stated.sort(
      (one, other) => rank.indexOf(one.wording?.says ?? '') - rank.indexOf(other.wording?.says ?? ''),
    )[0] ??
    offers[0] ??
    null
  );
}

export function bestVariant(variants: readonly KnownVariant[]): KnownVariant | null {
  const rank = ['in_stock', 'limited', 'preorder', 'out_of_stock'];
  const stated = variants.filter(({ availability }) => availability !== 'unknown');
  return (
    stated.sort((one, other) => rank.indexOf(one.availability) - rank.indexOf(other.availability))[0] ?? null
  );
}

export function plainVariant({ key, name, availability, price }: KnownVariant): ProductVariant {
  return { key, name, availability, price };
}
