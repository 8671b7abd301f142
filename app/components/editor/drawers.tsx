import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import {
  $createTextNode,
  $getNodeByKey,
  $getSelection,
  $insertNodes,
  $isRangeSelection,
  SKIP_DOM_SELECTION_TAG,
  type LexicalEditor,
  type NodeKey,
} from 'lexical';
import { $createLinkNode, $toggleLink } from '@lexical/link';
import { typedHref } from '#shared/news/article-html/article-links';
import { $ensureSelection, $linkAt } from './editor-actions';
import { $isImageNode } from './images/image-node';
import { SHORTCUTS, spokenShortcut } from './shortcuts';

/** A small form or list between toolbar and text. Esc closes it and returns the focus to the text. */
function Drawer({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.querySelector<HTMLElement>('[data-first]')?.focus();
  }, []);
  return (
    <div
      ref={box}
      role="dialog"
      aria-labelledby={id}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // Must not close a dialog around the editor.
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
      className="max-h-3/5 shrink-0 overflow-y-auto border-b border-line bg-surface px-3.5 py-3"
    >
      <h3 id={id} className="sr-only">
        {title}
      </h3>
      {children}
    </div>
  );
}

/** A labelled text field in a drawer. Enter submits the drawer and never the form around it. */
function DrawerField({
  label,
  hint,
  error,
  value,
  first = false,
  inputMode,
  onChange,
  onEnter,
}: {
  label: string;
  hint?: string;
  error?: string | null;
  value: string;
  first?: boolean;
  inputMode?: 'url';
  onChange: (value: string) => void;
  onEnter: () => void;
}) {
  const id = useId();
  const noteId = `${id}-note`;
  const note = error ?? hint;
  return (
    <div className="min-w-0 flex-1 basis-56">
      <label htmlFor={id} className="mb-1 block text-small font-semibold">
        {label}
      </label>
      <input
        id={id}
        type="text"
        inputMode={inputMode}
        autoComplete="off"
        value={value}
        data-first={first || undefined}
        aria-invalid={error !== null && error !== undefined}
        aria-describedby={note === undefined ? undefined : noteId}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          onEnter();
        }}
        className="block min-h-10 w-full rounded-control border border-soft bg-page px-3 py-1.5 text-ink aria-invalid:border-live"
      />
      {note === undefined ? null : (
        <p
          id={noteId}
          role={error === null || error === undefined ? undefined : 'alert'}
          className={`mt-1 text-small ${error === null || error === undefined ? 'text-soft' : 'text-live'}`}
        >
          {note}
        </p>
      )}
    </div>
  );
}

