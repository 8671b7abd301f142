import type { AnyNode, Element } from 'domhandler';
import { hasChildren, isTag, isText } from 'domhandler';
import { isHidden, isShadowRoot, readHidingStyles, type HiddenByStyle } from './element-visibility';
import { foldText } from './normalise-text';
import { noteMachinery, ownText } from './page-machinery';
import type { ParsedHtml } from './parse-html';
import type { PageLink, ParsedPage } from './parse-page';

const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);
/** What stands in these is shown or quoted, not said by the page to its visitor. */
const QUOTING = new Set([
  'blockquote',
  'q',
  'pre',
  'code',
  'samp',
  'kbd',
  'address',
  'cite',
  'xmp',
  'plaintext',
]);
/** What a browser with scripts on puts to no use, machinery and text alike. */
const UNUSED = new Set(['script', 'style', 'template', 'noscript']);
const NAVIGATION_NAMES =
  /(?:^|[\s_-])(?:nav|navbar|navigation|navi|menu|menue|menubar|topnav|mainnav|sitenav|gnav|globalnav|megamenu|mainmenu|topmenu|breadcrumbs?|categories|categorynav)(?:[\s_-]|$)/i;
const ARTICLE_NAMES = /(?:^|\s)(?:article|post|entry|story|blog)[-_]{1,2}(?:body|content|text)(?:\s|$)/i;
const SEARCH_FIELD =
  /^(?:q|s|query|search|searchterm|search_query|keyword|keywords|suche|recherche|buscar|busca|cerca|zoek|szukaj|word)$/i;
/** An article longer than this (in letters) is reading matter; a room's few lines are not. */
const READING_MATTER = 500;

/** Pieces of text that belong together: a link's, a button's, a heading's, an article's. */
type Pieces = string[];

interface Gathered {
  text: Pieces;
  spoken: Pieces;
  links: Array<{ link: PageLink; pieces: Pieces }>;
  buttons: Pieces[];
  headings: Pieces[];
  articles: Pieces[];
}

interface Place {
  visible: boolean;
  inNavigation: boolean;
  inFooter: boolean;
  quoted: boolean;
  link: Pieces | null;
  button: Pieces | null;
  heading: Pieces | null;
  article: Pieces | null;
}

const OUTSIDE: Place = {
  visible: true,
  inNavigation: false,
  inFooter: false,
  quoted: false,
  link: null,
  button: null,
  heading: null,
  article: null,
};

/** Nodes still to visit, each with its place; no node at all stands for the end of a block. Two plain lists cost least. */
interface Steps {
  nodes: Array<AnyNode | null>;
  places: Place[];
}

/** Walks a document once, without recursion (pages may nest without limit), and fills in the page. */
export function walkPage({ document, styleSheets }: ParsedHtml, page: ParsedPage): void {
  const hiding = readHidingStyles(styleSheets.map(ownText));
  const gathered: Gathered = { text: [], spoken: [], links: [], buttons: [], headings: [], articles: [] };
  const steps: Steps = { nodes: [], places: [] };
  pushChildren(steps, document, OUTSIDE);
  for (let place = steps.places.pop(); place !== undefined; place = steps.places.pop()) {
    const node = steps.nodes.pop() ?? null;
    if (node === null) breakLine(place, gathered);
    else if (isText(node)) addText(node.data, place, gathered);
    else if (isTag(node)) visit(node, place, { steps, hiding, page, gathered });
    else if (hasChildren(node)) pushChildren(steps, node, place);
  }
  finish(gathered, page);
}

interface Walk {
  steps: Steps;
  hiding: HiddenByStyle;
  page: ParsedPage;
  gathered: Gathered;
}

function visit(element: Element, outer: Place, { steps, hiding, page, gathered }: Walk): void {
  noteMachinery(element, page);
  if (UNUSED.has(element.name) && !isShadowRoot(element)) return;
  const place = enter(element, outer, hiding, page, gathered);
  if (place.visible && !INLINE.has(element.name)) {
    breakLine(place, gathered);
    steps.nodes.push(null);
    steps.places.push(place);
  }
  pushChildren(steps, element, place, element.name === 'details' && element.attribs['open'] === undefined);
}

function addText(data: string, place: Place, gathered: Gathered): void {
  if (!place.visible) return;
  gathered.text.push(data);
  place.link?.push(data);
  place.button?.push(data);
  place.heading?.push(data);
  if (place.article !== null) place.article.push(data);
  else if (!place.quoted) gathered.spoken.push(data);
}

