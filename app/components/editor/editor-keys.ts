import { $isListItemNode } from '@lexical/list';
import { $handleIndentAndOutdent } from '@lexical/utils';
import {
  $findMatchingParent,
  $getSelection,
  $isNodeSelection,
  $isRangeSelection,
  COMMAND_PRIORITY_HIGH,
  INDENT_CONTENT_COMMAND,
  KEY_DOWN_COMMAND,
  KEY_ENTER_COMMAND,
  KEY_ESCAPE_COMMAND,
  KEY_TAB_COMMAND,
  mergeRegister,
  OUTDENT_CONTENT_COMMAND,
  type ElementNode,
  type LexicalEditor,
  type LexicalNode,
  type NodeKey,
} from 'lexical';
import { MAX_INDENT } from '#shared/news/article-html/article-format';
import { toggleBlock, toggleFormat } from './editor-actions';
import { $isImageNode } from './images/image-node';
import { matches, SHORTCUTS, type Shortcut } from './shortcuts';

interface KeyOptions {
  onLink: () => void;
  onImage: (nodeKey: NodeKey) => void;
  onToolbar: () => void;
  /** Called with true when Esc was pressed and the next Tab leaves the text, and with false when that ends. */
  onLeaving: (leaving: boolean) => void;
}

/** A list item can be one level deeper than the item before it; no block can exceed `MAX_INDENT`. */
function canIndent(block: ElementNode): boolean {
  return block.getIndent() < MAX_INDENT && (!$isListItemNode(block) || block.getPreviousSibling() !== null);
}

function $listItemAtCaret(): LexicalNode | null {
  const selection = $getSelection();
  return $isRangeSelection(selection)
    ? $findMatchingParent(selection.anchor.getNode(), $isListItemNode)
    : null;
}

/** Registers the shortcuts that Lexical does not handle itself (it handles bold, italic, underline, undo and redo). */
export function registerKeys(
  editor: LexicalEditor,
  { onLink, onImage, onToolbar, onLeaving }: KeyOptions,
): () => void {
  let leaving = false;
  const setLeaving = (next: boolean) => {
    if (next === leaving) return;
    leaving = next;
    onLeaving(next);
  };
  const commands: [Shortcut, () => void][] = [
    [SHORTCUTS.strike, () => toggleFormat(editor, 'strikethrough')],
    [SHORTCUTS.strikeAlternative, () => toggleFormat(editor, 'strikethrough')],
    [SHORTCUTS.link, onLink],
    [SHORTCUTS.paragraph, () => toggleBlock(editor, 'p')],
    [SHORTCUTS.h1, () => toggleBlock(editor, 'h1')],
    [SHORTCUTS.h2, () => toggleBlock(editor, 'h2')],
    [SHORTCUTS.h3, () => toggleBlock(editor, 'h3')],
    [SHORTCUTS.number, () => toggleBlock(editor, 'number')],
    [SHORTCUTS.bullet, () => toggleBlock(editor, 'bullet')],
    [SHORTCUTS.quote, () => toggleBlock(editor, 'quote')],
  ];
  return mergeRegister(
    editor.registerCommand(
      KEY_DOWN_COMMAND,
      (event) => {
        if (event.key !== 'Escape' && event.key !== 'Tab' && event.key !== 'Shift') setLeaving(false);
        if (event.key === 'F10' && event.altKey) {
          event.preventDefault();
          onToolbar();
          return true;
        }
        const found = commands.find(([shortcut]) => matches(shortcut, event));
        if (found === undefined) return false;
        event.preventDefault();
        found[1]();
        return true;
      },
      COMMAND_PRIORITY_HIGH,
    ),
    editor.registerCommand(
      KEY_ESCAPE_COMMAND,
      (event) => {
        // The first Esc belongs to the editor; a second one may close a dialog around it.
        if (!leaving) {
          event.preventDefault();
          event.stopPropagation();
        }
        setLeaving(!leaving);
        return true;
      },
      COMMAND_PRIORITY_HIGH,
    ),
    editor.registerCommand(
      KEY_TAB_COMMAND,
      (event) => {
        const item = $listItemAtCaret();
        if (leaving || !$isListItemNode(item)) {
          setLeaving(false);
          return true;
        }
        event.preventDefault();
        return editor.dispatchCommand(
          event.shiftKey ? OUTDENT_CONTENT_COMMAND : INDENT_CONTENT_COMMAND,
          undefined,
        );
      },
      COMMAND_PRIORITY_HIGH,
    ),
    editor.registerCommand(
      INDENT_CONTENT_COMMAND,
      () => {
        $handleIndentAndOutdent((block) => {
          if (canIndent(block)) block.setIndent(block.getIndent() + 1);
        });
        return true;
      },
      COMMAND_PRIORITY_HIGH,
    ),
    editor.registerCommand(
      KEY_ENTER_COMMAND,
      (event) => {
        const selection = $getSelection();
        const [only, ...others] = $isNodeSelection(selection) ? selection.getNodes() : [];
        if (!$isImageNode(only) || others.length > 0) return false;
        event?.preventDefault();
        onImage(only.getKey());
        return true;
      },
      COMMAND_PRIORITY_HIGH,
    ),
  );
}
