import { $createCodeNode } from '@lexical/code';
import { $createLinkNode, $isLinkNode } from '@lexical/link';
import { $createListItemNode, $createListNode, type ListNode } from '@lexical/list';
import { $createHeadingNode, $createQuoteNode } from '@lexical/rich-text';
import {
  $createLineBreakNode,
  $createParagraphNode,
  $createTextNode,
  type ElementNode,
  type LexicalNode,
  type TextFormatType,
} from 'lexical';
import type { Block, ListBlock, Run } from '#shared/news/article-html/article-document';
import type { Mark, TextTag } from '#shared/news/article-html/article-format';
import { $createImageNode } from './image-node';

export const FORMAT_OF: Record<Mark, TextFormatType> = {
  strong: 'bold',
  em: 'italic',
  u: 'underline',
  s: 'strikethrough',
  code: 'code',
};

/** The editor's nodes for an article. Called inside an update. */
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

/** Lexical keeps a nested list in an item of its own, after the item it belongs to. */
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

/** Runs inside one block. */
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

/** Text whose line feeds are breaks, as code blocks and plain text have them. */
export function $nodesOfLines(text: string): LexicalNode[] {
  return text
    .split('\n')
    .flatMap((line, index) => [
      ...(index === 0 ? [] : [$createLineBreakNode()]),
      ...(line === '' ? [] : [$createTextNode(line)]),
    ]);
}