function DrawerButton({
  primary = false,
  onClick,
  children,
}: {
  primary?: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  const className = primary
    ? 'border-transparent bg-brand text-brand-ink'
    : 'border-line bg-surface text-ink hover:border-soft';
  return (
    <button
      type="button"
      onClick={onClick}
      className={`inline-flex min-h-10 cursor-pointer items-center rounded-control border px-3.5 font-semibold ${className}`}
    >
      {children}
    </button>
  );
}

/** Edits an image's alternative text as it is typed, or removes the image. */
export function ImageForm({
  editor,
  nodeKey,
  onClose,
}: {
  editor: LexicalEditor;
  nodeKey: NodeKey;
  onClose: () => void;
}) {
  const [alt, setAlt] = useState(() =>
    editor.read(() => {
      const node = $getNodeByKey(nodeKey);
      return $isImageNode(node) ? node.getAlt() : '';
    }),
  );
  const change = (value: string) => {
    setAlt(value);
    editor.update(
      () => {
        const node = $getNodeByKey(nodeKey);
        if ($isImageNode(node)) node.setAlt(value);
      },
      { tag: SKIP_DOM_SELECTION_TAG },
    );
  };
  const remove = () => {
    editor.update(() => {
      const node = $getNodeByKey(nodeKey);
      if (!$isImageNode(node)) return;
      node.selectPrevious();
      node.remove();
    });
    onClose();
  };
  return (
    <Drawer title="Image" onClose={onClose}>
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <DrawerField
          label="Alternative text"
          hint="Describe the image for people who cannot see it."
          value={alt}
          first
          onChange={change}
          onEnter={onClose}
        />
        <div className="flex flex-wrap gap-2 sm:pt-6.5">
          <DrawerButton primary onClick={onClose}>
            Done
          </DrawerButton>
          <DrawerButton onClick={remove}>Remove image</DrawerButton>
        </div>
      </div>
    </Drawer>
  );
}

const WRONG_ADDRESS = 'Enter a web address, an email address, or a path on this site that begins with /.';

/** What the selection contains: a link to change, text to link, or nothing. */
function readPlace(editor: LexicalEditor): { href: string; hasWords: boolean } {
  return editor.read(() => {
    const selection = $getSelection();
    const link = $linkAt(selection);
    const hasWords = link !== null || (selection !== null && !selection.isCollapsed?.());
    return { href: link?.getURL() ?? '', hasWords };
  });
}

export function LinkForm({ editor, onClose }: { editor: LexicalEditor; onClose: () => void }) {
  const [place] = useState(() => readPlace(editor));
  const [address, setAddress] = useState(place.href);
  const [words, setWords] = useState('');
  const [wrong, setWrong] = useState(false);

  const finish = (change: () => void) => {
    editor.update(() => {
      $ensureSelection();
      change();
    });
    onClose();
  };

  const apply = () => {
    const href = typedHref(address);
    if (href === null) {
      setWrong(true);
      return;
    }
    finish(() => {
      const selection = $getSelection();
      const link = $linkAt(selection);
      if (link !== null) link.setURL(href);
      else if ($isRangeSelection(selection) && selection.isCollapsed()) {
        const text = $createTextNode(words.trim() === '' ? address.trim() : words.trim());
        text.setFormat(selection.format);
        $insertNodes([$createLinkNode(href).append(text)]);
      } else $toggleLink(href);
    });
  };

  return (
    <Drawer title="Link" onClose={onClose}>
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <DrawerField
          label="Link address"
          value={address}
          first
          inputMode="url"
          error={wrong ? WRONG_ADDRESS : null}
          onChange={(value) => {
            setAddress(value);
            setWrong(false);
          }}
          onEnter={apply}
        />
        {place.hasWords ? null : (
          <DrawerField label="Text to display" value={words} onChange={setWords} onEnter={apply} />
        )}
        <div className="flex flex-wrap gap-2 sm:pt-6.5">
          <DrawerButton primary onClick={apply}>
            {place.href === '' ? 'Add link' : 'Change link'}
          </DrawerButton>
          {place.href === '' ? null : (
            <DrawerButton onClick={() => finish(() => $toggleLink(null))}>Remove link</DrawerButton>
          )}
          <DrawerButton onClick={onClose}>Cancel</DrawerButton>
        </div>
      </div>
    </Drawer>
  );
}

function rows(): [string, string][] {
  const spoken = (name: keyof typeof SHORTCUTS) => spokenShortcut(SHORTCUTS[name]);
  return [
    ['Bold, italic, underline', [spoken('bold'), spoken('italic'), spoken('underline')].join(', ')],
    ['Strikethrough', `${spoken('strike')} or ${spoken('strikeToo')}`],
    ['Link', spoken('link')],
    ['Headings 1 to 3', [spoken('h1'), spoken('h2'), spoken('h3')].join(', ')],
    ['Paragraph', spoken('paragraph')],
    ['Numbered list, bulleted list', [spoken('number'), spoken('bullet')].join(', ')],
    ['Quote', spoken('quote')],
    ['Indent or outdent a list item', 'Tab, Shift+Tab'],
    ['New line in the same paragraph', 'Shift+Enter'],
    ['Undo, redo', [spoken('undo'), spoken('redo')].join(', ')],
    ['Paste without formatting', spokenShortcut({ code: 'KeyV', key: 'V', shift: true })],
    ['Describe the selected image', 'Enter'],
    ['Move to the toolbar', 'Alt+F10'],
    ['Leave the editor', 'Esc, then Tab'],
  ];
}

export function ShortcutList({ onClose }: { onClose: () => void }) {
  return (
    <Drawer title="Keyboard shortcuts" onClose={onClose}>
      <dl className="grid gap-x-8 gap-y-1 text-small sm:grid-cols-2">
        {rows().map(([what, keys]) => (
          <div key={what} className="flex justify-between gap-3 border-b border-line py-1">
            <dt>{what}</dt>
            <dd className="text-right font-semibold">{keys}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-3" data-first tabIndex={-1}>
        <DrawerButton onClick={onClose}>Close</DrawerButton>
      </div>
    </Drawer>
  );
}
