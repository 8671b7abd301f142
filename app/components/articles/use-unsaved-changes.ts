import { useBlocker, useNavigation } from '@remix-run/react';
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import { VERSION_FIELD } from './articles';

/** A form's fields as one text, to tell whether they changed; which version they were made from is nothing that is typed. */
function snapshotOf(form: HTMLFormElement): string {
  const typed = [...new FormData(form)].filter(([name]) => name !== VERSION_FIELD);
  return JSON.stringify(typed.map(([name, value]) => [name, String(value)]));
}

export interface UnsavedChanges {
  /** The form itself. */
  form: RefObject<HTMLFormElement>;
  changed: boolean;
  /** How often it was saved from here. */
  saves: number;
  /** To be called whenever a field may have changed. */
  update(): void;
  /** To be called when a field may have been written anew by the page itself: unless something changed, that is how it is saved. */
  settle(): void;
  /** Does something to the fields that is done to what is saved as well: if they were saved before, they are after it. */
  follow(change: () => void): void;
  /** To be called when the form is sent. */
  onSend(): void;
  /** Whoever is about to leave the page and has to answer first; null: nobody. */
  leaving: { stay(): void; leave(): void } | null;
}

/**
 * Keeps an eye on a form: whether it differs from what is saved, and that nobody leaves it unasked.
 * `refused`: the last answer was no; a form that was sent and not refused is saved. `busy`: something else is under
 * way that leaving would break off.
 */
export function useUnsavedChanges({ refused, busy }: { refused: boolean; busy: boolean }): UnsavedChanges {
  const form = useRef<HTMLFormElement>(null);
  const saved = useRef<string | null>(null);
  const sent = useRef<string | null>(null);
  const [changed, setChanged] = useState(refused);
  const [saves, setSaves] = useState(0);
  const idle = useNavigation().state === 'idle';

  const changedNow = useRef(refused);
  const update = useCallback(() => {
    if (form.current === null) return;
    changedNow.current = saved.current === null || snapshotOf(form.current) !== saved.current;
    setChanged(changedNow.current);
  }, []);

  const settle = useCallback(() => {
    if (form.current !== null && !changedNow.current) saved.current = snapshotOf(form.current);
  }, []);

  const follow = useCallback(
    (change: () => void) => {
      const wasSaved = !changedNow.current;
      change();
      if (form.current !== null && wasSaved) saved.current = snapshotOf(form.current);
      update();
    },
    [update],
  );

  useEffect(() => {
    // What the server refused is not saved, and what is saved is not here.
    if (form.current !== null && saved.current === null && !refused) saved.current = snapshotOf(form.current);
  }, [refused]);

  const judge = useCallback(
    (isSaved: boolean) => {
      if (isSaved) {
        saved.current = sent.current;
        setSaves((count) => count + 1);
      }
      sent.current = null;
      update();
    },
    [update],
  );
  useEffect(() => {
    if (idle && sent.current !== null) judge(!refused);
  }, [idle, refused, judge]);

  const atRisk = changed || busy;
  useEffect(() => {
    if (!atRisk) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [atRisk]);

  // Saving and what the page does to itself stay at this path.
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => atRisk && nextLocation.pathname !== currentLocation.pathname,
  );

  return {
    form,
    changed,
    saves,
    update,
    settle,
    follow,
    onSend: () => {
      if (form.current !== null) sent.current = snapshotOf(form.current);
    },
    leaving: blocker.state === 'blocked' ? { stay: blocker.reset, leave: blocker.proceed } : null,
  };
}
