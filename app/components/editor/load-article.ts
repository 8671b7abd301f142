import { $createParagraphNode, $getRoot } from 'lexical';
import { isEmptyDocument } from '#shared/news/article-html/article-document';
import { parseMarkup } from '#shared/news/article-html/markup';
import { readDocument } from '#shared/news/article-html/read-document';
import { writeDocument } from '#shared/news/article-html/write-document';
import { $nodesOfDocument } from './document-to-nodes';

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
