import { foldText } from '../../../waiting-room/parse/normalise-text';
import {
  MAX_ACTIONS,
  type PricedLine,
  findOthers,
  isCapitalised,
  isOwnHeading,
  namesOther,
  otherNames,
} from './other-products';
import { type PageAreas, isOutsideByTag, namesOf, readAreas, splitNames } from './page-areas';
import { findPrices, priceText } from '../words/price-text';
import { mayCost } from '../words/price-words';
import {
  OFF_FOR_OTHERS,
  type ReadAction,
  isButtonLink,
  isInChoice,
  isOff,
  isOfOtherForm,
  isUnknownButton,
  readButtons,
  withoutLinks,
} from './product-buttons';
import { chooseHeading } from './product-heading';
import { wordsOf } from '../words/product-names';
import { type Heading, type Line, type ProductReader, textOf } from './product-reader';
import { beforeStock } from '../words/refusal-subject';
import {
  type Wording,
  isAside,
  isBid,
  isEnquiry,
  isStockAlert,
  readButton,
  readStockLine,
  refusesOrders,
} from '../words/stock-words';
import { countBefore, titlesOfTexts } from './titled-parts';

/** A line of the page, folded, with what it says about stock. */
export interface ReadLine extends PricedLine {
  folded: string;
  wording: Wording | null;
}

/** The part of a page that is about its product. */
export interface ProductBox {
  heading: Heading | null;
  /** The region's element, or -1 for the page. */
  node: number;
  actions: ReadAction[];
  lines: ReadLine[];
  /** The button with another purpose than buying, such as an enquiry, or null. */
  enquiry: string | null;
  /** A button that looks disabled by its colours, or null. */
  grey: string | null;
  /** A possible replacement of the buy button that may be unrelated: a hidden button, a wish list. */
  idle: string | null;
  /** Whether it has an email form that is not for a newsletter, a review or an account. */
  asksForAddress: boolean;
  /** A disabled button that does not mention stock, or null. */
  refused: string | null;
  /** Prices in blocks that are hidden from screen readers. */
  silentPrices: ReadLine[];
  /** Lines outside the box that refuse "this item". */
  remarks: ReadLine[];
  /** The short lines of its notes: sections that are named as descriptions, tabs or accordions. */
  notes: Array<{ node: number; folded: string }>;
  /** Whether an element is in the box and not in a section about something else. */
  holds(node: number): boolean;
  /** Whether an element is part of a list of other products, of reviews, menus and the like. */
  isOutside(node: number): boolean;
  /** Whether an element is in a text under a title such as "Description". */
  isText(node: number): boolean;
  /** Whether the product has its own price, not only the cards of others. */
  isPriced: boolean;
  /** Whether the page lists offers of other sellers. */
  hasSellers: boolean;
  /** Number of other products that the page offers. */
  otherProducts: number;
}

const MAX_LINES = 1500;

/** Words for the product of the page: "this item". */
export const THIS_ITEM =
  /(?:^|[^a-z])(?:this|the) (?:item|product|article|line|set|title|game|drop|listing|auction|lot|release)(?:$|[^a-z])|dieser artikel|dieses produkt|(?:cet|l.) ?article|ce produit|est[ea] (?:producto|articulo)|quest[oa] (?:prodotto|articolo)|dit (?:artikel|product)|ten produkt/;

