import { useNavigation } from '@remix-run/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLeaveWarning } from '~/components/forms/use-leave-warning';
import { VERSION_FIELD } from './articles';

/** Serialises a form's fields for comparison, except the version, which is not user input. */
function snapshotOf(form: HTMLFormElement): string {
  const typed = [...new FormData(form)].filter(([name]) => name !== VERSION_FIELD);
  return JSON.stringify(typed.map(([name, value]) => [name, String(value)]));
}

/**
 * Tracks whether a form differs from its saved values, and blocks navigations that would lose changes. `rejected`: the server
 * rejected the last submission. `busy`: leaving would cancel something else, such as uploads.
 */
export function useUnsavedChanges({ rejected, busy }: { rejected: boolean; busy: boolean }) {
  const form = useRef<HTMLFormElement>(null);
  const saved = useRef<string | null>(null);
  const sent = useRef<string | null>(null);
  const [changed, setChanged] = useState(rejected);
  const [saves, setSaves] = useState(0);
  const idle = useNavigation().state === 'idle';

  const changedNow = useRef(rejected);
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
    // The values of a rejected form are not the saved ones.
    if (form.current !== null && saved.current === null && !rejected)
      saved.current = snapshotOf(form.current);
  }, [rejected]);

  const onResponse = useCallback(
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
    if (idle && sent.current !== null) onResponse(!rejected);
  }, [idle, rejected, onResponse]);

  const leaving = useLeaveWarning(changed || busy);

  return {
    form,
    changed,
    /** The number of saves from this page. */
    saves,
    /** Must be called whenever a field may have changed. */
    update,
    /** Must be called when scripts may have rewritten a field: an unchanged form stays unchanged. */
    settle,
    /** Applies a change that the server also made to the saved values: an unchanged form stays unchanged. */
    follow,
    /** Must be called when the form is submitted. */
    onSend: () => {
      if (form.current !== null) sent.current = snapshotOf(form.current);
    },
    /** A blocked navigation that waits for confirmation; null if there is none. */
    leaving,
  };
}
