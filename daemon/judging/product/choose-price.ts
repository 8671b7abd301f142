import type { Price } from '#shared/monitor/checks/verdict';
import { foldText } from '../../waiting-room/parse/normalise-text';
import { anyOf } from '../../waiting-room/words/any-of';
import type { PageRecords } from './structured/page-data';
import { findPrices, priceText, readAmount, readCurrency } from './words/price-text';
import { splitNames } from './page/page-areas';
import { NOT_BEFORE, NOT_BEHIND } from './words/price-words';
import type { ProductBox, ReadLine } from './page/product-box';
import { type Context, EURO_HOSTS, HOME_CURRENCY } from './product-context';
import { type ProductReader, textOf } from './page/product-reader';
import { namesNew, namesUsed } from './words/stock-words';
import type { StructuredProduct } from './structured/structured-data';
import { type Watched, bestOffer } from './variants';

/** A visible price beside the product. */
interface Candidate {
  price: Price;
  isCertain: boolean;
  /** 0: said to be what is paid now; 1: a price; 2: in doubt, such as "from" or "each". */
  rank: number;
  /** Whether the words before it say that the product is new. */
  isNew: boolean;
}

const STRUCK_TAGS: ReadonlySet<string> = new Set(['del', 's', 'strike']);
/** Names of amounts that are not the product's current price. */
const OTHER_NAMES =
  /(?:^|[\s-])(?:was|old|rrp|msrp|srp|compare(?:-at)?|strike(?:d|through)?|struck|line-through|original|crossed(?:-out)?|list-?price|non-?sale|previous|prev|before|savings?|save|saved|discount(?:-amount|-percentage)?|instal?ments?|finance|klarna|clearpay|afterpay|monthly|payl?ater|pay-later|per-?unit|unit-?price|postage|shipping|delivery|member(?:s|ship)?|club|loyalty|points|clubcard|nectar|without-?tax|ex-?(?:vat|tax)|excl(?:uding)?(?:-tax|-vat)?|no-?tax|deposit|trade-?in|subscription|subscribe|sellers?|marketplace|bundle|threshold|gift-?card|total|wholesale|cash|credit)(?:[\s-]|$)/;
/** Names of elements next to an amount: `has-discount`. */
const ABOUT_OTHER = /(?<![\w-])(?:has|with)-[\w-]{1,40}/g;
const NOW_NAMES =
  /(?:^|[\s-])(?:now|current|final|sales?|special|offer-price|our|actual|selling|you-pay|highlight|discounted|reduced)(?:[\s-]|$)/;
const PRICE_NAMES =
  /(?:^|[\s-])(?:price|prices|pricing|amount|preis|prix|prijs|precio|prezzo|cena)(?:[\s-]|$)/;
const REGULAR_NAMES = /(?:^|[\s-])regular(?:-price)?(?:[\s-]|$)/;

/** Such words lead the next amount when it follows them: "£18.50 (RRP £24.99)". */
const LEADS_NEXT =
  /^[\s()/+-]*(?:rrp|uvp|pvp|was|saving|save|deposit|delivery|shipping|postage)[:\s]{0,3}(?:from |of |only )?[£€$]\d/;
/** Words for an amount without tax. A table or the markup may repeat the amount without them. */
const NET_BEFORE = /(?:^|[^a-z])(?:(?:ex|excl|excluding)\.? ?(?:vat|tax|btw|iva)|netto|hors taxe|ht)$/;
const NET_BEHIND =
  /^[\s()/-]*(?:(?:ex|excl|excluding)\.? ?(?:vat|tax|btw|iva)|\+ ?vat|plus vat|net(?:to)?(?:$|[^a-z])|zzgl\.? mwst|hors taxe|ht(?:$|[^a-z])|sin iva|\+ ?iva)/;
const DOUBTFUL_BEFORE = anyOf(
  '(?:^|[^a-z])(?:from|starting at|prices? from|as low as|\\d{1,4} (?:packs|boxes|pieces|units|copies|sets|tins|decks)|ab|a partir de|des|desde|a partire da|vanaf|od)$',
);
const DOUBTFUL_BEHIND = anyOf('^[\\s()/-]*(?:each|ea(?:$|[^a-z])|per )');
const NOW_BEFORE = anyOf(
  '(?:^|[^a-z])(?:now(?: only)?|our price|current price(?: is)?|today|you pay|(?:^|[^a-z ] ?|(?:our|sale|special|current|your|web|online|now|offer|final|discounted|new|unit|retail|item|product|total|full|regular|standard|best|lowest?|great|everyday|promo(?:tional)?|deal|friday|cut|reduced|clearance|outlet|introductory|launch) )price(?: now| is)?|jetzt|nur|unser preis|prix|maintenant|precio(?: actual)?|ahora|prezzo|ora|prijs|nu|cena|teraz)$',
  '(?:販売価格|特価|セール価格|当店価格) ?[:：]?$',
);
const WITH_TAX = anyOf(
  '(?:inc|incl|including|with|inkl|ttc|incluido|incluso)\\.? ?(?:vat|tax|mwst|iva|btw)?$',
);
const BETWEEN = /^[\s→>»–-]{0,8}[£€$\d]?$/;
/** A line that names the amounts of the next one. */
const LABEL = /^[^\d]{2,30}$/;

