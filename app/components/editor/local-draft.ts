import { DAY } from '#shared/clock';

/** What somebody wrote and did not save: the values of a form's fields by their names. */
export interface LocalDraft {
  id: string;
  /** ISO-8601 UTC. */
  savedAt: string;
  values: Record<string, string>;
}

const KEPT_MS = 30 * DAY;
const PREFIX = 'packwatch:draft:';
const SENT = 'packwatch:drafts-sent:';

/** Sent to the window when drafts are cleared because their form was saved; `detail` is the draft key. */
export const DRAFT_CLEARED = 'packwatch:draft-cleared';

/** Storage may be full, or denied; then there is no draft, and nothing else changes. */
function attempt<Result>(action: () => Result, otherwise: Result): Result {
  try {
    return action();
  } catch {
    return otherwise;
  }
}

// Every opened form writes a draft of its own: two tabs never overwrite each other.
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

/** The drafts under a key, the newest first. Those nobody came back for in a month are thrown away. */
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

/** Notes that a form with this draft was sent. The page that says it was saved may be another one of this tab. */
export function noteDraftSent(draftKey: string, id: string): void {
  attempt(() => sessionStorage.setItem(SENT + draftKey, id), undefined);
}

/**
 * Says that what this tab sent last under a key is saved: its draft goes, others stay, and a form that is still open
 * counts as unchanged since it was sent.
 */
export function clearDraft(draftKey: string): void {
  const id = attempt(() => sessionStorage.getItem(SENT + draftKey), null);
  if (id !== null) removeDraft(draftKey, id);
  attempt(() => sessionStorage.removeItem(SENT + draftKey), undefined);
  window.dispatchEvent(new CustomEvent(DRAFT_CLEARED, { detail: draftKey }));
}
