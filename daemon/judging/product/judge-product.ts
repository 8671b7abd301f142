import type {
  ExpectedProduct,
  Judgement,
  PageAnswer,
  Price,
  ProductJudgement,
  ProductSign,
  ProductUnknownReason,
  ProductVariant,
} from '#shared/monitor/checks/verdict';
import { judgeAnswer } from '../../waiting-room/judge-page';
import { excerpt, foldText } from '../../waiting-room/parse/normalise-text';
import { parseAddress } from '../../waiting-room/fetch/web-address';
import { choosePrice } from './choose-price';
import { isSameGtin, readGtin } from './gtin';
import { asLinkedData } from './item-collector';
import { newRepairBudget, parseLenient, type RepairBudget } from './lenient-json';
import {
  readStructuredData,
  type StructuredData,
  type StructuredOffer,
  type StructuredProduct,
} from './offers';
import { availabilityOf, dataOf, readRecords, type DataRecord } from './page-data';
import { findBox, splitNames, type ProductBox } from './product-box';
import { isSameProduct, likeness, nameInTitle, wordsOf } from './product-names';
import { ProductReader, textOf } from './product-reader';
import { readAmount, readCurrency } from './price-text';
import { findSeller, isShopItself } from './seller';
import {
  isNoChoice,
  namesNew,
  namesOtherSellers,
  namesUsed,
  readAvailabilityTerm,
  readStockLine,
} from './stock-words';
import { weighStock } from './weigh-stock';

/** For a page of which nothing is known yet. */
export const NOTHING_EXPECTED: ExpectedProduct = { title: null, gtin: null, variantKey: null };
/** A British service: prices without a currency are in pounds. */
const HOME_CURRENCY = 'GBP';
const EURO_HOSTS = /\.(?:de|fr|es|it|nl|be|at|ie|fi|pt|eu)$/;
const MAX_VARIANTS = 200;
const WEIGHTS = {
  platform: 100,
  button: 80,
  stock_line: 80,
  page_data: 60,
  structured_data: 40,
  meta: 20,
} as const;

/** Everything that the rules of one page share. */
interface Context {
  answer: PageAnswer;
  expected: ExpectedProduct;
  reader: ProductReader;
  structured: StructuredData;
  box: ProductBox;
  page: Judgement;
  /** The currency that the page names. */
  currency: string;
  title: string | null;
  signs: ProductSign[];
  budget: RepairBudget;
}

/**
 * Judges an answer as a page of one product: whether it can be bought, its price, variants and seller, with every sign
 * found. Also returns the judgement of the waiting-room judge, from the same pass over the page. Its time is linear in
 * the page's size.
 */
export function judgeProduct(answer: PageAnswer, expected: ExpectedProduct = NOTHING_EXPECTED): Judgement {
  const reader = new ProductReader();
  const { judgement: page, format, json } = judgeAnswer(answer, reader);
  const of = (product: ProductJudgement): Judgement => ({ ...page, product });
  if (page.verdict === 'waiting_room' && page.strength === 'strong')
    return of(unknownProduct('waiting_room', page.reason));
  if (answer.status === 0 || !answer.decodable || format === 'empty')
    return of(unknownProduct('error', page.reason));
  if (format === 'json') return of(judgePlatform(answer, { json, expected, page }));
  if (format !== 'html') return of(unknownProduct(reasonOf(page) ?? 'error', page.reason));
  return of(judgeHtml(answer, { reader, expected, page }));
}