/** The price that the page names as the one of a new product, beside used ones: "New £39.99 Out of stock". */
export function newPrice(reader: ProductReader, box: ProductBox, currency: string | null): Price | null {
  return (
    listCandidates(reader, box, { lines: box.lines, currency }).find(({ isNew }) => isNew)?.price ?? null
  );
}

/** The price that a visitor pays now for the product, as the page shows it. `stated`: what markup and data say. */
export function choosePrice(
  reader: ProductReader,
  box: ProductBox,
  { stated, currency }: { stated: readonly Price[]; currency: string | null },
): Price | null {
  const painted = listCandidates(reader, box, { lines: box.lines, currency });
  const silent = painted.length > 0 ? [] : listCandidates(reader, box, { lines: box.silentPrices, currency });
  const candidates =
    painted.length > 0 ? painted : silent.length > 0 ? silent : pricesOfButtons(box, currency);
  if (candidates.length === 0) return null;
  const best = Math.min(...candidates.map(({ rank }) => rank));
  // An uncertain price, such as "from 25 euro", does not overrule the markup.
  const leading = candidates.filter(({ rank }) => rank === best);
  const isStated = ({ price }: Candidate): boolean =>
    stated.some(({ amount, currency: code }) => amount === price.amount && code === price.currency);
  const agreed =
    leading.find(isStated) ??
    (best > 0 ? candidates.filter(({ rank }) => rank < 2).find(isStated) : undefined);
  if (best > 1 && agreed === undefined && stated.length > 0) return null;
  const chosen = best === 0 ? (leading.find(isStated) ?? leading[0]) : (agreed ?? leading[0]);
  return chosen?.price ?? null;
}

/** The prices in the labels of the buttons that sell: "Buy now for £34.99". */
function pricesOfButtons({ actions }: ProductBox, currency: string | null): Candidate[] {
  return actions.flatMap(({ label, wording }) =>
    wording.says === 'nothing'
      ? []
      : findPrices(label, currency).map(({ amount, currency: code, isCertain }) => ({
          price: { amount, currency: code },
          isCertain,
          rank: 1,
          isNew: false,
        })),
  );
}

function listCandidates(
  reader: ProductReader,
  box: ProductBox,
  { lines, currency }: { lines: readonly ReadLine[]; currency: string | null },
): Candidate[] {
  const found: Candidate[] = [];
  const net = new Set<number>();
  let label = '';
  for (const line of lines) {
    if (!line.hasPrice) {
      label = LABEL.test(line.folded) && line.wording === null ? line.folded.replace(/[:\s]{1,5}$/, '') : '';
      continue;
    }
    if (found.length >= 60) break;
    found.push(...pricesOfLine(reader, box, { line, label, currency, net }));
    label = '';
  }
  const taxed = found.filter(({ price }) => !net.has(price.amount));
  return taxed.length > 0 ? taxed : found;
}

function pricesOfLine(
  reader: ProductReader,
  box: ProductBox,
  {
    line,
    label,
    currency,
    net,
  }: { line: ReadLine; label: string; currency: string | null; net: Set<number> },
): Candidate[] {
  // Parts whose elements are struck or named otherwise are judged apart from the rest of their line.
  const runs: Array<{ text: string; kind: number }> = [];
  const kinds = new Map<number, number>();
  for (const { text, node } of line.parts) {
    let kind = kinds.get(node);
    if (kind === undefined) {
      kind = kindOf(reader, box, node);
      kinds.set(node, kind);
    }
    const last = runs.at(-1);
    if (last !== undefined && last.kind === kind) last.text += text;
    else runs.push({ text, kind });
  }
  const found: Candidate[] = [];
  let before = label === '' ? '' : `${label} `;
  const whole = runs.map(({ text }) => priceText(text));
  runs.forEach(({ kind }, index) => {
    const text = whole[index] ?? '';
    const behind = whole.slice(index + 1).join(' ');
    const prices = findPrices(text, currency);
    // The words behind a price are about it, and not about the next one: "£21.67 ex VAT £26.00".
    let said = 0;
    prices.forEach(({ amount, currency: code, isCertain, start, end }, at) => {
      const from = at === 0 ? 0 : (prices[at - 1]?.end ?? 0) + said;
      const to = prices[at + 1]?.start ?? text.length;
      const lead = foldText(
        `${at === 0 ? before : ''}${text.slice(Math.max(from, start - 60), start)}`,
      ).replace(/[\s:.–-]{1,5}$/, '');
      const after = at === prices.length - 1 ? ` ${behind.slice(0, 40)}` : '';
      const tail = foldText(`${text.slice(end, Math.min(to, end + 40))}${after}`);
      const leadsNext = LEADS_NEXT.test(foldText(`${text.slice(end, end + 40)}${after}`));
      said = leadsNext ? 0 : (NOT_BEHIND.exec(tail)?.[0].length ?? 0);
      const isNet = NOT_BEFORE.test(lead.slice(-60)) && !WITH_TAX.test(lead.slice(-20));
      // "£64.99 £49.99": the higher one before the lower is the old price.
      const next = prices[at + 1];
      const isOld =
        next !== undefined && next.amount < amount && BETWEEN.test(text.slice(end, next.start + 1));
      if (NET_BEFORE.test(lead) || NET_BEHIND.test(tail)) net.add(amount);
      const isOther = kind === 3 || isNet || isOld || said > 0;
      if (isOther || namesUsed(lead)) return;
      const isDoubtful = DOUBTFUL_BEFORE.test(lead.slice(-40)) || DOUBTFUL_BEHIND.test(tail);
      const rank = isDoubtful
        ? 2
        : NOW_BEFORE.test(lead.slice(-40))
          ? Math.min(kind, line.folded.length < 80 ? 0 : 1)
          : kind;
      // A number in a sentence is rarely the price.
      found.push({
        price: { amount, currency: code },
        isCertain,
        rank: line.folded.length > 120 ? Math.max(rank, 2) : rank,
        isNew: namesNew(lead),
      });
    });
    if (text.trim() !== '')
      before = `${(prices.length > 0 ? text.slice((prices.at(-1)?.end ?? 0) + said) : text).slice(-40)} `;
  });
  return found;
}

