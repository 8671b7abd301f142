import { useNavigate } from '@remix-run/react';
import { useCallback, useId, useRef, type ReactNode } from 'react';
import { useModal } from './dialogs';

/**
 * A dialog that the URL opens. The server renders it open; scripts make it modal. Without scripts it is the first part of
 * the page. Esc and a click outside lead to `leaveTo`, the page without the dialog.
 */
export function PageDialog({
  title,
  leaveTo,
  children,
}: {
  title: string;
  leaveTo: string;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const navigate = useNavigate();
  const leave = useCallback(
    () => navigate(leaveTo, { replace: true, preventScrollReset: true }),
    [navigate, leaveTo],
  );

  useModal(dialog);

  return (
    <dialog
      ref={dialog}
      open
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) leave();
      }}
      className="fixed inset-0 z-30 m-auto h-fit max-h-[calc(100dvh-2rem)] w-[calc(100%-2rem)] max-w-[34rem] overflow-y-auto rounded-card border border-line bg-surface text-ink shadow-card backdrop:bg-[oklch(0.1_0.02_272/0.6)] noscript:static noscript:mb-7 noscript:max-h-none noscript:w-full noscript:max-w-none"
    >
      <div className="grid gap-4 p-6">
        <h2 id={id} className="text-title">
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  );
}