/** Finds the box of the product and its contents. `names`: the product's names in markup and title. */
export function findBox(
  reader: ProductReader,
  {
    names,
    homePaths,
    currency,
    today,
    address,
    asked,
    stated,
  }: {
    names: readonly string[];
    homePaths: ReadonlySet<string>;
    currency: string | null;
    today: string;
    /** Where the page was found. */
    address: URL | null;
    /** The address that was requested, if it led to another one. */
    asked: URL | null;
    /** The amounts that the markup states for the product. */
    stated: readonly number[];
  },
): ProductBox {
  const { elements, parents, ends } = reader;
  const count = elements.length;
  const areas = readAreas(reader);
  const heading = chooseHeading(reader, { names, homePaths, asked, inHard: areas.inHard });
  const holdsHeading = new Uint8Array(count);
  for (let node = heading?.node ?? -1; node >= 0; node = parents[node] ?? -1) holdsHeading[node] = 1;

  const readPrices = (line: Line): PricedLine => {
    const text = textOf(line);
    if (!/\d/.test(text) || text.length >= 2000)
      return { ...line, text, prices: [], hasPrice: false, mayCost: false };
    const shown = priceText(line.parts.map((part) => part.text).join(''));
    const prices = findPrices(shown, currency);
    return { ...line, text, prices, hasPrice: prices.length > 0, mayCost: mayCost(shown, prices) };
  };
  const lines = reader.lines.map(readPrices);
  const actions = readButtons(reader, address);
  const counts = countBefore(reader, { lines, actions });
  const ownWords = wordsOf(heading?.text ?? '');
  const isName = otherNames(lines, { ownWords, stated });
  const isTitle = titlesOfTexts(reader, { heading, holdsHeading, counts, isName });
  takeAsideOf(reader, { heading, areas, actions, holdsHeading, isTitle });
  const { card, starts, offers, otherProducts, hasSellers, firstOther, texts } = findOthers(reader, {
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
  });

  // The product of a heading in `main` is there: everything outside is about others.
  let main = heading?.node ?? -1;
  while (main >= 0 && elements[main]?.name !== 'main') main = parents[main] ?? -1;
  const isInMain = ({ node }: { node: number }): boolean =>
    main < 0 || (node >= main && node <= (ends[main] ?? main));

  const outside = new Uint8Array(count);
  const notes = new Uint8Array(count);
  const inText = new Uint8Array(count);
  let below = 0;
  let textsAround = 0;
  for (let node = 0; node < count; node += 1) {
    below += starts[node] ?? 0;
    textsAround += texts[node] ?? 0;
    inText[node] = textsAround > 0 ? 1 : 0;
    const parent = parents[node] ?? -1;
    const inherited = parent >= 0 && outside[parent] === 1;
    const starting = holdsHeading[node] === 0 && (areas.named[node] === 2 || card[node] === 1 || below > 0);
    outside[node] = inherited || starting ? 1 : 0;
    const noted = parent >= 0 && notes[parent] === 1;
    notes[node] =
      noted || (areas.named[node] === 1 && holdsHeading[node] === 0 && (offers[node] ?? 0) === 0) ? 1 : 0;
  }

  // The smallest region around the heading with a price and a button.
  const holds = (region: number, node: number): boolean =>
    region === -1 || (node >= region && node <= (ends[region] ?? region));
  const said = lines
    .filter(({ node }) => outside[node] === 0 && notes[node] === 0)
    .slice(0, MAX_LINES)
    .map((line): ReadLine => {
      // A longer line says nothing about stock. Quotations are by others: "a nice kit, sold out at the show".
      const folded = line.text.length > 400 ? '' : foldText(line.text).replace(QUOTED, ' ').trim();
      // "Sleeves – sold out; Mats – £12.00" is about others.
      const isList = line.hasPrice && /[;•·]/.test(folded);
      // Among the cards of others: "Mini Tin – sold out".
      const before = (beforeStock(folded) ?? '').replace(SENTENCE_END, '');
      const isOfOther =
        heading !== null &&
        line.node >= firstOther &&
        isCapitalised(line.text.slice(0, before.length)) &&
        !THIS_ITEM.test(before) &&
        namesOther(before, ownWords);
      const wording =
        line.isLink || isList || isOfOther || isFilter(reader, line.node)
          ? null
          : readStockLine(withoutLinks(reader, line.parts, folded), today);
      return { ...line, folded, wording: isStruck(reader, line) ? struckWording(wording) : wording };
    });
  // "Add Harbour Masks Sleeves to basket", the accessible name of a button next to that name.
  const isOfOtherByLabel = ({ node, label }: ReadAction): boolean => {
    const spoken = elements[node]?.attribs['aria-label'] ?? '';
    if (spoken.length < label.length + 8 || spoken.length > 200) return false;
    const folded = foldText(spoken);
    return said.some(
      (line) => line.folded.length > 7 && folded.includes(line.folded) && namesOther(line.folded, ownWords),
    );
  };
  const usable = actions
    .filter(
      (action) =>
        outside[action.node] === 0 &&
        notes[action.node] === 0 &&
        isInMain(action) &&
        !isOfOtherByLabel(action),
    )
    .slice(0, MAX_ACTIONS);
  const beside = said.filter(isInMain);
  const counter = (list: ReadonlyArray<{ node: number }>): ((region: number) => boolean) => {
    const before = new Int32Array(count + 1);
    for (const { node } of list) before[node + 1] = (before[node + 1] ?? 0) + 1;
    for (let node = 0; node < count; node += 1)
      before[node + 1] = (before[node + 1] ?? 0) + (before[node] ?? 0);
    return (at) => (before[(ends[at] ?? at) + 1] ?? 0) > (before[at] ?? 0);
  };
  const hasAction = counter(usable);
  const hasPrice = counter(beside.filter((line) => line.mayCost));
  const hasStock = counter(beside.filter(({ wording }) => wording !== null && wording.says !== 'nothing'));
  let region = heading?.node ?? -1;
  let fallback = -2;
  for (; region >= 0; region = parents[region] ?? -1) {
    if (hasAction(region) && hasPrice(region)) break;
    if (fallback === -2 && hasStock(region) && (hasPrice(region) || hasAction(region))) fallback = region;
  }
  const box = region >= 0 ? region : fallback >= 0 ? fallback : -1;
  let priced = heading?.node ?? -1;
  while (priced >= 0 && !hasPrice(priced)) priced = parents[priced] ?? -1;
  const isBeside = (around: number, node: number): boolean =>
    around >= 0 && outside[node] === 0 && notes[node] === 0 && holds(around, node);
  const findEnquiry = (around: number): string | null =>
    reader.actions.find(
      ({ node, label, isLink }) =>
        isBeside(around, node) &&
        (!isLink || isButtonLink(reader, node) || isBid(foldText(label))) &&
        isEnquiry(foldText(label)),
    )?.label ?? null;
  const findIdle = (around: number): string | null => {
    const hidden = reader.hiddenActions.find(
      ({ node, label }) => isBeside(around, node) && readButton(foldText(label))?.says === 'in_stock',
    );
    if (hidden !== undefined) return `${hidden.label} (hidden)`;
    const shown = reader.actions.filter(
      ({ node, label, isLink }) =>
        isBeside(around, node) &&
        (isAside(foldText(label)) || (!isLink && isUnknownButton(reader, node, label))),
    );
    return (
      (shown.find(({ label }) => isAside(foldText(label))) ?? (shown.length === 1 ? shown[0] : undefined))
        ?.label ?? null
    );
  };
  const findRefused = (around: number): string | null =>
    reader.actions.find(
      ({ node, label, isLink }) =>
        !isLink &&
        label.length > 4 &&
        isBeside(around, node) &&
        isOff(reader, node) &&
        !isInChoice(reader, node) &&
        !OFF_FOR_OTHERS.test(`${foldText(label)} ${splitNames(namesOf(elements[node]))}`),
    )?.label ?? null;
  const asksForAddress = (around: number): boolean =>
    elements.some(
      ({ name, attribs }, node) =>
        name === 'input' &&
        (attribs['type'] === 'email' || /^e-?mail$/i.test(attribs['name'] ?? '')) &&
        reader.painted[node] === true &&
        isBeside(around, node) &&
        !isOfOtherForm(reader, node),
    );
  return {
    heading,
    node: box,
    actions: usable.filter(({ node }) => holds(box, node)),
    lines: beside.filter(({ node }) => holds(box, node)),
    enquiry: findEnquiry(priced),
    grey: usable.find(({ node, isGrey }) => isGrey && holds(box, node))?.label ?? null,
    idle: findIdle(priced),
    asksForAddress: asksForAddress(box >= 0 ? box : priced),
    refused: findRefused(box >= 0 ? box : priced),
    silentPrices: reader.silentLines
      .map(readPrices)
      .filter(
        ({ node, hasPrice }) => hasPrice && outside[node] === 0 && notes[node] === 0 && holds(box, node),
      )
      .map((line) => ({ ...line, folded: foldText(line.text), wording: null })),
    remarks: [
      ...said.filter(
        ({ node, folded, wording }) =>
          (wording?.says === 'out_of_stock' || wording?.says === 'discontinued') &&
          !holds(box, node) &&
          THIS_ITEM.test(folded),
      ),
      // An open dialog covers the page.
      ...lines
        .filter(({ node, text }) => text.length < 60 && isInOpenDialog(reader, node, holdsHeading))
        .map((line): ReadLine => {
          const folded = foldText(line.text);
          return { ...line, folded, wording: readStockLine(folded, today) };
        })
        .filter(
          ({ folded, wording }) =>
            wording?.says === 'out_of_stock' &&
            !isStockAlert(folded) &&
            !/consent|cookie|country|browser|script/.test(folded),
        ),
      ...lines
        .filter(
          ({ node, text }) =>
            notes[node] === 0 &&
            !holds(box, node) &&
            /order|checkout|purchas|buy|shop|store|site/i.test(text) &&
            text.length < 400,
        )
        .map((line): ReadLine => ({
          ...line,
          folded: foldText(line.text),
          wording: { says: 'out_of_stock', detail: null },
        }))
        .filter(({ folded }) => sentencesOf(folded).some(refusesOrders)),
    ],
    notes: lines
      .filter(
        ({ node, text }) => outside[node] === 0 && notes[node] === 1 && text.length < 160 && holds(box, node),
      )
      .slice(0, MAX_LINES)
      .map(({ node, text }) => ({ node, folded: foldText(text) })),
    holds: (node) => holds(box, node) && outside[node] !== 1,
    isOutside: (node) => outside[node] === 1,
    isText: (node) => areas.inHard[node] === 0 && inText[node] === 1,
    isPriced: beside.some(
      ({ node, hasPrice: isPrice }) =>
        isPrice && holds(priced, node) && node > (heading?.node ?? count) && node < firstOther,
    ),
    hasSellers,
    otherProducts,
  };
}

