import { useNavigate } from '@remix-run/react';
import { useEffect, useId, useRef, type ReactNode, type RefObject } from 'react';
import { Part } from './part';

/** Makes a dialog modal while it is mounted. Then focuses what had the focus before, or else the page's content. */
export function useModal(dialog: RefObject<HTMLDialogElement>): void {
  useEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    // `showModal` throws for a dialog that is already open, as the server renders those that the URL opens.
    element.removeAttribute('open');
    const before = document.activeElement;
    element.showModal();
    return () => {
      element.close();
      // The browser restores the focus itself, unless the dialog or the opener has left the document.
      if (document.activeElement !== document.body) return;
      const hasOpener = before instanceof HTMLElement && before.isConnected && before !== document.body;
      (hasOpener ? before : document.getElementById('content'))?.focus({ preventScroll: true });
    };
  }, [dialog]);
}

interface ConfirmDialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** A modal dialog that asks for confirmation, open while it is mounted. Esc calls `onClose`. */
export function ConfirmDialog({ title, onClose, children }: ConfirmDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useModal(dialog);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // Some browsers close the dialog on a second Esc without a cancel event.
      onClose={onClose}
      className="m-auto w-[calc(100%-2rem)] max-w-[28rem] rounded-card border border-line bg-surface text-ink shadow-card backdrop:bg-[oklch(0.1_0.02_272/0.6)]"
    >
      <div className="grid grid-cols-1 gap-4 p-6">
        <h2 id={id} className="text-title wrap-anywhere">
          {title}
        </h2>
        <Part>{children}</Part>
      </div>
    </dialog>
  );
}

interface UrlDialogProps {
  /** The page without the dialog. */
  leaveTo: string;
  labelledBy: string;
  describedBy?: string;
  className: string;
  children: ReactNode;
}

/** A dialog that the URL opens. The server renders it open; scripts make it modal. Esc and a click outside leave it. */
function UrlDialog({ leaveTo, labelledBy, describedBy, className, children }: UrlDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();
  const leave = () => navigate(leaveTo, { replace: true, preventScrollReset: true });
  useModal(dialog);
  return (
    <dialog
      ref={dialog}
      open
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) leave();
      }}
      className={`rounded-card border border-line bg-surface text-ink shadow-card backdrop:bg-[oklch(0.1_0.02_272/0.6)] ${className}`}
    >
      <div className="grid grid-cols-1 gap-4 p-6">
        <Part>{children}</Part>
      </div>
    </dialog>
  );
}

interface AddressDialogProps {
  title: string;
  text: ReactNode;
  leaveTo: string;
  children: ReactNode;
}

/** A confirmation dialog that the URL opens, in the page without scripts. `children`: its buttons, the safe one first. */
export function AddressDialog({ title, text, leaveTo, children }: AddressDialogProps) {
  return (
    <UrlDialog
      leaveTo={leaveTo}
      labelledBy="question-title"
      describedBy="question-text"
      className="static z-30 m-0 mb-5 w-full modal:fixed modal:inset-0 modal:m-auto modal:w-[calc(100%-2rem)] modal:max-w-[27rem]"
    >
      <h2 id="question-title" className="text-title wrap-anywhere">
        {title}
      </h2>
      <p id="question-text" className="wrap-anywhere text-soft">
        {text}
      </p>
      <div className="flex flex-wrap gap-2.5">{children}</div>
    </UrlDialog>
  );
}

interface PageDialogProps {
  title: string;
  leaveTo: string;
  children: ReactNode;
}

/** A dialog that the URL opens. Without scripts it is the first part of the page. `leaveTo`: the page without the dialog. */
export function PageDialog({ title, leaveTo, children }: PageDialogProps) {
  const id = useId();
  return (
    <UrlDialog
      leaveTo={leaveTo}
      labelledBy={id}
      className="fixed inset-0 z-30 m-auto h-fit max-h-[calc(100dvh-2rem)] w-[calc(100%-2rem)] max-w-[34rem] overflow-y-auto noscript:static noscript:mb-7 noscript:max-h-none noscript:w-full noscript:max-w-none"
    >
      <h2 id={id} className="text-title wrap-anywhere">
        {title}
      </h2>
      {children}
    </UrlDialog>
  );
}
