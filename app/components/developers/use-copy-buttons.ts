import { useEffect, useRef, useState, type RefObject } from 'react';
import { SECOND } from '#shared/clock';
import { copyText } from '~/components/ui/copy-text';

const SHOWN_MS = 3 * SECOND;

/**
 * Shows and handles the copy buttons below an element whose HTML came from the server. `outcome`: what the last press did,
 * for a live region; empty after three seconds.
 */
export function useCopyButtons<Container extends HTMLElement>(): {
  container: RefObject<Container>;
  outcome: string;
} {
  const container = useRef<Container>(null);
  const [outcome, setOutcome] = useState('');

  useEffect(() => {
    const element = container.current;
    // Without a secure context there is no clipboard.
    if (element === null || navigator.clipboard === undefined) return;
    for (const button of element.querySelectorAll<HTMLButtonElement>('[data-copy]')) button.hidden = false;
    const copy = (event: MouseEvent) => {
      const button = (event.target as Element).closest('[data-copy]');
      if (button === null) return;
      const text = button.parentElement?.querySelector('code')?.textContent ?? '';
      void copyText(text).then((copied) =>
        setOutcome(copied ? 'Copied.' : 'The browser did not allow copying. Select the text instead.'),
      );
    };
    element.addEventListener('click', copy);
    return () => element.removeEventListener('click', copy);
  }, []);

  useEffect(() => {
    if (outcome === '') return;
    const timer = setTimeout(() => setOutcome(''), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  return { container, outcome };
}
