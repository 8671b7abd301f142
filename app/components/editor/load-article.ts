import { $createParagraphNode, $getRoot } from 'lexical';
import { isEmptyDocument } from './article-document';
import { $nodesOfDocument } from './document-to-nodes';
import { parseMarkup } from './markup';
import { readDocument } from './read-document';
import { writeDocument } from './write-document';

function readOwn(html: string) {
  return readDocument(parseMarkup(html), { from: 'ours', siteOrigin: location.origin }).blocks;
}

/** Puts an article's HTML in place of whatever is in the editor. Called inside an update. */
export function $loadArticle(html: string): void {
  const blocks = readOwn(html);
  const root = $getRoot().clear();
  root.append(...(blocks.length === 0 ? [$createParagraphNode()] : $nodesOfDocument(blocks)));
}

/** HTML as the editor would write it if it were loaded and left alone. */
export function normalHtml(html: string): string {
  const blocks = readOwn(html);
  return isEmptyDocument(blocks) ? '' : writeDocument(blocks);
}
