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
import { linkText, typedHref } from '#shared/news/article-html/article-links';
import { $ensureSelection, $linkAt } from './editor-actions';
import { $isImageNode } from './images/image-node';
import { SHORTCUTS, shortcutLabel } from './shortcuts';

/** A small form or list between toolbar and text. Esc calls `onClose`. */
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
        // Esc must not close a dialog around the editor.
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

/** A labelled text field in a drawer. Enter calls `onEnter` and does not submit the form around the editor. */
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

interface DrawerButtonProps {
  primary?: boolean;
  onClick: () => void;
  children: ReactNode;
}

function DrawerButton({ primary = false, onClick, children }: DrawerButtonProps) {
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

interface ImageFormProps {
  editor: LexicalEditor;
  nodeKey: NodeKey;
  onClose: () => void;
}

/** Edits an image's alternative text during typing, or removes the image. */
export function ImageForm({ editor, nodeKey, onClose }: ImageFormProps) {
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

const INVALID_ADDRESS = 'Enter a web address, an email address, or a path on this site that begins with /.';

/** Reads the selection's link URL, and whether there is a link or text to link. */
function readSelection(editor: LexicalEditor): { href: string; hasText: boolean } {
  return editor.read(() => {
    const selection = $getSelection();
    const link = $linkAt(selection);
    const hasText = link !== null || (selection !== null && !selection.isCollapsed?.());
    return { href: link?.getURL() ?? '', hasText };
  });
}

/** Adds, changes or removes the link of the selection. */
export function LinkForm({ editor, onClose }: { editor: LexicalEditor; onClose: () => void }) {
  const [selected] = useState(() => readSelection(editor));
  const [address, setAddress] = useState(selected.href);
  const [text, setText] = useState('');
  const [invalid, setInvalid] = useState(false);

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
      setInvalid(true);
      return;
    }
    finish(() => {
      const selection = $getSelection();
      const link = $linkAt(selection);
      if (link !== null) link.setURL(href);
      else if ($isRangeSelection(selection) && selection.isCollapsed()) {
        const node = $createTextNode(text.trim() === '' ? linkText(address.trim()) : text.trim());
        node.setFormat(selection.format);
        $insertNodes([$createLinkNode(href).append(node)]);
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
          error={invalid ? INVALID_ADDRESS : null}
          onChange={(value) => {
            setAddress(value);
            setInvalid(false);
          }}
          onEnter={apply}
        />
        {selected.hasText ? null : (
          <DrawerField label="Text to display" value={text} onChange={setText} onEnter={apply} />
        )}
        <div className="flex flex-wrap gap-2 sm:pt-6.5">
          <DrawerButton primary onClick={apply}>
            {selected.href === '' ? 'Add link' : 'Change link'}
          </DrawerButton>
          {selected.href === '' ? null : (
            <DrawerButton onClick={() => finish(() => $toggleLink(null))}>Remove link</DrawerButton>
          )}
          <DrawerButton onClick={onClose}>Cancel</DrawerButton>
        </div>
      </div>
    </Drawer>
  );
}

function rows(): [string, string][] {
  const label = (name: keyof typeof SHORTCUTS) => shortcutLabel(SHORTCUTS[name]);
  return [
    ['Bold, italic, underline', [label('bold'), label('italic'), label('underline')].join(', ')],
    ['Strikethrough', `${label('strike')} or ${label('strikeAlternative')}`],
    ['Link', label('link')],
    ['Headings 1 to 3', [label('h1'), label('h2'), label('h3')].join(', ')],
    ['Paragraph', label('paragraph')],
    ['Numbered list, bulleted list', [label('number'), label('bullet')].join(', ')],
    ['Quote', label('quote')],
    ['Indent or outdent a list item', 'Tab, Shift+Tab'],
    ['New line in the same paragraph', 'Shift+Enter'],
    ['Undo, redo', [label('undo'), label('redo')].join(', ')],
    ['Paste without formatting', shortcutLabel({ code: 'KeyV', key: 'V', shift: true })],
    ['Describe the selected image', 'Enter'],
    ['Move to the toolbar', 'Alt+F10'],
    ['Leave the editor', 'Esc, then Tab'],
  ];
}

/** Lists the editor's keyboard shortcuts. */
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
