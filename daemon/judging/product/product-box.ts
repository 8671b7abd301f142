import type { Price } from '#shared/monitor/checks/verdict';
import type { Element } from 'domhandler';
import { organisationOf, parseAddress } from '../../waiting-room/fetch/web-address';
import { foldText } from '../../waiting-room/parse/normalise-text';
import { anyOf } from '../../waiting-room/words/any-of';
import { findPrices, priceText } from './price-text';
import { isSameWords, wordsOf } from './product-names';
import {
  type Action,
  type Heading,
  type Line,
  type LinePart,
  type ProductReader,
  textOf,
} from './product-reader';
import {
  type Wording,
  beforeStock,
  isEnquiry,
  isStockAlert,
  readBasketButton,
  readButton,
  readStockLine,
  refusesNamed,
  refusesOrders,
} from './stock-words';

/** A button of the page with what it offers. */
export interface ReadAction extends Action {
  folded: string;
  wording: Wording;
  off: boolean;
}

/** A line of the page, folded, with what it says about stock. */
export interface ReadLine extends Line {
  text: string;
  folded: string;
  wording: Wording | null;
  hasPrice: boolean;
  prices: readonly Price[];
}

/** The part of a page that is about its product. */
export interface ProductBox {
  heading: Heading | null;
  /** The region's element, or -1 for the page. */
  node: number;
  actions: ReadAction[];
  lines: ReadLine[];
  /** The button that only leads to a talk with the shop, or null. */
  enquiry: string | null;
  /** Whether it holds a form for an e-mail address that is not about news, a review or an account. */
  asksForAddress: boolean;
  /** A button that is off and says nothing about stock, or null. */
  refused: string | null;
  /** Prices in blocks that are hidden from screen readers. */
  silentPrices: ReadLine[];
  /** Lines elsewhere that refuse "this item". */
  remarks: ReadLine[];
  /** The short lines of its notes: parts that are named as descriptions, tabs or accordions. */
  notes: Array<{ node: number; folded: string }>;
  /** Whether an element lies in the box and not in a part about something else. */
  holds(node: number): boolean;
  /** Whether an element is part of a list of other products, of reviews, menus and the like. */
  isOutside(node: number): boolean;
  /** Whether the product has a price of its own, apart from the cards of others. */
  isPriced: boolean;
  /** Whether the page lists offers of other sellers. */
  hasSellers: boolean;
  /** Number of other products that the page offers. */
  otherProducts: number;
}

/** The box of a real page holds some fifty of them. */
const MAX_ACTIONS = 100;
const MAX_LINES = 1500;
const MAX_HEADINGS = 500;

/** Names with which shop systems mark the button of the page's product, and of no other. */
const MAIN_BUTTON =
  /single-?_?add-?_?to-?_?cart|product-form-submit|product-addtocart-button|form-action-add-?to-?cart/;
const OUTSIDE_TAGS: ReadonlySet<string> = new Set([
  'nav',
  'footer',
  'dialog',
  'aside',
  'site-footer',
  'blockquote',
]);
const OUTSIDE_ROLES = /^(?:navigation|contentinfo|dialog|alertdialog|search|menu|menubar|complementary)$/;
/** Names of what surrounds a product: other products, reviews, menus, notes. */
const OUTSIDE_NAMES =
  /(?:^|[\s_-])(?:related|recommend(?:ed|ations?|s)?|recs|upsells?|up-sells?|cross-?sells?|crosssell|also-?(?:like|bought|viewed)|you-?may(?:-also)?|similar|carousels?|recently|viewed|bundles?|frequently|fbt|complementary|accessories|popular|trending|bestsellers?|suggestions?|suggested|featured-products?|(?<!grouped-)(?:product|products|card|tile)s?-(?:grid|list|slider|carousel|rail|row)|productcarousel|reviews?|ratings?|questions?|q-?and-?a|qanda|qa|faqs?|comments?|testimonials?|newsletter|mini-?(?:cart|basket|bag)|cart-(?:drawer|popup|notification|modal|preview)|(?:cart|basket)drawer|drawer|modal|popup|pop-up|off-?canvas|breadcrumbs?|menu|navbar|cookies?|cookie-banner|consent|footer|announcement(?:-bar)?|promo-?(?:bar|banner|strip)|quick-?(?:view|shop|add|buy)|instagram|blog|sponsored|ads?|advert|other-?sellers|more-?buying|aod|marketplace-?offers|sellers-list|tooltip|loyalty|rewards|trade-?in|gift-?card)(?:[\s_-]|$)/i;
/** Names of the texts below a product: a word there is about its content, not its stock. */
const NOTES_NAMES =
  /(?:^|[\s_-])(?:descriptions?|desc|rte|tabs?|tabbody|tab-content|tab-panel|tabpanel|accordions?|specifications?|specs|feature-bullets|short-description|product-information|long-text|(?:delivery|shipping|shop|store)-?(?:notes?|info|policy|terms)|returns|warranty|delivery-returns|shipping-policy)(?:[\s_-]|$)/i;
/** Elements whose names do not exclude them. */
const NEVER_OUTSIDE: ReadonlySet<string> = new Set([
  'html',
  'body',
  'main',
  'button',
  'input',
  'label',
  'option',
  'select',
  'h1',
]);

