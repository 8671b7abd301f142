import type { Price } from '#shared/monitor/checks/verdict';
import { foldText } from '../../../waiting-room/parse/normalise-text';
import { anyOf } from '../../../waiting-room/words/any-of';
import { parseAddress } from '../../../waiting-room/fetch/web-address';
import { type PageAreas, namesOf, splitNames } from './page-areas';
import { findPrices } from '../words/price-text';
import { type ReadAction, isMainButton, leadsElsewhere, leadsToOtherProduct } from './product-buttons';
import { isSameWords, wordsOf } from '../words/product-names';
import type { Heading, Line, ProductReader } from './product-reader';
import { readStockLine } from '../words/stock-words';
import { type Counts, titledParts } from './titled-parts';

/** A line of the page with the prices in it. */
export interface PricedLine extends Line {
  text: string;
  hasPrice: boolean;
  prices: readonly Price[];
  /** Whether one of the prices may be what something costs. */
  mayCost: boolean;
}

/** The box of a real page has about fifty. */
export const MAX_ACTIONS = 100;

/** Headings within a product's own box. */
const OWN_WORDS =
  'buy|price|option|deliver|collect|quantity|qty|choose|select|size|variant|colou?r|design|new|used|owned|loved|opened|offer|order|availab|stock|payment|total|detail|summary|fulfil|notify|want|know|interest|wait|shipping|dispatch|out|sold|sorry|store|preis|lieferung|menge|prix|livraison|quantite|precio|cantidad|prezzo|quantita|prijs|aantal|cena|dostawa|member|points|finance|rrp|save|hurry|left|back|^how |^why |ballot|raffle|lottery|^enter |^(?:factory[\\s-])?sealed(?: copy| copies)?$';
const OWN_HEADING = anyOf(OWN_WORDS);
/** Whether a heading belongs to the product's own box by its words: "Buying options". `text`: folded. */
export const isOwnHeading = (text: string): boolean => OWN_HEADING.test(text);
/** A heading that only names an amount of the product: "Case of 10", "Single box", "2 × booster packs". */
const AMOUNT =
  /^(?:(?:a|an|the|of|x|×|per|single|double|triple|full|half|sealed|one|two|three|four|six|ten|twelve|dozen|pair|multi|bulk|value|individual|loose|master|inner|outer|\d{1,3}x?|(?:pack|box|boxe|case|carton|display|booster|unit|piece|cop(?:y|ie)|set|tin|deck|blister)s?)(?:[\s-]|$)){1,5}$/;
/** A word that names no product, next to a price or words about stock. */
const OWN_WORD = new RegExp(
  `^(?:(?:${OWN_WORDS}|ship|home|line|click|today|now|special|deal|web|inc|incl|vat|each|was|only|just|our|your|usual|free|over|this|is|are|we|have|has|currently|unfortunately|temporarily|please|product|item|article)(?:s|ed|ing|y|ion|ly)?|online)$`,
);

/** The sections of a page about other products than the one in its heading. */
export interface OtherProducts {
  /** By element: 1 for a card of another product, a row of another seller, or the like. */
  card: Uint8Array;
  /** By element: how many sections about others start there, minus those that ended before it. */
  starts: Int32Array;
  /** By element: the number of buttons in it. */
  offers: Uint32Array;
  /** Number of other products that the page offers. */
  otherProducts: number;
  /** Whether the page lists offers of other sellers. */
  hasSellers: boolean;
  /** The first element that may be about others. */
  firstOther: number;
  /** Like `starts`, for sections under titles such as "Description" or "Reviews". */
  texts: Int32Array;
}

/** Tells whether a heading may name another product by its words, unless an amount of the markup follows it. */
export function otherNames(
  lines: readonly PricedLine[],
  { ownWords, stated }: { ownWords: ReadonlySet<string>; stated: readonly number[] },
): (node: number, text: string) => boolean {
  const priced = lines.filter((line) => line.mayCost);
  return (node, text) =>
    isCapitalised(text) &&
    namesOther(foldText(text), ownWords) &&
    !priced[firstFrom(priced, node)]?.prices.some(({ amount }) => stated.includes(amount));
}

