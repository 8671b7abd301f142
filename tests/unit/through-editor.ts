import { CodeNode } from '@lexical/code';
import { LinkNode } from '@lexical/link';
import { ListItemNode, ListNode } from '@lexical/list';
import { HeadingNode, QuoteNode } from '@lexical/rich-text';
import { $getRoot, createEditor, type LexicalEditor } from 'lexical';
import type { Block } from '#shared/news/article-html/article-document';
import { parseMarkup } from '#shared/news/article-html/markup';
import { readDocument } from '#shared/news/article-html/read-document';
import { writeDocument } from '#shared/news/article-html/write-document';
import { $nodesOfDocument, $readDocument } from '~/components/editor/article-nodes';
import { ImageNode } from '~/components/editor/images/image-node';

/** A headless article editor. */
export function createArticleEditor(): LexicalEditor {
  return createEditor({
    nodes: [HeadingNode, QuoteNode, ListNode, ListItemNode, LinkNode, CodeNode, ImageNode],
    onError: (error) => {
      throw error;
    },
  });
}

/** The HTML that the editor writes after `change`. */
export function inEditor(
  $change: () => void,
  findUploaded: Parameters<typeof $readDocument>[0] = () => null,
): string {
  let blocks: Block[] = [];
  createArticleEditor().update(
    () => {
      $change();
      blocks = $readDocument(findUploaded);
    },
    { discrete: true },
  );
  return writeDocument(blocks);
}

/** The HTML that the editor saves when it was opened and not changed. */
export function throughEditor(html: string): string {
  const { blocks } = readDocument(parseMarkup(html), { from: 'ours', siteOrigin: null });
  return inEditor(() => $getRoot().append(...$nodesOfDocument(blocks)));
}
