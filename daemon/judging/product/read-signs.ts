import type { Element } from 'domhandler';
import type { ProductSign } from '#shared/monitor/checks/verdict';
import { parseAddress } from '../../waiting-room/fetch/web-address';
import { foldText } from '../../waiting-room/parse/normalise-text';
import { isOwn } from './page-identity';
import { type ReadAction, isOfNews, leadsToOtherProduct } from './page/product-buttons';
import type { ProductBox, ReadLine } from './page/product-box';
import { namesOf, splitNames } from './page/page-areas';
import { BADGE_WEIGHT, type Context, UNNAMED_WEIGHT, add } from './product-context';
import type { ProductReader } from './page/product-reader';
import { wordsOf } from './words/product-names';
import { lastDayIn } from './words/release-date';
import { isGeneralAlert, isSubjectOf, refusesOther } from './words/refusal-subject';
import {
  type Wording,
  asksToSignIn,
  expectsStock,
  isHome,
  isNoChoice,
  isStockLater,
  isStockAlert,
  namesNew,
  namesOnlyOtherSellers,
  namesOtherOptions,
  namesOtherSellers,
  namesUsed,
  readAvailabilityTerm,
  readStockLine,
  refusesNamed,
} from './words/stock-words';
import { isBuyable } from './stock-ruling';
import type { StructuredProduct } from './structured/structured-data';
import { type Watched, bestOffer, radioChoices, shownChoices, variantInAddress } from './variants';

/** Whether no variant is chosen yet, so that a button proves nothing. */
function lacksChoice({ reader, box }: Context): boolean {
  return reader.choices.some(({ node, options }) => {
    if (!box.holds(node) || options.length < 2) return false;
    const called = `${reader.elements[node]?.attribs['name'] ?? ''} ${reader.elements[node]?.attribs['id'] ?? ''}`;
    if (/qty|quantity|sort|country|rating/i.test(called)) return false;
    const chosen = options.find(({ selected }) => selected) ?? options[0];
    return chosen !== undefined && (chosen.value === '' || isNoChoice(foldText(chosen.text)));
  });
}

/** Whether only the displayed variant is gone, and neither the watch nor the address names that variant. */
function hasOtherOptions({ box, expected, answer }: Context): boolean {
  if (!box.lines.some(({ folded }) => namesOtherOptions(folded))) return false;
  // PrestaShop's addresses contain the numbers of the product and the variant: `/412-1188-tin.html`.
  const isNamed = /\/\d{1,9}-\d{1,9}-/.test(parseAddress(answer.finalUrl)?.pathname ?? '');
  return expected.variantKey === null && !isNamed && variantInAddress(answer.finalUrl) === null;
}

/** A sentence that begins with the condition: "Pre-owned and tested, with a warranty". */
const STATES_USED =
  /^(?:pre-?owned|pre-?loved|second[\s-]hand|refurbished)(?:,| and| copy| copies| item) ?[^£€$?]{3,100}$/;

function wordsOfNames(attribs: Record<string, string>): string {
  return splitNames(`${attribs['class'] ?? ''} ${attribs['id'] ?? ''}`).replaceAll('-', ' ');
}