function breakLine(place: Place, gathered: Gathered): void {
  gathered.text.push('\n');
  (place.article ?? gathered.spoken).push('\n');
  place.heading?.push('\n');
}

function finish(gathered: Gathered, page: ParsedPage): void {
  for (const pieces of gathered.articles) {
    const words = pieces.join('');
    page.articleLength += words.replace(/\s+/g, ' ').trim().length;
    if (words.length < READING_MATTER) gathered.spoken.push('\n', words, '\n');
  }
  for (const { link, pieces } of gathered.links) {
    page.links.push({ ...link, text: foldText(`${link.text} ${pieces.join('')}`) });
  }
  const said = (pieces: Pieces): string => foldText(pieces.join(''));
  page.text = said(gathered.text);
  page.spoken = said(gathered.spoken);
  page.headings = gathered.headings.map(said).filter((heading) => heading !== '');
  page.buttons.push(...gathered.buttons.map(said).filter((label) => label !== ''));
}

function pushChildren(
  steps: Steps,
  parent: { children: readonly AnyNode[] },
  place: Place,
  closed = false,
): void {
  const { children } = parent;
  for (let index = children.length - 1; index >= 0; index -= 1) {
    const node = children[index];
    if (node === undefined) continue;
    const shut = closed && !(isTag(node) && node.name === 'summary');
    steps.nodes.push(node);
    steps.places.push(shut ? { ...place, visible: false } : place);
  }
}

/** Where an element's content stands: most elements change nothing and share the place around them. */
function enter(
  element: Element,
  outer: Place,
  hiding: HiddenByStyle,
  page: ParsedPage,
  gathered: Gathered,
): Place {
  if (!outer.visible) return outer;
  if (isHidden(element, hiding)) return { ...outer, visible: false };
  const { name, attribs } = element;
  if (name === 'input') noteField(element, page);
  if (attribs['role'] === 'search') page.hasSearch = true;
  const change: Partial<Place> = {};
  if (!outer.inNavigation && isNavigation(element)) change.inNavigation = true;
  if (!outer.inFooter && isFooter(element)) change.inFooter = true;
  if (!outer.quoted && isQuotation(element)) change.quoted = true;
  if (outer.article === null && isArticle(element)) change.article = begin(gathered.articles);
  if (name === 'button' || attribs['role'] === 'button') change.button = begin(gathered.buttons);
  if (name === 'h1' || name === 'h2') change.heading = begin(gathered.headings);
  if (name === 'a' && attribs['href'] !== undefined) {
    const { inNavigation, inFooter } = { ...outer, ...change };
    change.link = [];
    const link = { href: attribs['href'], text: attribs['aria-label'] ?? '', inNavigation, inFooter };
    gathered.links.push({ link, pieces: change.link });
  }
  return Object.keys(change).length === 0 ? outer : { ...outer, ...change };
}

function begin(list: Pieces[]): Pieces {
  const pieces: Pieces = [];
  list.push(pieces);
  return pieces;
}

function isFooter({ name, attribs }: Element): boolean {
  return name === 'footer' || attribs['role'] === 'contentinfo' || attribs['id'] === 'footer';
}

function isQuotation({ name, attribs }: Element): boolean {
  return QUOTING.has(name) || /review|testimonial/i.test(attribs['itemprop'] ?? attribs['class'] ?? '');
}

function isArticle({ name, attribs }: Element): boolean {
  if (name === 'article' || attribs['role'] === 'article' || attribs['itemprop'] === 'articleBody')
    return true;
  return (name === 'div' || name === 'section') && ARTICLE_NAMES.test(attribs['class'] ?? '');
}

function isNavigation({ name, attribs }: Element): boolean {
  if (name === 'nav' || name === 'header') return true;
  if (/^(?:navigation|menubar|menu|banner)$/.test(attribs['role'] ?? '')) return true;
  if (name !== 'div' && name !== 'ul' && name !== 'section' && name !== 'aside' && name !== 'table')
    return false;
  return NAVIGATION_NAMES.test(attribs['id'] ?? '') || NAVIGATION_NAMES.test(attribs['class'] ?? '');
}

function noteField({ attribs }: Element, page: ParsedPage): void {
  const type = (attribs['type'] ?? 'text').toLowerCase();
  if (type === 'search' || (type === 'text' && SEARCH_FIELD.test(attribs['name'] ?? '')))
    page.hasSearch = true;
  if (type === 'submit' || type === 'button') page.buttons.push(foldText(attribs['value'] ?? ''));
}