function judgeHtml(
  answer: PageAnswer,
  { reader, expected, page }: { reader: ProductReader; expected: ExpectedProduct; page: Judgement },
): ProductJudgement {
  const final = parseAddress(answer.finalUrl);
  const currency = pageCurrency(reader, final);
  const budget = newRepairBudget();
  const linked = reader.islands
    .filter(({ kind }) => kind === 'ld')
    .map(({ text }) => parseLenient(text, budget));
  const items = reader.items.map((item) => asLinkedData(item));
  const structured = readStructuredData([...linked, ...items], currency);
  const site = reader.meta.get('og:site_name') ?? structured.siteNames[0] ?? null;
  const inTitle = nameInTitle(reader.title, site);
  const ogTitle = nameInTitle(reader.meta.get('og:title') ?? '', site);
  const names = [
    ...structured.products.flatMap(({ name }) => name ?? []),
    ogTitle,
    inTitle,
    ...(expected.title === null ? [] : [expected.title]),
  ].filter((name) => name !== '');
  const homePaths = new Set(['/', '', final === null ? '/' : `${final.origin}/`, final?.origin ?? '/']);
  const box = findBox(reader, { names, homePaths, currency });
  const context: Context = {
    answer,
    expected,
    reader,
    structured,
    box,
    page,
    currency,
    title: null,
    signs: [],
    budget,
  };
  const subject = structured.products.find((product) => isOwn(context, product)) ?? null;
  context.title =
    box.heading?.text ?? subject?.name ?? (ogTitle === '' || !isProductMeta(reader) ? null : ogTitle);

  const actions = readActions(context);
  const lines = readLines(context);
  const data = readData(context);
  const variants = listVariants(context, subject, data);
  const watched = findWatched(context, variants, data, subject);
  readStructured(context, subject, watched);
  readMeta(context);
  const { signs } = context;
  const offered = offerOf(context, { variants, watched, lines, actions });

  const isPlain =
    box.heading !== null &&
    signs.some(
      ({ source, subject: about, says }) =>
        (source === 'button' || source === 'stock_line') && about !== 'page' && says !== 'nothing',
    ) &&
    (box.lines.some(({ hasPrice }) => hasPrice) || structured.products.length > 0 || refusesByName(context));
  const moved = movedTo(context);
  if (moved !== null && !(isPlain && refusesByName(context)))
    return { ...unknownProduct('not_a_product', moved), signs };
  const barred = barredBy(context, isPlain);
  if (barred !== null)
    return {
      ...unknownProduct(barred.reason, barred.sentence),
      signs,
      title: barred.reason === 'discontinued' ? context.title : null,
    };

  const stated = statedPrices(context, subject, data, watched);
  const gtin = gtinOf(context, subject, data, watched);
  if (expected.gtin !== null && gtin !== null && !isSameGtin(gtin, expected.gtin))
    return {
      ...unknownProduct('not_a_product', `The page is about another product: its GTIN is ${gtin}.`),
      signs,
    };
  const ruling = weighStock(signs);
  const seller = offered.seller;
  if (ruling.says === 'discontinued' && ruling.deciding !== null)
    return {
      ...unknownProduct(
        'discontinued',
        `The shop no longer sells the product (${ruling.deciding.evidence}).`,
      ),
      signs,
      title: context.title,
      gtin,
      variants,
    };
  const price = offered.noPrice
    ? null
    : (watchedPrice(watched) ?? choosePrice(reader, box, { stated, currency }) ?? stated[0] ?? null);
  const shown = { price, title: context.title, gtin, variants, seller, signs };
  if (ruling.says === null || ruling.deciding === null) {
    const other = otherPage(context);
    if (other !== null) return { ...unknownProduct('not_a_product', other), signs };
    if (offered.detail === 'marketplace_only' || offered.detail === 'used_only')
      return {
        ...shown,
        availability: 'out_of_stock',
        unknownReason: null,
        detail: offered.detail,
        strength: 'weak',
        reason: sentenceOf('out_of_stock', null, null, offered.detail),
      };
    const isProduct = box.heading !== null && (price !== null || subject !== null || isProductMeta(reader));
    return {
      ...unknownProduct('unrecognised', 'The page says nothing about the stock of the product.'),
      signs,
      ...(isProduct ? { price, title: context.title, gtin, variants } : {}),
    };
  }
  const availability =
    offered.detail !== null || ruling.says === 'discontinued' ? 'out_of_stock' : ruling.says;
  const detail = offered.detail ?? detailOf(ruling.says, ruling.detail, signs);
  return {
    ...shown,
    availability,
    unknownReason: null,
    detail,
    strength: ruling.strength,
    reason: sentenceOf(availability, ruling.deciding, ruling.contradiction, offered.detail),
  };
}

/** The judgement of a page that says nothing about the product. */
export function unknownProduct(unknownReason: ProductUnknownReason, reason: string): ProductJudgement {
  return {
    availability: 'unknown',
    unknownReason,
    detail: null,
    strength: null,
    price: null,
    title: null,
    gtin: null,
    variants: [],
    seller: null,
    reason,
    signs: [],
  };
}

function reasonOf(page: Judgement): ProductUnknownReason | null {
  return page.verdict === 'waiting_room' ? 'waiting_room' : page.unknownReason;
}

const STATES = {
  in_stock: 'in stock',
  limited: 'in stock, few left',
  preorder: 'open for pre-order',
  out_of_stock: 'out of stock',
  unknown: 'unknown',
} as const;
const SOURCES = {
  platform: "the platform's data",
  button: 'its button',
  stock_line: 'its stock line',
  page_data: "the page's data",
  structured_data: 'the markup',
  meta: 'the meta elements',
} as const;

