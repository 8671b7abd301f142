import { DAY } from '#shared/clock';

/** Unsaved values of a form's fields, by field name. */
export interface LocalDraft {
  id: string;
  /** ISO-8601 UTC. */
  savedAt: string;
  values: Record<string, string>;
}

const MAX_AGE_MS = 30 * DAY;
const PREFIX = 'packwatch:draft:';
const SUBMITTED = 'packwatch:drafts-sent:';

/** Dispatched on the window when drafts are cleared because their form was saved; `detail` is the draft key. */
export const DRAFT_CLEARED = 'packwatch:draft-cleared';

/** Storage may be full or disabled; then there are no drafts, and everything else works. */
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

/** Returns the drafts of a key, newest first, and removes those older than 30 days. `now`: epoch ms. */
export function listDrafts(draftKey: string, now: number): LocalDraft[] {
  const start = storageKey(draftKey, '');
  const keys = attempt(() => Object.keys(localStorage), []).filter((key) => key.startsWith(start));
  const drafts: LocalDraft[] = [];
  for (const key of keys) {
    const draft = readDraft(key, key.slice(start.length));
    if (draft === null || !(now - Date.parse(draft.savedAt) < MAX_AGE_MS)) {
      attempt(() => localStorage.removeItem(key), undefined);
    } else drafts.push(draft);
  }
  return drafts.sort((one, other) => other.savedAt.localeCompare(one.savedAt));
}

/** Stores a draft. */
export function writeDraft(draftKey: string, { id, savedAt, values }: LocalDraft): void {
  attempt(
    () => localStorage.setItem(storageKey(draftKey, id), JSON.stringify({ savedAt, values })),
    undefined,
  );
}

export function removeDraft(draftKey: string, id: string): void {
  attempt(() => localStorage.removeItem(storageKey(draftKey, id)), undefined);
}

/** Records the draft of a submitted form for `clearDraft`, which another page of this tab may call. */
export function markDraftSubmitted(draftKey: string, id: string): void {
  attempt(() => sessionStorage.setItem(SUBMITTED + draftKey, id), undefined);
}

/** Removes the key's draft that this tab submitted last, because it was saved. An open form then counts as unchanged. */
export function clearDraft(draftKey: string): void {
  const id = attempt(() => sessionStorage.getItem(SUBMITTED + draftKey), null);
  if (id !== null) removeDraft(draftKey, id);
  attempt(() => sessionStorage.removeItem(SUBMITTED + draftKey), undefined);
  window.dispatchEvent(new CustomEvent(DRAFT_CLEARED, { detail: draftKey }));
}
