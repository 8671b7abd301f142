import { $isCodeNode } from '@lexical/code';
import { $isLinkNode } from '@lexical/link';
import { $isListItemNode, $isListNode, type ListNode } from '@lexical/list';
import { $isHeadingNode, $isQuoteNode } from '@lexical/rich-text';
import {
  $getRoot,
  $isElementNode,
  $isLineBreakNode,
  $isTextNode,
  type ElementNode,
  type LexicalNode,
} from 'lexical';
import { tidyRuns, type Block, type ListBlock, type Run } from '#shared/news/article-html/article-document';
import { MARKS, MAX_INDENT, type Align, type TextTag } from '#shared/news/article-html/article-format';
import { allowedHref, ownImagePath } from '#shared/news/article-html/article-links';
import { FORMAT_OF } from './document-to-nodes';
import { $isImageNode } from './image-node';
import type { StoredImage } from './image-uploads';

/** Where an upload led; null while it has not. */
export type FindUploaded = (uploadId: string) => StoredImage | null;

/** The article as it stands in the editor, untidied. Pictures still on their way are not in it. Called inside a read. */
export function $readDocument(findUploaded: FindUploaded): Block[] {
  return $blocksOf($getRoot().getChildren(), findUploaded);
}

function $blocksOf(nodes: readonly LexicalNode[], find: FindUploaded): Block[] {
  return nodes.flatMap((node): Block[] => {
    if ($isListNode(node)) return $listOf(node, find);
    if ($isCodeNode(node)) return [{ kind: 'code', text: node.getTextContent() }];
    if ($isQuoteNode(node) && node.isShadowRoot()) {
      return [{ kind: 'quote', blocks: $blocksOf(node.getChildren(), find) }];
    }
    if ($isElementNode(node)) {
      const runs = tidyRuns($runsOf(node, null, find));
      // A picture's paragraph is none while the picture is on its way.
      if (runs.length === 0 && node.getChildren().some($isImageNode)) return [];
      return [
        {
          kind: 'text',
          tag: $tagOf(node),
          align: alignOf(node),
          indent: clampIndent(node.getIndent()),
          runs,
        },
      ];
    }
    return [];
  });
}

function $tagOf(node: ElementNode): TextTag {
  if ($isQuoteNode(node)) return 'blockquote';
  if (!$isHeadingNode(node)) return 'p';
  const tag = node.getTag();
  return tag === 'h1' || tag === 'h2' ? tag : 'h3';
}

function alignOf(node: ElementNode): Align {
  const format = node.getFormatType();
  if (format === 'end') return 'right';
  return format === 'center' || format === 'right' || format === 'justify' ? format : 'left';
}

const clampIndent = (indent: number) => Math.min(Math.max(indent, 0), MAX_INDENT);

/** A list that stands in an item of its own belongs to the item before it. */
function $listOf(node: ListNode, find: FindUploaded): ListBlock[] {
  const list: ListBlock = { kind: 'list', ordered: node.getListType() === 'number', items: [] };
  for (const child of node.getChildren()) {
    if (!$isListItemNode(child)) continue;
    const lists = child.getChildren().filter($isListNode);
    const nested = lists.flatMap((inner) => $listOf(inner, find));
    const runs = tidyRuns($runsOf(child, null, find));
    const before = list.items.at(-1);
    if (lists.length > 0 && runs.length === 0 && before !== undefined) {
      before.nested.push(...nested);
    } else list.items.push({ runs, align: alignOf(child), nested });
  }
  return list.items.length === 0 ? [] : [list];
}

function $runsOf(node: ElementNode, href: string | null, find: FindUploaded): Run[] {
  return node.getChildren().flatMap((child): Run[] => {
    if ($isTextNode(child)) {
      const marks = MARKS.filter((mark) => child.hasFormat(FORMAT_OF[mark]));
      return [{ kind: 'text', text: child.getTextContent(), marks, href }];
    }
    if ($isLineBreakNode(child)) return [{ kind: 'break' }];
    if ($isImageNode(child)) {
      const source = child.getSource();
      const image = source.kind === 'stored' ? source : find(source.uploadId);
      const src = image === null ? null : ownImagePath(image.src, null);
      if (image === null || src === null) return [];
      return [
        { kind: 'image', src, alt: child.getAlt().trim(), width: image.width, height: image.height, href },
      ];
    }
    if ($isLinkNode(child)) return $runsOf(child, allowedHref(child.getURL()), find);
    return $isElementNode(child) && !$isListNode(child) ? $runsOf(child, href, find) : [];
  });
}