const THIS_ITEM =
  /(?:^|[^a-z])(?:this|the) (?:item|product|article|line|set|title|game|drop|listing|auction|lot|release)(?:$|[^a-z])|dieser artikel|dieses produkt|(?:cet|l.) ?article|ce produit|est[ea] (?:producto|articulo)|quest[oa] (?:prodotto|articolo)|dit (?:artikel|product)|ten produkt/;

const OTHER_HEADING = anyOf(
  '^also (?:bought|viewed|liked)|(?:you|people|customers|others|shoppers|collectors|we think you)(?:.ll| will| may| might| who)?(?: \\w{1,20}){0,4} (?:also|like|love|bought|viewed|need)|related|similar (?:items|products)|frequently bought|often bought|bought together|recently viewed|more (?:from|like|by|in this)|recommend|complete (?:the|your)|goes (?:well|great) with|pairs? (?:well )?with|popular|trending|best ?sellers|new (?:in|arrivals)(?:$|[^a-z])|sponsored|you may|other (?:products|sellers|customers|items|buying|shoppers)|why not (?:try|add|buy)|in the same|shop (?:the|more)|what about|instead|alternatives?|while you|don.t forget|add(?:-| )?ons?(?:$|[^a-z])|back in stock (?:now|this)|products related|inspired by|compare with|available now:|perhaps one of|looking for something',
  '(?:customer |product )?reviews?(?:$|[^a-z])|ratings?|questions|q ?& ?a|faqs?|what (?:\\w{1,20} ){1,2}(?:say|think|said)|description|specification|delivery (?:and|&|information|options$)|returns|newsletter|sign up|follow us',
  'das konnte|ahnliche|kunden (?:kauften|haben)|zuletzt (?:an)?gesehen|passend|zubehor|empfehl|weitere (?:artikel|produkte)|bewertungen|auch interessant|beschreibung|vous aimerez|produits (?:similaires|associes|complementaires|vus)|les clients|dans la meme|avis|articles? similaires|tambien te|te puede|productos (?:relacionados|similares)|opiniones|potrebbe|prodotti (?:correlati|simili)|recensioni|(?:anderen|klanten) (?:kochten|bekeken)|gerelateerd|vergelijkbare|misschien|reviews|podobne|polecane|klienci|inni|opinie|powiazane|zobacz (?:tez|takze)|relacionados|liknande|andra kopte|関連商品|おすすめ',
);
/** Those of them that are about the product. */
const ABOUT_PRODUCT =
  /descri|deliver|return|review|rating|specif|question|faq|q ?& ?a|newsletter|follow us|sign up|say|said|beschreib|bewert|avis|opinion|recension/;
/** Headings within a product's own box. */
const OWN_WORDS =
  'buy|price|option|deliver|collect|quantity|qty|choose|select|size|variant|colou?r|design|new|used|owned|offer|order|availab|stock|payment|total|detail|summary|fulfil|notify|want|know|interest|wait|shipping|dispatch|out|sold|sorry|store|preis|lieferung|menge|prix|livraison|quantite|precio|cantidad|prezzo|quantita|prijs|aantal|cena|dostawa|member|points|finance|rrp|save|hurry|left|back';
const OWN_HEADING = anyOf(OWN_WORDS);
/** A heading that only names an amount of the product: "Case of 10", "Single box", "2 × booster packs". */
const AMOUNT =
  /^(?:(?:a|an|the|of|x|×|per|single|double|triple|full|half|sealed|one|two|three|four|six|ten|twelve|dozen|pair|multi|bulk|value|individual|loose|master|inner|outer|\d{1,3}x?|(?:pack|box|boxe|case|carton|display|booster|unit|piece|cop(?:y|ie)|set|tin|deck|blister)s?)(?:[\s-]|$)){1,5}$/;
/** A word that names no product, beside a price or words about stock. */
const OWN_WORD = new RegExp(
  `^(?:(?:${OWN_WORDS}|ship|home|line|click|today|now|special|deal|web|inc|incl|vat|each|was|only|just|our|your|usual|free|over|this|is|are|we|have|has|currently|unfortunately|temporarily|please|product|item|article)(?:s|ed|ing|y|ion|ly)?|online)$`,
);

