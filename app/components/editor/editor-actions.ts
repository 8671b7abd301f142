import { $createCodeNode, $isCodeNode } from '@lexical/code';
import { $isLinkNode } from '@lexical/link';
import {
  $isListItemNode,
  $isListNode,
  INSERT_ORDERED_LIST_COMMAND,
  INSERT_UNORDERED_LIST_COMMAND,
  ListNode,
} from '@lexical/list';
import {
  $createHeadingNode,
  $createQuoteNode,
  $isHeadingNode,
  $isQuoteNode,
  QuoteNode,
} from '@lexical/rich-text';
import { $setBlocksType } from '@lexical/selection';
import { $getNearestNodeOfType } from '@lexical/utils';
import {
  $createLineBreakNode,
  $createParagraphNode,
  $findMatchingParent,
  $getRoot,
  $getSelection,
  $isElementNode,
  $isNodeSelection,
  $isRangeSelection,
  FORMAT_ELEMENT_COMMAND,
  FORMAT_TEXT_COMMAND,
  INDENT_CONTENT_COMMAND,
  OUTDENT_CONTENT_COMMAND,
  REDO_COMMAND,
  UNDO_COMMAND,
  type BaseSelection,
  type ElementNode,
  type LexicalEditor,
  type LexicalNode,
  type TextFormatType,
} from 'lexical';
import { MAX_INDENT, type Align } from '#shared/news/article-html/article-format';
import { $isImageNode } from './images/image-node';
import { $makePlain } from './plain-code';

export type BlockKind = 'p' | 'h1' | 'h2' | 'h3' | 'quote' | 'code' | 'bullet' | 'number';

/** The formatting at the caret, as the toolbar shows it. */
export interface CaretState {
  block: BlockKind;
  quoted: boolean;
  formats: readonly TextFormatType[];
  align: Align;
  linked: boolean;
  canIndent: boolean;
  canOutdent: boolean;
}

export const DEFAULT_CARET: CaretState = {
  block: 'p',
  quoted: false,
  formats: [],
  align: 'left',
  linked: false,
  canIndent: true,
  canOutdent: false,
};

const FORMATS: readonly TextFormatType[] = ['bold', 'italic', 'underline', 'strikethrough'];

const isBlock = (node: LexicalNode): node is ElementNode => $isElementNode(node) && !node.isInline();

function $blockOf(node: LexicalNode): ElementNode | null {
  const block = $findMatchingParent(node, isBlock);
  return block !== null && isBlock(block) && block.getKey() !== 'root' ? block : null;
}

/** Reads the formatting at the caret. Must be called inside a read. */
export function $readCaret(): CaretState {
  const selection = $getSelection();
  if (selection === null) return DEFAULT_CARET;
  const node = $isRangeSelection(selection) ? selection.anchor.getNode() : selection.getNodes()[0];
  const block = node === undefined ? null : $blockOf(node);
  if (node === undefined || block === null) return DEFAULT_CARET;
  const quote = $getNearestNodeOfType(node, QuoteNode);
  const indent = block.getIndent();
  const align = block.getFormatType();
  return {
    block: $kindOf(block),
    quoted: quote !== null,
    formats: $isRangeSelection(selection) ? FORMATS.filter((format) => selection.hasFormat(format)) : [],
    align: align === 'center' || align === 'right' || align === 'justify' ? align : 'left',
    linked: $linkAt(selection) !== null,
    canIndent: block.canIndent() && indent < MAX_INDENT,
    canOutdent: indent > 0,
  };
}

function $kindOf(block: ElementNode): BlockKind {
  if ($isListItemNode(block)) {
    const list = $getNearestNodeOfType(block, ListNode);
    return list?.getListType() === 'number' ? 'number' : 'bullet';
  }
  if ($isCodeNode(block)) return 'code';
  if ($isQuoteNode(block)) return 'quote';
  if (!$isHeadingNode(block)) return 'p';
  const tag = block.getTag();
  return tag === 'h1' || tag === 'h2' ? tag : 'h3';
}

/** Returns the link at the start of the selection, or the first link inside it; null if there is none. */
export function $linkAt(selection: BaseSelection | null) {
  const node = $isRangeSelection(selection) ? selection.anchor.getNode() : selection?.getNodes()[0];
  const link = node === undefined ? null : $findMatchingParent(node, $isLinkNode);
  if ($isLinkNode(link)) return link;
  // A selection that covers a link starts before it.
  const within = $isRangeSelection(selection) ? selection.getNodes().find($isLinkNode) : undefined;
  return within ?? null;
}

/** Returns the selection. If there is none, selects the end of the text. */
export function $ensureSelection(): BaseSelection | null {
  return $getSelection() ?? $getRoot().selectEnd();
}

