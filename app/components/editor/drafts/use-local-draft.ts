import { useCallback, useEffect, useRef, useState } from 'react';
import { SECOND, toIso } from '#shared/clock';
import {
  DRAFT_CLEARED,
  listDrafts,
  noteDraftSent,
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
  /** The names of the text fields to keep. */
  fields: readonly string[];
  /** The names of fields that are stored with a draft, such as the version it is based on, and make none alone. */
  carries: readonly string[];
  /** False until the fields can be read; drafts are listed when it becomes true. */
  ready: boolean;
  /** The value of a field when the form was opened, if it differs from the field's default value. */
  initial?: Record<string, string>;
  /** A value as the field would hold it, for values that were not read from the field. */
  normalise?: (field: string, value: string) => string;
  /** Fills a field that is more than an input; returns false for other fields. */
  fill?: (field: string, value: string) => boolean;
}

export interface LocalDraftOffer {
  /** Drafts in this browser that differ from the form's values when it was opened, newest first. */
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

/** Sets a field as typing would, so that React and the form notice it. */
function fillField(field: Field, value: string): void {
  const prototype =
    field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/**
 * Keeps the values of a form in this browser until it is saved: a crash, a reload or a closed tab loses nothing. Call
 * `clearDraft` when the form was saved. Code that changes a field must dispatch its `input` event.
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
      const { fields, carries } = latest.current;
      const values = [...fieldsOf(form, [...fields, ...carries])].map(
        ([name, field]) => [name, lines(field.value)] as const,
      );
      return Object.fromEntries(values);
    };
    const normal = (name: string, value: string) => lines(normalise(name, value));
    /** The values that make a draft, each as its field would hold it. */
    const counted = (values: Record<string, string>) =>
      Object.fromEntries(
        latest.current.fields.flatMap((name) => {
          const value = values[name];
          return value === undefined ? [] : [[name, normal(name, value)]];
        }),
      );
    let base = Object.fromEntries(
      [...fieldsOf(form, latest.current.fields)].map(([name, field]) => [
        name,
        normal(name, initial[name] ?? field.defaultValue),
      ]),
    );
    let sent: Record<string, string> | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;

    const differs = (values: Record<string, string>) => {
      const found = counted(values);
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
      sent = read();
      noteDraftSent(draftKey, id);
    };
    const cleared = (event: Event) => {
      if (!(event instanceof CustomEvent) || event.detail !== draftKey) return;
      base = counted(sent ?? read());
      // Text that was typed during the submission is a draft again.
      write();
    };

    const drafts = listDrafts(draftKey, Date.now());
    const worthOffering = drafts.filter(({ values }) => differs(values));
    for (const draft of drafts) if (!worthOffering.includes(draft)) removeDraft(draftKey, draft.id);
    setOffered(worthOffering);
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
      const { form, fields, carries, fill } = latest.current;
      for (const [name, field] of fieldsOf(form(), [...fields, ...carries])) {
        const value = draft.values[name];
        if (value !== undefined && fill?.(name, value) !== true) fillField(field, value);
      }
      // Stored under this form's own id first: a crash in between loses nothing.
      if (ownId.current !== null) writeDraft(draftKey, { ...draft, id: ownId.current });
      discard(draft);
    },
    [draftKey, discard],
  );

  return { offered, restore, discard };
}
