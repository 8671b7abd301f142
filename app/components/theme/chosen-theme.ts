import { useSyncExternalStore } from 'react';
import { sendForm } from '~/components/forms/send-form';
import { asTheme, type Theme } from './theme';

/** What was chosen since the page was loaded: the page's own data know only what was remembered then. */
let chosen: Theme | null = null;
/** The last of those that is remembered. */
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

/** The theme in force: the one that was chosen here, else the remembered one. */
export function useTheme(remembered: Theme): Theme {
  return (
    useSyncExternalStore(
      subscribe,
      () => chosen,
      () => null,
    ) ?? remembered
  );
}

/**
 * Puts a theme in force at once, and has it remembered. False: that failed, and unless another one was chosen meanwhile,
 * the one that is remembered is in force again. `form`: the switch's fields.
 */
export async function chooseTheme(form: FormData): Promise<boolean> {
  const theme = asTheme(form.get('theme'));
  if (theme === null) return false;
  presses += 1;
  const press = presses;
  choose(theme);
  // One after the other, so that the last choice is the one that is remembered.
  const sent = lastSent.then(() => sendForm('/theme', form));
  lastSent = sent;
  const done = await sent;
  if (done) saved = theme;
  if (press === presses) choose(saved);
  return done;
}
