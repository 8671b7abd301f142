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
  /** Names the thing that is edited, such as an article's id. */
  draftKey: string;
  form: () => HTMLFormElement | null;
  /** The names of the text fields to keep. */
  fields: readonly string[];
  /** The names of fields that a draft brings along, such as what it was made from; alone they make no draft. */
  carries: readonly string[];
  /** False until the fields are there to be read; drafts are looked for when it turns true. */
  ready: boolean;
  /** What a field held when the form was opened, if it is not the field's own default value. */
  initial?: Record<string, string>;
  /** The same value as the field itself would hold it, for one that was not read from the field. */
  normalise?: (field: string, value: string) => string;
  /** Puts a draft's value into a field that is more than an input; false: this one is not. */
  fill?: (field: string, value: string) => boolean;
}

export interface LocalDraftOffer {
  /** Drafts that somebody left here and that differ from what the form held when it opened; the newest first. */
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

/** Sets a field as if somebody had typed it, so that React and the form hear of it. */
function fillField(field: Field, value: string): void {
  const prototype =
    field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/**
 * Keeps what is typed into a form in this browser until it is saved: a crash, a reload or a closed tab loses nothing.
 * Call `clearDraft` when the form was saved. Whatever changes a field by script must send its `input` event.
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
    /** What counts of a form's values, each as its field would spell it. */
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
      // What was typed while it was on its way is a draft again.
      write();
    };

    const drafts = listDrafts(draftKey, Date.now());
    const worthOffering = drafts.filter(({ values }) => differs(values));
    for (const draft of drafts) if (!worthOffering.includes(draft)) removeDraft(draftKey, draft.id);
    setOffered(worthOffering);
    // Somebody may have typed before the page was live.
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
      // Under this form's own name first, so that no crash falls between.
      if (ownId.current !== null) writeDraft(draftKey, { ...draft, id: ownId.current });
      discard(draft);
    },
    [draftKey, discard],
  );

  return { offered, restore, discard };
}
