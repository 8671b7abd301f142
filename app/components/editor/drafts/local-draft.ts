import { DAY } from '#shared/clock';

/** Unsaved values of a form's fields, by field name. */
export interface LocalDraft {
  id: string;
  /** ISO-8601 UTC. */
  savedAt: string;
  values: Record<string, string>;
}

const KEPT_MS = 30 * DAY;
const PREFIX = 'packwatch:draft:';
const SENT = 'packwatch:drafts-sent:';

/** Dispatched on the window when drafts are cleared because their form was saved; `detail` is the draft key. */
export const DRAFT_CLEARED = 'packwatch:draft-cleared';

/** Local storage may be full or denied; then there are no drafts, and everything else works. */
function attempt<Result>(action: () => Result, otherwise: Result): Result {
  try {
    return action();
  } catch {
    return otherwise;
  }
}

// Every open form writes its own draft, so that two tabs do not overwrite each other.
const storageKey = (draftKey: string, id: string) => `${PREFIX}${draftKey}:${id}`;

function readDraft(key: string, id: string): LocalDraft | null {
  const stored: unknown = attempt(() => JSON.parse(localStorage.getItem(key) ?? 'null'), null);
  if (typeof stored !== 'object' || stored === null || !('savedAt' in stored) || !('values' in stored))
    return null;
  const { savedAt, values } = stored;
  if (typeof savedAt !== 'string' || typeof values !== 'object' || values === null) return null;
  const texts = Object.entries(values).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { id, savedAt, values: Object.fromEntries(texts) };
}

/** The drafts under a key, newest first. Removes drafts that are older than a month. */
export function listDrafts(draftKey: string, now: number): LocalDraft[] {
  const start = storageKey(draftKey, '');
  const keys = attempt(() => Object.keys(localStorage), []).filter((key) => key.startsWith(start));
  const drafts: LocalDraft[] = [];
  for (const key of keys) {
    const draft = readDraft(key, key.slice(start.length));
    if (draft === null || !(now - Date.parse(draft.savedAt) < KEPT_MS)) {
      attempt(() => localStorage.removeItem(key), undefined);
    } else drafts.push(draft);
  }
  return drafts.sort((one, other) => other.savedAt.localeCompare(one.savedAt));
}

export function writeDraft(draftKey: string, { id, savedAt, values }: LocalDraft): void {
  attempt(
    () => localStorage.setItem(storageKey(draftKey, id), JSON.stringify({ savedAt, values })),
    undefined,
  );
}

export function removeDraft(draftKey: string, id: string): void {
  attempt(() => localStorage.removeItem(storageKey(draftKey, id)), undefined);
}

/** Records that the form with this draft was submitted: another page of this tab may learn that it was saved. */
export function noteDraftSent(draftKey: string, id: string): void {
  attempt(() => sessionStorage.setItem(SENT + draftKey, id), undefined);
}

/**
 * Removes the draft that this tab submitted last under a key, because it is saved. Other drafts stay. A form that is
 * still open counts as unchanged since its submission.
 */
export function clearDraft(draftKey: string): void {
  const id = attempt(() => sessionStorage.getItem(SENT + draftKey), null);
  if (id !== null) removeDraft(draftKey, id);
  attempt(() => sessionStorage.removeItem(SENT + draftKey), undefined);
  window.dispatchEvent(new CustomEvent(DRAFT_CLEARED, { detail: draftKey }));
}
