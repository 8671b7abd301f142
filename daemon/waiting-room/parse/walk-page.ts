import type { AnyNode, Element } from 'domhandler';
import { hasChildren, isTag, isText } from 'domhandler';
import {
  isArticle,
  isByline,
  isFooter,
  isFrame,
  isMain,
  isNavigation,
  isPost,
  isQuotation,
} from './element-kinds';
import {
  INLINE,
  isDrawnOff,
  isHidden,
  isShadowRoot,
  readHidingStyles,
  type HiddenByStyle,
} from './element-visibility';
import { foldText } from './normalise-text';
import { recordElement, ownText } from './record-element';
import type { ParsedHtml } from './parse-html';
import type { PageLink, ParsedPage } from './parsed-page';

/** Elements whose content a browser with JavaScript does not use. */
const UNUSED = new Set(['script', 'style', 'template', 'noscript']);
const SEARCH_FIELD =
  /^(?:q|s|query|search|searchterm|search_query|keyword|keywords|suche|recherche|buscar|busca|cerca|zoek|szukaj|word)$/i;
/** An article with at least this many letters is for reading; a waiting room's few lines are not. */
export const READING_LENGTH = 500;

const LOADING_IMAGE = /load(?:er|ing)|spinner|pixel|tracking|blank\.gif/i;
/** Fields that a visitor fills in. */
const FILLED_IN = /^(?:text|email|password|tel|number|date|url)$/i;

/** Text fragments of one link, button, heading or article. */
type Pieces = string[];

interface Gathered {
  text: Pieces;
  addressedText: Pieces;
  own: Pieces;
  links: Array<{ link: PageLink; pieces: Pieces }>;
  buttons: Pieces[];
  headings: Array<{ inFrame: boolean; pieces: Pieces }>;
  articles: Article[];
  posts: Pieces[];
}

/** The whole text of an article, and its text without quotations. */
interface Article {
  whole: Pieces;
  addressedText: Pieces;
}

/** Sees every element and text on the same walk, in the order of the page. */
export interface PageListener {
  /** Called at the start of each walk. A page whose whole content is hidden is walked twice. */
  begin(): void;
  /**
   * `painted`: whether the element shows on the screen. `drawnOff`: whether a style sheet draws it as unusable, or struck through. The content of
   * scripts and templates is not walked.
   */
  open(element: Element, painted: boolean, drawnOff: boolean): void;
  /** `silent`: a text that is not painted because a block around it is hidden from screen readers, and for no other reason. */
  text(data: string, painted: boolean, silent: boolean): void;
  close(element: Element): void;
}

interface Place {
  /** Shown, and read to a visitor. */
  visible: boolean;
  /** Shown on the screen, although perhaps hidden from screen readers. */
  painted: boolean;
  /** Shown on the screen when blocks that are hidden from screen readers count as shown. */
  seen: boolean;
  inNavigation: boolean;
  inFooter: boolean;
  /** Inside the frame that the site's pages share. */
  inFrame: boolean;
  /** Inside the main element, where a header or footer belongs to a section. */
  inMain: boolean;
  quoted: boolean;
  link: Pieces | null;
  button: Pieces | null;
  heading: Pieces | null;
  article: Article | null;
  post: Pieces | null;
}

const OUTSIDE: Place = {
  visible: true,
  painted: true,
  seen: true,
  inNavigation: false,
  inFooter: false,
  inFrame: false,
  inMain: false,
  quoted: false,
  link: null,
  button: null,
  heading: null,
  article: null,
  post: null,
};

/** The end of an element, for the listener. */
class End {
  constructor(readonly element: Element) {}
}

/** Stack of nodes still to visit, each with its place; null marks the end of a block. Two parallel arrays are fastest. */
interface Steps {
  nodes: Array<AnyNode | End | null>;
  places: Place[];
}

