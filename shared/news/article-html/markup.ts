import { isTag, isText, type ChildNode } from 'domhandler';
import { parseDocument } from 'htmlparser2';

/** Parsed HTML: names in lower case, no comments. Text is a string. */
export interface MarkupElement {
  tag: string;
  attributes: Record<string, string>;
  children: MarkupNode[];
}

export type MarkupNode = MarkupElement | string;

/**
 * Parses a page or a piece of one; of a page only its body counts. The browser's own parser would do, but it holds the
 * page's policy against every style and handler of what it parses, and complains of each.
 */
export function parseMarkup(html: string): MarkupNode[] {
  return parseDocument(html).children.flatMap(fromNode);
}

function fromNode(node: ChildNode): MarkupNode[] {
  if (isText(node)) return [node.data];
  if (!('children' in node)) return [];
  const children = node.children.flatMap(fromNode);
  if (!isTag(node) || node.name === 'html' || node.name === 'body') return children;
  return [{ tag: node.name, attributes: node.attribs, children }];
}
