import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import {
  CAN_REDO_COMMAND,
  CAN_UNDO_COMMAND,
  COMMAND_PRIORITY_LOW,
  mergeRegister,
  type LexicalEditor,
} from 'lexical';
import type { Align } from '#shared/news/article-html/article-format';
import { TOOLBAR_ICONS } from './toolbar-icons';
import {
  indent,
  outdent,
  redo,
  setAlign,
  toggleBlock,
  toggleFormat,
  undo,
  type BlockKind,
  type CaretState,
  $readCaret,
  DEFAULT_CARET,
} from './editor-actions';
import { ariaShortcut, SHORTCUTS, shortcutLabel, type Shortcut } from './shortcuts';

interface ToolbarState extends CaretState {
  canUndo: boolean;
  canRedo: boolean;
}

interface Tool {
  id: string;
  label: string;
  icon: ReactNode;
  shortcut?: Shortcut;
  /** Undefined for buttons that are not toggles. */
  pressed?: boolean;
  disabled?: boolean;
  /** For buttons that open something: whether it is open. */
  expanded?: boolean;
  act: () => void;
}

interface ToolbarProps {
  editor: LexicalEditor;
  state: ToolbarState;
  contentId: string;
  disabled: boolean;
  linkOpen: boolean;
  onLink: () => void;
  /** Null when images cannot be inserted. */
  onImage: (() => void) | null;
}

function toolsOf({ editor, state, linkOpen, onLink, onImage }: ToolbarProps): Tool[][] {
  const block = (id: BlockKind, label: string, icon: ReactNode, shortcut?: Shortcut): Tool => ({
    id,
    label,
    icon,
    shortcut,
    pressed: id === 'quote' ? state.quoted : state.block === id,
    act: () => toggleBlock(editor, id),
  });
  const align = (id: Align, label: string): Tool => ({
    id,
    label,
    icon: TOOLBAR_ICONS[id],
    pressed: state.align === id,
    disabled: state.block === 'code',
    act: () => setAlign(editor, id),
  });
  const format = (id: 'bold' | 'italic' | 'underline' | 'strike', label: string): Tool => {
    const name = id === 'strike' ? 'strikethrough' : id;
    return {
      id,
      label,
      icon: TOOLBAR_ICONS[id],
      shortcut: SHORTCUTS[id],
      pressed: state.formats.includes(name),
      disabled: state.block === 'code',
      act: () => toggleFormat(editor, name),
    };
  };
  return [
    [
      block('p', 'Paragraph', TOOLBAR_ICONS.paragraph, SHORTCUTS.paragraph),
      block('h1', 'H1, Heading 1', TOOLBAR_ICONS.h1, SHORTCUTS.h1),
      block('h2', 'H2, Heading 2', TOOLBAR_ICONS.h2, SHORTCUTS.h2),
      block('h3', 'H3, Heading 3', TOOLBAR_ICONS.h3, SHORTCUTS.h3),
    ],
    [
      format('bold', 'Bold'),
      format('italic', 'Italic'),
      format('underline', 'Underline'),
      format('strike', 'Strikethrough'),
    ],
    [
      block('bullet', 'Bulleted list', TOOLBAR_ICONS.bullet, SHORTCUTS.bullet),
      block('number', 'Numbered list', TOOLBAR_ICONS.number, SHORTCUTS.number),
      {
        id: 'outdent',
        label: 'Outdent',
        icon: TOOLBAR_ICONS.outdent,
        disabled: !state.canOutdent,
        act: () => outdent(editor),
      },
      {
        id: 'indent',
        label: 'Indent',
        icon: TOOLBAR_ICONS.indent,
        disabled: !state.canIndent,
        act: () => indent(editor),
      },
    ],
    [
      block('quote', 'Quote', TOOLBAR_ICONS.quote, SHORTCUTS.quote),
      block('code', 'Code block', TOOLBAR_ICONS.code),
    ],
    [
      align('left', 'Align left'),
      align('center', 'Centre'),
      align('right', 'Align right'),
      align('justify', 'Justify'),
    ],
    [
      {
        id: 'link',
        label: 'Link',
        icon: TOOLBAR_ICONS.link,
        shortcut: SHORTCUTS.link,
        pressed: state.linked,
        expanded: linkOpen,
        disabled: state.block === 'code',
        act: onLink,
      },
      ...(onImage === null
        ? []
        : [{ id: 'image', label: 'Add images', icon: TOOLBAR_ICONS.image, act: onImage }]),
    ],
    [
      {
        id: 'undo',
        label: 'Undo',
        icon: TOOLBAR_ICONS.undo,
        shortcut: SHORTCUTS.undo,
        disabled: !state.canUndo,
        act: () => undo(editor),
      },
      {
        id: 'redo',
        label: 'Redo',
        icon: TOOLBAR_ICONS.redo,
        shortcut: SHORTCUTS.redo,
        disabled: !state.canRedo,
        act: () => redo(editor),
      },
    ],
  ];
}