/** Includes an `aside` next to the product if it has the first buy button after the heading. */
function takeAsideOf(
  { elements, parents, ends, headings }: ProductReader,
  {
    heading,
    areas: { named, inHard },
    actions,
    holdsHeading,
    isTitle,
  }: {
    heading: Heading | null;
    areas: PageAreas;
    actions: readonly ReadAction[];
    holdsHeading: Uint8Array;
    isTitle: (node: number, text: string) => boolean;
  },
): void {
  if (heading === null) return;
  const first = actions.find(
    ({ node, wording }) => node > heading.node && wording.says !== 'nothing' && wording.detail !== 'ballot',
  );
  const isNext = !headings.some(
    ({ node, text, painted }) =>
      painted &&
      node > heading.node &&
      node < (first?.node ?? 0) &&
      !isTitle(node, text) &&
      !isOwnHeading(foldText(text)),
  );
  if (first === undefined || !isNext) return;
  for (
    let node = parents[first.node] ?? -1;
    node >= 0 && holdsHeading[node] === 0;
    node = parents[node] ?? -1
  ) {
    const element = elements[node];
    if (element === undefined || !isOutsideByTag(element)) continue;
    named[node] = 0;
    inHard.fill(0, node, (ends[node] ?? node) + 1);
  }
}

