import { $createCodeNode, $isCodeNode } from '@lexical/code';
import { $createLinkNode, $isLinkNode } from '@lexical/link';
import {
  $createListItemNode,
  $createListNode,
  $isListItemNode,
  $isListNode,
  type ListNode,
} from '@lexical/list';
import { $createHeadingNode, $createQuoteNode, $isHeadingNode, $isQuoteNode } from '@lexical/rich-text';
import {
  $createLineBreakNode,
  $createParagraphNode,
  $createTextNode,
  $getRoot,
  $isElementNode,
  $isLineBreakNode,
  $isTextNode,
  type ElementNode,
  type LexicalNode,
  type TextFormatType,
} from 'lexical';
import {
  normaliseRuns,
  type Block,
  type ListBlock,
  type Run,
  isEmptyDocument,
} from '#shared/news/article-html/article-document';
import {
  MARKS,
  MAX_INDENT,
  type Align,
  type Mark,
  type TextTag,
} from '#shared/news/article-html/article-format';
import { allowedHref, ownImagePath } from '#shared/news/article-html/article-links';
import { parseMarkup } from '#shared/news/article-html/markup';
import { readDocument } from '#shared/news/article-html/read-document';
import { writeDocument } from '#shared/news/article-html/write-document';
import { $createImageNode, $isImageNode } from './images/image-node';
import type { StoredImage } from './images/image-uploads';

const FORMAT_OF: Record<Mark, TextFormatType> = {
  strong: 'bold',
  em: 'italic',
  u: 'underline',
  s: 'strikethrough',
  code: 'code',
};

/** Creates the editor's nodes for an article. Must be called inside an update. */
export function $nodesOfDocument(blocks: readonly Block[]): ElementNode[] {
  return blocks.map($nodeOfBlock);
}

function $nodeOfBlock(block: Block): ElementNode {
  switch (block.kind) {
    case 'text': {
      const node = $textBlock(block.tag).append(...$nodesOfRuns(block.runs));
      node.setFormat(block.align === 'left' ? '' : block.align);
      return node.setIndent(block.indent);
    }
    case 'quote':
      return $createQuoteNode({ shadowRoot: true }).append(...$nodesOfDocument(block.blocks));
    case 'code':
      return $createCodeNode().append(...$nodesOfLines(block.text));
    case 'list':
      return $listNode(block);
  }
}

function $textBlock(tag: TextTag): ElementNode {
  if (tag === 'p') return $createParagraphNode();
  return tag === 'blockquote' ? $createQuoteNode() : $createHeadingNode(tag);
}

/** Lexical puts a nested list into a separate item, after the item it belongs to. */
function $listNode({ ordered, items }: ListBlock): ListNode {
  const list = $createListNode(ordered ? 'number' : 'bullet');
  for (const [index, { runs, align, nested }] of items.entries()) {
    if (runs.length > 0 || nested.length === 0 || index > 0) {
      const item = $createListItemNode().append(...$nodesOfRuns(runs));
      item.setFormat(align === 'left' ? '' : align);
      list.append(item);
    }
    for (const inner of nested) list.append($createListItemNode().append($listNode(inner)));
  }
  return list;
}

/** Creates the nodes for the runs of a block. Must be called inside an update. */
export function $nodesOfRuns(runs: readonly Run[]): LexicalNode[] {
  const nodes: LexicalNode[] = [];
  for (const run of runs) {
    const href = run.kind === 'break' ? null : run.href;
    const node = $nodeOfRun(run);
    const last = nodes.at(-1);
    if (href === null) nodes.push(node);
    else if ($isLinkNode(last) && last.getURL() === href) last.append(node);
    else nodes.push($createLinkNode(href).append(node));
  }
  return nodes;
}

function $nodeOfRun(run: Run): LexicalNode {
  if (run.kind === 'break') return $createLineBreakNode();
  if (run.kind === 'image') {
    const { src, alt, width, height } = run;
    return $createImageNode({ kind: 'stored', src, width, height }, alt);
  }
  const node = $createTextNode(run.text);
  for (const mark of run.marks) node.toggleFormat(FORMAT_OF[mark]);
  return node;
}

/** Creates the nodes for plain text with line feeds. Must be called inside an update. */
export function $nodesOfLines(text: string): LexicalNode[] {
  return text
    .split('\n')
    .flatMap((line, index) => [
      ...(index === 0 ? [] : [$createLineBreakNode()]),
      ...(line === '' ? [] : [$createTextNode(line)]),
    ]);
}

/** Returns the stored image of an upload; null until it is stored. */
export type FindUploaded = (uploadId: string) => StoredImage | null;

/** Reads the article from the editor's nodes, not normalised and without uploading images. Must be called inside a read. */
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
      const runs = normaliseRuns($runsOf(node, null, find));
      // Skips the paragraph of an uploading image.
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

/** A list in a separate item belongs to the item before it. */
function $listOf(node: ListNode, find: FindUploaded): ListBlock[] {
  const list: ListBlock = { kind: 'list', ordered: node.getListType() === 'number', items: [] };
  for (const child of node.getChildren()) {
    if (!$isListItemNode(child)) continue;
    const lists = child.getChildren().filter($isListNode);
    const nested = lists.flatMap((inner) => $listOf(inner, find));
    const runs = normaliseRuns($runsOf(child, null, find));
    const before = list.items.at(-1);
    if (lists.length > 0 && runs.length === 0 && before !== undefined) {
      before.nested = before.nested.concat(nested);
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

function readOwn(html: string) {
  return readDocument(parseMarkup(html), { from: 'ours', siteOrigin: location.origin }).blocks;
}

/** Replaces the editor's content with an article's HTML. Must be called inside an update. */
export function $loadArticle(html: string): void {
  const blocks = readOwn(html);
  const root = $getRoot().clear();
  root.append(...(blocks.length === 0 ? [$createParagraphNode()] : $nodesOfDocument(blocks)));
}

/** Normalises HTML: returns what the editor writes for it without changes. */
export function normaliseHtml(html: string): string {
  const blocks = readOwn(html);
  return isEmptyDocument(blocks) ? '' : writeDocument(blocks);
}
