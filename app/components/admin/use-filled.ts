import { useSyncExternalStore, type RefObject } from 'react';

/** A form's input by its name; null when there is none. */
export function fieldOf(form: HTMLFormElement | null, name: string): HTMLInputElement | null {
  const field = form?.elements.namedItem(name);
  return field instanceof HTMLInputElement ? field : null;
}

/** Empties a field, and says so to whoever listens. */
export function emptyField(field: HTMLInputElement): void {
  field.value = '';
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/**
 * Whether a form's field holds more than blanks; as long as the page is not live it counts as filled. The field keeps its
 * value itself: React would replace what was typed before the page was live.
 */
export function useFilled(form: RefObject<HTMLFormElement>, name: string): boolean {
  const subscribe = (onInput: () => void) => {
    const element = form.current;
    element?.addEventListener('input', onInput);
    return () => element?.removeEventListener('input', onInput);
  };
  return useSyncExternalStore(
    subscribe,
    () => fieldOf(form.current, name)?.value.trim() !== '',
    () => true,
  );
}