/** Finds the box of the product and what it shows. `names`: what markup and title call the product. */
export function findBox(
  reader: ProductReader,
  {
    names,
    homePaths,
    currency,
    today,
    address,
    stated,
  }: {
    names: readonly string[];
    homePaths: ReadonlySet<string>;
    currency: string | null;
    today: string;
    /** Where the page was found. */
    address: URL | null;
    /** The amounts that the markup states for the product. */
    stated: readonly number[];
  },
): ProductBox {
  const { elements, parents, ends } = reader;
  const count = elements.length;
  const inHard = new Uint8Array(count);
  const named = new Uint8Array(count);
  const cache = new Map<string, number>();
  for (let node = 0; node < count; node += 1) {
    const element = elements[node];
    const parent = parents[node] ?? -1;
    if (element === undefined) continue;
    const { name, attribs } = element;
    let kind = 0;
    if (OUTSIDE_TAGS.has(name) || OUTSIDE_ROLES.test(attribs['role'] ?? '')) kind = 2;
    else if (!NEVER_OUTSIDE.has(name)) {
      const key = `${attribs['class'] ?? ''} ${attribs['id'] ?? ''}`;
      let known = key === ' ' ? 0 : cache.get(key);
      if (known === undefined) {
        const words = splitNames(key);
        known = OUTSIDE_NAMES.test(words) ? 2 : NOTES_NAMES.test(words) ? 1 : 0;
        if (key.length < 300) cache.set(key, known);
      }
      if (known === 2 && name === 'form') known = 0;
      kind = known;
    }
    // What names like a text and holds a form is the part that sells.
    if (name === 'form')
      for (let at = parent; at >= 0 && named[at] === 1; at = parents[at] ?? -1) named[at] = 0;
    named[node] = kind;
    inHard[node] = kind === 2 || (parent >= 0 && inHard[parent] === 1) ? 1 : 0;
  }
  const heading = chooseHeading(reader, { names, homePaths, inHard });
  const holdsHeading = new Uint8Array(count);
  for (let node = heading?.node ?? -1; node >= 0; node = parents[node] ?? -1) holdsHeading[node] = 1;

  const readPrices = (line: Line): Line & { text: string } & Pick<ReadLine, 'prices' | 'hasPrice'> => {
    const text = textOf(line);
    const prices =
      /\d/.test(text) && text.length < 2000
        ? findPrices(priceText(line.parts.map((part) => part.text).join('')), currency)
        : [];
    return { ...line, text, prices, hasPrice: prices.length > 0 };
  };
  const lines = reader.lines.map(readPrices);
  const worded = new Map<string, Wording | null>();
  const wordingOf = (label: string): Wording | null => {
    const known = worded.get(label);
    if (known !== undefined) return known;
    const wording = readButton(label);
    worded.set(label, wording);
    return wording;
  };
  const listed = linksOfLists(reader);
  const actions: ReadAction[] = reader.actions.flatMap((action) => {
    if (action.isLink && action.label.length > 60) return [];
    const folded = foldText(action.label).replace(/\n/g, ' ');
    const wording =
      wordingOf(folded) ??
      (!action.isLink && addsToBasket(reader, action.node) ? readBasketButton(folded) : null);
    if (wording === null) return [];
    const href = elements[action.node]?.attribs['href'] ?? '';
    const sells = wording.says === 'in_stock' || wording.says === 'preorder';
    if (action.isLink && sells && leadsElsewhere(href, address)) return [];
    // Another size or set of the product has a page, which the link names and refuses.
    if (action.isLink && !/^(?:#|javascript:|$)/i.test(href) && refusesNamed(folded)) return [];
    if (action.isLink && wording.says !== 'in_stock' && !isButtonLink(reader, action.node)) {
      if (listed.has(action.node) || PAGE_OF_SHOP.test(folded)) return [];
    }
    return [{ ...action, folded, wording, off: isOff(reader, action.node) }];
  });

  const buttonNodes = new Set(actions.map(({ node }) => node));
  // What each element holds: prices, actions, names of products.
  const prices = new Uint32Array(count);
  const offers = new Uint32Array(count);
  const headings = new Uint32Array(count);
  const links = new Uint32Array(count);
  for (const line of lines) if (line.hasPrice) prices[line.node] = (prices[line.node] ?? 0) + 1;
  for (const action of actions) offers[action.node] = (offers[action.node] ?? 0) + 1;
  const ownWords = wordsOf(heading?.text ?? '');
  const isOwnName = (name: string): boolean => isSameWords(wordsOf(name), ownWords);
  const productHeadings = reader.headings.filter(({ text, painted }) => {
    const folded = foldText(text);
    return (
      painted &&
      text.length > 3 &&
      text.length < 200 &&
      /\p{L}/u.test(text) &&
      !OWN_HEADING.test(folded) &&
      !AMOUNT.test(folded) &&
      findPrices(text, currency).length === 0
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
    if (named[node] === 2 || inHard[node] === 1 || buttonNodes.has(node) || isOwnName(label)) continue;
    links[node] = (links[node] ?? 0) + 1;
  }
  const firstHeading = new Int32Array(count).fill(count);
  for (let node = count - 1; node >= 0; node -= 1) if ((headings[node] ?? 0) > 0) firstHeading[node] = node;
  // Prices and buttons before each element, in the order of the page.
  const sellingBefore = new Uint32Array(count + 1);
  for (let node = 0; node < count; node += 1)
    sellingBefore[node + 1] = (sellingBefore[node] ?? 0) + (prices[node] ?? 0) + (offers[node] ?? 0);
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
    if (holdsHeading[node] === 1 || (prices[node] === 0 && offers[node] === 0) || links[node] === 0) continue;
    const element = elements[node];
    if (element === undefined || element.name === 'a' || element.name === 'button') continue;
    const key = `${parents[node]} ${element.name} ${kindOfCard(reader, node)}`;
    const list = siblings.get(key);
    if (list === undefined) siblings.set(key, [node]);
    else list.push(node);
  }
  let otherProducts = 0;
  for (const list of siblings.values()) {
    if (list.length < 2 || isOrderedAsWhole(reader, list, { actions, holdsHeading })) continue;
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
    for (const { node } of [...actions, ...lines.filter(({ hasPrice }) => hasPrice)]) {
      if (isMainButton(elements[node])) continue;
      // The name of a card stands before its button; a heading behind it, such as "Description", names no card.
      let region = nearest[node] ?? -1;
      for (
        let up = 0;
        up < 8 && region >= 0 && holdsHeading[region] === 0 && (firstHeading[region] ?? 0) > node;
        up += 1
      )
        region = (parents[region] ?? -1) < 0 ? -1 : (nearest[parents[region] ?? 0] ?? -1);
      if (region >= 0 && holdsHeading[region] === 0 && prices[region] !== 0) {
        const name = firstHeading[region] ?? region;
        // What is sold above the first name of a region is not what that name is about.
        const isMixed = (sellingBefore[name] ?? 0) > (sellingBefore[region] ?? 0);
        if (isMixed) exclude(name, ends[region] ?? region);
        else {
          if (card[region] === 0) otherProducts += 1;
          card[region] = 1;
        }
      }
    }

  let hasSellers = false;
  for (const { node } of heading === null ? [] : actions.slice(0, MAX_ACTIONS)) {
    const row = rowOfSeller(reader, node, holdsHeading);
    if (row === null) continue;
    card[row] = 1;
    hasSellers = true;
  }
  for (const [from, to] of goneAmounts(reader, actions, holdsHeading)) exclude(from, to);

  // An offer of something else, such as sleeves beside the product: its name before a button, as a link or with a price of its own.
  let region = heading?.node ?? -1;
  while (region >= 0 && prices[region] === 0) region = parents[region] ?? -1;
  const endOfOwn =
    region < 0
      ? heading === null
        ? count
        : (ends[parents[heading.node] ?? 0] ?? count)
      : (ends[region] ?? count);
  const shownPrices = lines.filter(
    ({ node, hasPrice, text }) =>
      hasPrice && node > (heading?.node ?? 0) && !BEFORE_SALE.test(foldText(text.slice(0, 200))),
  );
  for (const { node, wording } of heading === null ? [] : actions.slice(0, MAX_ACTIONS)) {
    if ((wording.says !== 'in_stock' && wording.says !== 'preorder') || isMainButton(elements[node]))
      continue;
    const last = firstFrom(lines, node);
    let part = parents[node] ?? -1;
    for (let up = 0; up < 6 && part >= 0 && holdsHeading[part] === 0; up += 1) {
      const start = part;
      // What stands behind another button is not the name of this part.
      if ((actions[firstFrom(actions, start)]?.node ?? node) < node) break;
      const before = lines.slice(Math.max(0, last - 3), last).filter((line) => line.node >= start);
      const named = before.find(({ text }) => namesOther(foldText(text), ownWords));
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
        (leadsToOther(reader, named.parts[0]?.node ?? -1, address) ||
          (node > endOfOwn && (named.isLink || isRepeated(reader, part, holdsHeading))));
      if (named !== undefined && (isOther || isLinked)) {
        card[part] = 1;
        break;
      }
      part = parents[part] ?? -1;
    }
  }
  const firstCard = heading === null ? -1 : card.indexOf(1, heading.node);
  const firstOther = Math.min(firstCard < 0 ? count : firstCard, region < 0 ? count : endOfOwn + 1);

  // A heading in `main` has its product there: what stands outside is about others.
  let main = heading?.node ?? -1;
  while (main >= 0 && elements[main]?.name !== 'main') main = parents[main] ?? -1;
  const isInMain = ({ node }: { node: number }): boolean =>
    main < 0 || (node >= main && node <= (ends[main] ?? main));

  // Everything below a heading such as "You may also like".
  const leads: Array<{ node: number; text: string }> = [
    ...reader.headings.filter(({ painted, level, text }) => painted && level > 1 && text.length < 200),
    ...lines.filter(({ text, isLink }) => text.length < 50 && !isLink),
  ];
  for (const { node, text } of leads) {
    if (
      node === heading?.node ||
      holdsHeading[node] === 1 ||
      !OTHER_HEADING.test(foldText(text)) ||
      readStockLine(foldText(text)) !== null
    )
      continue;
    let region = node;
    for (let up = 0; up < 3; up += 1) {
      const parent = parents[region] ?? -1;
      if (parent < 0 || holdsHeading[parent] === 1) break;
      // What stands above the heading is not about it.
      if ((sellingBefore[node] ?? 0) > (sellingBefore[parent] ?? 0)) break;
      region = parent;
      if ((prices[region] ?? 0) > 0 || (offers[region] ?? 0) > 0) break;
    }
    const parent = parents[region] ?? -1;
    const isHeading = /^h[2-6]$/.test(elements[node]?.name ?? '');
    // A plain line, such as "Customers also bought", begins a list of others below what is sold.
    const isLead =
      heading !== null &&
      (sellingBefore[node] ?? 0) > (sellingBefore[heading.node] ?? 0) &&
      !ABOUT_PRODUCT.test(foldText(text));
    const isAlone =
      (isHeading ? region === node : isLead && prices[region] === 0 && offers[region] === 0) && parent >= 0;
    exclude(region, (isAlone ? ends[parent] : ends[region]) ?? region);
  }

  const outside = new Uint8Array(count);
  const notes = new Uint8Array(count);
  let below = 0;
  for (let node = 0; node < count; node += 1) {
    below += starts[node] ?? 0;
    const parent = parents[node] ?? -1;
    const inherited = parent >= 0 && outside[parent] === 1;
    const starting = holdsHeading[node] === 0 && (named[node] === 2 || card[node] === 1 || below > 0);
    outside[node] = inherited || starting ? 1 : 0;
    const noted = parent >= 0 && notes[parent] === 1;
    notes[node] =
      noted || (named[node] === 1 && holdsHeading[node] === 0 && (offers[node] ?? 0) === 0) ? 1 : 0;
  }

  // The smallest region around the heading with a price and a button.
  const holds = (region: number, node: number): boolean =>
    region === -1 || (node >= region && node <= (ends[region] ?? region));
  const usable = actions
    .filter((action) => outside[action.node] === 0 && notes[action.node] === 0 && isInMain(action))
    .slice(0, MAX_ACTIONS);
  const said = lines
    .filter(({ node }) => outside[node] === 0 && notes[node] === 0)
    .slice(0, MAX_LINES)
    .map((line): ReadLine => {
      // A longer line says nothing about stock.
      const folded = line.text.length > 400 ? '' : foldText(line.text);
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
      return { ...line, folded, wording };
    });
  const beside = said.filter(isInMain);
  const counter = (list: ReadonlyArray<{ node: number }>): ((region: number) => boolean) => {
    const before = new Int32Array(count + 1);
    for (const { node } of list) before[node + 1] = (before[node + 1] ?? 0) + 1;
    for (let node = 0; node < count; node += 1)
      before[node + 1] = (before[node + 1] ?? 0) + (before[node] ?? 0);
    return (at) => (before[(ends[at] ?? at) + 1] ?? 0) > (before[at] ?? 0);
  };
  const hasAction = counter(usable);
  const hasPrice = counter(beside.filter((line) => line.hasPrice));
  const hasStock = counter(beside.filter(({ wording }) => wording !== null && wording.says !== 'nothing'));
  region = heading?.node ?? -1;
  let fallback = -2;
  for (; region >= 0; region = parents[region] ?? -1) {
    if (hasAction(region) && hasPrice(region)) break;
    if (fallback === -2 && hasStock(region) && (hasPrice(region) || hasAction(region))) fallback = region;
  }
  const box = region >= 0 ? region : fallback >= 0 ? fallback : -1;
  let priced = heading?.node ?? -1;
  while (priced >= 0 && !hasPrice(priced)) priced = parents[priced] ?? -1;
  const findEnquiry = (around: number): string | null =>
    reader.actions.find(
      ({ node, label, isLink }) =>
        around >= 0 &&
        outside[node] === 0 &&
        notes[node] === 0 &&
        holds(around, node) &&
        (!isLink || isButtonLink(reader, node)) &&
        isEnquiry(foldText(label)),
    )?.label ?? null;
  const findRefused = (around: number): string | null =>
    reader.actions.find(
      ({ node, label, isLink }) =>
        around >= 0 &&
        !isLink &&
        label.length > 4 &&
        outside[node] === 0 &&
        notes[node] === 0 &&
        holds(around, node) &&
        isOff(reader, node) &&
        !OFF_FOR_OTHERS.test(`${foldText(label)} ${splitNames(namesOf(elements[node]))}`),
    )?.label ?? null;
  const asksForAddress = (around: number): boolean =>
    elements.some(
      ({ name, attribs }, node) =>
        name === 'input' &&
        (attribs['type'] === 'email' || /^e-?mail$/i.test(attribs['name'] ?? '')) &&
        around >= 0 &&
        reader.painted[node] === true &&
        outside[node] === 0 &&
        notes[node] === 0 &&
        holds(around, node) &&
        !isOfOtherForm(reader, node),
    );
  return {
    heading,
    node: box,
    actions: usable.filter(({ node }) => holds(box, node)),
    lines: beside.filter(({ node }) => holds(box, node)),
    enquiry: findEnquiry(priced),
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
      // A dialog that is open covers the page.
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
        ({ node, text }) => outside[node] === 0 && notes[node] === 1 && text.length < 80 && holds(box, node),
      )
      .slice(0, MAX_LINES)
      .map(({ node, text }) => ({ node, folded: foldText(text) })),
    holds: (node) => holds(box, node) && outside[node] !== 1,
    isOutside: (node) => outside[node] === 1,
    isPriced: priced >= 0 && !card.subarray(priced, (ends[priced] ?? priced) + 1).includes(1),
    hasSellers,
    otherProducts,
  };
}

/** The sentences of a folded text. */
function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?]) /, 20);
}