/** Tells whether an element is in a section about used goods. For large sections only names count, not texts. */
function usedParts({ reader, box }: Context): (node: number) => boolean {
  const said = [...box.lines, ...box.notes.filter(({ folded }) => folded.length < 80)]
    .sort((one, other) => one.node - other.node)
    .map(({ node, folded }, index, all) => ({
      node,
      isNew: namesNew(folded),
      isUsed: namesUsed(folded),
      isCondition:
        STATES_USED.test(folded) ||
        (/^(?:item )?(?:condition|zustand|etat|estado|condizione|conditie|staat|stan)(?: ?:|$)/.test(
          folded,
        ) &&
          namesUsed(`${folded} ${folded.length < 20 ? (all[index + 1]?.folded ?? '') : ''}`)),
    }));
  const isInUsedPart = (from: number): boolean => {
    for (let at = from, up = 0; at > 0 && at !== box.node && up < 4; at = reader.parents[at] ?? -1, up += 1) {
      const { attribs = {} } = reader.elements[at] ?? {};
      if (namesUsed(wordsOfNames(attribs))) return true;
    }
    return false;
  };
  const isNew = anyWithin(said.filter((line) => line.isNew));
  // A section below the button that is named as used goods concerns only those.
  const isUsed = anyWithin(said.filter((line) => line.isUsed && !isInUsedPart(line.node)));
  const isUsedAbove = anyWithin(said.filter((line) => line.isUsed));
  const isUsedPage = said.some(({ isCondition }) => isCondition);
  return (from) => {
    if (isUsedPage) return true;
    for (let at = from, up = 0; at > 0 && at !== box.node && up < 8; at = reader.parents[at] ?? -1, up += 1) {
      const end = reader.ends[at] ?? at;
      if (box.heading !== null && box.heading.node >= at && box.heading.node <= end) return false;
      const { attribs = {} } = reader.elements[at] ?? {};
      const called = wordsOfNames(attribs);
      if (namesNew(called) || (up < 4 && isNew(at, end))) return false;
      if (namesUsed(called) || (up < 4 && (isUsed(at, end) || isUsedAbove(at, from)))) return true;
    }
    return false;
  };
}

/** Tells whether a line begins between two elements. `lines`: in page order. */
function anyWithin(lines: ReadonlyArray<{ node: number }>): (start: number, end: number) => boolean {
  return (start, end) => {
    let [low, high] = [0, lines.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((lines[middle]?.node ?? 0) < start) low = middle + 1;
      else high = middle;
    }
    return (lines[low]?.node ?? Infinity) <= end;
  };
}

/**
 * Whether a button is Magento's, which is rendered disabled and enabled by a script
 * (`Magento_Catalog/view/frontend/templates/product/view/addtocart.phtml`), below a line that says in stock.
 */
function isOffUntilScripts({ reader, box }: Context, node: number): boolean {
  return (
    reader.elements[node]?.attribs['id'] === 'product-addtocart-button' &&
    box.lines.some(
      ({ wording }) => wording !== null && (isBuyable(wording.says) || wording.says === 'preorder'),
    )
  );
}

/** Whether a button of the box sells used goods, and whether one sells others. */
export interface Seen {
  used: boolean;
  fresh: boolean;
}

/** Whether the box has a buy button. */
function isSoldByButton({ actions }: ProductBox): boolean {
  return actions.some(
    ({ off, isGrey, wording }) =>
      !off && !isGrey && (wording.says === 'in_stock' || wording.says === 'preorder'),
  );
}

/** Whether a button sends a form that offers alerts about several products. */
function isOfGeneralAlert({ lines }: ProductBox, { node, folded }: ReadAction): boolean {
  const above = lines.filter((line) => line.node < node).slice(-2);
  return [folded, ...above.map((line) => line.folded)].some(isGeneralAlert);
}

