import { DomHandler, type Document, type Element } from 'domhandler';
import { Parser } from 'htmlparser2';

/** A document, and its style elements, which have to be read before anything else in it. */
export interface ParsedHtml {
  document: Document;
  styleSheets: readonly Element[];
}

/** Parses HTML, however broken, into a tree. */
export function parseHtml(source: string): ParsedHtml {
  const styleSheets: Element[] = [];
  const handler = new DomHandler(undefined, undefined, (element) => {
    if (element.name === 'style') styleSheets.push(element);
  });
  new Parser(handler).end(source);
  return { document: handler.root, styleSheets };
}
