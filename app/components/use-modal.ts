import { useEffect, type RefObject } from 'react';

/** Makes a dialog modal as long as it is mounted, and gives the focus back when it goes. */
export function useModal(dialog: RefObject<HTMLDialogElement>): void {
  useEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    const before = document.activeElement;
    if (!element.open) element.showModal();
    return () => {
      element.close();
      // By now the dialog has left the page, and the browser has nothing to give the focus back from.
      if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
    };
  }, [dialog]);
}
