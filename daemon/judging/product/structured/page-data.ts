import type { Availability, Price } from '#shared/monitor/checks/verdict';
import { foldText } from '../../../waiting-room/parse/normalise-text';
import { type RepairBudget, isRecord, parseLenient, parseStrict, textIn } from './lenient-json';
import { readAmount, readCurrency } from '../words/price-text';
import { type Wording, readAvailabilityTerm, readStockLine } from '../words/stock-words';
import { gtinIn } from './structured-data';

/** A JSON text of the page: a data block, a script, or the value of an attribute. */
export interface Island {
  text: string;
  node: number;
  kind: 'ld' | 'json' | 'script' | 'attribute';
}

/** A statement about stock in the data of a page or of a platform. */
export interface DataRecord {
  name: string | null;
  /** Ids, SKUs and handles, as texts. */
  keys: string[];
  wording: Wording | null;
  /** `key: value`, quoted. */
  evidence: string;
  price: Price | null;
  gtin: string | null;
  /** Values of the options: "Fox", "Large". */
  options: string | null;
  /** Whether it is one of several variants of the product in `parent`. */
  isVariant: boolean;
  parent: DataRecord | null;
  /** Whether it is nested below a name such as `related`. */
  isOther: boolean;
  /** The element of the page that holds the data. */
  node: number;
}

/** The records of a page's data: all, those of the product, and those of its variants. */
export interface PageRecords {
  records: DataRecord[];
  own: DataRecord[];
  variants: DataRecord[];
}

const STOCK_WORD =
  /availab|in_?stock|instock|stock_?(?:level|status|quantity)|"stock"|sold_?out|purchasable|pre_?order|back_?order|inventory|orderable|sellable|buyable|quantity|spConfig|product_?(?:ean|gtin)/i;
const OTHER_KEYS =
  /related|recommend|similar|upsell|cross_?sell|also|recent|bundle|sponsor|carousel|suggest|accessor|popular|trending|alternativ|navigation|menu|footer|header|(?<!add_?to_?)cart|basket|wishlist|reviews?$|stores?$|store_?(?:stock|availab)|pick_?up|click_?(?:and)?_?collect|gift|wrap|finance|warrant|insur|sample|digital|e_?book|express|next_?day|same_?day|nearby|collection_?products|slots/i;
const VARIANT_KEYS =
  /^(?:variants?|skus?|variations?|children|product_?variants?|child_?products|sub_?products|variation_?attributes|nodes|edges|items_?variants|combinations|simple_?products)$/i;

/** Of one variant. */
const MAX_OPTIONS = 200;
const MAX_RECORDS = 1000;
const MAX_STEPS = 60_000;
const MAX_DEPTH = 24;
const MAX_ASSIGNMENTS = 30;

/** Angular's escapes of HTML characters in its server's state (angular/angular, `transfer_state.ts`, before version 16). */
const STATE_SIGNS: Readonly<Record<string, string>> = { a: '&', q: '"', s: "'", l: '<', g: '>' };

function unescapeState(text: string): string {
  if (!text.trimStart().startsWith('{&q;')) return text;
  return text.replace(/&([aqslg]);/g, (_, sign: string) => STATE_SIGNS[sign] ?? '');
}

/** The JSON values in the islands of a page that contain a word about stock. */
export function* dataOf(
  islands: readonly Island[],
  budget: RepairBudget,
): Generator<{ value: unknown; node: number }> {
  for (const { kind, text, node } of islands) {
    if (kind === 'ld' || !STOCK_WORD.test(text)) continue;
    if (kind === 'script') for (const value of assignedIn(text, budget)) yield { value, node };
    else {
      const value = kind === 'json' ? parseLenient(unescapeState(text), budget) : parseStrict(text);
      if (value !== undefined) yield { value, node };
    }
  }
}

