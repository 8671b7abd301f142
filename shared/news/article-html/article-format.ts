/**
 * What an article may hold, said once: the reader makes any HTML into this, the writer writes nothing else, and the gate
 * on the server lets nothing else through. It fits the editor's toolbar.
 */

/** Marks of text, in the order in which they are written when nothing else decides. */
export const MARKS = ['strong', 'em', 'u', 's', 'code'] as const;
export type Mark = (typeof MARKS)[number];

/** Blocks of one line of text; they may be aligned and indented. */
export const TEXT_TAGS = ['p', 'h1', 'h2', 'h3', 'blockquote'] as const;
export type TextTag = (typeof TEXT_TAGS)[number];

/** Everything that stored HTML is made of. A code block is `<pre><code>` with text alone. */
export const ARTICLE_TAGS = [...TEXT_TAGS, 'ul', 'ol', 'li', 'pre', 'br', 'img', 'a', ...MARKS] as const;

/** Left is the way text stands anyway and is not written. */
export type Align = 'left' | 'center' | 'right' | 'justify';

/** Steps, of paragraphs and of lists in lists. */
export const MAX_INDENT = 8;

const ALIGN_CLASSES: ReadonlyMap<string, Align> = new Map([
  ['align-center', 'center'],
  ['align-right', 'right'],
  ['align-justify', 'justify'],
]);
const INDENT_CLASSES: ReadonlyMap<string, number> = new Map(
  Array.from({ length: MAX_INDENT }, (_, index) => [`indent-${index + 1}`, index + 1]),
);

/** The classes that items of lists may have. */
export const ITEM_CLASSES: readonly string[] = [...ALIGN_CLASSES.keys()];
/** The classes that blocks of text may have: at most one alignment and one indent, in this order. */
export const TEXT_CLASSES: readonly string[] = [...ALIGN_CLASSES.keys(), ...INDENT_CLASSES.keys()];

/** The value of `class`; empty for none. */
export function classesOf(align: Align, indent: number): string {
  const aligned = [...ALIGN_CLASSES].find(([, meaning]) => meaning === align)?.[0];
  const indented = [...INDENT_CLASSES].find(([, steps]) => steps === indent)?.[0];
  return [aligned, indented].filter((name) => name !== undefined).join(' ');
}

/** What a `class` says, as far as it is ours; the first alignment and the first indent count. */
export function readClasses(text: string): { align: Align | undefined; indent: number | undefined } {
  const names = text.split(/\s+/);
  const aligned = names.find((name) => ALIGN_CLASSES.has(name)) ?? '';
  const indented = names.find((name) => INDENT_CLASSES.has(name)) ?? '';
  return { align: ALIGN_CLASSES.get(aligned), indent: INDENT_CLASSES.get(indented) };
}

/** Stands on every link: pages that articles point to learn and gain nothing by it. */
export const LINK_RELATIONS = 'noopener noreferrer nofollow';

/** Other sites are linked to by these; this one by paths. */
export const LINK_PROTOCOLS = ['http', 'https', 'mailto'] as const;

const PIXELS = /^[1-9]\d{0,4}$/;

/** Pixels as a picture's attributes hold them, or null. */
export function readPixels(text: string): number | null {
  return PIXELS.test(text) ? Number(text) : null;
}

// What elements of other pages become. Maps, since `constructor` is a tag that somebody can write.

/** Elements that become a block of text. */
export const TEXT_TAG_OF: ReadonlyMap<string, TextTag> = new Map([
  ['p', 'p'],
  ['h1', 'h1'],
  ['h2', 'h2'],
  ['h3', 'h3'],
  ['h4', 'h3'],
  ['h5', 'h3'],
  ['h6', 'h3'],
]);

/** Elements that become a mark. */
export const MARK_OF: ReadonlyMap<string, Mark> = new Map([
  ['strong', 'strong'],
  ['b', 'strong'],
  ['em', 'em'],
  ['i', 'em'],
  ['cite', 'em'],
  ['dfn', 'em'],
  ['var', 'em'],
  ['u', 'u'],
  ['ins', 'u'],
  ['s', 's'],
  ['strike', 's'],
  ['del', 's'],
  ['code', 'code'],
  ['kbd', 'code'],
  ['samp', 'code'],
  ['tt', 'code'],
]);

/** Elements that end a line but mean nothing more here. A table's row is a line, its cells are parted by spaces. */
export const BOXES: ReadonlySet<string> = new Set([
  ...['div', 'section', 'article', 'main', 'aside', 'header', 'footer', 'nav', 'address', 'center', 'hgroup'],
  ...['figure', 'figcaption', 'details', 'summary', 'dl', 'dt', 'dd', 'form', 'fieldset', 'legend', 'search'],
  ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'html', 'body'],
]);

/** Elements whose content is no text of the article. */
export const DROPPED: ReadonlySet<string> = new Set([
  ...['script', 'style', 'head', 'title', 'meta', 'link', 'base', 'template', 'noscript', 'xml', 'dialog'],
  ...['object', 'embed', 'applet', 'iframe', 'frame', 'frameset', 'noembed', 'noframes', 'svg', 'math'],
  ...['textarea', 'select', 'option', 'datalist', 'button', 'audio', 'video', 'canvas', 'map', 'area'],
  ...['xmp', 'plaintext'],
]);
