import type { PageAnswer, ProductUnknownReason } from '#shared/monitor/checks/verdict';
import { readGtin } from '#shared/monitor/products/gtin';
import { parseAddress } from '../../waiting-room/fetch/web-address';
import { namesProduct, otherProduct, sharesWords } from './page/moved-address';
import type { PageRecords } from './structured/page-data';
import { namesOf } from './page/page-areas';
import { type ProductBox, THIS_ITEM } from './page/product-box';
import type { Context } from './product-context';
import { isSameProduct, likeness, nameInHeading } from './words/product-names';
import { type Heading, NAMED_TITLE, type ProductReader, textOf } from './page/product-reader';
import type { StructuredProduct } from './structured/structured-data';
import type { Watched } from './variants';

/** Whether a product of the structured data is the page's own. */
export function isOwn(
  { box, structured, answer, reader, expected }: Context,
  product: StructuredProduct,
): boolean {
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

interface Bar {
  reason: ProductUnknownReason;
  sentence: string;
}

/**
 * The wall, the waiting room or the error that answers in place of the page; null: none does. Its heading is not the title of
 * another product. A page that plainly is the product is judged whatever answers.
 */
export function refusedBy({ answer: { status }, page }: Context): Bar | null {
  if (status === 410)
    return { reason: 'discontinued', sentence: 'The shop answers that the page is gone for good (410).' };
  if (status >= 520 && status <= 530)
    return { reason: 'error', sentence: `Cloudflare reached no server of the shop (${status}).` };
  if (page.verdict === 'waiting_room') return { reason: 'waiting_room', sentence: page.reason };
  if (page.unknownReason === 'challenge' || page.unknownReason === 'blocked')
    return { reason: page.unknownReason, sentence: page.reason };
  return status >= 400 ? { reason: 'error', sentence: `The response has status ${status}.` } : null;
}

/** Why a page of the shop shows no product: it says that the page does not exist, or nothing of it can be read. Null: it may. */
export function missingBy({ page, structured, title, box }: Context): Bar | null {
  const isMissing =
    page.signs.some(({ id }) => id === 'missing-page') ||
    (structured.products.length === 0 &&
      (box.heading === null ? saysMissing(box.lines) : productHeading(box.heading.text) === null));
  if (isMissing) return { reason: 'error', sentence: 'The shop says that the page does not exist.' };
  const hasPrice = box.heading !== null && box.lines.some((line) => line.hasPrice);
  if (page.unknownReason === 'error' && structured.products.length === 0 && (title === null || !hasPrice))
    return { reason: 'error', sentence: page.reason };
  return null;
}

/** Headings of error pages, which name no product. */
const ERROR_HEADING =
  /^(?:(?:http |error )?[45]\d\d(?:$|[^\d])|error|gone$|oops|sorry|not found|page (?:not|is|has|no)|this page|forbidden|access denied|service unavailable|there (?:has been|was|is) an? (?:error|problem)|an? (?:error|exception|problem) (?:has |have )?occur|something (?:has )?(?:gone|went) wrong|(?:seite|produkt|artikel) (?:nicht|existiert)|(?:page|produit|article) introuvable|(?:pagina|producto|prodotto|product) n(?:o|on|iet) |(?:product|item|page) not found|strona nie)/i;

/** Whether a page without a heading has a line such as "Product not found!" (osCommerce). */
function saysMissing(lines: Context['box']['lines']): boolean {
  return lines.some(
    ({ text, wording, isLink }) =>
      !isLink &&
      wording === null &&
      text.length < 60 &&
      /not found|nicht gefunden|introuvable|no encontrado|non trovato|niet gevonden/i.test(text) &&
      ERROR_HEADING.test(text),
  );
}

/** The part of a heading that its markup calls the name: without "(Hardback)" behind it. */
export function nameWithin(
  { titles, ends, elements }: ProductReader,
  heading: Heading | null,
): string | null {
  if (heading === null) return null;
  const end = ends[heading.node] ?? heading.node;
  const inside = titles.find(
    ({ node }) => node > heading.node && node <= end && elements[node]?.attribs['itemprop'] === 'name',
  );
  return inside === undefined || inside.text === '' ? null : inside.text;
}

/** The name in a heading, or null for the heading of an error page. */
export function productHeading(heading: string | null): string | null {
  const name = nameInHeading(heading);
  return name === null || ERROR_HEADING.test(name) ? null : name;
}

/** Whether the title of a page that is gone names its product: the markup, the address or the title element says so, too. */
export function isTitled(context: Context): boolean {
  const { answer, structured, reader, title, nameInTitle, signs } = context;
  if (structured.products.some((product) => isOwn(context, product)) || isProductMeta(reader)) return true;
  const address = parseAddress(answer.finalUrl);
  if (title === null || address === null) return false;
  if (namesProduct(address, title)) return true;
  return nameInTitle === title && signs.some(({ says }) => says === 'discontinued');
}

/** Whether the page names the product and refuses it: out of stock, wherever the page stands. */
export function refusesByName({ signs, answer }: Context): boolean {
  // A shop whose server fails speaks of itself: "Pre-orders and everything else will be back soon".
  if (answer.status >= 500) return false;
  if (SEARCH_PATH.test(parseAddress(answer.finalUrl)?.pathname ?? '')) return false;
  return signs.some(
    ({ source, says }) => source === 'stock_line' && (says === 'out_of_stock' || says === 'discontinued'),
  );
}

const SEARCH_PATH = /\/(?:search|catalogsearch|suche|recherche)(?:[/.]|$)/i;
const LOGIN_PATH = /\/(?:log-?in|sign-?in|auth|sso|anmelden|connexion)(?:[/.]|$)/i;
const ARTICLE_PATH =
  /\/(?:blogs?|news|articles?|magazine?|stories|guides?|journal|pages?|cms|help|faqs?)(?:[/.]|$)/i;
const CATEGORY_PATH =
  /\/(?:category|categories|collections?|browse|c|search|departments?|shop|product-category|catalogsearch|home)(?:[/:?]|$)/i;

const FRONT_PATH = /^\/(?:[a-z]{2}(?:[-_][a-z]{2})?\/?)?$/i;

/** Whether the page is the front page of the shop, and no shop of one product. */
function isFrontPage({ answer, structured, reader }: Context): boolean {
  const to = parseAddress(answer.finalUrl);
  if (to === null || to.hostname === '' || !FRONT_PATH.test(to.pathname) || to.search !== '') return false;
  return structured.products.length !== 1 && !isProductMeta(reader);
}

/** Whether the shop asks for a sign-in instead of showing its page. */
export function asksForSignIn({ finalUrl }: PageAnswer): boolean {
  return LOGIN_PATH.test(parseAddress(finalUrl)?.pathname ?? '');
}

/**
 * Why the page is another one: the redirected address or the watch names a product that the page does not, or null. A page
 * that has no title yet may be the product's. `isProduct`: it is the page of another product.
 */
export function movedTo(context: Context): { sentence: string; isProduct: boolean } | null {
  const { answer, expected, title, structured } = context;
  const away = (sentence: string): { sentence: string; isProduct: boolean } => ({
    sentence,
    isProduct: false,
  });
  if (isFrontPage(context)) return away('The address leads to the front page of the shop.');
  if (title === null) return null;
  if (expected.title !== null && likeness(expected.title, title) < 0.5)
    return away(`The page is about something else: ${title}.`);
  const [from, to] = [parseAddress(answer.requestUrl), parseAddress(answer.finalUrl)];
  if (from === null || to === null || from.pathname === to.pathname) return null;
  if (structured.isList && structured.products.length === 0)
    return away('The address leads to a list of the shop.');
  if (SEARCH_PATH.test(to.pathname)) return away('The address leads to a search of the shop.');
  if (ARTICLE_PATH.test(to.pathname) && !ARTICLE_PATH.test(from.pathname))
    return away('The address leads to an article of the shop.');
  const other = otherProduct({ from, to, title, expected: expected.title });
  if (other !== null) return { sentence: other, isProduct: true };
  if (expected.title !== null || sharesWords(from, `${to.pathname} ${title}`)) return null;
  return away(`The address leads to something else: ${title}.`);
}

/** Whether a page shows a price, or describes a product in its markup. */
function isProductPage({ box, reader, structured }: Context): boolean {
  return (
    structured.products.length > 0 || isProductMeta(reader) || box.lines.some(({ hasPrice }) => hasPrice)
  );
}

/** Whether a page without a price and without markup names nothing of the product in its address. */
export function isStranger(context: Context): boolean {
  const { answer, title, expected, box } = context;
  const [from, to] = [parseAddress(answer.requestUrl), parseAddress(answer.finalUrl)];
  if (from === null || title === null || expected.title !== null || isProductPage(context)) return false;
  if (to !== null && isSameId(from, to) && refusesThisItem(box)) return false;
  return !sharesWords(from, title, 1);
}

/** Why the page is about something else than one product, or null. */
export function otherPage({ answer, box, structured, reader, expected, title }: Context): string | null {
  const [from, to] = [parseAddress(answer.requestUrl), parseAddress(answer.finalUrl)];
  if (to === null) return null;
  const isMoved = from !== null && from.pathname.replace(/\/$/, '') !== to.pathname.replace(/\/$/, '');
  if (expected.title !== null && title !== null && likeness(expected.title, title) < 0.5)
    return `The page is about something else: ${title}.`;
  // A heading that is named as a product's title, or has such a part, is the product's.
  const { node: start = 0 } = box.heading ?? {};
  const isNamed =
    NAMED_TITLE.test(namesOf(reader.elements[start])) ||
    reader.titles.some(({ node }) => node > start && node <= (reader.ends[start] ?? 0));
  if (
    structured.products.length === 0 &&
    !isNamed &&
    !isProductMeta(reader) &&
    !box.isPriced &&
    !(isSameId(from, to) && refusesThisItem(box)) &&
    (box.otherProducts >= 2 || structured.isList)
  )
    return 'The page lists other products.';
  if (structured.products.length === 0 && SEARCH_PATH.test(to.pathname))
    return 'The address is a search of the shop.';
  if (isMoved && CATEGORY_PATH.test(to.pathname)) return 'The address leads to a category of the shop.';
  if (/^(?:article|website|blog)$/.test(reader.meta.get('og:type') ?? '') && isMoved)
    return 'The address leads to another page of the shop.';
  return null;
}

/** Whether the address that answered is the requested one, or has its last number: `/product/9128841`, `/oos/pt:9128841`. */
function isSameId(from: URL | null, to: URL): boolean {
  if (from === null) return false;
  if (from.pathname.replace(/\/$/, '') === to.pathname.replace(/\/$/, '')) return true;
  const id = from.pathname.match(/\d{5,20}/g)?.at(-1);
  return id !== undefined && to.pathname.includes(id);
}

/** Whether a line below the heading says that "this item" cannot be bought. */
function refusesThisItem({ heading, lines }: ProductBox): boolean {
  return lines.some(
    ({ node, folded, wording }) =>
      heading !== null &&
      node > heading.node &&
      (wording?.says === 'out_of_stock' || wording?.says === 'discontinued') &&
      THIS_ITEM.test(folded),
  );
}

export function isProductMeta({ meta }: ProductReader): boolean {
  return (
    /product/.test(meta.get('og:type') ?? '') ||
    meta.has('product:price:amount') ||
    meta.has('og:price:amount')
  );
}

/** "EAN: 5012…", "Barcode (EAN) 5012…", "GTIN/EAN-13". */
const LABELLED_GTIN =
  /(?:^|[^a-z])(?:gtin(?:-?\d{1,2})?|ean(?:-?(?:13|8))?|upc(?:-?a)?|bar ?code|isbn(?:-?13)?|jan|strichcode|code[ -]barres|c[oó]digo de barras|codice a barre|streepjescode|kod kreskowy|streckkod|stregkode)(?:[ /(-]{1,3}(?:gtin|ean|upc|isbn|bar ?code)(?:-?\d{1,2})?)?(?: ?-?(?:code|コード|number|no\.?|nummer|nr\.?))?[\s:#.)]{1,4}(\d[\d -]{6,18}\d)(?!\d)/i;

export function gtinOf(
  { reader, box }: Context,
  subject: StructuredProduct | null,
  data: PageRecords,
  { variant }: Watched,
): string | null {
  if (variant !== null && variant.gtin !== null) return variant.gtin;
  const own = subject?.gtin ?? (subject?.variants.length === 1 ? subject.variants[0]?.gtin : null) ?? null;
  if (own !== null) return own;
  // Each variant has its own GTIN: one of several says nothing about the product.
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
    if (box.isOutside(line.node) && !box.isText(line.node)) continue;
    const text = textOf(line).slice(0, 400);
    const gtin = readGtin(LABELLED_GTIN.exec(`${label} ${text}`)?.[1]);
    if (gtin !== null) return gtin;
    label = text.length < 20 ? text : '';
  }
  return null;
}
