import { useCallback, useEffect, useRef, useState } from 'react';
import { SECOND, toIso } from '#shared/clock';
import {
  DRAFT_CLEARED,
  listDrafts,
  markDraftSubmitted,
  removeDraft,
  writeDraft,
  type LocalDraft,
} from './local-draft';

const WRITE_AFTER_MS = 0.6 * SECOND;

type Field = HTMLInputElement | HTMLTextAreaElement;

interface LocalDraftOptions {
  /** Identifies what is edited, such as an article's id. */
  draftKey: string;
  form: () => HTMLFormElement | null;
  /** The names of the draft's text fields. */
  fields: readonly string[];
  /** The names of fields that are stored with a draft, such as its base version, but whose changes alone create none. */
  carriedFields: readonly string[];
  /** False until the fields can be read; drafts are listed when it becomes true. */
  ready: boolean;
  /** Initial values of fields, if they differ from the fields' default values. */
  initial?: Record<string, string>;
  /** Converts a value to what its field would contain. */
  normalise?: (field: string, value: string) => string;
  /** Fills a field that is not a plain input; returns false for other fields. */
  fill?: (field: string, value: string) => boolean;
}

export interface LocalDraftOffer {
  /** The local drafts that differ from the form's initial values, newest first. */
  offered: LocalDraft[];
  restore: (draft: LocalDraft) => void;
  discard: (draft: LocalDraft) => void;
}

function fieldsOf(form: HTMLFormElement | null, names: readonly string[]): Map<string, Field> {
  const found = new Map<string, Field>();
  for (const name of names) {
    const field = form?.elements.namedItem(name);
    if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) found.set(name, field);
  }
  return found;
}

const lines = (value: string) => value.replaceAll('\r\n', '\n');

/** Sets a field's value as typing would, so that React and the form's listeners receive the change. */
function fillField(field: Field, value: string): void {
  const prototype =
    field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/**
 * Stores the values of a form in local storage until it is saved, so that a crash or a reload loses nothing. Call
 * `clearDraft` after a save. Code that changes a field must dispatch its `input` event.
 */
export function useLocalDraft(options: LocalDraftOptions): LocalDraftOffer {
  const { draftKey, ready } = options;
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const ownId = useRef<string | null>(null);
  const [offered, setOffered] = useState<LocalDraft[]>([]);

  useEffect(() => {
    const form = latest.current.form();
    if (!ready || form === null) return;
    const id = crypto.randomUUID();
    ownId.current = id;
    const { initial = {}, normalise = (_field: string, value: string) => value } = latest.current;
    const read = () => {
      const { fields, carriedFields } = latest.current;
      const values = [...fieldsOf(form, [...fields, ...carriedFields])].map(
        ([name, field]) => [name, lines(field.value)] as const,
      );
      return Object.fromEntries(values);
    };
    const normalised = (name: string, value: string) => lines(normalise(name, value));
    /** The normalised values of the draft's own fields. */
    const ownValues = (values: Record<string, string>) =>
      Object.fromEntries(
        latest.current.fields.flatMap((name) => {
          const value = values[name];
          return value === undefined ? [] : [[name, normalised(name, value)]];
        }),
      );
    let base = Object.fromEntries(
      [...fieldsOf(form, latest.current.fields)].map(([name, field]) => [
        name,
        normalised(name, initial[name] ?? field.defaultValue),
      ]),
    );
    let submittedValues: Record<string, string> | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;

    const differs = (values: Record<string, string>) => {
      const found = ownValues(values);
      return Object.entries(base).some(([name, value]) => (found[name] ?? value) !== value);
    };
    const write = () => {
      clearTimeout(timer);
      timer = undefined;
      const values = read();
      if (differs(values)) writeDraft(draftKey, { id, savedAt: toIso(Date.now()), values });
      else removeDraft(draftKey, id);
    };
    const flush = () => {
      if (timer !== undefined) write();
    };
    const changed = () => {
      clearTimeout(timer);
      timer = setTimeout(write, WRITE_AFTER_MS);
    };
    const hidden = () => {
      if (document.visibilityState === 'hidden') flush();
    };
    const submitted = () => {
      write();
      submittedValues = read();
      markDraftSubmitted(draftKey, id);
    };
    const cleared = (event: Event) => {
      if (!(event instanceof CustomEvent) || event.detail !== draftKey) return;
      base = ownValues(submittedValues ?? read());
      // Text that was typed during the submission becomes a new draft.
      write();
    };

    const drafts = listDrafts(draftKey, Date.now());
    const changedDrafts = drafts.filter(({ values }) => differs(values));
    for (const draft of drafts) if (!changedDrafts.includes(draft)) removeDraft(draftKey, draft.id);
    setOffered(changedDrafts);
    // The author may have typed before hydration.
    if (differs(read())) changed();

    form.addEventListener('input', changed);
    form.addEventListener('submit', submitted);
    document.addEventListener('visibilitychange', hidden);
    window.addEventListener('pagehide', flush);
    window.addEventListener(DRAFT_CLEARED, cleared);
    return () => {
      flush();
      form.removeEventListener('input', changed);
      form.removeEventListener('submit', submitted);
      document.removeEventListener('visibilitychange', hidden);
      window.removeEventListener('pagehide', flush);
      window.removeEventListener(DRAFT_CLEARED, cleared);
    };
  }, [draftKey, ready]);

  const discard = useCallback(
    (draft: LocalDraft) => {
      removeDraft(draftKey, draft.id);
      setOffered((drafts) => drafts.filter(({ id }) => id !== draft.id));
    },
    [draftKey],
  );

  const restore = useCallback(
    (draft: LocalDraft) => {
      const { form, fields, carriedFields, fill } = latest.current;
      for (const [name, field] of fieldsOf(form(), [...fields, ...carriedFields])) {
        const value = draft.values[name];
        if (value !== undefined && fill?.(name, value) !== true) fillField(field, value);
      }
      // Stored under this form's id before the old draft is removed, so that a crash loses nothing.
      if (ownId.current !== null) writeDraft(draftKey, { ...draft, id: ownId.current });
      discard(draft);
    },
    [draftKey, discard],
  );

  return { offered, restore, discard };
}