/** Walks a document once, without recursion, since pages nest deeply, and fills in the page. */
export function walkPage(
  { document, styleSheets, hasMain }: ParsedHtml,
  page: ParsedPage,
  { revealed = false, listener = null }: { revealed?: boolean; listener?: PageListener | null } = {},
): void {
  listener?.begin();
  const hiding = readHidingStyles(styleSheets.map(ownText));
  const gathered: Gathered = {
    text: [],
    addressedText: [],
    own: [],
    links: [],
    buttons: [],
    headings: [],
    articles: [],
    posts: [],
  };
  const steps: Steps = { nodes: [], places: [] };
  // With a main element, everything outside it is the frame; without one, the frame is recognised by its names.
  pushChildren(steps, document, { ...OUTSIDE, inFrame: hasMain });
  for (let place = steps.places.pop(); place !== undefined; place = steps.places.pop()) {
    const node = steps.nodes.pop() ?? null;
    if (node === null) breakLine(place, gathered);
    else if (node instanceof End) listener?.close(node.element);
    else if (isText(node)) {
      addText(node.data, place, gathered);
      listener?.text(node.data, place.painted, place.seen && !place.painted);
    } else if (isTag(node)) visit(node, place, { steps, hiding, revealed, listener, page, gathered });
    else if (hasChildren(node)) pushChildren(steps, node, place);
  }
  finish(gathered, page);
}

interface Walk {
  steps: Steps;
  hiding: HiddenByStyle;
  /** Whether transparent elements count as visible, and hidden machinery as in use. */
  revealed: boolean;
  listener: PageListener | null;
  page: ParsedPage;
  gathered: Gathered;
}

function visit(element: Element, outer: Place, walk: Walk): void {
  const { steps, page, gathered, listener, hiding } = walk;
  recordElement(element, page, outer.visible || walk.revealed);
  if (UNUSED.has(element.name) && !isShadowRoot(element)) {
    listener?.open(element, false, false);
    listener?.close(element);
    return;
  }
  const place = enter(element, outer, walk);
  if (listener !== null) {
    listener.open(element, place.painted, isDrawnOff(element, hiding));
    steps.nodes.push(new End(element));
    steps.places.push(place);
  }
  if (place.visible) noteShown(element, place, page, gathered);
  else if (outer.visible && isTitleOfDrawing(element)) addAlternative(ownText(element), outer, gathered);
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
  if (!place.inFrame) gathered.own.push(data);
  addSpoken(data, place, gathered);
}

/** Adds an alternative text. It counts as addressed to the visitor, but not as visible text. */
function addAlternative(text: string, place: Place, gathered: Gathered): void {
  if (text.trim() === '') return;
  place.link?.push(` ${text} `);
  place.button?.push(` ${text} `);
  addSpoken(`\n${text}\n`, place, gathered);
}

function addSpoken(data: string, place: Place, gathered: Gathered): void {
  place.heading?.push(data);
  place.article?.whole.push(data);
  if (!place.quoted) (place.post ?? place.article?.addressedText ?? gathered.addressedText).push(data);
}

function breakLine(place: Place, gathered: Gathered): void {
  gathered.text.push('\n');
  gathered.own.push('\n');
  addSpoken('\n', place, gathered);
}

/** Records what a visible element contributes beside its text. */
function noteShown(element: Element, place: Place, page: ParsedPage, gathered: Gathered): void {
  const { name, attribs } = element;
  const isImage = name === 'img' || name === 'svg' || attribs['role'] === 'img' || name === 'area';
  if (isImage || attribs['role'] === 'progressbar' || attribs['type'] === 'image') {
    addAlternative(
      attribs['alt'] ?? attribs['aria-label'] ?? attribs['aria-valuetext'] ?? '',
      place,
      gathered,
    );
  }
  if (isByline(element)) page.hasByline = true;
  if (place.inFrame) return;
  if (
    name === 'img' &&
    !page.hasOwnImage &&
    !LOADING_IMAGE.test(`${attribs['src'] ?? ''} ${attribs['alt'] ?? ''} ${attribs['class'] ?? ''}`)
  )
    page.hasOwnImage = true;
  if (
    name === 'textarea' ||
    name === 'select' ||
    (name === 'input' && FILLED_IN.test(attribs['type'] ?? 'text'))
  )
    page.ownFields += 1;
  if (name === 'input' && attribs['type']?.toLowerCase() === 'password') page.asksPassword = true;
}

function isTitleOfDrawing({ name, parent }: Element): boolean {
  return (
    name === 'title' && parent !== null && isTag(parent) && (parent.name === 'svg' || parent.name === 'g')
  );
}

/** Adds a text as a separate block. One argument: a call with one per fragment overflows the stack. */
function addBlock(pieces: Pieces, gathered: Gathered): void {
  gathered.addressedText.push(`\n${pieces.join('')}\n`);
}

