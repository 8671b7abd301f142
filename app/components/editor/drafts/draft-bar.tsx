import { LINK_BUTTON_CLASS } from '~/components/ui/button';
import type { LocalDraft } from './local-draft';
import type { LocalDraftOffer } from './use-local-draft';

const MAX_SHOWN = 3;

const format = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
});

/** Offers to restore local drafts. */
export function DraftBar({ offered, restore, discard }: LocalDraftOffer) {
  if (offered.length === 0) return null;
  return (
    <div role="status" className="border-b border-line bg-unknown-wash px-3 py-1.5 text-small text-ink">
      {offered.slice(0, MAX_SHOWN).map((draft) => (
        <DraftRow key={draft.id} draft={draft} restore={restore} discard={discard} />
      ))}
    </div>
  );
}

interface DraftRowProps {
  draft: LocalDraft;
  restore: LocalDraftOffer['restore'];
  discard: LocalDraftOffer['discard'];
}

function DraftRow({ draft, restore, discard }: DraftRowProps) {
  const when = format.format(new Date(draft.savedAt));
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <span>
        You have an unsaved draft from <time dateTime={draft.savedAt}>{when}</time>.
      </span>
      <span className="flex gap-1">
        <button type="button" onClick={() => restore(draft)} className={LINK_BUTTON_CLASS}>
          Restore
        </button>
        <button type="button" onClick={() => discard(draft)} className={LINK_BUTTON_CLASS}>
          Discard
        </button>
      </span>
    </p>
  );
}