/** Finds the parts of a page that are about other products. */
export function findOthers(
  reader: ProductReader,
  {
    heading,
    holdsHeading,
    areas,
    lines,
    actions,
    currency,
    address,
    stated,
    ownWords,
    counts,
    isTitle,
  }: {
    heading: Heading | null;
    holdsHeading: Uint8Array;
    areas: PageAreas;
    lines: readonly PricedLine[];
    actions: readonly ReadAction[];
    currency: string | null;
    /** Where the page was found. */
    address: URL | null;
    /** The amounts that the markup states for the product. */
    stated: readonly number[];
    /** The words of the product's name. */
    ownWords: ReadonlySet<string>;
    counts: Counts;
    /** Whether a heading is the title of a text. */
    isTitle: (node: number, text: string) => boolean;
  },
): OtherProducts {
  const { elements, parents, ends } = reader;
  const { named, inHard } = areas;
  const count = elements.length;
  const buttonNodes = new Set(actions.map(({ node }) => node));
  // The contents of each element: prices, actions, names of products.
  const prices = new Uint32Array(count);
  const offers = new Uint32Array(count);
  const headings = new Uint32Array(count);
  const links = new Uint32Array(count);
  for (const line of lines) if (line.mayCost) prices[line.node] = (prices[line.node] ?? 0) + 1;
  for (const action of actions) offers[action.node] = (offers[action.node] ?? 0) + 1;
  const isOwnName = (name: string): boolean => isSameWords(wordsOf(name), ownWords);
  const productHeadings = reader.headings.filter(({ node, text, painted }) => {
    const folded = foldText(text);
    return (
      painted &&
      text.length > 3 &&
      text.length < 200 &&
      /\p{L}/u.test(text) &&
      !OWN_HEADING.test(folded) &&
      !AMOUNT.test(folded) &&
      findPrices(text, currency).length === 0 &&
      !isTitle(node, text)
    );
  });
  for (const other of productHeadings)
    if (other.node !== heading?.node && !isOwnName(other.text))
      headings[other.node] = (headings[other.node] ?? 0) + 1;
  for (const { node, isLink, label } of reader.actions) {
    if (!isLink) continue;
    const href = elements[node]?.attribs['href'] ?? '';
    if (
      /^(?:#|javascript:|mailto:|tel:)|\.(?:jpe?g|png|webp|gif|pdf)(?:[?#]|$)/i.test(href) ||
      label.length < 10
    )
      continue;
    const isOwn = isOwnName(label) && (wordsOf(label).size <= ownWords.size || isSamePage(href, address));
    if (named[node] === 2 || inHard[node] === 1 || buttonNodes.has(node) || isOwn) continue;
    links[node] = (links[node] ?? 0) + 1;
  }
  const firstHeading = new Int32Array(count).fill(count);
  for (let node = count - 1; node >= 0; node -= 1) if ((headings[node] ?? 0) > 0) firstHeading[node] = node;
  for (let node = count - 1; node > 0; node -= 1) {
    const parent = parents[node] ?? -1;
    if (parent < 0) continue;
    firstHeading[parent] = Math.min(firstHeading[parent] ?? count, firstHeading[node] ?? count);
    prices[parent] = (prices[parent] ?? 0) + (prices[node] ?? 0);
    offers[parent] = (offers[parent] ?? 0) + (offers[node] ?? 0);
    headings[parent] = (headings[parent] ?? 0) + (headings[node] ?? 0);
    links[parent] = (links[parent] ?? 0) + (links[node] ?? 0);
  }

  // Cards of other products: repeated siblings with a link and a price, or any part with another product's name and a price.
  const card = new Uint8Array(count);
  const siblings = new Map<string, number[]>();
  for (let node = 0; node < count; node += 1) {
    if (holdsHeading[node] === 1 || links[node] === 0) continue;
    const element = elements[node];
    if (element === undefined || element.name === 'a' || element.name === 'button') continue;
    const key = `${parents[node]} ${element.name} ${kindOfCard(reader, node)}`;
    const list = siblings.get(key);
    if (list === undefined) siblings.set(key, [node]);
    else list.push(node);
  }
  let otherProducts = 0;
  for (const list of siblings.values()) {
    // A sold-out product may have neither a price nor a button.
    const selling = list.filter((node) => prices[node] !== 0 || offers[node] !== 0).length;
    // Sections for new and used goods are offers of the product.
    if (list.some((node) => USED_NAME.test(splitNames(namesOf(elements[node]))))) continue;
    if (selling < 2 || isOrderedAsWhole(reader, list, { actions, holdsHeading })) continue;
    for (const node of list) card[node] = 1;
    otherProducts += list.length;
  }
  const starts = new Int32Array(count + 2);
  const exclude = (from: number, to: number): void => {
    starts[from] = (starts[from] ?? 0) + 1;
    starts[to + 1] = (starts[to + 1] ?? 0) - 1;
  };
  const nearest = new Int32Array(count);
  for (let node = 0; node < count; node += 1)
    nearest[node] =
      (headings[node] ?? 0) > 0 || holdsHeading[node] === 1
        ? node
        : (parents[node] ?? -1) < 0
          ? -1
          : (nearest[parents[node] ?? 0] ?? -1);
  if (heading !== null)
    for (const { node } of [...actions, ...lines.filter((line) => line.mayCost)]) {
      if (isMainButton(elements[node])) continue;
      // The name of a card precedes its button; a heading after it, such as "Description", names no card.
      let region = nearest[node] ?? -1;
      for (
        let up = 0;
        up < 8 && region >= 0 && holdsHeading[region] === 0 && (firstHeading[region] ?? 0) > node;
        up += 1
      )
        region = (parents[region] ?? -1) < 0 ? -1 : (nearest[parents[region] ?? 0] ?? -1);
      if (region >= 0 && holdsHeading[region] === 0 && prices[region] !== 0) {
        const name = firstHeading[region] ?? region;
        // Offers above the first name of a region do not belong to that name.
        const isMixed = counts.selling(region, name) > 0;
        if (isMixed) exclude(name, ends[region] ?? region);
        else {
          if (card[region] === 0) otherProducts += 1;
          card[region] = 1;
        }
      }
    }

  let hasSellers = false;
  for (const { node } of heading === null ? [] : actions.slice(0, MAX_ACTIONS)) {
    const row = rowOfSeller(reader, { button: node, holdsHeading, address });
    if (row === null) continue;
    for (const other of rowsBehind(reader, row)) card[other] = 1;
    hasSellers = true;
  }
  for (const [from, to] of goneAmounts(reader, actions, holdsHeading)) exclude(from, to);
  for (const [from, to] of digitalParts(reader, holdsHeading)) exclude(from, to);
  if (heading !== null)
    for (const [from, to] of priceLists(reader, { lines, actions, holdsHeading, ownWords, heading }))
      exclude(from, to);

  // An offer of another product, such as sleeves: its name before a button, as a link or with its own price.
  let region = heading?.node ?? -1;
  while (region >= 0 && prices[region] === 0) region = parents[region] ?? -1;
  const endOfOwn =
    region < 0
      ? heading === null
        ? count
        : (ends[parents[heading.node] ?? 0] ?? count)
      : (ends[region] ?? count);
  const shownPrices = lines.filter(
    ({ node, mayCost, text }) =>
      mayCost && node > (heading?.node ?? 0) && !BEFORE_SALE.test(foldText(text.slice(0, 200))),
  );
  for (const { node, wording } of heading === null ? [] : actions.slice(0, MAX_ACTIONS)) {
    if ((wording.says !== 'in_stock' && wording.says !== 'preorder') || isMainButton(elements[node]))
      continue;
    const last = firstFrom(lines, node);
    let part = parents[node] ?? -1;
    for (let up = 0; up < 6 && part >= 0 && holdsHeading[part] === 0; up += 1) {
      const start = part;
      // Text after another button is not the name of this section.
      if ((actions[firstFrom(actions, start)]?.node ?? node) < node) break;
      const before = lines.slice(Math.max(0, last - 3), last).filter((line) => line.node >= start);
      const named = before.find(
        (line) =>
          !LABELLED_PRICE.test(line.text) &&
          (namesOther(foldText(line.text), ownWords) || nameLinkOf(reader, line, { ownWords, address }) >= 0),
      );
      const shown = before.flatMap((line) => line.prices.map(({ amount }) => amount));
      const above = shownPrices.slice(0, firstFrom(shownPrices, start));
      const isOther =
        shown.length > 0 &&
        above.length > 0 &&
        !shown.some(
          (amount) =>
            stated.includes(amount) || above.some((line) => line.prices.some((one) => one.amount === amount)),
        );
      const isLinked =
        named !== undefined &&
        (nameLinkOf(reader, named, { ownWords, address }) >= 0 ||
          leadsToOther(reader, named.parts[0]?.node ?? -1, address) ||
          (node > endOfOwn && (named.isLink || isRepeated(reader, part, holdsHeading))));
      // Rows of full names, each with a price, if the product has no price above them.
      const isListed =
        named !== undefined &&
        shown.length > 0 &&
        above.length === 0 &&
        wordsOf(named.text).size > 2 &&
        isRepeated(reader, part, holdsHeading);
      if (named !== undefined && (isOther || isLinked || isListed)) {
        card[part] = 1;
        break;
      }
      part = parents[part] ?? -1;
    }
  }
  const firstCard = heading === null ? -1 : card.indexOf(1, heading.node);
  const firstOther = Math.min(firstCard < 0 ? count : firstCard, region < 0 ? count : endOfOwn + 1);

  const texts = new Int32Array(count + 2);
  for (const part of titledParts(reader, { heading, holdsHeading, lines, card, counts })) {
    exclude(part.from, part.to);
    if (!part.isAbout) continue;
    texts[part.from] = (texts[part.from] ?? 0) + 1;
    texts[part.to + 1] = (texts[part.to + 1] ?? 0) - 1;
  }
  return { card, starts, offers, otherProducts, hasSellers, firstOther, texts };
}

/** The name of a section for used goods. */
const USED_NAME = /(?:^|[\s_-])(?:pre-?owned|used|refurb(?:ished)?|second-?hand)(?:[\s_-]|$)/;
/** A line that explains an amount, such as "Postage: £3.20", and names no product. */
const LABELLED_PRICE = /^\p{L}[\p{L} ]{1,20}: ?[£€$¥]? ?\d/u;
const LAYOUT_NAMES =
  /^(?:col(?:umn)?|row|grid|cell|span|large|medium|small|w|flex|box|block|section)(?:$|[-_\d])/;

/** Whether an element is in a link to another product page. */
function leadsToOther({ elements, parents }: ProductReader, node: number, address: URL | null): boolean {
  const link = [node, parents[node] ?? -1].find((at) => elements[at]?.name === 'a');
  return link !== undefined && leadsElsewhere(elements[link]?.attribs['href'] ?? '', address);
}

/** The link in a line to the page of another product, with that product's name: `<a>Sleeves</a> <b>£9.99</b> In stock`. -1: none. */
function nameLinkOf(
  reader: ProductReader,
  { parts }: Line,
  { ownWords, address }: { ownWords: ReadonlySet<string>; address: URL | null },
): number {
  return (
    parts
      .slice(0, 20)
      .find(({ text, node }) => leadsToOther(reader, node, address) && namesOther(foldText(text), ownWords))
      ?.node ?? -1
  );
}

/** Whether a link leads to the page on which it stands. */
function isSamePage(href: string, address: URL | null): boolean {
  return address === null || parseAddress(href, address.href)?.pathname === address.pathname;
}

const BEFORE_SALE = /(?:^|[^a-z])(?:rrp|was|msrp|srp|uvp|list price|old price|statt|au lieu)(?:$|[^a-z])/;

/** Whether the next element on the same level, or the last one, is of the same kind, and not the product's. */
function isRepeated(reader: ProductReader, node: number, holdsHeading: Uint8Array): boolean {
  const { name = '', attribs = {} } = reader.elements[node] ?? {};
  if (attribs['class'] === undefined && !/^(?:li|tr|td|article|p)$/.test(name)) return false;
  const next = (reader.ends[node] ?? node) + 1;
  const isAlike = (other: number): boolean =>
    reader.parents[other] === reader.parents[node] &&
    holdsHeading[other] === 0 &&
    reader.elements[other]?.name === name &&
    reader.elements[other]?.attribs['class'] === attribs['class'];
  let before = node - 1;
  for (let up = 0; up < 8 && before > 0 && reader.parents[before] !== reader.parents[node]; up += 1)
    before = reader.parents[before] ?? -1;
  return isAlike(next) || isAlike(before);
}

/** The index of the first line at or after an element. `lines`: in page order. */
function firstFrom(list: ReadonlyArray<{ node: number }>, node: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.node ?? 0) < node) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether a text is written as names are: "Harbour Masks Playmat". */
export function isCapitalised(text: string): boolean {
  const words = text.match(/\p{L}[\p{L}'’]*/gu) ?? [];
  const capitals = words.filter((word) => /^\p{Lu}/u.test(word)).length;
  return capitals >= 2 && capitals * 2 >= words.length;
}

/** Whether a folded text is the name of another product than the one with these words. */
export function namesOther(text: string, words: ReadonlySet<string>): boolean {
  const name = text.replace(/[£€$]?\d[\d.,]*/g, ' ').trim();
  const named = [...wordsOf(name)];
  return (
    name.length < 80 &&
    named.filter((word) => word.length > 2).length >= 2 &&
    named.filter((word) => words.has(word)).length * 2 < named.length &&
    !named.some((word) => OWN_WORD.test(word)) &&
    readStockLine(name) === null
  );
}

const NAMED_SELLER = /(?:^|[\s_-])(?:seller|vendor|merchant)s?(?:[\s_-]|$)/;
/** Addresses of the profiles of sellers, and of members, who may be sellers. */
export const SELLER_PATH = /\/(?:usr|sellers?|merchants?|vendors?)\/[^/]/i;
export const MEMBER_PATH = /\/(?:users?|members?|u|profiles?)\/[^/]/i;

/** The row of a list that offers the product of one seller, by the names of its parts or a link to a profile, around a button. Null: none. */
function rowOfSeller(
  reader: ProductReader,
  { button, holdsHeading, address }: { button: number; holdsHeading: Uint8Array; address: URL | null },
): number | null {
  const { elements, parents, ends } = reader;
  for (
    let row = parents[button] ?? -1, up = 0;
    row >= 0 && up < 5 && holdsHeading[row] === 0;
    row = parents[row] ?? -1, up += 1
  ) {
    if (!isRepeated(reader, row, holdsHeading)) continue;
    const last = Math.min(ends[row] ?? row, row + 60);
    let isNamed = false;
    let isOther = false;
    for (let node = row; node <= last; node += 1) {
      const { class: names = '', href = '' } = elements[node]?.attribs ?? {};
      if (SELLER_PATH.test(href) || MEMBER_PATH.test(href)) return row;
      isNamed ||= NAMED_SELLER.test(splitNames(names));
      // Shopify's themes use this name for a product's brand in a list: `product-item__vendor`.
      isOther ||= href !== '' && leadsToOtherProduct(href, address);
    }
    if (isNamed && !isOther) return row;
  }
  return null;
}

/** A row of a list and the similar rows after it: a sold-out row has no button. */
function rowsBehind({ elements, parents, ends }: ProductReader, row: number): number[] {
  const { name, attribs } = elements[row] ?? {};
  const rows = [row];
  for (
    let next = (ends[row] ?? row) + 1;
    rows.length < MAX_ACTIONS && parents[next] === parents[row] && elements[next]?.name === name;
    next = (ends[next] ?? next) + 1
  )
    if (elements[next]?.attribs['class'] === attribs?.['class']) rows.push(next);
  return rows;
}

/** Of the tables of a page, and of the lines of one. */
const [MAX_TABLES, MAX_CELLS] = [20, 300];

/** Tables after a buy button without any choices, whose rows name other products with a price and a state. */
function priceLists(
  { elements, ends }: ProductReader,
  {
    lines,
    actions,
    holdsHeading,
    ownWords,
    heading,
  }: {
    lines: readonly PricedLine[];
    actions: readonly ReadAction[];
    holdsHeading: Uint8Array;
    ownWords: ReadonlySet<string>;
    heading: Heading;
  },
): Array<[number, number]> {
  const sold = actions.find(
    ({ node, off, wording }) => node > heading.node && !off && wording.says === 'in_stock',
  );
  if (sold === undefined) return [];
  const tables = elements.flatMap(({ name }, node) => (name === 'table' && node > sold.node ? [node] : []));
  return tables.slice(0, MAX_TABLES).flatMap((table): Array<[number, number]> => {
    const end = ends[table] ?? table;
    if (holdsHeading[table] === 1) return [];
    if (elements.slice(table, end + 1).some(({ name }) => /^(?:input|select|button|form)$/.test(name)))
      return [];
    const cells = lines.filter(({ node }) => node > table && node <= end).slice(0, MAX_CELLS);
    const priced = cells.filter(({ mayCost }) => mayCost);
    const stocked = cells.filter(({ text, hasPrice }) => !hasPrice && readStockLine(foldText(text)) !== null);
    const named = cells.filter(
      (cell) =>
        !cell.hasPrice &&
        !stocked.includes(cell) &&
        /\p{L}{3}/u.test(cell.text) &&
        ![...wordsOf(cell.text)].some((word) => ownWords.has(word)),
    );
    const isList = Math.min(priced.length, stocked.length) >= 2 && named.length >= priced.length;
    return isList ? [[table, end]] : [];
  });
}

/** The first and last element of the largest section with one of the headings, but without the others and the product's. */
function partOf(
  { parents, ends }: ProductReader,
  node: number,
  { others, holdsHeading }: { others: ReadonlyArray<{ node: number }>; holdsHeading: Uint8Array },
): [number, number] {
  let part = node;
  for (let up = 0; up < 5; up += 1) {
    const parent = parents[part] ?? -1;
    const end = ends[parent] ?? parent;
    const holdsOther = others.some(
      (other) => other.node !== node && other.node >= parent && other.node <= end,
    );
    if (parent < 0 || holdsHeading[parent] === 1 || holdsOther) break;
    part = parent;
  }
  return [part, ends[part] ?? part];
}

/** The sections under headings such as "Case of 10" that sell nothing, if another one sells: only that one counts. */
function goneAmounts(
  reader: ProductReader,
  actions: readonly ReadAction[],
  holdsHeading: Uint8Array,
): Array<[number, number]> {
  const amounts = reader.headings.filter(
    ({ node, text, painted }) => painted && holdsHeading[node] === 0 && AMOUNT.test(foldText(text)),
  );
  if (amounts.length < 2 || amounts.length > 20) return [];
  const parts = amounts.map(({ node }) => partOf(reader, node, { others: amounts, holdsHeading }));
  const sells = ([from, to]: [number, number]): boolean =>
    actions.some(
      ({ node, off, wording }) =>
        node >= from && node <= to && !off && (wording.says === 'in_stock' || wording.says === 'preorder'),
    );
  return parts.some(sells) ? parts.filter((part) => !sells(part)) : [];
}

/** A heading for goods that are not posted: "Digital", "E-book". */
const DIGITAL =
  /^(?:digital(?: (?:edition|version|code|copy|download))?|(?:instant )?downloads?|e-?books?|pdf|kindle|audio ?books?)$/;
/** A heading of its counterpart: "New", "Paperback". */
const BOXED =
  /^(?:(?:brand )?new|used|pre-?owned|pre-?loved|physical|boxed|sealed|(?:standard|boxed|physical|print) (?:edition|version|copy)|paperback|hardback|hardcover|print)$/;

/** The sections under headings such as "Digital", if others are for boxed copies: those are the product. */
function digitalParts(reader: ProductReader, holdsHeading: Uint8Array): Array<[number, number]> {
  const named = reader.headings
    .filter(({ node, painted }) => painted && holdsHeading[node] === 0)
    .map(({ node, text }) => ({ node, folded: foldText(text) }))
    .filter(({ folded }) => DIGITAL.test(folded) || BOXED.test(folded));
  if (named.length > 20 || !named.some(({ folded }) => BOXED.test(folded))) return [];
  return named
    .filter(({ folded }) => DIGITAL.test(folded))
    .map(({ node }) => partOf(reader, node, { others: named, holdsHeading }));
}

/** Whether a list is in a form with one submit button after it: its rows are variants of the product. */
function isOrderedAsWhole(
  { elements, parents, ends }: ProductReader,
  list: readonly number[],
  { actions, holdsHeading }: { actions: readonly ReadAction[]; holdsHeading: Uint8Array },
): boolean {
  const last = list.at(-1) ?? 0;
  let form = parents[last] ?? -1;
  for (let up = 0; up < 6 && form >= 0 && elements[form]?.name !== 'form'; up += 1)
    form = parents[form] ?? -1;
  // Some shop systems put the whole page into a form.
  if (form < 0 || elements[form]?.name !== 'form' || holdsHeading[form] === 1) return false;
  return actions.some(
    ({ node, isLink }) => !isLink && node > (ends[last] ?? last) && node <= (ends[form] ?? form),
  );
}

/** The common mark of a list's cards: their first class, or if that is a position, their names and first elements. */
function kindOfCard({ elements }: ProductReader, node: number): string {
  const { attribs = {}, name } = elements[node] ?? {};
  const first = attribs['class']?.trim().split(/\s+/)[0] ?? '';
  if (name === 'li' || name === 'tr' || name === 'article' || (first !== '' && !LAYOUT_NAMES.test(first)))
    return first;
  const id = (attribs['id'] ?? '').replace(/\d+/g, '');
  return `${first} ${id} ${elements[node + 1]?.name ?? ''} ${elements[node + 2]?.name ?? ''}`;
}