function update(editor: LexicalEditor, action: () => void): void {
  editor.update(() => {
    $ensureSelection();
    action();
  });
  editor.focus();
}

export function toggleFormat(editor: LexicalEditor, format: TextFormatType): void {
  update(editor, () => editor.dispatchCommand(FORMAT_TEXT_COMMAND, format));
}

export function setAlign(editor: LexicalEditor, align: Align): void {
  update(editor, () => {
    editor.dispatchCommand(FORMAT_ELEMENT_COMMAND, align === 'left' ? '' : align);
    // Lists and quotes have no alignment: the blocks in them that are not selected would inherit it.
    for (const node of $getSelection()?.getNodes() ?? []) {
      if ($isListNode(node) || ($isQuoteNode(node) && node.isShadowRoot())) node.setFormat('');
    }
  });
}

export function indent(editor: LexicalEditor): void {
  update(editor, () => editor.dispatchCommand(INDENT_CONTENT_COMMAND, undefined));
}

export function outdent(editor: LexicalEditor): void {
  update(editor, () => editor.dispatchCommand(OUTDENT_CONTENT_COMMAND, undefined));
}

export function undo(editor: LexicalEditor): void {
  editor.dispatchCommand(UNDO_COMMAND, undefined);
  editor.focus();
}

export function redo(editor: LexicalEditor): void {
  editor.dispatchCommand(REDO_COMMAND, undefined);
  editor.focus();
}

/** Sets the kind of the selected blocks, or turns them into paragraphs if they already have it. */
export function toggleBlock(editor: LexicalEditor, kind: BlockKind): void {
  update(editor, () => {
    const { block, quoted } = $readCaret();
    if (kind === 'bullet' || kind === 'number') {
      // Lexical's command would remove the whole list.
      if (block === kind) $setBlocks('p');
      else {
        const command = kind === 'bullet' ? INSERT_UNORDERED_LIST_COMMAND : INSERT_ORDERED_LIST_COMMAND;
        editor.dispatchCommand(command, undefined);
      }
    } else if (kind === 'quote' && quoted) $unquote();
    else if (kind === 'code' && block !== 'code') $makeCode();
    else $setBlocks(block === kind ? 'p' : kind);
  });
}

function $setBlocks(kind: Exclude<BlockKind, 'bullet' | 'number' | 'code'> | 'code'): void {
  const selection = $getSelection();
  if (selection === null) return;
  $setBlocksType(selection, () => {
    if (kind === 'p' || kind === 'code') return $createParagraphNode();
    return kind === 'quote' ? $createQuoteNode() : $createHeadingNode(kind);
  });
}

/** Replaces a quote of several blocks by these blocks, and a quote of one line by a paragraph. */
function $unquote(): void {
  const selection = $getSelection();
  const node = $isRangeSelection(selection) ? selection.anchor.getNode() : selection?.getNodes()[0];
  const quote = node === undefined ? null : $getNearestNodeOfType(node, QuoteNode);
  if (quote === null) return;
  if (!quote.isShadowRoot()) {
    $setBlocks('p');
    return;
  }
  for (const child of quote.getChildren()) quote.insertBefore(child);
  quote.remove();
}

function $selectedBlocks(selection: BaseSelection | null): ElementNode[] {
  const blocks = new Map<string, ElementNode>();
  for (const node of selection?.getNodes() ?? []) {
    const block = $blockOf(node);
    if (block !== null && !$isListNode(block)) blocks.set(block.getKey(), block);
  }
  return [...blocks.values()];
}

/** Converts the selected blocks to one code block, one line each, and moves their images behind it. */
function $makeCode(): void {
  // An image without text cannot become code.
  const selected = $selectedBlocks($getSelection());
  const text = selected.map((block) => block.getTextContent()).join('');
  if (text.trim() === '' && selected.some($holdsImage)) return;
  // List items first become paragraphs: an item is not a separate block.
  $setBlocks('p');
  const selection = $getSelection();
  const [first, ...rest] = $selectedBlocks(selection);
  if (first === undefined) return;
  const code = $createCodeNode();
  first.insertBefore(code);
  code.splice(code.getChildrenSize(), 0, first.getChildren());
  first.remove();
  for (const block of rest) {
    code.splice(code.getChildrenSize(), 0, [$createLineBreakNode(), ...block.getChildren()]);
    block.remove();
  }
  $makePlain(code);
  if ($isNodeSelection(selection)) code.selectStart();
  else code.selectEnd();
}

function $holdsImage(node: ElementNode): boolean {
  return node
    .getChildren()
    .some((child) => $isImageNode(child) || ($isElementNode(child) && $holdsImage(child)));
}
