/**
 * What an article may contain, defined once for the reader, the writer and the sanitiser on the server. It matches the
 * editor's toolbar.
 */

/** The version of the sanitiser's rules. Increase it with every change of them: stored content is then sanitised again. */
export const HTML_VERSION = 2;

/** Marks of text, in the order in which they are nested by default. */
export const MARKS = ['strong', 'em', 'u', 's', 'code'] as const;
export type Mark = (typeof MARKS)[number];

/** Blocks of text, which may be aligned and indented. */
export const TEXT_TAGS = ['p', 'h1', 'h2', 'h3', 'blockquote'] as const;
export type TextTag = (typeof TEXT_TAGS)[number];

/** All tags of stored HTML. A code block is `<pre><code>` that contains only text. */
export const ARTICLE_TAGS = [...TEXT_TAGS, 'ul', 'ol', 'li', 'pre', 'br', 'img', 'a', ...MARKS] as const;

/** `left` is the default and is not written. */
export type Align = 'left' | 'center' | 'right' | 'justify';

/** Levels of indented blocks and nested lists. */
export const MAX_INDENT = 8;

const ALIGN_CLASSES: ReadonlyMap<string, Align> = new Map([
  ['align-center', 'center'],
  ['align-right', 'right'],
  ['align-justify', 'justify'],
]);
const INDENT_CLASSES: ReadonlyMap<string, number> = new Map(
  Array.from({ length: MAX_INDENT }, (_, index) => [`indent-${index + 1}`, index + 1]),
);

/** The classes of list items. */
export const ITEM_CLASSES: readonly string[] = [...ALIGN_CLASSES.keys()];
/** The classes of text blocks: at most one alignment and one indent, in this order. */
export const TEXT_CLASSES: readonly string[] = [...ALIGN_CLASSES.keys(), ...INDENT_CLASSES.keys()];

/** The value of `class`; empty for none. */
export function classesOf(align: Align, indent: number): string {
  const aligned = [...ALIGN_CLASSES].find(([, meaning]) => meaning === align)?.[0];
  const indented = [...INDENT_CLASSES].find(([, steps]) => steps === indent)?.[0];
  return [aligned, indented].filter((name) => name !== undefined).join(' ');
}

/** The alignment and the indent in a `class` attribute; the first of each counts. */
export function readClasses(text: string): { align: Align | undefined; indent: number | undefined } {
  const names = text.split(/\s+/);
  const aligned = names.find((name) => ALIGN_CLASSES.has(name)) ?? '';
  const indented = names.find((name) => INDENT_CLASSES.has(name)) ?? '';
  return { align: ALIGN_CLASSES.get(aligned), indent: INDENT_CLASSES.get(indented) };
}

/** The `rel` of every link. */
export const LINK_RELATIONS = 'noopener noreferrer nofollow';

/** The protocols of links to other sites; links to this site are paths. */
export const LINK_PROTOCOLS = ['http', 'https', 'mailto'] as const;

const PIXELS = /^[1-9]\d{0,4}$/;

/** Reads the width or height attribute of an image; null unless it is a number of pixels. */
export function readPixels(text: string): number | null {
  return PIXELS.test(text) ? Number(text) : null;
}

// How elements of other pages are read. Maps, because an object has a key `constructor`.

/** Elements that become a text block. */
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

/** Elements that only start and end a line. A table row becomes a line, with spaces between its cells. */
export const BOXES: ReadonlySet<string> = new Set([
  ...['div', 'section', 'article', 'main', 'aside', 'header', 'footer', 'nav', 'address', 'center', 'hgroup'],
  ...['figure', 'figcaption', 'details', 'summary', 'dl', 'dt', 'dd', 'form', 'fieldset', 'legend', 'search'],
  ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'html', 'body'],
]);

/** Elements that are removed with their content. */
export const DROPPED: ReadonlySet<string> = new Set([
  ...['script', 'style', 'head', 'title', 'meta', 'link', 'base', 'template', 'noscript', 'xml', 'dialog'],
  ...['object', 'embed', 'applet', 'iframe', 'frame', 'frameset', 'noembed', 'noframes', 'svg', 'math'],
  ...['textarea', 'select', 'option', 'datalist', 'button', 'audio', 'video', 'canvas', 'map', 'area'],
  ...['xmp', 'plaintext'],
]);