const LAYOUT_NAMES =
  /^(?:col(?:umn)?|row|grid|cell|span|large|medium|small|w|flex|box|block|section)(?:$|[-_\d])/;

/** Buttons that are off for another reason than the stock. */
const OFF_FOR_OTHERS =
  /prev|next|back|play|zoom|image|photo|gallery|slide|thumb|less|more|minus|plus|decrease|increase|quantity|apply|submit|send|sign|log ?in|search|load|update|close|review|wish|favou?rite|compare|share|save|swatch|option|size|variant|colou?r|coupon|code|checkout|pay|continue|clear|reset|calculate|check|collect|store/;

/** Whether a field for an address is for news, a review, a question or an account. */
function isOfOtherForm({ elements, parents }: ProductReader, node: number): boolean {
  for (let at = node, up = 0; at >= 0 && up < 8; at = parents[at] ?? -1, up += 1) {
    const element = elements[at];
    const called = `${namesOf(element)} ${element?.attribs['action'] ?? ''} ${element?.attribs['name'] ?? ''}`;
    if (
      /news|subscri|sign-?up|review|question|contact|enquir|log-?in|account|friend|share|mailing|comment/i.test(
        called,
      )
    )
      return true;
  }
  return false;
}

function isMainButton(element: Element | undefined): boolean {
  return MAIN_BUTTON.test(splitNames(namesOf(element)));
}