/** The objects and lists that a script assigns (`window.x = {…}`, `push({…})`, `JSON.parse("…")`). */
function* assignedIn(script: string, budget: RepairBudget): Generator<unknown> {
  const opening = /(?:=|\bpush\(|\bparse\(|:)\s*(?=[[{"'`])/g;
  let found = 0;
  let position = 0;
  while (found < MAX_ASSIGNMENTS) {
    opening.lastIndex = position;
    const match = opening.exec(script);
    if (match === null) return;
    const start = match.index + match[0].length;
    const isText = /["'`]/.test(script[start] ?? '');
    if (isText && !match[0].startsWith('parse')) {
      position = start + 1;
      continue;
    }
    if (match[0].startsWith(':')) {
      position = start;
      if (isText) continue;
    }
    const end = isText ? endOfText(script, start) : endOfValue(script, start);
    if (end === -1) {
      position = start + 1;
      found += 1;
      continue;
    }
    const text = script.slice(start, end);
    if (STOCK_WORD.test(text)) {
      found += 1;
      const value = isText
        ? parseQuoted(text)
        : text.includes('=>') || text.includes('function')
          ? parseStrict(text)
          : parseLenient(text, budget);
      if (value !== undefined) {
        yield value;
        position = end;
        continue;
      }
      position = start + 1;
      continue;
    }
    position = end;
  }
}

function parseQuoted(text: string): unknown {
  const inner = text.slice(1, -1);
  const content = text.startsWith('"') ? parseStrict(text) : inner.replace(/\\(['`\\"])/g, '$1');
  return typeof content === 'string' ? parseStrict(content) : undefined;
}

function endOfText(script: string, start: number): number {
  const quote = script[start];
  for (let at = start + 1; at < script.length; at += 1) {
    if (script[at] === '\\') at += 1;
    else if (script[at] === quote) return at + 1;
  }
  return -1;
}

/** The position behind a balanced object or list, or -1. */
function endOfValue(script: string, start: number): number {
  let depth = 0;
  for (let at = start; at < script.length; at += 1) {
    const character = script[at];
    if (character === '"' || character === "'") {
      const end = endOfText(script, at);
      if (end === -1) return -1;
      at = end - 1;
    } else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

const NAMES =
  'title name productName product_name displayName display_name productTitle fullName shortName'.split(' ');
const IDS =
  'id sku handle slug productId product_id variation_id variantId skuId code partNumber uuid pid id_product key'.split(
    ' ',
  );
const TERM_KEYS =
  'availability availabilityStatus availability_status stockStatus stock_status stockLevelStatus inventoryStatus inventory_status status stockState stock_state availabilityState stockMessage stock_message availabilityMessage availability_message stockLevel stock_level stock inventory'.split(
    ' ',
  );
const YES_KEYS =
  'available isAvailable is_available inStock in_stock is_in_stock instock isInStock availableForSale available_for_sale sellable buyable isBuyable orderable isOrderable readyToOrder canAddToCart hasStock isSellable salable is_salable isSaleable unlimited'.split(
    ' ',
  );
/** Whether it may be sold at all: true does not mean in stock. */
const SOLD_KEYS = ['purchasable', 'is_purchasable', 'isPurchasable'];
const NO_KEYS =
  'soldOut sold_out isSoldOut outOfStock out_of_stock isOutOfStock is_out_of_stock oos isOos notAvailable unavailable'.split(
    ' ',
  );
const PRE_KEYS = 'preorder isPreorder isPreOrder is_preorder preOrder is_pre_order preorderable'.split(' ');
const BACK_KEYS = 'is_on_backorder isBackorder backordered onBackorder isOnBackorder is_backorder'.split(' ');
const COUNT_KEYS =
  'stockLevel stock_level stock inventoryQuantity inventory_quantity quantityAvailable quantity_available stockQuantity stock_quantity availableQuantity ats qtyAvailable qtyInStock quantity qty inventory'.split(
    ' ',
  );
const PRICE_KEYS =
  'price _price purchase-price purchasePrice display_price currentPrice current_price salePrice sale_price priceNow now finalPrice final_price sellingPrice selling_price unitPrice price_amount centAmount pricePence priceInPence priceMinor priceCents amountMinor with_tax value amount sales current formatted'.split(
    ' ',
  );

/** Every object of a value that says something about stock, with the product to which it belongs. */
export function readRecords(value: unknown, node: number, defaultCurrency: string): DataRecord[] {
  const records: DataRecord[] = [];
  interface Step {
    value: unknown;
    parent: DataRecord | null;
    isVariant: boolean;
    isOther: boolean;
    currency: string;
    depth: number;
  }
  const todo: Step[] = [
    { value, parent: null, isVariant: false, isOther: false, currency: defaultCurrency, depth: 0 },
  ];
  for (let at = 0; at < todo.length && at < MAX_STEPS && records.length < MAX_RECORDS; at += 1) {
    const step = todo[at];
    if (step === undefined || step.depth > MAX_DEPTH) continue;
    const next = { ...step, depth: step.depth + 1 };
    if (Array.isArray(step.value)) {
      for (const one of step.value) {
        // Stops at the last step, so that a list of a million objects uses no memory.
        if (todo.length >= MAX_STEPS) break;
        if (typeof one === 'object' && one !== null) todo.push({ ...next, value: one });
        else if (typeof one === 'string' && one.length > 20 && STOCK_WORD.test(one))
          for (const inner of valuesInText(one)) todo.push({ ...next, value: inner });
      }
      continue;
    }
    if (!isRecord(step.value)) continue;
    const object = step.value;
    const currency = currencyIn(object) ?? step.currency;
    const record = readRecord(object, { ...step, currency, node });
    if (record !== null) records.push(record);
    const parent = record ?? step.parent;
    records.push(...magentoOptions(object, { ...step, parent, currency, node }));
    for (const [key, inner] of Object.entries(object)) {
      if (typeof inner !== 'object' || inner === null) continue;
      if (todo.length >= MAX_STEPS) break;
      const isVariant = VARIANT_KEYS.test(key) || (step.isVariant && record === null);
      todo.push({
        ...next,
        value: inner,
        parent,
        isVariant,
        isOther: step.isOther || OTHER_KEYS.test(key),
        currency,
      });
    }
  }
  return records;
}

/**
 * The variants of Magento's configurable products: each option lists the products that can be bought with it (Magento 2,
 * `Block/Product/View/Type/Configurable.php`, `getJsonConfig`). With two attributes a variant is a pair, which is not
 * read.
 */
function magentoOptions(
  { attributes, optionPrices }: Record<string, unknown>,
  {
    parent,
    isOther,
    currency,
    node,
  }: { parent: DataRecord | null; isOther: boolean; currency: string; node: number },
): DataRecord[] {
  if (!isRecord(attributes) || !isRecord(optionPrices)) return [];
  const [attribute, ...others] = Object.values(attributes).filter(isRecord);
  const options = attribute?.['options'];
  if (others.length > 0 || !Array.isArray(options)) return [];
  return options.slice(0, MAX_OPTIONS).flatMap((option: unknown): DataRecord[] => {
    if (!isRecord(option) || !Array.isArray(option['products'])) return [];
    const [key, label] = [textIn(option['id']), textIn(option['label'])];
    const [product] = option['products'] as unknown[];
    if (key === null || label === null) return [];
    const prices = optionPrices[String(product)];
    return [
      {
        name: null,
        keys: [key],
        wording: { says: product === undefined ? 'out_of_stock' : 'in_stock', detail: null },
        evidence: `${label}: ${option['products'].length} products`,
        price: isRecord(prices) ? priceIn(prices, currency) : null,
        gtin: null,
        options: label,
        isVariant: true,
        parent,
        isOther,
        node,
      },
    ];
  });
}

/** The values in a text of a stream: React's server components send lines such as `5:["$","div",null,{…}]`. */
function valuesInText(text: string): unknown[] {
  return text
    .split('\n', 200)
    .flatMap((line) => parseStrict(line.replace(/^[\da-f]{1,6}:/, '')) ?? [])
    .filter((value) => typeof value === 'object');
}

function currencyIn(object: Record<string, unknown>): string | null {
  for (const key of [
    'currency',
    'priceCurrency',
    'currencyCode',
    'currency_code',
    'iso_code',
    'currencyIso',
  ]) {
    const code = readCurrency(object[key]);
    if (code !== null && key in object) return code;
  }
  return null;
}

function readRecord(
  object: Record<string, unknown>,
  {
    parent,
    isVariant,
    isOther,
    currency,
    node,
  }: { parent: DataRecord | null; isVariant: boolean; isOther: boolean; currency: string; node: number },
): DataRecord | null {
  const title = firstText(object, NAMES);
  // Shopify's name of the only variant.
  const name = title === 'Default Title' ? null : title;
  const stated = statedStock(object);
  const price = priceIn(object, currency);
  const gtin = gtinIn(object);
  const keys = IDS.flatMap((key) => textIn(typeof object[key] === 'object' ? null : object[key]) ?? []);
  if (stated === null && name === null && !(isVariant && keys.length > 0)) return null;
  if (stated === null && price === null && gtin === null && keys.length === 0 && name === null) return null;
  return {
    name,
    keys,
    wording: stated?.wording ?? null,
    evidence: stated?.evidence ?? '',
    price,
    gtin,
    options: optionsOf(object),
    isVariant,
    parent,
    isOther,
    node,
  };
}

function firstText(object: Record<string, unknown>, keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = firstOf(object[key]);
    const text = typeof value === 'string' ? textIn(value) : null;
    if (text !== null) return text;
  }
  return null;
}

/** Names of an object, or of a list of one, that says something about the stock (Elastic Path: `_availability: [{state}]`). */
const NESTED_KEYS = ['availability', '_availability', 'stock', 'inventory'];

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? (value as unknown[])[0] : value;
}

/** The statements of an object about its stock. */
function statedStock(
  object: Record<string, unknown>,
  isNested = false,
): { wording: Wording; evidence: string } | null {
  const quote = (key: string): string => `${key}: ${JSON.stringify(object[key]).slice(0, 60)}`;
  const flag = (keys: readonly string[], wanted: boolean): string | undefined =>
    keys.find(
      (key) =>
        object[key] === wanted ||
        object[key] === String(wanted) ||
        (typeof object[key] === 'number' && object[key] === Number(wanted)),
    );
  const yes = flag(YES_KEYS, true);
  const no = flag(YES_KEYS, false) ?? flag(SOLD_KEYS, false) ?? flag(NO_KEYS, true);
  const termKey = TERM_KEYS.find((key) => typeof object[key] === 'string' && termOf(object[key]) !== null);
  const term = termKey === undefined ? null : termOf(object[termKey]);
  const back = flag(BACK_KEYS, true);
  if (back !== undefined && yes === undefined && no !== undefined && term?.says !== 'out_of_stock')
    return { wording: { says: 'preorder', detail: 'backorder' }, evidence: quote(back) };
  if (term !== null && termKey !== undefined && (no === undefined || term.says !== 'in_stock')) {
    if (term.says === 'in_stock' && back !== undefined)
      return { wording: { says: 'preorder', detail: 'backorder' }, evidence: quote(back) };
    const pre = flag(PRE_KEYS, true);
    if (term.says === 'in_stock' && pre !== undefined)
      return { wording: { says: 'preorder', detail: 'release' }, evidence: quote(pre) };
    return { wording: term, evidence: quote(termKey) };
  }
  if (no !== undefined) return { wording: { says: 'out_of_stock', detail: null }, evidence: quote(no) };
  if (back !== undefined)
    return { wording: { says: 'preorder', detail: 'backorder' }, evidence: quote(back) };
  if (yes !== undefined) {
    const pre = flag(PRE_KEYS, true);
    if (pre !== undefined) return { wording: { says: 'preorder', detail: 'release' }, evidence: quote(pre) };
    // WooCommerce's variations have the line that their choice shows.
    const shown = textIn(object['availability_html'])?.replace(/<[^>]{0,300}>/g, ' ');
    const line = shown === undefined ? null : readStockLine(foldText(shown).trim());
    if (line !== null && (line.says === 'limited' || line.says === 'preorder'))
      return { wording: line, evidence: quote('availability_html') };
    const low = object['low_stock_remaining'];
    if (typeof low === 'number' && low > 0)
      return { wording: { says: 'limited', detail: 'low_stock' }, evidence: quote('low_stock_remaining') };
    return { wording: { says: 'in_stock', detail: null }, evidence: quote(yes) };
  }
  const nothingSold = flag(NO_KEYS, false);
  if (nothingSold !== undefined)
    return { wording: { says: 'in_stock', detail: null }, evidence: quote(nothingSold) };
  const nested = NESTED_KEYS.map((key) => firstOf(object[key])).find(isRecord);
  if (nested !== undefined && !isNested)
    return statedStock({ availability: nested['state'], ...nested }, true);
  const count = COUNT_KEYS.find((key) => typeof object[key] === 'number');
  if (count !== undefined && !/^(?:quantity|qty)$/.test(count)) {
    const left = Number(object[count]);
    if (left > 0) return { wording: { says: 'in_stock', detail: null }, evidence: quote(count) };
    return { wording: { says: 'out_of_stock', detail: null }, evidence: quote(count) };
  }
  return null;
}

function termOf(value: unknown): Wording | null {
  if (typeof value !== 'string') return null;
  return (
    readAvailabilityTerm(value) ??
    (/\s/.test(value.trim()) ? readStockLine(value.trim().toLowerCase()) : null)
  );
}

/** For prices in nested objects: a page may nest a hundred thousand. */
const MAX_PRICE_DEPTH = 4;

/** A price of an object: in minor units where the platform writes those (Shopify), else as an amount. */
function priceIn(object: Record<string, unknown>, currency: string, depth = 0): Price | null {
  const store = object['prices'];
  if (isRecord(store) && typeof store['currency_minor_unit'] === 'number') {
    const amount = Number(store['price']);
    const code = readCurrency(store['currency_code']) ?? currency;
    const scaled = Math.round(amount * 10 ** (2 - store['currency_minor_unit']));
    return scaled > 0 ? { amount: scaled, currency: code } : null;
  }
  const isShopify =
    ['compare_at_price', 'public_title', 'price_min', 'option1'].some((key) => key in object) ||
    ('handle' in object && 'variants' in object);
  const { price } = object;
  if (isShopify && typeof price === 'number')
    return Number.isInteger(price) && price > 0 ? { amount: price, currency } : null;
  for (const key of PRICE_KEYS) {
    const value = firstOf(object[key]);
    if (isRecord(value)) {
      if (depth >= MAX_PRICE_DEPTH) continue;
      const inner: Price | null = priceIn(value, currencyIn(value) ?? currency, depth + 1);
      if (inner !== null) return inner;
      continue;
    }
    const amount =
      Number.isInteger(value) && isMinor(object, { key, currency })
        ? Number(value)
        : readAmount(value, currency);
    if (
      amount !== null &&
      amount > 0 &&
      key !== 'value' &&
      key !== 'amount' &&
      key !== 'now' &&
      key !== 'sales' &&
      key !== 'current' &&
      key !== 'formatted'
    )
      return { amount, currency };
    if (amount !== null && (currencyIn(object) !== null || key === 'now' || key === 'current'))
      return { amount, currency };
  }
  return null;
}

/** Names of a price as the page shows it. */
const SHOWN_PRICES = 'formatted formattedPrice formattedValue display displayPrice displayValue'.split(' ');

/** Whether another property shows that an amount is in minor units: `"fractionDigits": 2`, `"formatted": "£32.99"`. */
function isMinor(
  object: Record<string, unknown>,
  { key, currency }: { key: string; currency: string },
): boolean {
  return (
    SHOWN_PRICES.some((name) => {
      const shown = object[name];
      return typeof shown === 'string' && readAmount(shown, currency) === object[key];
    }) ||
    /cent|pence|minor/i.test(key) ||
    ['decimals', 'fractionDigits', 'exponent', 'precision', 'scale', 'minorUnits', 'decimalPlaces'].some(
      (name) => object[name] === 2,
    )
  );
}

function optionsOf(object: Record<string, unknown>): string | null {
  const { attributes, options } = object;
  const numbered = ['option1', 'option2', 'option3']
    .flatMap((key) => textIn(object[key]) ?? [])
    .filter((text) => text !== 'Default Title');
  if (numbered.length > 0) return numbered.join(' / ');
  if (Array.isArray(options) && options.every((one) => typeof one === 'string'))
    return options.join(' / ') || null;
  const listed = Array.isArray(attributes)
    ? attributes
    : isRecord(attributes)
      ? Object.values(attributes)
      : [];
  const values = listed.flatMap(
    (one) => textIn(isRecord(one) ? (one['value'] ?? one['label'] ?? one['option']) : one) ?? [],
  );
  if (values.length > 0) return values.slice(0, 5).join(' / ');
  return firstText(object, [
    'public_title',
    'size',
    'colour',
    'color',
    'design',
    'variantName',
    'label',
    'optionName',
  ]);
}

/** The availability that a wording means. */
export function availabilityOf(wording: Wording | null): Availability {
  if (wording === null || wording.says === 'nothing' || wording.says === 'discontinued') return 'unknown';
  return wording.says;
}