/** 0: named as what is paid now; 1: any; 3: named as something else, or struck. */
function kindOf(reader: ProductReader, box: ProductBox, from: number): number {
  let kind = 1;
  let isPrice = false;
  let isNow = false;
  let isRegular = false;
  for (
    let node = from, up = 0;
    node >= 0 && node !== box.node && up < 7;
    node = reader.parents[node] ?? -1, up += 1
  ) {
    const element = reader.elements[node];
    if (element === undefined || node === box.heading?.node) break;
    const { attribs, name } = element;
    if (STRUCK_TAGS.has(name) || reader.drawnOff.has(node) || /line-through/.test(attribs['style'] ?? ''))
      return 3;
    const names = splitNames(
      `${(attribs['class'] ?? '').replace(ABOUT_OTHER, '')} ${attribs['id'] ?? ''} ${attribs['data-price-type'] ?? ''} ${attribs['data-testid'] ?? ''} ${attribs['data-test'] ?? ''}`,
    ).replaceAll('_', '-');
    if (names.trim() === '') continue;
    if (
      up < 4 &&
      OTHER_NAMES.test(names) &&
      !/(?:^|[\s-])(?:sale-price|price-sale|now)(?:[\s-]|$)/.test(names)
    )
      return 3;
    if (PRICE_NAMES.test(names) || PRICE_NAMES.test(names.replaceAll('-', ' '))) isPrice = true;
    if (up < 3 && NOW_NAMES.test(names.replaceAll('-', ' ').replaceAll('on sale', ''))) isNow = true;
    if (up < 3 && REGULAR_NAMES.test(names)) isRegular = true;
    // Dawn and its like print both prices; the class of the container decides.
    if (/price-on-sale|price--on-sale/.test(names)) {
      if (isRegular && !isNow) return 3;
    } else if (
      /(?:^| )price(?: |$)/.test(names) &&
      /(?:^|[\s-])price-sale(?:[\s-]|$)/.test(namesBelow(reader, from, node))
    )
      return 3;
    if (name === 'ins') isNow = true;
  }
  if (isNow) kind = 0;
  else if (!isPrice) kind = 1;
  return kind;
}

/** The names of the elements between one and its ancestor. */
function namesBelow(reader: ProductReader, from: number, ancestor: number): string {
  const names: string[] = [];
  for (let node = from; node >= 0 && node !== ancestor && names.length < 8; node = reader.parents[node] ?? -1)
    names.push(splitNames(reader.elements[node]?.attribs['class'] ?? ''));
  return names.join(' ');
}

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
  return shownCurrency(reader) ?? (EURO_HOSTS.test(final?.hostname ?? '') ? 'EUR' : HOME_CURRENCY);
}

/** Of the lines with amounts. */
const MAX_PRICED_LINES = 200;

/** The currency of most amounts that a page shows, of those with their own sign; null: of none, or of several equally. */
function shownCurrency({ lines }: ProductReader): string | null {
  const counts = new Map<string, number>();
  for (const line of lines.slice(0, MAX_PRICED_LINES)) {
    const text = textOf(line).slice(0, 200);
    for (const [, before, behind] of text.matchAll(/(?:([£€]) ?\d|\d ?([£€]))/g)) {
      const sign = before ?? behind ?? '';
      counts.set(sign, (counts.get(sign) ?? 0) + 1);
    }
  }
  const [pounds, euros] = [counts.get('£') ?? 0, counts.get('€') ?? 0];
  if (pounds === euros) return null;
  return pounds > euros ? 'GBP' : 'EUR';
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
