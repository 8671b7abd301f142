import type { Price } from '#shared/monitor/checks/verdict';
import { readGtin } from '#shared/monitor/products/gtin';
import type { Element } from 'domhandler';
import { isRecord, listOf, textIn } from './lenient-json';
import { readAmount, readCurrency } from '../words/price-text';
import { type Wording, lastPartOf, readAvailabilityTerm } from '../words/stock-words';

/** An item of microdata or RDFa. */
export interface Item {
  type: string;
  /** The element that holds it. */
  node: number;
  properties: Map<string, Array<string | Item>>;
}

const MAX_ITEMS = 2000;
const MAX_VALUE = 5000;

/** Collects the items of microdata (`itemprop`) and RDFa (`property`) while a page is walked. */
export class ItemCollector {
  readonly items: Item[] = [];
  private readonly open_: Item[] = [];
  private readonly values: Array<{
    node: number;
    names: string[];
    item: Item;
    pieces: string[];
    length: number;
  }> = [];

  open(element: Element, node: number): void {
    const { attribs } = element;
    const scope = attribs['itemscope'] !== undefined || attribs['typeof'] !== undefined;
    const current = this.open_.at(-1);
    const names = (attribs['itemprop'] ?? (current === undefined ? '' : attribs['property']) ?? '')
      .split(/\s+/)
      .map((name) => name.slice(name.lastIndexOf(':') + 1))
      .filter((name) => name !== '');
    if (scope && this.items.length < MAX_ITEMS) {
      const type = attribs['itemtype'] ?? attribs['typeof'] ?? '';
      const item: Item = { type: lastPartOf(type), node, properties: new Map() };
      if (current === undefined || names.length === 0) this.items.push(item);
      else for (const name of names) addValue(current, name, item);
      this.open_.push(item);
      return;
    }
    if (current === undefined || names.length === 0) return;
    const value =
      attribs['content'] ??
      attribs['href'] ??
      attribs['resource'] ??
      (element.name === 'data' || element.name === 'meter' ? attribs['value'] : undefined) ??
      (element.name === 'img' ? attribs['src'] : undefined);
    if (value !== undefined && !(element.name === 'a' && names.includes('name')))
      for (const name of names) addValue(current, name, value);
    else this.values.push({ node, names, item: current, pieces: [], length: 0 });
  }

  text(data: string): void {
    const value = this.values.at(-1);
    if (value === undefined || value.length > MAX_VALUE) return;
    value.pieces.push(data);
    value.length += data.length;
  }

  close(node: number): void {
    const value = this.values.at(-1);
    if (value?.node === node) {
      this.values.pop();
      const text = value.pieces.join('').replace(/\s+/g, ' ').trim();
      for (const name of value.names) addValue(value.item, name, text);
      // The text of an inner value is part of the outer one.
      this.text(text);
    }
    if (this.open_.at(-1)?.node === node) this.open_.pop();
  }
}

function addValue(item: Item, name: string, value: string | Item): void {
  const known = item.properties.get(name);
  if (known === undefined) item.properties.set(name, [value]);
  else known.push(value);
}

/** An item in the shape of JSON-LD, so that both are read by the same rules. */
export function asLinkedData(item: Item, depth = 0): Record<string, unknown> {
  const data: Record<string, unknown> = { '@type': item.type, node: item.node };
  for (const [name, values] of item.properties) {
    if (name === '__proto__' || name === '@type' || name === 'node') continue;
    const read = values.map((value) =>
      typeof value === 'string' || depth > 8 ? value : asLinkedData(value, depth + 1),
    );
    data[name] = read.length === 1 ? read[0] : read;
  }
  return data;
}

/** An offer of structured data. */
export interface StructuredOffer {
  wording: Wording | null;
  /** The availability as written in the page. */
  term: string | null;
  price: Price | null;
  seller: string | null;
  sellerUrl: string | null;
  used: boolean;
  sku: string | null;
  url: string | null;
  name: string | null;
}

/** A product of structured data: JSON-LD, microdata or RDFa. */
export interface StructuredProduct {
  name: string | null;
  url: string | null;
  id: string | null;
  sku: string | null;
  gtin: string | null;
  offers: StructuredOffer[];
  /** Variants of a ProductGroup. */
  variants: StructuredProduct[];
  /** The element of the page, or null for JSON-LD. */
  node: number | null;
}

const PRODUCT_TYPES =
  /^(?:product|productgroup|productmodel|individualproduct|someproducts|vehicle|book|game|videogame|toy|creativework|thing|offercatalog)$/i;