/** A quotation of a sentence or more, in folded text. */
const QUOTED = /[“"„«][^“”"„«»]{20,300}[”"“»]/g;

/** The sentences of a folded text. */
function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?]) /, 20);
}

const OF_BASKET = /(?:^|[\s-])(?:mini-?)?(?:cart|basket|bag|trolley)(?:[\s-]|$)/;

/** Whether an element is part of a dialog that is open when the page loads, or of an overlay over the product; not over a card of another. */
function isInOpenDialog(
  { elements, parents }: ProductReader,
  from: number,
  holdsHeading: Uint8Array,
): boolean {
  for (let node = from, up = 0; node >= 0 && up < 8; node = parents[node] ?? -1, up += 1) {
    const { name, attribs = {} } = elements[node] ?? {};
    // A closed basket drawer is inert, but its dialog is always in the page.
    if (attribs['inert'] !== undefined || OF_BASKET.test(splitNames(namesOf(elements[node])))) return false;
    if (
      name === 'dialog' ||
      /^(?:alert)?dialog$/.test(attribs['role'] ?? '') ||
      attribs['aria-modal'] === 'true'
    )
      return true;
    if (holdsHeading[node] === 1) return false;
    if (/(?:^|[\s_-])overlay(?:[\s_-]|$)/.test(attribs['class'] ?? ''))
      return holdsHeading[parents[node] ?? -1] === 1;
  }
  return false;
}

/** The meaning of struck-through words: stock that is gone, or nothing. */
function struckWording(wording: Wording | null): Wording | null {
  const wasIn = wording?.says === 'in_stock' || wording?.says === 'limited';
  return wasIn ? { says: 'out_of_stock', detail: null } : null;
}

/** Whether the words of a line are struck through. */
function isStruck({ elements, parents, drawnOff }: ProductReader, { parts }: Line): boolean {
  return parts.every(
    ({ text, node }) =>
      !/[\p{L}\p{N}]/u.test(text) ||
      [node, parents[node] ?? -1].some((at) => {
        const { name = '', attribs = {} } = elements[at] ?? {};
        return (
          /^(?:s|del|strike)$/.test(name) ||
          drawnOff.has(at) ||
          /line-through/.test(`${attribs['style'] ?? ''} ${attribs['class'] ?? ''}`)
        );
      }),
  );
}

/** Whether a line is the label of a checkbox, such as a filter: "In stock (9)". */
function isFilter({ elements, parents, ends }: ProductReader, node: number): boolean {
  const label = [node, parents[node] ?? -1].find((at) => elements[at]?.name === 'label');
  if (label === undefined) return false;
  return elements
    .slice(label, Math.min(ends[label] ?? label, label + 10) + 1)
    .some(({ name, attribs }) => name === 'input' && attribs['type'] === 'checkbox');
}

/** Between a name and words about stock: "This product is currently". */
const SENTENCE_END =
  /(?:^| )(?:(?:this|the) (?:item|product|article) )?(?:is|are) (?:currently |temporarily |now )?$/;