/** Adds a sign for each button of the product's box. */
export function readActions(context: Context): Seen {
  const { box } = context;
  const missing = lacksChoice(context) || hasOtherOptions(context);
  const isUsedOffer = usedParts(context);
  const sells = isSoldByButton(box);
  const sellsNew = box.actions.some(
    ({ node, folded, off, wording }) =>
      !off && wording.says === 'in_stock' && !namesUsed(folded) && !isUsedOffer(node),
  );
  const seen: Seen = { used: false, fresh: false };
  for (const action of box.actions) {
    const { node, label, folded, wording, off, isGrey, isLink } = action;
    const isUsed = namesUsed(folded) || (wording.says === 'in_stock' && isUsedOffer(node));
    if (!isUsed && wording.says === 'out_of_stock' && sellsNew && isUsedOffer(node)) {
      add(context, 'button', { says: 'nothing', evidence: `${label} (used)` });
      continue;
    }
    if (isUsed) {
      if (!off && isBuyable(wording.says)) seen.used = true;
      add(context, 'button', { says: 'nothing', evidence: label, detail: 'used_only' });
      continue;
    }
    // The form of a newsletter, or of alerts about other products, next to a buy button.
    const isNews =
      sells &&
      isStockAlert(folded) &&
      ((!isLink && isOfNews(context.reader, node)) || isOfGeneralAlert(box, action));
    if (isNews) add(context, 'button', { says: 'nothing', evidence: `${label} (news)` });
    else if (wording.says === 'nothing') add(context, 'button', { ...wording, evidence: label });
    else if (
      off &&
      (wording.says === 'in_stock' || wording.says === 'preorder') &&
      isOffUntilScripts(context, node)
    )
      add(context, 'button', { says: 'nothing', evidence: `${label} (off until scripts have run)` });
    else if (off && missing && wording.says !== 'out_of_stock')
      add(context, 'button', { says: 'nothing', evidence: `${label} (off until a variant is chosen)` });
    else if (off && wording.says !== 'out_of_stock') {
      const isBusy = /load|wait/.test(folded);
      // "Available 5 December", which is still disabled.
      const detail = wording.says === 'preorder' && expectsStock(folded) ? 'coming_soon' : null;
      add(context, 'button', {
        says: isBusy ? 'nothing' : 'out_of_stock',
        detail,
        evidence: `${label} (off)`,
      });
    } else if (isGrey && wording.says !== 'out_of_stock')
      add(context, 'button', { says: 'nothing', evidence: `${label} (drawn as off)` });
    else {
      // A link in a sentence is weaker than a button: "Pre-orders" also leads to a category.
      if (isLink && wording.says === 'preorder' && /orders$/.test(folded)) continue;
      if (wording.says === 'in_stock' || wording.says === 'preorder') seen.fresh = true;
      add(context, 'button', { ...wording, evidence: label });
    }
  }
  const isMagento = box.actions.some(({ node, off }) => off && isOffUntilScripts(context, node));
  if (box.refused !== null && !missing && !isMagento)
    add(context, 'button', { says: 'out_of_stock', weight: BADGE_WEIGHT, evidence: `${box.refused} (off)` });
  if (!context.signs.some(({ source, weight }) => source === 'button' && weight > 0)) {
    const out = { says: 'out_of_stock', weight: BADGE_WEIGHT } as const;
    const collected = context.signs.find(({ detail }) => detail === 'in_store_only');
    if (box.asksForAddress)
      add(context, 'button', { ...out, evidence: 'a field for an e-mail address instead of a button' });
    else if (collected !== undefined)
      add(context, 'button', { ...out, detail: 'in_store_only', evidence: collected.evidence });
  }
  return seen;
}

