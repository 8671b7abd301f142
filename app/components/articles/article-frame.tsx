import { Link, useNavigate } from '@remix-run/react';
import { useRef, type ReactNode } from 'react';
import { Button } from '~/components/ui/button';
import { ConfirmDialog, useModal } from '~/components/ui/dialogs';
import { CloseIcon } from '~/components/ui/icons';

/** The id of the heading that the frame's content has to render. */
export const FRAME_HEADING_ID = 'article-heading';

interface ArticleFrameProps {
  modal: boolean;
  /** The list's address. */
  backTo: string;
  children: ReactNode;
}

/** The frame of an article's form: a dialog over the list, or the page itself when its address was opened directly. */
export function ArticleFrame({ modal, backTo, children }: ArticleFrameProps) {
  return modal ? (
    <ArticleDialog backTo={backTo}>{children}</ArticleDialog>
  ) : (
    <div className="grid gap-4">
      <p>
        <Link
          to={backTo}
          className="inline-flex min-h-8 items-center font-semibold text-brand underline underline-offset-4 hover:no-underline"
        >
          ← All articles
        </Link>
      </p>
      <div className="rounded-card border border-line bg-surface px-4 pt-5 shadow-card sm:px-7 sm:pt-7">
        {children}
      </div>
    </div>
  );
}

function ArticleDialog({ backTo, children }: { backTo: string; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();
  useModal(dialog);
  // A form with unsaved changes may block this and ask first.
  const leave = () => navigate(backTo, { preventScrollReset: true });
  return (
    <dialog
      ref={dialog}
      aria-labelledby={FRAME_HEADING_ID}
      onCancel={(event) => {
        // Closing a file chooser fires the same event.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        leave();
      }}
      onClose={(event) => {
        // Some browsers close the dialog on a second Esc without a cancel event, so it must be opened again to ask.
        if (event.target !== event.currentTarget || !event.currentTarget.isConnected) return;
        event.currentTarget.showModal();
        leave();
      }}
      className="m-auto h-fit max-h-[calc(100dvh-1rem)] w-[calc(100%-1rem)] max-w-[58rem] overflow-y-auto overscroll-contain rounded-card border border-line bg-surface text-ink shadow-card backdrop:bg-[oklch(0.1_0.02_272/0.6)] sm:max-h-[calc(100dvh-3rem)] sm:w-[calc(100%-3rem)]"
    >
      <div className="px-4 pt-5 sm:px-7 sm:pt-7">{children}</div>
      {/* Last in the dialog, so that the first control of the content gets the focus. */}
      <Link
        to={backTo}
        preventScrollReset
        aria-label="Close"
        className="absolute top-3 right-3 grid size-11 place-items-center rounded-control text-soft hover:text-ink sm:top-5 sm:right-5"
      >
        <CloseIcon />
      </Link>
    </dialog>
  );
}

interface LeaveDialogProps {
  unsaved: boolean;
  onStay: () => void;
  onLeave: () => void;
}

/** Asks before the page is left with unsaved changes, or while files are uploading. */
export function LeaveDialog({ unsaved, onStay, onLeave }: LeaveDialogProps) {
  return (
    <ConfirmDialog
      title={unsaved ? 'Leave without saving?' : 'Leave while files are uploading?'}
      onClose={onStay}
    >
      <p className="text-soft">
        {unsaved ? 'Changes since your last save will be lost.' : 'Uploads in progress will be cancelled.'}
      </p>
      <p className="flex flex-wrap gap-2.5">
        <Button type="button" variant="primary" onClick={onStay}>
          Stay
        </Button>
        <Button type="button" onClick={onLeave}>
          Leave
        </Button>
      </p>
    </ConfirmDialog>
  );
}