function sentenceOf(
  availability: ProductJudgement['availability'],
  deciding: ProductSign | null,
  contradiction: ProductSign | null,
  offered: ProductJudgement['detail'],
): string {
  if (offered === 'marketplace_only') return 'Only another seller offers the product, not the shop.';
  if (offered === 'used_only') return 'Only used copies are offered.';
  if (deciding === null) return `The product is ${STATES[availability]}.`;
  const against =
    contradiction === null
      ? ''
      : ` ${SOURCES[contradiction.source].replace(/^./, (letter) => letter.toUpperCase())} said otherwise (${contradiction.evidence}).`;
  return `The product is ${STATES[availability]}: ${SOURCES[deciding.source]} says so (${deciding.evidence}).${against}`;
}

function add(
  { signs }: Pick<Context, 'signs'>,
  source: ProductSign['source'],
  rest: Pick<ProductSign, 'says' | 'evidence'> & Partial<ProductSign>,
): void {
  if (signs.length >= 200) return;
  const says = rest.says;
  signs.push({
    source,
    detail: null,
    subject: 'product',
    weight: says === 'nothing' ? 0 : WEIGHTS[source],
    ...rest,
    evidence: excerpt(rest.evidence),
  });
}

/** The currency of a page: as its meta elements or data name it, else by its host. */
function pageCurrency(reader: ProductReader, final: URL | null): string {
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

function isProductMeta({ meta }: ProductReader): boolean {
  return (
    /product/.test(meta.get('og:type') ?? '') ||
    meta.has('product:price:amount') ||
    meta.has('og:price:amount')
  );
}

/** Whether a product of the structured data is the page's own. */
function isOwn({ box, structured, answer, reader, expected }: Context, product: StructuredProduct): boolean {
  if (product.node !== null && product.node > 0 && box.isOutside(product.node)) return false;
  if (product.name !== null && box.heading !== null) {
    if (isSameProduct(product.name, box.heading.text) || likeness(product.name, box.heading.text) >= 0.8)
      return true;
    if (structured.products.length > 1)
      return (
        isSameAddress(product.url, answer.finalUrl) &&
        product.url !== null &&
        likeness(product.name, box.heading.text) >= 0.5
      );
    return isSameAddress(product.url, answer.finalUrl) && likeness(product.name, box.heading.text) >= 0.5;
  }
  if (product.name === null) return structured.products.length === 1;
  const named = [expected.title, reader.meta.get('og:title') ?? null, reader.title].filter(
    (name) => name !== null && name !== '',
  );
  if (named.some((name) => name !== null && likeness(product.name ?? '', name) >= 0.8)) return true;
  return (
    structured.products.length === 1 && (product.url === null || isSameAddress(product.url, answer.finalUrl))
  );
}

function isSameAddress(one: string | null, other: string): boolean {
  if (one === null) return false;
  const [a, b] = [parseAddress(one, other), parseAddress(other)];
  return a !== null && b !== null && a.pathname.replace(/\/$/, '') === b.pathname.replace(/\/$/, '');
}

/** Whether a choice of variant is still to be made: then a button says nothing. */
function lacksChoice({ reader, box }: Context): boolean {
  return reader.choices.some(({ node, options }) => {
    if (!box.holds(node) || options.length < 2) return false;
    const called = `${reader.elements[node]?.attribs['name'] ?? ''} ${reader.elements[node]?.attribs['id'] ?? ''}`;
    if (/qty|quantity|sort|country|rating/i.test(called)) return false;
    const chosen = options.find(({ selected }) => selected) ?? options[0];
    return chosen !== undefined && (chosen.value === '' || isNoChoice(foldText(chosen.text)));
  });
}

/** Whether an element stands in a small part about used goods. */
function isUsedOffer({ reader, box }: Context, node: number): boolean {
  for (let at = node, up = 0; at > 0 && at !== box.node && up < 4; at = reader.parents[at] ?? -1, up += 1) {
    const end = reader.ends[at] ?? at;
    if (box.heading !== null && box.heading.node >= at && box.heading.node <= end) return false;
    const called = splitNames(
      `${reader.elements[at]?.attribs['class'] ?? ''} ${reader.elements[at]?.attribs['id'] ?? ''}`,
    );
    const said = `${called.replaceAll('-', ' ')} ${foldText(
      box.lines
        .filter((line) => line.node >= at && line.node <= end)
        .map(({ text }) => text)
        .join('\n'),
    ).slice(0, 300)}`;
    if (namesNew(said)) return false;
    if (namesUsed(said)) return true;
  }
  return false;
}

interface Seen {
  used: boolean;
  fresh: boolean;
}

function readActions(context: Context): Seen {
  const { box } = context;
  const missing = lacksChoice(context);
  const seen: Seen = { used: false, fresh: false };
  for (const { node, label, folded, wording, off, isLink } of box.actions) {
    const isUsed = namesUsed(folded) || (wording.says === 'in_stock' && isUsedOffer(context, node));
    if (isUsed) {
      if (!off && (wording.says === 'in_stock' || wording.says === 'limited')) seen.used = true;
      add(context, 'button', { says: 'nothing', evidence: label, detail: 'used_only' });
      continue;
    }
    if (wording.says === 'nothing') add(context, 'button', { says: 'nothing', evidence: label });
    else if (off && missing && wording.says !== 'out_of_stock')
      add(context, 'button', { says: 'nothing', evidence: `${label} (off until a variant is chosen)` });
    else if (off && wording.says !== 'out_of_stock') {
      const isBusy = /load|wait/.test(folded);
      add(context, 'button', { says: isBusy ? 'nothing' : 'out_of_stock', evidence: `${label} (off)` });
    } else {
      // A link in a sentence is weaker than a button: "Pre-orders" also leads to a category.
      if (isLink && wording.says === 'preorder' && /orders$/.test(folded)) continue;
      if (wording.says === 'in_stock' || wording.says === 'preorder') seen.fresh = true;
      add(context, 'button', { ...wording, evidence: label });
    }
  }
  return seen;
}

const BADGE = /(?:^|[\s_-])(?:badges?|labels?|stickers?|flags?|ribbon|tag|pill)(?:[\s_-]|$)/;

interface SeenLines {
  store: boolean;
  otherSellers: boolean;
}

function readLines(context: Context): SeenLines {
  const { box, reader } = context;
  const seen: SeenLines = { store: false, otherSellers: false };
  const heading = box.heading;
  if (heading !== null && /(?:^|[^a-z])pre-?order(?:$|[^a-z])/.test(foldText(heading.text)))
    add(context, 'stock_line', { says: 'preorder', detail: 'release', evidence: heading.text });
  let channel = '';
  for (const line of box.lines) {
    const { node, text, folded, wording } = line;
    if (namesOtherSellers(folded)) seen.otherSellers = true;
    if (heading !== null && node >= heading.node && node <= (reader.ends[heading.node] ?? heading.node))
      continue;
    const called = splitNames(
      `${reader.elements[node]?.attribs['class'] ?? ''} ${reader.elements[reader.parents[node] ?? 0]?.attribs['class'] ?? ''}`,
    );
    if (/price-sold-out|price--sold-out/.test(called) && line.hasPrice)
      add(context, 'stock_line', { says: 'out_of_stock', evidence: called });
    if (wording === null) {
      channel = folded.length < 40 ? folded : '';
      continue;
    }
    if (wording.detail === 'in_store_only') seen.store = true;
    if (BADGE.test(called) && wording.says === 'out_of_stock') {
      add(context, 'stock_line', { says: 'nothing', evidence: `${text} (a badge)` });
      continue;
    }
    if (isUsedOffer(context, node)) continue;
    // "Store collection" above "In stock": about the shops alone.
    const joined = channel === '' ? null : readStockLine(`${channel} ${folded}`);
    const isOfStores =
      channel !== '' &&
      (joined === null || joined.detail === 'in_store_only') &&
      /stor|shop|collect|pick|filial|magasin|tienda|negozi|winkel|sklep/.test(channel);
    if (isOfStores) {
      if (wording.says === 'in_stock' || wording.says === 'limited') seen.store = true;
      add(context, 'stock_line', {
        says: 'nothing',
        detail: 'in_store_only',
        evidence: `${channel}: ${text}`,
      });
    } else add(context, 'stock_line', { ...wording, evidence: text });
    channel = '';
  }
  readContainers(context);
  return seen;
}

/** Class names with which shop systems mark the container of the product. */
function readContainers(context: Context): void {
  const { box, reader } = context;
  if (box.heading === null) return;
  for (let node = box.heading.node; node >= 0; node = reader.parents[node] ?? -1) {
    const classes = reader.elements[node]?.attribs['class'] ?? '';
    if (!/(?:^|\s)(?:type-product|product)(?:\s|$)/.test(classes)) continue;
    const found = /(?:^|\s)(instock|outofstock|onbackorder)(?:\s|$)/.exec(classes)?.[1];
    const wording = found === undefined ? null : readAvailabilityTerm(found);
    if (wording !== null) add(context, 'page_data', { ...wording, evidence: `class ${found ?? ''}` });
  }
}

interface PageRecords {
  records: DataRecord[];
  own: DataRecord[];
  variants: DataRecord[];
}

function readData(context: Context): PageRecords {
  const { reader, box, currency, title, answer } = context;
  const records: DataRecord[] = [];
  for (const { value, node } of dataOf(reader.islands, context.budget)) {
    if (box.isOutside(node)) continue;
    records.push(...readRecords(value, node, currency));
    if (records.length > 2000) break;
  }
  const path = parseAddress(answer.finalUrl)?.pathname.toLowerCase() ?? '';
  const isNamed = (record: DataRecord): boolean | null => {
    if (record.name === null) return null;
    if (title !== null && (isSameProduct(record.name, title) || likeness(record.name, title) === 1))
      return true;
    return false;
  };
  const belongs = (record: DataRecord, depth = 0): boolean => {
    if (record.isOther || depth > 12) return false;
    if (record.isVariant && record.parent !== null) return belongs(record.parent, depth + 1);
    const named = isNamed(record);
    if (named === true) return true;
    const inPath = record.keys.some(
      (key) =>
        key.length > 3 &&
        path
          .split('/')
          .some(
            (part) =>
              part === key.toLowerCase() ||
              part.startsWith(`${key.toLowerCase()}-`) ||
              part.endsWith(`-${key.toLowerCase()}`),
          ),
    );
    if (inPath) return true;
    if (record.parent !== null && (named === null || record.isVariant))
      return belongs(record.parent, depth + 1);
    // Data inside the product's own box, such as a form's variants, need not name it.
    const isInside = box.node > 0 && box.heading !== null && box.holds(record.node) && record.node > box.node;
    if (isInside) return true;
    return named === null && record.parent === null && record.node >= 0 && isSoleRecord(records, record);
  };
  const own = records.filter((record) => belongs(record));
  const variants = own.filter((record) => isVariantRecord(record, own));
  for (const record of own) {
    if (record.wording === null || variants.includes(record)) continue;
    add(context, 'page_data', { ...record.wording, evidence: record.evidence });
  }
  for (const record of records)
    if (record.wording !== null && !own.includes(record))
      add(context, 'page_data', {
        ...record.wording,
        subject: 'other_product',
        weight: 0,
        evidence: `${record.name ?? ''} ${record.evidence}`,
      });
  return { records, own, variants };
}

/** Whether a record is the only one on its page that says something about stock. */
function isSoleRecord(records: readonly DataRecord[], record: DataRecord): boolean {
  return records.every((other) => other === record || other.wording === null || other.isOther);
}

function isVariantRecord(record: DataRecord, own: readonly DataRecord[]): boolean {
  if (record.wording === null) return false;
  if (record.isVariant) return true;
  const siblings = own.filter(
    (other) =>
      other.node === record.node &&
      other.parent === record.parent &&
      other.keys.length > 0 &&
      other.wording !== null,
  );
  return siblings.length > 1 && record.keys.length > 0 && (record.options !== null || record.name !== null);
}

/** A variant with the keys by which an address may name it. */
interface KnownVariant extends ProductVariant {
  keys: string[];
  source: ProductSign['source'];
  evidence: string;
  wording: DataRecord['wording'];
  gtin: string | null;
}

function listVariants(
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

function variantOf(record: DataRecord, title: string | null): KnownVariant {
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

function variantInAddress(address: string | null): string | null {
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
interface Watched {
  variant: KnownVariant | null;
  offer: StructuredOffer | null;
  key: string | null;
  isShown: boolean;
}

function findWatched(
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

function watchedPrice({ variant, offer }: Watched): Price | null {
  return variant?.price ?? offer?.price ?? null;
}

function bestOffer(offers: readonly StructuredOffer[]): StructuredOffer | null {
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

function readStructured(context: Context, subject: StructuredProduct | null, watched: Watched): void {
  const { structured } = context;
  if (subject !== null && watched.offer === null && watched.variant?.source !== 'structured_data') {
    const all = [...subject.offers, ...subject.variants.flatMap(({ offers }) => offers)];
    const best = bestOffer(all);
    if (best?.wording !== undefined && best.wording !== null && !best.used)
      add(context, 'structured_data', {
        ...best.wording,
        evidence: `${subject.name ?? ''}: ${best.term ?? ''}`,
      });
  }
  if (watched.offer?.wording !== undefined && watched.offer.wording !== null)
    add(context, 'structured_data', {
      ...watched.offer.wording,
      subject: 'variant',
      evidence: `${watched.key ?? ''}: ${watched.offer.term ?? ''}`,
    });
  for (const product of structured.products) {
    const offer = bestOffer(product.offers);
    if (product === subject || offer?.wording === undefined || offer.wording === null) continue;
    if (subject !== null && isOwn(context, product)) continue;
    add(context, 'structured_data', {
      ...offer.wording,
      subject: 'other_product',
      weight: 0,
      evidence: `${product.name ?? ''}: ${offer.term ?? ''}`,
    });
  }
}

function readMeta(context: Context): void {
  const { meta } = context.reader;
  for (const name of ['product:availability', 'og:availability', 'og:product:availability']) {
    const wording =
      readAvailabilityTerm(meta.get(name) ?? null) ?? readStockLine((meta.get(name) ?? '').toLowerCase());
    if (wording !== null) {
      add(context, 'meta', { ...wording, evidence: `${name}: ${meta.get(name) ?? ''}` });
      return;
    }
  }
  for (const index of ['1', '2']) {
    if (!/availab|stock/i.test(meta.get(`twitter:label${index}`) ?? '')) continue;
    const wording = readStockLine((meta.get(`twitter:data${index}`) ?? '').toLowerCase());
    if (wording !== null)
      add(context, 'meta', {
        ...wording,
        evidence: `twitter:data${index}: ${meta.get(`twitter:data${index}`) ?? ''}`,
      });
  }
}

interface Offered {
  /** Why what is offered does not count: somebody else sells it, or only used. */
  detail: 'marketplace_only' | 'used_only' | null;
  noPrice: boolean;
  seller: string | null;
}

/** Applies variants, sellers and conditions to the signs. */
function offerOf(
  context: Context,
  {
    variants,
    watched,
    lines,
    actions,
  }: { variants: KnownVariant[]; watched: Watched; lines: SeenLines; actions: Seen },
): Offered {
  const { signs, box, reader, structured, answer } = context;
  if (watched.variant !== null) {
    // Only the watched variant counts; what the page shows is about it when the page shows it.
    for (const sign of signs) {
      const isShown = watched.isShown && (sign.source === 'button' || sign.source === 'stock_line');
      const isOfVariant = sign.subject === 'variant';
      if (!isShown && !isOfVariant) Object.assign(sign, { weight: 0 });
    }
    const { wording, evidence, source } = watched.variant;
    if (wording !== null) add(context, source, { ...wording, subject: 'variant', evidence });
  } else if (watched.key === null && variants.length > 1) {
    const best = bestVariant(variants);
    if (best !== null && best.wording !== null) {
      const isOut = best.availability === 'out_of_stock';
      const weight =
        best.source === 'page_data' || best.source === 'stock_line' ? WEIGHTS.button : WEIGHTS[best.source];
      // The button and the line are about the variant that is shown first.
      if (!isOut && weight === WEIGHTS.button)
        for (const sign of signs)
          if ((sign.source === 'button' || sign.source === 'stock_line') && sign.says === 'out_of_stock')
            Object.assign(sign, { subject: 'variant', weight: 0 });
      add(context, best.source, { ...best.wording, evidence: best.evidence, weight });
    }
  }
  const seller = findSeller(reader, box, structured);
  const isOther =
    seller !== null &&
    !isShopItself(seller, {
      host: parseAddress(answer.finalUrl)?.hostname ?? '',
      names: [reader.meta.get('og:site_name') ?? '', ...structured.siteNames, lastPart(reader.title)],
    });
  const ruling = weighStock(signs);
  const isOffered = ruling.says === 'in_stock' || ruling.says === 'limited' || ruling.says === 'preorder';
  if (isOther && isOffered) return { detail: 'marketplace_only', noPrice: true, seller };
  if (lines.otherSellers && !actions.fresh) return { detail: 'marketplace_only', noPrice: true, seller };
  const own = structured.products
    .filter((product) => isOwn(context, product))
    .flatMap(({ offers }) => offers);
  const allUsed = own.length > 0 && own.every(({ used }) => used);
  const sells = signs.some(
    ({ source, says, weight }) =>
      source === 'button' && says !== 'nothing' && says !== 'out_of_stock' && weight > 0,
  );
  const isUsed = allUsed ? isOffered : actions.used && !actions.fresh && (!isOffered || !sells);
  if (isUsed) return { detail: 'used_only', noPrice: true, seller };
  return { detail: null, noPrice: false, seller: isOther ? null : seller };
}

function lastPart(title: string): string {
  return title.split(/ (?:[|·•»–—:]|-) /).at(-1) ?? '';
}

function bestVariant(variants: readonly KnownVariant[]): KnownVariant | null {
  const rank = ['in_stock', 'limited', 'preorder', 'out_of_stock'];
  const stated = variants.filter(({ availability }) => availability !== 'unknown');
  return (
    stated.sort((one, other) => rank.indexOf(one.availability) - rank.indexOf(other.availability))[0] ?? null
  );
}

function detailOf(
  says: string,
  detail: ProductJudgement['detail'],
  signs: readonly ProductSign[],
): ProductJudgement['detail'] {
  if (says === 'preorder') return detail === 'backorder' ? 'backorder' : 'release';
  if (says === 'limited') return 'low_stock';
  if (says !== 'out_of_stock') return null;
  const counted = signs.filter(({ subject }) => subject === 'product' || subject === 'variant');
  for (const wanted of ['ballot', 'in_store_only', 'coming_soon'] as const)
    if (counted.some((sign) => sign.detail === wanted)) return wanted;
  return null;
}

/** Why the page is not judged: a wall, an error, a page that is gone. A page that plainly is the product is judged anyway. */
function barredBy(
  { answer, page, structured, title }: Context,
  isPlain: boolean,
): { reason: ProductUnknownReason; sentence: string } | null {
  const { status } = answer;
  const isMissing = page.signs.some(({ id }) => id === 'missing-page') && !isPlain;
  if (status === 410 && !isPlain)
    return { reason: 'discontinued', sentence: 'The shop answers that the page is gone for good (410).' };
  if (isPlain) return null;
  if (page.verdict === 'waiting_room') return { reason: 'waiting_room', sentence: page.reason };
  if (page.unknownReason === 'challenge' || page.unknownReason === 'blocked')
    return { reason: page.unknownReason, sentence: page.reason };
  if (status >= 400) return { reason: 'error', sentence: `The response has status ${status}.` };
  if (isMissing) return { reason: 'error', sentence: 'The shop says that the page does not exist.' };
  if (page.unknownReason === 'error' && structured.products.length === 0 && title === null)
    return { reason: 'error', sentence: page.reason };
  return null;
}

/** Whether the page names the product and refuses it: out of stock, wherever the page stands. */
function refusesByName({ signs }: Context): boolean {
  return signs.some(
    ({ source, says }) => source === 'stock_line' && (says === 'out_of_stock' || says === 'discontinued'),
  );
}

const CATEGORY_PATH =
  /\/(?:category|categories|collections?|browse|c|search|departments?|shop|product-category|catalogsearch|home)(?:[/:?]|$)/i;

/**
 * Why the page is another product's: the redirected address or the watch names a product that the page does not, or null.
 * A page that has no title yet may be the product's.
 */
function movedTo({ answer, expected, title }: Context): string | null {
  if (title === null) return null;
  if (expected.title !== null && likeness(expected.title, title) < 0.5)
    return `The page is about something else: ${title}.`;
  const [from, to] = [parseAddress(answer.requestUrl), parseAddress(answer.finalUrl)];
  if (from === null || to === null || expected.title !== null || from.pathname === to.pathname) return null;
  const slug = (
    from.pathname.split('/').findLast((part) => part.includes('-') && /[a-z]{3}/i.test(part)) ?? ''
  ).replace(/\.\w+$/, '');
  const words = [...wordsOf(slug)].filter((word) => /^\p{L}{3,}$/u.test(word));
  const named = `${to.pathname} ${title}`.toLowerCase();
  const isNamed = words.length < 2 || words.filter((word) => named.includes(word)).length * 2 >= words.length;
  return isNamed ? null : `The address leads to something else: ${title}.`;
}

/** Why the page is about something else than one product, or null. */
function otherPage({ answer, box, structured, reader, expected, title }: Context): string | null {
  const [from, to] = [parseAddress(answer.requestUrl), parseAddress(answer.finalUrl)];
  if (to === null) return null;
  if (to.hostname !== '' && /^\/(?:[a-z]{2}(?:[-_][a-z]{2})?\/?)?$/i.test(to.pathname) && to.search === '')
    return 'The address leads to the front page of the shop.';
  const isMoved = from !== null && from.pathname.replace(/\/$/, '') !== to.pathname.replace(/\/$/, '');
  if (expected.title !== null && title !== null && likeness(expected.title, title) < 0.5)
    return `The page is about something else: ${title}.`;
  if (structured.products.length === 0 && (box.otherProducts >= 2 || structured.isList))
    return 'The page lists other products.';
  if (isMoved && CATEGORY_PATH.test(to.pathname)) return 'The address leads to a category of the shop.';
  if (/^(?:article|website|blog)$/.test(reader.meta.get('og:type') ?? '') && isMoved)
    return 'The address leads to another page of the shop.';
  return null;
}

function statedPrices(
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

function gtinOf(
  { reader, box }: Context,
  subject: StructuredProduct | null,
  data: PageRecords,
  { variant }: Watched,
): string | null {
  if (variant !== null && variant.gtin !== null) return variant.gtin;
  const own = subject?.gtin ?? (subject?.variants.length === 1 ? subject.variants[0]?.gtin : null) ?? null;
  if (own !== null) return own;
  const offered = new Set(data.own.flatMap(({ gtin }) => gtin ?? []));
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
    const text = `${label} ${textOf(line).slice(0, 400)}`;
    const gtin = readGtin(LABELLED_GTIN.exec(text)?.[1]);
    if (gtin !== null) return gtin;
    label = text.length < 20 ? text.trim() : '';
  }
  return null;
}

/** Judges the JSON of a platform: Shopify's product, or WooCommerce's Store API. */
function judgePlatform(
  answer: PageAnswer,
  { json, expected, page }: { json: unknown; expected: ExpectedProduct; page: Judgement },
): ProductJudgement {
  const host = parseAddress(answer.finalUrl)?.hostname ?? '';
  const currency = EURO_HOSTS.test(host) ? 'EUR' : HOME_CURRENCY;
  const records = readRecords(json, 0, currency).filter(({ isOther }) => !isOther);
  const product = records.find(({ parent, name }) => parent === null && name !== null) ?? null;
  if (answer.status === 410)
    return unknownProduct('discontinued', 'The shop answers that the product is gone for good (410).');
  if (product === null || answer.status >= 400)
    return unknownProduct(
      page.unknownReason === 'blocked' || page.unknownReason === 'challenge' ? page.unknownReason : 'error',
      'The JSON holds no product.',
    );
  const others = records.filter((record) => record.parent === null && record.name !== null);
  if (others.length > 1) return unknownProduct('not_a_product', `The JSON lists ${others.length} products.`);
  if (expected.title !== null && likeness(expected.title, product.name ?? '') < 0.5)
    return unknownProduct('not_a_product', `The JSON is about another product: ${product.name ?? ''}.`);
  const signs: ProductSign[] = [];
  const context = { signs };
  const listed = records.filter((record) => record.parent === product && record.isVariant);
  const variants = listed.map((record) => variantOf(record, product.name)).filter(({ name }) => name !== '');
  const key = expected.variantKey ?? variantInAddress(answer.finalUrl) ?? variantInAddress(answer.requestUrl);
  const watched =
    key === null
      ? null
      : ([...listed.map((record) => variantOf(record, product.name))].find(({ keys }) =>
          keys.some((one) => foldText(one) === foldText(key)),
        ) ?? null);
  const best =
    watched ??
    (listed.length > 0 ? bestVariant(listed.map((record) => variantOf(record, product.name))) : null);
  if (best?.wording !== undefined && best.wording !== null)
    add(context, 'platform', {
      ...best.wording,
      subject: watched === null ? 'product' : 'variant',
      evidence: best.evidence.replace(/^: /, ''),
    });
  else if (product.wording !== null)
    add(context, 'platform', { ...product.wording, evidence: product.evidence });
  const ruling = weighStock(signs);
  const gtins = new Set(listed.flatMap(({ gtin }) => gtin ?? []));
  const gtin = watched?.gtin ?? product.gtin ?? (gtins.size === 1 ? ([...gtins][0] ?? null) : null);
  if (expected.gtin !== null && gtin !== null && !isSameGtin(gtin, expected.gtin))
    return unknownProduct('not_a_product', `The JSON is about another product: its GTIN is ${gtin}.`);
  const price = watched?.price ?? product.price ?? best?.price ?? null;
  const shown = {
    price,
    title: product.name,
    gtin,
    variants: variants.length > 1 ? variants.map(plainVariant) : [],
    seller: null,
    signs,
  };
  if (ruling.says === null || ruling.says === 'discontinued') {
    const reason = ruling.says === null ? 'unrecognised' : 'discontinued';
    return { ...unknownProduct(reason, 'The JSON says nothing about the stock of the product.'), ...shown };
  }
  return {
    ...shown,
    availability: ruling.says,
    unknownReason: null,
    detail: detailOf(ruling.says, ruling.detail, signs),
    strength: ruling.strength,
    reason: sentenceOf(ruling.says, ruling.deciding, null, null),
  };
}

function plainVariant({ key, name, availability, price }: KnownVariant): ProductVariant {
  return { key, name, availability, price };
}
