import { useEffect, useId, useRef, type ReactNode } from 'react';

/** A small form or list between toolbar and text. Esc closes it and returns the focus to the text. */
export function Drawer({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
}) {
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
export function DrawerField({
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

export function DrawerButton({
  primary = false,
  onClick,
  children,
}: {
  primary?: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  const look = primary
    ? 'border-transparent bg-brand text-brand-ink'
    : 'border-line bg-surface text-ink hover:border-soft';
  return (
    <button
      type="button"
      onClick={onClick}
      className={`inline-flex min-h-10 cursor-pointer items-center rounded-control border px-3.5 font-semibold ${look}`}
    >
      {children}
    </button>
  );
}