/** Whether an element stands in a link to another page of a product. */
function leadsToOther({ elements, parents }: ProductReader, node: number, address: URL | null): boolean {
  const link = [node, parents[node] ?? -1].find((at) => elements[at]?.name === 'a');
  return link !== undefined && leadsElsewhere(elements[link]?.attribs['href'] ?? '', address);
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

/** The index of the first of some lines, which are in the order of the page, that begins at an element or behind it. */
function firstFrom(list: ReadonlyArray<{ node: number }>, node: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.node ?? 0) < node) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether an element is part of a dialog that is open when the page loads, or of an overlay over the product; not over a card of another. */
function isInOpenDialog(
  { elements, parents }: ProductReader,
  from: number,
  holdsHeading: Uint8Array,
): boolean {
  for (let node = from, up = 0; node >= 0 && up < 8; node = parents[node] ?? -1, up += 1) {
    const { name, attribs = {} } = elements[node] ?? {};
    if (
      name === 'dialog' ||
      /^(?:alert)?dialog$/.test(attribs['role'] ?? '') ||
      attribs['aria-modal'] === 'true'
    )
      return true;
    if (/(?:^|[\s_-])overlay(?:[\s_-]|$)/.test(attribs['class'] ?? ''))
      return holdsHeading[parents[node] ?? -1] === 1;
  }
  return false;
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

/** Whether a text is written as names are: "Harbour Masks Playmat". */
function isCapitalised(text: string): boolean {
  const words = text.match(/\p{L}[\p{L}'’]*/gu) ?? [];
  const capitals = words.filter((word) => /^\p{Lu}/u.test(word)).length;
  return capitals >= 2 && capitals * 2 >= words.length;
}

/** Whether a folded text is a name, and of something else than the product with these words. */
function namesOther(text: string, words: ReadonlySet<string>): boolean {
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

/** The row of a list that offers the product of one seller, as its parts are named, around a button. Null: none. */
function rowOfSeller(reader: ProductReader, button: number, holdsHeading: Uint8Array): number | null {
  const { elements, parents, ends } = reader;
  for (
    let row = parents[button] ?? -1, up = 0;
    row >= 0 && up < 5 && holdsHeading[row] === 0;
    row = parents[row] ?? -1, up += 1
  ) {
    if (!isRepeated(reader, row, holdsHeading)) continue;
    const last = Math.min(ends[row] ?? row, row + 60);
    for (let node = row; node <= last; node += 1)
      if (NAMED_SELLER.test(splitNames(elements[node]?.attribs['class'] ?? ''))) return row;
  }
  return null;
}

/** The parts under headings such as "Case of 10" that sell nothing, beside one of them that sells: only the latter counts. */
function goneAmounts(
  { headings, parents, ends }: ProductReader,
  actions: readonly ReadAction[],
  holdsHeading: Uint8Array,
): Array<[number, number]> {
  const amounts = headings.filter(
    ({ node, text, painted }) => painted && holdsHeading[node] === 0 && AMOUNT.test(foldText(text)),
  );
  if (amounts.length < 2 || amounts.length > 20) return [];
  const parts = amounts.map(({ node }, index): [number, number] => {
    let part = node;
    for (let up = 0; up < 5; up += 1) {
      const parent = parents[part] ?? -1;
      const end = ends[parent] ?? parent;
      const holdsOther = amounts.some(
        (other, at) => at !== index && other.node >= parent && other.node <= end,
      );
      if (parent < 0 || holdsHeading[parent] === 1 || holdsOther) break;
      part = parent;
    }
    return [part, ends[part] ?? part];
  });
  const sells = ([from, to]: [number, number]): boolean =>
    actions.some(
      ({ node, off, wording }) =>
        node >= from && node <= to && !off && (wording.says === 'in_stock' || wording.says === 'preorder'),
    );
  return parts.some(sells) ? parts.filter((part) => !sells(part)) : [];
}

/** Whether a list is part of a form that one button behind it sends: its rows are choices of the product. */
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

/** What two cards of one list have in common: their first class, or their names and first elements when that only says where they stand. */
function kindOfCard({ elements }: ProductReader, node: number): string {
  const { attribs = {}, name } = elements[node] ?? {};
  const first = attribs['class']?.trim().split(/\s+/)[0] ?? '';
  if (name === 'li' || name === 'tr' || name === 'article' || (first !== '' && !LAYOUT_NAMES.test(first)))
    return first;
  const id = (attribs['id'] ?? '').replace(/\d+/g, '');
  return `${first} ${id} ${elements[node + 1]?.name ?? ''} ${elements[node + 2]?.name ?? ''}`;
}

/** The class and the id of an element. */
function namesOf(element: Element | undefined): string {
  return `${element?.attribs['class'] ?? ''} ${element?.attribs['id'] ?? ''}`;
}

/** Class and id names as words: `AddToCart` and `add_to_cart` are `add-to-cart`. */
export function splitNames(names: string): string {
  return names
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll('__', '-')
    .toLowerCase();
}

/** What shops call their pages. A link to one of them is no button. */
const PAGE_OF_SHOP =
  /^(?:(?:all |our |new |latest )?pre-?orders?|coming soon|back in stock|re-?stocks?|sold out|out of (?:stock|print)|discontinued|ballots?|raffles?|prize draws?|wait(?:ing)?[\s-]?lists?|vorbestellungen|precommandes)$/;
/** The folded text of a line without links to such pages: "Home / Pre-orders / Mini Tin". */
function withoutLinks(reader: ProductReader, parts: readonly LinePart[], folded: string): string {
  const isPage = ({ text, node }: LinePart): boolean => {
    const { name, attribs = {} } = reader.elements[node] ?? {};
    if (name !== 'a') return false;
    const label = foldText(text);
    if (PAGE_OF_SHOP.test(label)) return true;
    const says = /^#|^$/.test(attribs['href'] ?? '') ? null : readStockLine(label)?.says;
    return says === 'in_stock' || says === 'limited' || says === 'preorder';
  };
  return parts.some(isPage) ? foldText(textOf({ parts: parts.filter((part) => !isPage(part)) })) : folded;
}

const BUTTON_NAMES =
  /(?:^|[\s_-])(?:btn|buttons?|cta|action|add|buy|notify|alert|bis|trigger|preorder)(?:[\s_-]|$)/;
const LONG_LIST = 4;

/** Whether a link is drawn or used as a button: by its names, those of its wrapper, or its target. */
function isButtonLink(reader: ProductReader, node: number): boolean {
  const element = reader.elements[node];
  const href = element?.attribs['href'] ?? '';
  const wrapper = reader.elements[reader.parents[node] ?? -1];
  return (
    /^(?:#|javascript:|$)/i.test(href) ||
    element?.attribs['role'] === 'button' ||
    BUTTON_NAMES.test(splitNames(`${namesOf(element)} ${namesOf(wrapper)}`))
  );
}

/** The links that stand in a row of at least four, without text between them: menus and lists of pages. */
function linksOfLists(reader: ProductReader): ReadonlySet<number> {
  const listed = new Set<number>();
  const texts = reader.lines.filter(({ isLink }) => !isLink).map(({ node }) => node);
  let run: number[] = [];
  let text = 0;
  const endRun = (): void => {
    if (run.length >= LONG_LIST) for (const node of run) listed.add(node);
    run = [];
  };
  for (const { node, isLink } of reader.actions) {
    const last = run.at(-1) ?? -1;
    while (text < texts.length && (texts[text] ?? 0) <= last) text += 1;
    if (!isLink || (last >= 0 && ((texts[text] ?? Infinity) < node || node - last > 12))) endRun();
    if (isLink) run.push(node);
  }
  endRun();
  return listed;
}

const LIST_PATH =
  /^\/(?:[a-z]{2}\/)?(?:collections?|category|categories|product-category|search|browse|departments?)(?:\/[^/]{1,80})?\/?$/i;
const PRODUCT_PATH = /\/(?:products?|p|dp|item|produkte?|produits?|artikel)\/[^/]/i;

/** Whether a link that reads like a button leads to another shop, or to the page of another product. */
function leadsElsewhere(href: string, address: URL | null): boolean {
  if (address === null || /^(?:#|javascript:|$)/i.test(href)) return false;
  const target = parseAddress(href, address.href);
  if (target === null || !/^https?:$/.test(target.protocol)) return false;
  if (organisationOf(target.hostname) !== organisationOf(address.hostname)) return true;
  if (LIST_PATH.test(target.pathname) && target.search === '') return true;
  const [from, to] = [address, target].map(({ pathname }) => pathname.replace(/\/$/, ''));
  return (
    to !== from && PRODUCT_PATH.test(to ?? '') && !BASKET_FORM.test(`${target.pathname}${target.search}`)
  );
}

const BASKET =
  '(?:cart|basket|bag|trolley|warenkorb|panier|carrito|cesta|carrello|winkelwagen|winkelmand|koszyk)';
const BASKET_BUTTON = new RegExp(
  `add-?(?:item-?)?to-?${BASKET}|(?:^|[\\s-])(?:add|atc|buy|buy-?now)(?:[\\s-]|$)`,
);
const BASKET_FORM = new RegExp(`(?:^|[^a-z])${BASKET}(?:[^a-z]|$)|checkout/line-item`, 'i');

/** Whether a button puts something into the basket, whatever its label: by its names, or the address and class of its form. */
function addsToBasket(reader: ProductReader, node: number): boolean {
  const element = reader.elements[node];
  if (element === undefined || (element.attribs['type'] ?? 'submit').toLowerCase() === 'reset') return false;
  if (BASKET_BUTTON.test(splitNames(`${namesOf(element)} ${element.attribs['name'] ?? ''}`))) return true;
  if (!/^(?:submit|image)$/i.test(element.attribs['type'] ?? 'submit')) return false;
  for (
    let at = reader.parents[node] ?? -1, up = 0;
    at >= 0 && up < 10;
    at = reader.parents[at] ?? -1, up += 1
  ) {
    const outer = reader.elements[at];
    if (outer?.name === 'form')
      return BASKET_FORM.test(`${(outer.attribs['action'] ?? '').slice(0, 200)} ${namesOf(outer)}`);
  }
  return false;
}

const OFF_NAMES =
  /(?:^|[\s_-])(?:(?:is-)?disabled|sold-?out|out-?of-?stock|oos|inactive|not-available|unavailable|not-buyable|greyed|grayed|cursor-not-allowed|pointer-events-none)(?:[\s_-]|$)/;
/** Of names that say when a part shows: "hide-if-unavailable", Tailwind's "disabled:opacity-50". */
const CONDITIONAL_NAME = /(?:^|-)(?:if|when|unless|hide|show|toggle|not|on)-|:/;
const OFF_STYLE = /pointer-events\s*:\s*none|cursor\s*:\s*not-allowed/i;
/** Attributes by which shops say that a part sells nothing. */
const OFF_DATA =
  /^data-(?:(?:is-)?(?:in-?stock|available|availability|purchasable|buyable|enabled|stock)=(?:false|0|no|out|out-?of-?stock|sold-?out|unavailable)|(?:is-)?(?:sold-?out|out-?of-?stock|disabled|unavailable)=(?:true|1|yes)|state=(?:disabled|off|sold-?out|out-?of-?stock|unavailable))$/i;

/** Whether the names or attributes of an element say that it sells nothing. */
function isNamedOff({ attribs }: Element): boolean {
  const names = splitNames(attribs['class'] ?? '');
  if (
    OFF_NAMES.test(names) &&
    names.split(/\s+/).some((name) => OFF_NAMES.test(name) && !CONDITIONAL_NAME.test(name))
  )
    return true;
  for (const key in attribs)
    if (key.startsWith('data-') && OFF_DATA.test(`${key}=${(attribs[key] ?? '').slice(0, 20)}`)) return true;
  return false;
}

function isOff(reader: ProductReader, node: number): boolean {
  const element = reader.elements[node];
  if (element === undefined) return false;
  const { attribs } = element;
  if (
    attribs['disabled'] !== undefined ||
    attribs['aria-disabled'] === 'true' ||
    attribs['inert'] !== undefined ||
    OFF_STYLE.test(attribs['style'] ?? '') ||
    isNamedOff(element) ||
    readButton(foldText(attribs['aria-label'] ?? attribs['title'] ?? ''))?.says === 'out_of_stock'
  )
    return true;
  for (
    let parent = reader.parents[node] ?? -1, up = 0;
    parent >= 0 && up < 8;
    parent = reader.parents[parent] ?? -1, up += 1
  ) {
    const outer = reader.elements[parent];
    if (outer === undefined) break;
    if (outer.name === 'fieldset' && outer.attribs['disabled'] !== undefined) return true;
    if (outer.attribs['inert'] !== undefined || outer.attribs['aria-disabled'] === 'true') return true;
    if (up < 3 && isNamedOff(outer)) return true;
    if (outer.name === 'form' && takesNone(reader, parent)) return true;
  }
  return false;
}

/** Whether a form lets nothing be ordered: the maximum of its quantity is zero. */
function takesNone({ elements, ends }: ProductReader, form: number): boolean {
  const last = Math.min(ends[form] ?? form, form + 60);
  for (let node = form + 1; node <= last; node += 1) {
    const { name, attribs } = elements[node] ?? {};
    if (name === 'input' && attribs?.['type'] === 'number' && attribs['max'] === '0') return true;
  }
  return false;
}

const TITLE_NAMES =
  /(?:product|item|page|pdp)[-_:]{0,2}(?:\w{1,12}[-_])?(?:title|name|heading)|(?:title|name)[-_](?:title|name|h1|heading)|producttitle|entry-title/i;

function chooseHeading(
  reader: ProductReader,
  {
    names,
    homePaths,
    inHard,
  }: { names: readonly string[]; homePaths: ReadonlySet<string>; inHard: Uint8Array },
): Heading | null {
  const known = names.slice(0, 70).map((name) => ({ text: foldText(name), words: wordsOf(name) }));
  let best: Heading | null = null;
  let bestScore = 1;
  for (const heading of [
    ...reader.headings.slice(0, MAX_HEADINGS),
    ...reader.titles.slice(0, MAX_HEADINGS),
  ]) {
    if (heading.text.length < 2 || heading.text.length > 400 || !/[\p{L}\p{N}]/u.test(heading.text)) continue;
    const element = reader.elements[heading.node];
    const called = `${element?.attribs['class'] ?? ''} ${element?.attribs['id'] ?? ''} ${element?.attribs['itemprop'] ?? ''} ${element?.attribs['data-testid'] ?? ''} ${element?.attribs['data-test'] ?? ''}`;
    const folded = foldText(heading.text);
    const isNamed = known.some(({ text }) => text === folded);
    const words = wordsOf(heading.text);
    const isLike = isNamed || known.some((name) => isSameWords(name.words, words));
    if (heading.level > 1 && !isLike) continue;
    let score = heading.level === 1 ? 3 : heading.level < 7 ? 0 : -1;
    if (isNamed) score += 4;
    else if (isLike) score += 3;
    if (TITLE_NAMES.test(called)) score += 2;
    if (inHard[heading.node] === 1) score -= 5;
    if (!heading.painted) score -= 2;
    if (isLinkedTo(reader, heading.node, homePaths)) score -= 6;
    if (isInHeader(reader, heading.node)) score -= 2;
    if (score > bestScore) [best, bestScore] = [heading, score];
  }
  return best;
}

function isLinkedTo(reader: ProductReader, node: number, paths: ReadonlySet<string>): boolean {
  const inside = reader.elements
    .slice(node, (reader.ends[node] ?? node) + 1)
    .some((element) => element.name === 'a' && paths.has(element.attribs['href'] ?? '-'));
  if (inside) return true;
  for (let at = node, up = 0; at >= 0 && up < 4; at = reader.parents[at] ?? -1, up += 1)
    if (reader.elements[at]?.name === 'a') return paths.has(reader.elements[at]?.attribs['href'] ?? '-');
  return false;
}

function isInHeader(reader: ProductReader, node: number): boolean {
  for (let at = node; at >= 0; at = reader.parents[at] ?? -1) {
    const name = reader.elements[at]?.name;
    if (name === 'main' || name === 'article') return false;
    if (name === 'header') return true;
  }
  return false;
}
