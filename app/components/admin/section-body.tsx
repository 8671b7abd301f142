import { useActionData } from '@remix-run/react';
import { useState, type ReactNode } from 'react';
import { AnswerNotice } from '~/components/forms/answer-notice';
import type { FormAnswer } from '~/components/forms/form-answer';
import { LoadFailed } from './load-failed';

/**
 * What was loaded, or what was before: a reload that fails must not take away a form in which something was typed.
 * `list`: which of several lists it is.
 */
function useLastLoaded<Loaded>(loaded: Loaded | null, list: string): Loaded | null {
  const [last, setLast] = useState({ loaded, list });
  if (loaded !== null && loaded !== last.loaded) setLast({ loaded, list });
  if (loaded !== null) return loaded;
  return last.list === list ? last.loaded : null;
}

/**
 * A section's panels, or the sentence `failed` when what they show could not be loaded: above them when it was there
 * before, else in their place. Then a form to which the page itself is the answer, as without scripts, still stands
 * with its refusal: `typedForm` makes it, or null when nothing can have been typed.
 */
export function SectionBody<Loaded>({
  loaded,
  list = '',
  again,
  failed,
  typedForm = () => null,
  children,
}: {
  loaded: Loaded | null;
  list?: string;
  again: string;
  failed: string;
  typedForm?: (answer: FormAnswer) => ReactNode;
  children: (loaded: Loaded) => ReactNode;
}) {
  const sent = useActionData<FormAnswer>() ?? null;
  const shown = useLastLoaded(loaded, list);
  const form = shown !== null || sent === null ? null : typedForm(sent);
  return (
    <>
      {loaded === null ? (
        <div className="mb-6">
          <LoadFailed again={again}>{failed}</LoadFailed>
        </div>
      ) : null}
      {shown === null ? (
        <div className="max-w-2xl">{form ?? <AnswerNotice answer={sent} />}</div>
      ) : (
        children(shown)
      )}
    </>
  );
}
