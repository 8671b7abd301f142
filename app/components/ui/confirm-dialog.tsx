import { useId, useRef, type ReactNode } from 'react';
import { useModal } from '~/components/use-modal';

/** A question that has to be answered first; mounted as long as it is open. Esc answers as `onClose` does. */
export function ConfirmDialog({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
}) {
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
      // Some browsers close on a second Esc without asking.
      onClose={onClose}
      className="m-auto w-[calc(100%-2rem)] max-w-[28rem] rounded-card border border-line bg-surface text-ink shadow-card backdrop:bg-[oklch(0.1_0.02_272/0.6)]"
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
