import { Parser } from 'htmlparser2';

/** Parsed HTML: names in lower case, no comments. Text is a string. */
export interface MarkupElement {
  tag: string;
  attributes: Record<string, string>;
  children: MarkupNode[];
}

export type MarkupNode = MarkupElement | string;

/** Deeper than this nobody writes: parsing takes time in proportion to depth. */
const DEEPEST = 1_000;

/** Characters that no text has a use for; tabs and line feeds stay. */
// eslint-disable-next-line no-control-regex -- they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

function readable(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(CONTROLS, '');
}

/**
 * Parses a page or a piece of one, in time that grows with its length. The browser's own parser would do, but it holds
 * the page's policy against every style and handler of what it parses, and complains of each. Of what is nested beyond
 * reason the text stays; `onTooDeep` is told and may throw.
 */
export function parseMarkup(html: string, onTooDeep: () => void = () => undefined): MarkupNode[] {
  const roots: MarkupNode[] = [];
  // Where the content of each open element goes, the innermost last.
  const open: MarkupNode[][] = [];
  const inner = () => open.at(-1) ?? roots;
  const parser = new Parser({
    onopentag(tag, written) {
      if (open.length >= DEEPEST) onTooDeep();
      // Of a page only its body counts, and that only as a place.
      if (tag === 'html' || tag === 'body' || open.length >= DEEPEST) {
        open.push(inner());
        return;
      }
      const attributes: Record<string, string> = {};
      for (const [name, value] of Object.entries(written)) attributes[name] = readable(value);
      const element: MarkupElement = { tag, attributes, children: [] };
      inner().push(element);
      open.push(element.children);
    },
    // What stands for a character that is none, or no good, is known only now.
    ontext(data) {
      const into = inner();
      const last = into.at(-1);
      if (typeof last === 'string') into[into.length - 1] = last + readable(data);
      else into.push(readable(data));
    },
    onclosetag() {
      open.pop();
    },
  });
  // Half a pair of code units is no character, and no page could hold it.
  parser.end(readable(html).replace(/\p{Cs}/gu, '\ufffd'));
  return roots;
}
