import { useSyncExternalStore } from 'react';
import { sendForm } from '~/components/forms/send-form';
import { asTheme, type Theme } from '#shared/site/theme';

/** The theme chosen since the page was loaded; the loader's data does not contain it. */
let chosen: Theme | null = null;
/** The last of them that the server saved. */
let saved: Theme | null = null;
let presses = 0;
let lastSent: Promise<unknown> = Promise.resolve();
const listeners = new Set<() => void>();

function choose(theme: Theme | null): void {
  chosen = theme;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the active theme: the one chosen on this page, else the saved one. */
export function useTheme(savedTheme: Theme): Theme {
  return (
    useSyncExternalStore(
      subscribe,
      () => chosen,
      () => null,
    ) ?? savedTheme
  );
}

/**
 * Applies a theme immediately and saves it. Returns false if saving failed; then the saved theme applies again, unless the
 * user has chosen another one since. `form`: the fields of the theme switch.
 */
export async function chooseTheme(form: FormData): Promise<boolean> {
  const theme = asTheme(form.get('theme'));
  if (theme === null) return false;
  presses += 1;
  const press = presses;
  choose(theme);
  // Sequential, so that the last choice is the saved one.
  const sent = lastSent.then(() => sendForm('/theme', form));
  lastSent = sent;
  const done = await sent;
  if (done) saved = theme;
  if (press === presses) choose(saved);
  return done;
}
