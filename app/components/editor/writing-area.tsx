import { ContentEditable } from '@lexical/react/LexicalContentEditable';
import { readMinutes } from '#shared/news/article-text';
import { LINK_BUTTON_CLASS } from '~/components/ui/button';
import { counted } from '#shared/format';

const PLACEHOLDER = 'Write the story here.';

/** A notice about content that was left out. */
export function WritingNotice({ text, onClose }: { text: string | null; onClose: () => void }) {
  return (
    <div role="status">
      {text === null ? null : (
        <p className="flex items-center justify-between gap-3 border-b border-line bg-unknown-wash px-3 py-1.5 text-small">
          <span>{text}</span>
          <button type="button" className={LINK_BUTTON_CLASS} onClick={onClose}>
            Got it
          </button>
        </p>
      )}
    </div>
  );
}

interface WritingAreaProps {
  id: string;
  labelledBy: string;
  describedBy: string;
  invalid: boolean;
}

/** The editable text. */
export function WritingArea({ id, labelledBy, describedBy, invalid }: WritingAreaProps) {
  return (
    <div className="relative min-h-0 flex-1 overflow-y-auto">
      <ContentEditable
        id={id}
        role="textbox"
        aria-multiline
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
        aria-invalid={invalid || undefined}
        aria-placeholder={PLACEHOLDER}
        placeholder={
          <p className="pointer-events-none absolute top-4 left-4 text-soft sm:left-5">{PLACEHOLDER}</p>
        }
        className="article-body editor-text min-h-full px-4 py-4 outline-none sm:px-5"
      />
    </div>
  );
}

interface WritingFootProps {
  hintId: string;
  words: number;
  /** The next Tab moves the focus out of the text. */
  leaving: boolean;
  shortcutsOpen: boolean;
  onShortcuts: () => void;
}

/** Below the text: help for the keyboard, and the length of the text. */
export function WritingFoot({ hintId, words, leaving, shortcutsOpen, onShortcuts }: WritingFootProps) {
  return (
    <div className="flex shrink-0 flex-wrap items-center justify-between gap-x-4 border-t border-line bg-surface px-3 py-0.5 text-small text-soft">
      <span className="flex items-center gap-3">
        <button
          type="button"
          className={LINK_BUTTON_CLASS}
          aria-expanded={shortcutsOpen}
          onClick={onShortcuts}
        >
          Shortcuts
        </button>
        <span id={hintId} className="sr-only sm:not-sr-only">
          Press Esc, then Tab, to leave the editor.
        </span>
        <span role="status" className="sr-only">
          {leaving ? 'Press Tab to leave the editor.' : ''}
        </span>
      </span>
      <span>
        {counted(words, 'word')} · {readMinutes(words)} min read
      </span>
    </div>
  );
}