/** A heading that is a sentence about its product. */
const REFUSING_TITLE =
  /(?:^|[-–|:([] ?)(?:sold out|sold)[)\]!]?$|^[([]?sold(?: out)?[)\]:!-]|^[([]sold|^(?!(?:sorry[,:]? )?(?:this|the) (?:item|product|page) ).*(?:is|are) (?:currently |now |temporarily )?(?:out of stock|sold out|unavailable|not available)/;
/** A label whose value is on the next line: "Release date:" above "26/02/2027". */
const STOCK_LABEL =
  /^(?:release|street|availab|(?:current )?stock|in stock|expected|dispatch|despatch|status|ships|verfugb|lager|erschein|lieferbar|disponib|sortie|lanzamiento|uscita|beschikb|voorraad|dostepn)[a-z ]{0,20}:?$/;
/** Such a label in a table of facts about the product. */
const AVAILABILITY_LABEL =
  /^(?:(?:product |stock )?availability|(?:current )?stock(?: status| level)?|in stock|verfugbarkeit|lagerbestand|lagerstatus|disponibilit(?:e|a)|disponibilidade?|beschikbaarheid|voorraad(?:status)?|dostepnosc|tillganglighet) ?:?$/;
const RELEASE_LABEL =
  /^(?:(?:uk )?(?:release|publication|street|launch|on[ -]sale) date|released|publication|erscheinungs(?:datum|termin)|date de (?:sortie|parution)|fecha de (?:lanzamiento|salida)|data di uscita|releasedatum|data premiery) ?:?$/;
const BADGE = /(?:^|[\s_-])(?:badges?|(?<!form-)labels?|stickers?|flags?|ribbon|tag|pill)(?:[\s_-]|$)/;

/** The meaning of shop systems' stock-line classes, for lines with custom text. */
function namedStock(element: Element | undefined): Wording | null {
  const classes = element?.attribs['class'] ?? '';
  if (!/(?:^|\s)(?:stock|availability)(?:\s|$)/.test(classes)) return null;
  const found = /(?:^|\s)(in-stock|out-of-stock|available-on-backorder|available|unavailable)(?:\s|$)/.exec(
    classes,
  )?.[1];
  return found === undefined ? null : readAvailabilityTerm(found);
}

/**
 * Removes the signs of alert forms from a page with a buy button and an in-stock line: they concern the next restock, or
 * the price.
 */
export function dropAlertsBesideStock({ signs }: Context): void {
  const isIn = ({ says, weight }: ProductSign): boolean => isBuyable(says) && weight > 0;
  const isSold = signs.some((sign) => sign.source === 'button' && isIn(sign));
  const isLine = signs.some((sign) => sign.source === 'stock_line' && isIn(sign));
  if (!isSold) return;
  for (const sign of signs) {
    if (sign.says !== 'out_of_stock' || sign.weight === 0) continue;
    const said = foldText(sign.evidence);
    const isGeneral = sign.source === 'stock_line' && /alerts$|notifications$/.test(said);
    if ((isLine || isGeneral) && isStockAlert(said)) Object.assign(sign, { says: 'nothing', weight: 0 });
  }
}

/**
 * Removes the refusal in the title from the signs of a page with a buy button and a stock count: a game may be called
 * "Sold Out!".
 */
export function dropTitleBesideStock({ signs, box: { heading } }: Context): void {
  const isIn = ({ says, weight }: ProductSign): boolean => isBuyable(says) && weight > 0;
  const isSold = signs.some((sign) => sign.source === 'button' && isIn(sign));
  const isCounted = signs.some(
    (sign) => sign.source === 'stock_line' && isIn(sign) && /\d/.test(sign.evidence),
  );
  if (!isSold || !isCounted) return;
  for (const sign of signs)
    if (sign.source === 'stock_line' && sign.says === 'out_of_stock' && sign.evidence === heading?.text)
      Object.assign(sign, { says: 'nothing', weight: 0 });
}

/**
 * Turns "Back in stock on 12 March" into a refusal on a page where at most the markup sells the product: a product that
 * comes later and cannot be ordered now is out of stock.
 */
export function refuseLaterStock({ signs }: Context): void {
  const counting = signs.filter(({ weight, says }) => weight > 0 && says !== 'nothing');
  const isLater = ({ source, says, evidence }: ProductSign): boolean =>
    source === 'stock_line' && says === 'preorder' && isStockLater(foldText(evidence));
  const isMarkup = ({ source, says }: ProductSign): boolean =>
    (source === 'structured_data' || source === 'meta') && isBuyable(says);
  if (!counting.every((sign) => isLater(sign) || isMarkup(sign))) return;
  for (const sign of counting.filter(isLater)) Object.assign(sign, { says: 'out_of_stock', detail: null });
}

/**
 * Removes the refusals that only ask for a sign-in from a page without other signs: trade shops show their stock only to
 * customers.
 */
export function dropSignInAlone({ signs }: Context): void {
  const counting = signs.filter(({ weight }) => weight > 0);
  if (!counting.every(({ evidence }) => asksToSignIn(foldText(evidence)))) return;
  for (const sign of counting) Object.assign(sign, { says: 'nothing', weight: 0 });
}

/** The seller, by the lines of the box. */
export interface SeenLines {
  otherSellers: boolean;
  /** Whether the shop says that it sells nothing itself. */
  onlyOtherSellers: boolean;
}

const OF_STORES =
  /stor(?:e|es)(?:$|[^a-z])|shops?(?:$|[^a-z])|branch|collect|pick|filial|magasin|tienda|negozi|winkel|sklep/;

/** Class names of elements about local shops: `instoreMessage`, `click-collect`. */
const OF_STORES_BY_NAME =
  /(?:^|[\s_-])(?:in-?store|store-(?:stock|availability|message)|click-?(?:(?:and|n)-?)?collect|c-?collect|pick-?up)(?:[\s_-]|$)/;

/** A refusal at one of several places: "Out of stock in Camden". Countries, months and languages do not count. */
const REFUSED_AT_PLACE =
  /(?:[Oo]ut of stock|[Ss]old out|[Uu]navailable|[Nn]one left) in (?:our )?(?!UK|GB|EU|US|United|Great|Britain|England|Europe|January|February|March|April|May|June|July|August|September|October|November|December|Minutes|Hours|English|All|The)\p{Lu}\p{Ll}{2,20}/u;
const HOME_WORDS = /deliver|online/;
/** A line that begins with a name: "York: out of stock". */
const NAMED_ROW = /^(\p{Lu}[\p{L}'’&. -]{1,40})(?::| [–—-]) ?\p{L}/u;

/** Whether a line may be about one of several shops: its first words are neither a stock label nor a delivery method. */
function isRowOfShop(text: string): boolean {
  const name = foldText(NAMED_ROW.exec(text)?.[1] ?? '');
  return (
    name !== '' && !isHome(name) && !STOCK_LABEL.test(name) && !/web|post|mail|ware|lager|stock/.test(name)
  );
}

/** The rank of the section title that an element is or starts with: 2 to 6 for a heading, 7 for others, 0 for none. */
function levelOfTitle({ elements, parents }: ProductReader, node: number): number {
  for (const at of [node, parents[node] ?? -1]) {
    const name = elements[at]?.name ?? '';
    if (/^h[2-6]$/.test(name)) return Number(name[1]);
    if (/^(?:legend|caption|summary|th|dt)$/.test(name)) return 7;
  }
  return 0;
}

/** Class names of a list of choices: Amazon's `dimension-values-list`, `swatches`. */
const CHOICES = /(?:^|[\s-])(?:swatch(?:es)?|twister|dimension-values|variations?|variants?)(?:[\s-]|$)/;

/** Whether an element is in a list that is named as the variants of a product. */
function isInChoices({ elements, parents }: ProductReader, node: number): boolean {
  for (let at = node, up = 0; at >= 0 && up < 6; at = parents[at] ?? -1, up += 1)
    if (CHOICES.test(splitNames(namesOf(elements[at])))) return true;
  return false;
}

/** Whether the subject of a refusal is a link to the page of another product, with another name. */
function refusesLinked(
  { reader, answer }: Context,
  { parts, folded }: ReadLine,
  ownWords: ReadonlySet<string>,
): boolean {
  const address = parseAddress(answer.finalUrl);
  return parts.some(({ text, node }) => {
    const { name, attribs = {} } = reader.elements[node] ?? {};
    return (
      name === 'a' &&
      leadsToOtherProduct(attribs['href'] ?? '', address) &&
      [...wordsOf(text)].some((word) => !ownWords.has(word)) &&
      isSubjectOf(foldText(text).trim(), folded)
    );
  });
}

/** Adds a sign for each line of the product's box about its stock, and for remarks about "this item" elsewhere. */
export function readLines(context: Context): SeenLines {
  const { box, reader } = context;
  const seen: SeenLines = { otherSellers: box.hasSellers, onlyOtherSellers: false };
  const heading = box.heading;
  const title = foldText(heading?.text ?? '');
  const ownWords = wordsOf(heading?.text ?? '');
  if (heading !== null && /(?:^|[^a-z])pre-?order(?:$|[^a-z])/.test(title))
    add(context, 'stock_line', { says: 'preorder', detail: 'release', evidence: heading.text });
  else if (heading !== null && REFUSING_TITLE.test(title))
    add(context, 'stock_line', { says: 'out_of_stock', evidence: heading.text });
  const isUsedOffer = usedParts(context);
  const ofChoices = [
    ...radioChoices(context).flatMap(({ labels }) => labels.map((label) => label.node)),
    ...shownChoices(context).flatMap(({ nodes }) => nodes),
  ];
  const sells = isSoldByButton(box);
  let channel = '';
  let isInStores = false;
  let storeLevel = 0;
  let isInShopRows = false;
  for (const [index, line] of box.lines.entries()) {
    const { node, text, folded } = line;
    const labelled = STOCK_LABEL.test(channel);
    const wording =
      line.wording ??
      (labelled && !line.hasPrice
        ? (readStockLine(`${channel} ${folded}`, context.today) ??
          readStockLine(`${channel.replace(/:$/, '')}: ${folded}`, context.today))
        : null) ??
      (line.hasPrice ? null : namedStock(reader.elements[node]));
    if (
      /^in stock[?:]?$/.test(folded) &&
      /^(?:no|none|false|0|✗|✘|✕)$/.test(box.lines[index + 1]?.folded ?? '')
    ) {
      channel = folded;
      continue;
    }
    // "Out" above "7 January 2026" is a label.
    if (/^out ?:?$/.test(folded) && lastDayIn(box.lines[index + 1]?.folded ?? '') !== null) {
      channel = 'release date';
      continue;
    }
    if (namesOtherSellers(folded)) seen.otherSellers = true;
    if (namesOnlyOtherSellers(folded)) seen.onlyOtherSellers = true;
    if (heading !== null && node >= heading.node && node <= (reader.ends[heading.node] ?? heading.node))
      continue;
    // The words end a line such as "Availability: out of stock".
    const last = line.parts.findLast((part) => /[\p{L}\p{N}]/u.test(part.text))?.node ?? node;
    const called = splitNames(
      `${reader.elements[last]?.attribs['class'] ?? ''} ${reader.elements[reader.parents[last] ?? 0]?.attribs['class'] ?? ''}`,
    );
    if (/price-sold-out|price--sold-out/.test(called) && line.hasPrice)
      add(context, 'stock_line', { says: 'out_of_stock', evidence: called });
    const level = levelOfTitle(reader, node);
    if (level > 0 && (level <= storeLevel || !isInStores || HOME_WORDS.test(folded))) {
      isInStores = OF_STORES.test(folded) && !HOME_WORDS.test(folded);
      storeLevel = level;
    } else if (line.hasPrice) isInStores = false;
    if (namesOtherOptions(folded)) {
      add(context, 'stock_line', {
        says: hasOtherOptions(context) ? 'in_stock' : 'out_of_stock',
        evidence: text,
      });
      continue;
    }
    if (wording === null) {
      channel = folded.length < 40 && !line.isLink ? folded : '';
      continue;
    }
    // Lines above the product are promises of the shop: "Everything in stock".
    if (heading !== null && node < heading.node && box.actions.length === 0 && isBuyable(wording.says)) {
      add(context, 'stock_line', { says: 'nothing', evidence: `${text} (above the product)` });
      continue;
    }
    if (BADGE.test(called) && wording.says === 'out_of_stock' && !/\d|:/.test(folded)) {
      // Themes always print it and hide it by a style sheet: it overrules only the markup.
      add(context, 'stock_line', { ...wording, weight: BADGE_WEIGHT, evidence: `${text} (a badge)` });
      continue;
    }
    if (isUsedOffer(node)) continue;
    if (sells && isGeneralAlert(folded)) {
      add(context, 'stock_line', { says: 'nothing', evidence: `${text} (about several products)` });
      continue;
    }
    const isRefusal = wording.says === 'out_of_stock' || wording.says === 'discontinued';
    if (isRefusal && (refusesOther(folded, ownWords) || refusesLinked(context, line, ownWords))) {
      // It counts unless a stronger sign sells.
      add(context, 'stock_line', { ...wording, weight: UNNAMED_WEIGHT, evidence: text });
      continue;
    }
    if (ofChoices.some((at) => node >= at && node <= (reader.ends[at] ?? at))) {
      add(context, 'stock_line', { ...wording, subject: 'variant', weight: 0, evidence: text });
      continue;
    }
    if (isRefusal && sells && refusesNamed(folded) && isInChoices(reader, node)) {
      add(context, 'stock_line', { ...wording, subject: 'variant', weight: 0, evidence: text });
      continue;
    }
    if (isRefusal && REFUSED_AT_PLACE.test(text)) {
      add(context, 'stock_line', { says: 'nothing', evidence: `${text} (at a place)` });
      continue;
    }
    // "Store collection" above "In stock": only about local shops.
    const joined = channel === '' ? null : readStockLine(`${channel} ${folded}`);
    if (OF_STORES_BY_NAME.test(called) && !/deliver|online/.test(`${channel} ${folded}`)) {
      const detail = wording.says === 'out_of_stock' ? null : 'in_store_only';
      add(context, 'stock_line', { says: 'nothing', detail, evidence: `${text} (${called.trim()})` });
      continue;
    }
    // A refusal is about a local shop when it names one, below such a title or below another shop's row.
    const isOfShop: boolean = (isInStores || isInShopRows) && isRowOfShop(text);
    const isOfStores: boolean =
      isOfShop ||
      (isInStores && wording.says !== 'out_of_stock' && wording.says !== 'discontinued') ||
      (channel !== '' && (joined === null || joined.detail === 'in_store_only') && OF_STORES.test(channel));
    if (isOfStores) {
      add(context, 'stock_line', {
        says: 'nothing',
        detail: wording.says === 'out_of_stock' ? null : 'in_store_only',
        evidence: channel === '' ? text : `${channel}: ${text}`,
      });
    } else add(context, 'stock_line', { ...wording, evidence: text });
    isInShopRows = isOfStores && isRowOfShop(text);
    channel = '';
  }
  for (const { text, wording } of box.remarks)
    if (wording !== null) add(context, 'stock_line', { ...wording, evidence: text });
  readContainers(context);
  readNotes(context);
  return seen;
}

/** Adds a sign for each note of the product, such as a row in a table of facts, about its stock or a future release. */
function readNotes(context: Context): void {
  const { box, today } = context;
  let label = '';
  for (const { folded } of box.notes) {
    const [isRow, isRelease] = [AVAILABILITY_LABEL.test(label), RELEASE_LABEL.test(label)];
    const wording = readStockLine(isRelease ? `release date ${folded}` : folded, today);
    label = folded;
    if (wording === null) continue;
    const day = lastDayIn(folded);
    if (isRow || (wording.says === 'preorder' && day !== null && day > today))
      add(context, 'stock_line', { ...wording, evidence: folded });
    // An undeliverable product overrules markup that sells it.
    else if (wording.says === 'out_of_stock' && wording.detail === 'in_store_only')
      add(context, 'stock_line', { ...wording, weight: BADGE_WEIGHT, evidence: folded });
  }
}

/** A class that marks its element as sold out: `product--sold-out`. */
const REFUSING_CLASS =
  /(?:^|\s)(?:(?:is|product|pdp|item|state|status|p)(?:-{1,2}|__?))?(?:sold-?out|out-?of-?stock)(?:\s|$)/;

/** Class names with which shop systems mark the container of the product. */
function readContainers(context: Context): void {
  const { box, reader } = context;
  if (box.heading === null) return;
  for (let node = box.heading.node; node >= 0; node = reader.parents[node] ?? -1) {
    const classes = reader.elements[node]?.attribs['class'] ?? '';
    const isRefused = REFUSING_CLASS.test(classes);
    if (!isRefused && !/(?:^|\s)(?:type-product|product)(?:\s|$)/.test(classes)) continue;
    // WooCommerce's class for products with a price (`wc_get_product_class`): without it nothing can be bought.
    if (/(?:^|\s)product-type-/.test(classes) && !isRefused && !/(?:^|\s)purchasable(?:\s|$)/.test(classes))
      continue;
    const found = isRefused ? 'outofstock' : /(?:^|\s)(instock|onbackorder)(?:\s|$)/.exec(classes)?.[1];
    const wording = found === undefined ? null : readAvailabilityTerm(found);
    if (wording !== null) add(context, 'page_data', { ...wording, evidence: `class ${found ?? ''}` });
  }
}

/** Adds the signs of the markup: the offer of the product or of the watched variant, and those of other products without weight. */
export function readStructured(context: Context, subject: StructuredProduct | null, watched: Watched): void {
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

/** Adds the sign of the meta elements (Open Graph, Twitter's labels). */
export function readMeta(context: Context): void {
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