function finish(gathered: Gathered, page: ParsedPage): void {
  for (const { whole, addressedText } of gathered.articles) {
    const words = whole.join('');
    page.articleLength += words.replace(/\s+/g, ' ').trim().length;
    if (words.length < READING_LENGTH) addBlock(addressedText, gathered);
  }
  page.posts = gathered.posts.length;
  // One container with such a name can be anything; several are a discussion.
  const [post] = gathered.posts;
  if (post !== undefined && gathered.posts.length === 1) addBlock(post, gathered);
  for (const { link, pieces } of gathered.links) {
    page.links.push({ ...link, text: foldText(`${link.text} ${pieces.join('')}`) });
  }
  const join = (pieces: Pieces): string => foldText(pieces.join(''));
  page.text = join(gathered.text);
  page.addressedText = join(gathered.addressedText);
  page.ownText = join(gathered.own);
  const headings = gathered.headings.map(({ inFrame, pieces }) => ({ inFrame, text: join(pieces) }));
  const named = headings.filter(({ text }) => text !== '');
  const own = named.filter(({ inFrame }) => !inFrame);
  page.ownHeadings = own.length;
  page.headings = [...own, ...named.filter(({ inFrame }) => inFrame)].map(({ text }) => text);
  page.buttons = page.buttons.concat(gathered.buttons.map(join).filter((label) => label !== ''));
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
    const hidden = closed && !(isTag(node) && node.name === 'summary');
    steps.nodes.push(node);
    steps.places.push(hidden ? { ...place, visible: false, painted: false, seen: false } : place);
  }
}

/** The place of an element's content. Most elements change nothing and share the place of their parent. */
function enter(element: Element, outer: Place, { hiding, revealed, page, gathered }: Walk): Place {
  if (!outer.visible && !outer.seen) return outer;
  if (!outer.visible || isHidden(element, hiding, { revealed })) {
    const painted = outer.painted && !isHidden(element, hiding, { revealed, spoken: 'lines' });
    const seen = painted || (outer.seen && !isHidden(element, hiding, { revealed, spoken: 'no' }));
    const isSame = !outer.visible && painted === outer.painted && seen === outer.seen;
    return isSame ? outer : { ...outer, visible: false, painted, seen };
  }
  const { name, attribs } = element;
  if (name === 'input') noteField(element, page);
  if (attribs['role'] === 'search') page.hasSearch = true;
  const change: Partial<Place> = {};
  if (!outer.inNavigation && isNavigation(element)) change.inNavigation = true;
  if (!outer.inFooter && isFooter(element)) change.inFooter = true;
  if (!outer.inFrame && isFrame(element, outer.inMain)) change.inFrame = true;
  if (!outer.inMain && isMain(element)) change.inMain = true;
  if (name === 'main' || attribs['role'] === 'main') change.inFrame = false;
  if (!outer.quoted && isQuotation(element)) change.quoted = true;
  if (outer.article === null && isArticle(element)) {
    change.article = { whole: [], addressedText: [] };
    gathered.articles.push(change.article);
  }
  if (outer.post === null && change.article === undefined && isPost(element))
    change.post = begin(gathered.posts);
  if (name === 'button' || attribs['role'] === 'button') change.button = begin(gathered.buttons);
  if ((name === 'h1' || name === 'h2') && !outer.quoted) {
    change.heading = [];
    gathered.headings.push({ inFrame: change.inFrame ?? outer.inFrame, pieces: change.heading });
  }
  if (name === 'a' && attribs['href'] !== undefined) {
    const { inNavigation, inFooter, inFrame } = { ...outer, ...change };
    change.link = [];
    const isOwn = !inFrame && !inNavigation && !inFooter;
    const link = { href: attribs['href'], text: attribs['aria-label'] ?? '', inNavigation, inFooter, isOwn };
    gathered.links.push({ link, pieces: change.link });
  }
  return Object.keys(change).length === 0 ? outer : { ...outer, ...change };
}

function begin(list: Pieces[]): Pieces {
  const pieces: Pieces = [];
  list.push(pieces);
  return pieces;
}

function noteField({ attribs }: Element, page: ParsedPage): void {
  const type = (attribs['type'] ?? 'text').toLowerCase();
  if (type === 'search' || (type === 'text' && SEARCH_FIELD.test(attribs['name'] ?? '')))
    page.hasSearch = true;
  if (type === 'submit' || type === 'button') page.buttons.push(foldText(attribs['value'] ?? ''));
}
