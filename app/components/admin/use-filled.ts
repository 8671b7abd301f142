import { useSyncExternalStore, type RefObject } from 'react';

/** Returns a form's input by its name; null if there is none. */
export function fieldOf(form: HTMLFormElement | null, name: string): HTMLInputElement | null {
  const field = form?.elements.namedItem(name);
  return field instanceof HTMLInputElement ? field : null;
}

/** Empties a field and dispatches its input event. */
export function emptyField(field: HTMLInputElement): void {
  field.value = '';
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Whether a field contains more than whitespace; true until hydration, as React would replace what was typed before. */
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