/** The formatting toolbar: one tab stop; arrow keys, Home and End move inside. Disabled buttons stay focusable. */
export function Toolbar(props: ToolbarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState('p');
  const [tip, setTip] = useState<{ text: string; left: number; top: number } | null>(null);
  const groups = toolsOf(props);

  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const buttons = [...(bar.current?.querySelectorAll('button') ?? [])];
    const at = buttons.findIndex((button) => button === document.activeElement);
    const to = {
      ArrowRight: (at + 1) % buttons.length,
      ArrowLeft: (at - 1 + buttons.length) % buttons.length,
      Home: 0,
      End: buttons.length - 1,
    }[event.key];
    if (event.key === 'Escape') {
      // Returns to the text; must not close a dialog around the editor.
      event.preventDefault();
      event.stopPropagation();
      props.editor.focus();
    }
    if (to === undefined) return;
    event.preventDefault();
    buttons[to]?.focus();
  };

  const showTip = (button: HTMLElement, { label, shortcut }: Tool) => {
    const frame = bar.current?.offsetParent;
    if (!(frame instanceof HTMLElement)) return;
    const [outer, inner] = [frame.getBoundingClientRect(), button.getBoundingClientRect()];
    setTip({
      text: shortcut === undefined ? label : `${label} (${shortcutLabel(shortcut)})`,
      left: Math.min(Math.max(inner.left + inner.width / 2 - outer.left, 80), outer.width - 80),
      top: inner.bottom - outer.top + 4,
    });
  };

  return (
    <>
      <div
        ref={bar}
        role="toolbar"
        aria-label="Text formatting"
        aria-controls={props.contentId}
        onKeyDown={move}
        onScroll={() => setTip(null)}
        data-editor-toolbar
        className="flex shrink-0 gap-y-0.5 overflow-x-auto border-b border-line bg-surface px-1 py-1 [scrollbar-width:thin] sm:flex-wrap"
      >
        {groups.map((group, index) => (
          <div
            key={index}
            role="group"
            className={`flex shrink-0 ${index === 0 ? '' : 'ml-1 border-l border-line pl-1'}`}
          >
            {group.map((tool) => (
              <button
                key={tool.id}
                type="button"
                tabIndex={tool.id === current ? 0 : -1}
                aria-label={tool.label}
                aria-pressed={tool.pressed}
                aria-expanded={tool.expanded}
                aria-keyshortcuts={tool.shortcut === undefined ? undefined : ariaShortcut(tool.shortcut)}
                aria-disabled={tool.disabled === true || props.disabled || undefined}
                // Keeps the selection in the text when the mouse button goes down.
                onMouseDown={(event) => event.preventDefault()}
                onFocus={(event) => {
                  setCurrent(tool.id);
                  if (event.currentTarget.matches(':focus-visible')) showTip(event.currentTarget, tool);
                }}
                onBlur={() => setTip(null)}
                onMouseEnter={(event) => showTip(event.currentTarget, tool)}
                onMouseLeave={() => setTip(null)}
                onClick={() => {
                  setTip(null);
                  if (tool.disabled !== true && !props.disabled) tool.act();
                }}
                className="inline-flex size-10 shrink-0 cursor-pointer items-center justify-center rounded-[7px] text-ink outline-offset-[-3px] hover:bg-sunken aria-disabled:cursor-default aria-disabled:text-soft aria-disabled:opacity-55 aria-disabled:hover:bg-transparent aria-pressed:bg-sunken aria-pressed:text-brand aria-pressed:inset-ring-2 aria-pressed:inset-ring-brand sm:size-9"
              >
                {tool.icon}
              </button>
            ))}
          </div>
        ))}
      </div>
      {tip === null ? null : (
        <span
          aria-hidden="true"
          style={{ left: tip.left, top: tip.top }}
          className="pointer-events-none absolute z-20 -translate-x-1/2 rounded-[7px] bg-ink px-2 py-1 text-small whitespace-nowrap text-page"
        >
          {tip.text}
        </span>
      )}
    </>
  );
}

/** Returns the toolbar's state for the current selection and history. */
export function useToolbarState(editor: LexicalEditor): ToolbarState {
  const [caret, setCaret] = useState(DEFAULT_CARET);
  const [history, setHistory] = useState({ canUndo: false, canRedo: false });
  useEffect(
    () =>
      mergeRegister(
        editor.registerUpdateListener(({ editorState }) => {
          const next = editorState.read($readCaret);
          setCaret((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
        }),
        editor.registerCommand(
          CAN_UNDO_COMMAND,
          (canUndo) => {
            setHistory((before) => ({ ...before, canUndo }));
            return false;
          },
          COMMAND_PRIORITY_LOW,
        ),
        editor.registerCommand(
          CAN_REDO_COMMAND,
          (canRedo) => {
            setHistory((before) => ({ ...before, canRedo }));
            return false;
          },
          COMMAND_PRIORITY_LOW,
        ),
      ),
    [editor],
  );
  return { ...caret, ...history };
}
