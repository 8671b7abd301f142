import { Parser } from 'htmlparser2';

/** A parsed element: lower-case names, no comments. */
export interface MarkupElement {
  tag: string;
  attributes: Record<string, string>;
  children: MarkupNode[];
}

export type MarkupNode = MarkupElement | string;

/** Maximum nesting of elements: the time for parsing grows with the depth. */
const MAX_DEPTH = 1_000;

/** Control characters except tab and line feed. */
// oxlint-disable-next-line no-control-regex -- matched on purpose
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** Normalises line feeds and removes control characters. */
function cleanText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(CONTROLS, '');
}

/**
 * Parses a page or a fragment, in time proportional to its length. Does not use `DOMParser`: browsers apply the page's
 * CSP to the parsed document, so styles cannot be read and each one logs an error. Elements that are nested too deeply
 * are left out and their text is kept; `onTooDeep` is called for them and may throw.
 */
export function parseMarkup(html: string, onTooDeep: () => void = () => undefined): MarkupNode[] {
  const roots: MarkupNode[] = [];
  // The children of each open element, innermost last.
  const open: MarkupNode[][] = [];
  const inner = () => open.at(-1) ?? roots;
  const parser = new Parser({
    onopentag(tag, written) {
      if (open.length >= MAX_DEPTH) onTooDeep();
      // html and body are transparent: their children take their place.
      if (tag === 'html' || tag === 'body' || open.length >= MAX_DEPTH) {
        open.push(inner());
        return;
      }
      const attributes: Record<string, string> = {};
      for (const [name, value] of Object.entries(written)) attributes[name] = cleanText(value);
      const element: MarkupElement = { tag, attributes, children: [] };
      inner().push(element);
      open.push(element.children);
    },
    // Decoded entities can contain control characters.
    ontext(data) {
      const into = inner();
      const last = into.at(-1);
      if (typeof last === 'string') into[into.length - 1] = last + cleanText(data);
      else into.push(cleanText(data));
    },
    onclosetag() {
      open.pop();
    },
  });
  // A lone surrogate is not a character and cannot be encoded.
  parser.end(cleanText(html).replace(/\p{Cs}/gu, '\ufffd'));
  return roots;
}
