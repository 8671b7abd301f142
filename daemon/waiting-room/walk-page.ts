import type { AnyNode, Document, Element } from 'domhandler';
import { hasChildren, isTag, isText } from 'domhandler';
import { isHidden, readHidingStyles, type HiddenByStyle } from './element-visibility';
import { foldText } from './normalise-text';
import { noteMachinery, ownText } from './page-machinery';
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

type Step = { node: AnyNode; place: Place } | { end: () => void };

/** Walks a document once, without recursion (pages may nest without limit), and fills in the page. */
export function walkPage(document: Document, page: ParsedPage): void {
  const hiding = readHidingStyles(styleSheetsOf(document));
  const gathered: Gathered = { text: [], spoken: [], links: [], buttons: [], headings: [], articles: [] };
  const steps: Step[] = [];
  pushChildren(steps, document, OUTSIDE);
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    if ('end' in step) step.end();
    else if (isText(step.node)) addText(step.node.data, step.place, gathered);
    else if (isTag(step.node)) {
      noteMachinery(step.node, page);
      if (UNUSED.has(step.node.name)) continue;
      const place = enter(step.node, step.place, hiding, page, gathered);
      if (place.visible && !INLINE.has(step.node.name)) breakAround(steps, place, gathered);
      const closed = step.node.name === 'details' && step.node.attribs['open'] === undefined;
      pushChildren(steps, step.node, place, closed);
    } else if (hasChildren(step.node)) pushChildren(steps, step.node, step.place);
  }
  finish(gathered, page);
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

function breakAround(steps: Step[], place: Place, gathered: Gathered): void {
  const breakLine = (): void => {
    gathered.text.push('\n');
    (place.article ?? gathered.spoken).push('\n');
    place.heading?.push('\n');
  };
  breakLine();
  steps.push({ end: breakLine });
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
  steps: Step[],
  parent: { children: readonly AnyNode[] },
  place: Place,
  closed = false,
): void {
  const { children } = parent;
  for (let index = children.length - 1; index >= 0; index -= 1) {
    const node = children[index];
    if (node === undefined) continue;
    const shut = closed && !(isTag(node) && node.name === 'summary');
    steps.push({ node, place: shut ? { ...place, visible: false } : place });
  }
}

function enter(
  element: Element,
  outer: Place,
  hiding: HiddenByStyle,
  page: ParsedPage,
  gathered: Gathered,
): Place {
  const { name, attribs } = element;
  const place = { ...outer };
  if (place.visible && isHidden(element, hiding)) place.visible = false;
  if (!place.visible) return place;
  place.inNavigation ||= isNavigation(element);
  place.inFooter ||= name === 'footer' || attribs['role'] === 'contentinfo' || attribs['id'] === 'footer';
  place.quoted ||=
    QUOTING.has(name) || /review|testimonial/i.test(attribs['itemprop'] ?? attribs['class'] ?? '');
  if (name === 'article' && place.article === null) place.article = begin(gathered.articles);
  if (name === 'button' || attribs['role'] === 'button') place.button = begin(gathered.buttons);
  if (name === 'h1' || name === 'h2') place.heading = begin(gathered.headings);
  if (name === 'a' && attribs['href'] !== undefined) {
    const { inNavigation, inFooter } = place;
    place.link = [];
    const link = { href: attribs['href'], text: attribs['aria-label'] ?? '', inNavigation, inFooter };
    gathered.links.push({ link, pieces: place.link });
  }
  if (name === 'input') noteField(element, page);
  if (attribs['role'] === 'search') page.hasSearch = true;
  return place;
}

function begin(list: Pieces[]): Pieces {
  const pieces: Pieces = [];
  list.push(pieces);
  return pieces;
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

function styleSheetsOf(document: Document): string[] {
  const sheets: string[] = [];
  const nodes: AnyNode[] = [document];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (isTag(node) && node.name === 'style') sheets.push(ownText(node));
    else if (hasChildren(node)) for (const child of node.children) nodes.push(child);
  }
  return sheets;
}