const MAX_PRODUCTS = 60;
const MAX_OFFERS = 200;
const GTINS =
  'gtin13 gtin gtin14 gtin12 gtin8 ean ean13 upc barcode isbn product_ean productEan product_gtin'.split(' ');
/** Properties that refer to other products. */
const OTHERS = new Set(
  'isRelatedTo isSimilarTo isAccessoryOrSparePartFor isConsumableFor review reviews itemListElement aggregateRating breadcrumb'.split(
    ' ',
  ),
);

/** The structured data of a page. */
export interface StructuredData {
  products: StructuredProduct[];
  /** Whether it describes a list, a search or a front page. */
  isList: boolean;
  /** Names of the site and its organisation. */
  siteNames: string[];
}

/** Defaults for a page's offers: the currency, and the day of the fetch (`YYYY-MM-DD`). */
interface OfferDefaults {
  currency: string;
  today: string;
}

/** Reads all values of one page. */
export function readStructuredData(
  values: readonly unknown[],
  { currency: defaultCurrency, today }: OfferDefaults,
): StructuredData {
  const data: StructuredData = { products: [], isList: false, siteNames: [] };
  const seen = new Set<unknown>();
  const found: Array<Record<string, unknown>> = [];
  const byId = new Map<string, Record<string, unknown>>();
  const todo: Array<{ value: unknown; depth: number }> = values.map((value) => ({ value, depth: 0 }));
  for (let at = 0; at < todo.length && at < 5000; at += 1) {
    const { value, depth } = todo[at] ?? { value: null, depth: 0 };
    if (Array.isArray(value)) {
      for (const one of value.slice(0, 500)) todo.push({ value: one, depth });
      continue;
    }
    if (!isRecord(value) || seen.has(value) || depth > 8) continue;
    seen.add(value);
    const types = listOf(value['@type']).map((type) => String(type).replace(/^.*[/#:]/, ''));
    if (types.some((type) => /^(?:ItemList|CollectionPage|SearchResultsPage|OfferCatalog)$/i.test(type)))
      data.isList = true;
    if (
      types.some((type) =>
        /^(?:Organization|OnlineStore|Store|WebSite|LocalBusiness|Corporation)$/i.test(type),
      )
    ) {
      const name = textIn(value['name']);
      if (name !== null) data.siteNames.push(name);
    }
    const isProduct =
      types.some((type) => PRODUCT_TYPES.test(type)) &&
      (value['offers'] !== undefined ||
        value['hasVariant'] !== undefined ||
        types.some((type) => /^product/i.test(type)));
    const id = value['@id'];
    if (typeof id === 'string' && Object.keys(value).length > 1) byId.set(id, value);
    if (isProduct && found.length < MAX_PRODUCTS) {
      found.push(value);
      continue;
    }
    for (const [key, inner] of Object.entries(value))
      if (typeof inner === 'object' && inner !== null && !OTHERS.has(key))
        todo.push({ value: inner, depth: depth + 1 });
  }
  data.products = found.map((value) => readProduct(value, { currency: defaultCurrency, today }, byId));
  return data;
}

type ById = ReadonlyMap<string, Record<string, unknown>>;

/** The objects of a property, including references by `@id` to elsewhere in the graph (JSON-LD 1.1, node references). */
function objectsOf(value: unknown, byId: ById): Array<Record<string, unknown>> {
  return listOf(value)
    .flat()
    .filter(isRecord)
    .slice(0, MAX_OFFERS)
    .map((one) => {
      const id = one['@id'];
      return typeof id === 'string' && Object.keys(one).length === 1 ? (byId.get(id) ?? one) : one;
    });
}

function readProduct(value: Record<string, unknown>, facts: OfferDefaults, byId: ById): StructuredProduct {
  const variants = objectsOf(value['hasVariant'], byId).map((variant) =>
    readProduct({ ...variant, hasVariant: undefined }, facts, byId),
  );
  return {
    name: textIn(value['name']),
    url: textIn(value['url']) ?? textIn(value['@id']),
    id: textIn(value['@id']) ?? textIn(value['productID']),
    sku: textIn(value['sku']),
    gtin: gtinIn(value),
    offers: readOffers(value['offers'], facts, byId),
    variants,
    node: typeof value['node'] === 'number' ? value['node'] : null,
  };
}

/** The first valid GTIN among an object's properties. */
export function gtinIn(value: Record<string, unknown>): string | null {
  for (const key of GTINS) {
    // Data layers hold lists of one: `"product_ean": ["5702015891332"]`.
    const gtin = readGtin(listOf(value[key])[0]);
    if (gtin !== null) return gtin;
  }
  return null;
}

function readOffers(value: unknown, facts: OfferDefaults, byId: ById): StructuredOffer[] {
  return objectsOf(value, byId).flatMap((offer) => {
    const inner = objectsOf(offer['offers'], byId);
    const own = readOffer(offer, facts);
    if (inner.length === 0) return [own];
    const offers = inner.map((one) => {
      const read = readOffer(one, { ...facts, currency: own.price?.currency ?? facts.currency });
      return read.wording === null ? { ...read, wording: own.wording, term: own.term } : read;
    });
    return offers;
  });
}

function readOffer(offer: Record<string, unknown>, { currency, today }: OfferDefaults): StructuredOffer {
  const stated = listOf(offer['availability']).map(availabilityText)[0] ?? null;
  const wording = readAvailabilityTerm(stated);
  const condition = String(listOf(offer['itemCondition']).map(availabilityText)[0] ?? '');
  const item = isRecord(offer['itemOffered']) ? offer['itemOffered'] : {};
  const url = textIn(offer['url']) ?? textIn(offer['@id']);
  const [seller] = listOf(offer['seller'] ?? offer['offeredBy']);
  return {
    wording: isNotNow(offer, today) && wording?.says !== 'preorder' ? OUT : wording,
    term: stated,
    price: offerPrice(offer, currency),
    seller: textIn(isRecord(seller) ? seller['name'] : seller),
    sellerUrl: isRecord(seller) ? textIn(seller['url'] ?? seller['@id']) : null,
    used: /used|refurbished|damaged/i.test(condition),
    sku: textIn(offer['sku']) ?? textIn(item['sku']),
    url,
    name: textIn(offer['name']) ?? textIn(item['name']),
  };
}

const OUT: Wording = { says: 'out_of_stock', detail: null };

/** Whether an offer is over, not open yet, or of no item (schema.org: `availabilityEnds`, `availabilityStarts`, `inventoryLevel`). */
function isNotNow(offer: Record<string, unknown>, today: string): boolean {
  const [starts, ends] = ['availabilityStarts', 'availabilityEnds'].map((key) =>
    (textIn(offer[key]) ?? '').slice(0, 10),
  );
  const isDay = (text = ''): boolean => /^\d{4}-\d\d-\d\d$/.test(text);
  const level = offer['inventoryLevel'];
  const left = isRecord(level) ? level['value'] : level;
  return (
    (isDay(starts) && (starts ?? '') > today) ||
    (isDay(ends) && (ends ?? '') < today) ||
    left === 0 ||
    left === '0'
  );
}

function availabilityText(value: unknown): string | null {
  return isRecord(value) ? textIn(value['@id'] ?? value['url'] ?? value['name']) : textIn(value);
}

function offerPrice(offer: Record<string, unknown>, defaultCurrency: string): Price | null {
  const specifications = listOf(offer['priceSpecification']).flat().filter(isRecord);
  const currency =
    readCurrency(offer['priceCurrency']) ??
    specifications.map((one) => readCurrency(one['priceCurrency'])).find((code) => code !== null) ??
    defaultCurrency;
  const asked = specifications.filter(
    (one) =>
      one['validForMemberTier'] === undefined &&
      !isUnitPrice(one) &&
      !/listprice|strikethrough|msrp|srp|regularprice|invoice/i.test(textIn(one['priceType']) ?? '') &&
      one['valueAddedTaxIncluded'] !== false &&
      one['valueAddedTaxIncluded'] !== 'false' &&
      one['billingDuration'] === undefined,
  );
  const amount =
    readAmount(offer['price'], currency) ??
    asked.map((one) => readAmount(one['price'] ?? one['minPrice'], currency)).find((one) => one !== null) ??
    readAmount(offer['lowPrice'], currency) ??
    null;
  return amount === null ? null : { amount, currency };
}

/** Whether a price is for a weight or a part of the product. */
function isUnitPrice(one: Record<string, unknown>): boolean {
  const reference = one['referenceQuantity'];
  if (!isRecord(reference)) return false;
  const value = Number(reference['value'] ?? 1);
  return reference['unitCode'] !== undefined || reference['unitText'] !== undefined || value !== 1;
}
