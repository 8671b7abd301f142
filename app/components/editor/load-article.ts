import { $createParagraphNode, $getRoot } from 'lexical';
import { isEmptyDocument } from '#shared/news/article-html/article-document';
import { parseMarkup } from '#shared/news/article-html/markup';
import { readDocument } from '#shared/news/article-html/read-document';
import { writeDocument } from '#shared/news/article-html/write-document';
import { $nodesOfDocument } from './article-nodes';

function readOwn(html: string) {
  return readDocument(parseMarkup(html), { from: 'ours', siteOrigin: location.origin }).blocks;
}

/** Replaces the content of the editor with an article's HTML. Called inside an update. */
export function $loadArticle(html: string): void {
  const blocks = readOwn(html);
  const root = $getRoot().clear();
  root.append(...(blocks.length === 0 ? [$createParagraphNode()] : $nodesOfDocument(blocks)));
}

/** HTML as the editor writes it when it is loaded and not changed. */
export function normalHtml(html: string): string {
  const blocks = readOwn(html);
  return isEmptyDocument(blocks) ? '' : writeDocument(blocks);
}
