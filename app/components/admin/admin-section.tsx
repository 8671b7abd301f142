import { type ReactNode, useState } from 'react';
import { useActionData } from '@remix-run/react';
import type { FormResult } from '~/components/forms/result';
import { FormNotice } from '~/components/forms/use-forms';
import { useSiteFacts } from '~/components/site/site-facts';
import { LoadFailed } from '~/components/ui/notice';

/** A section of the admin dashboard under its heading, with a line on what it is for. */
export function AdminSection({
  heading,
  intro,
  children,
}: {
  heading: string;
  intro: ReactNode;
  children: ReactNode;
}) {
  return (
    <>
      <h1 className="text-heading">{heading}</h1>
      <p className="mt-2 mb-6 max-w-[44em] text-soft">{intro}</p>
      {children}
    </>
  );
}

/**
 * What was loaded, or what was loaded before: a reload that fails must not remove a form in which something was typed.
 * `list`: which of several lists it is.
 */
function useLastLoaded<Loaded>(loaded: Loaded | null, list: string): Loaded | null {
  const [last, setLast] = useState({ loaded, list });
  if (loaded !== null && loaded !== last.loaded) setLast({ loaded, list });
  if (loaded !== null) return loaded;
  return last.list === list ? last.loaded : null;
}

/**
 * A section's panels. When their data could not be loaded, the sentence `failed` stands above them, or in their place if
 * they were never loaded. In their place `typedForm` then renders the form that was refused (without scripts the page
 * itself is the answer), or null when nothing can have been typed.
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
  typedForm?: (result: FormResult) => ReactNode;
  children: (loaded: Loaded) => ReactNode;
}) {
  const sent = useActionData<FormResult>() ?? null;
  const { flash } = useSiteFacts();
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
        <div className="max-w-2xl">{form ?? <FormNotice result={sent ?? flash} />}</div>
      ) : (
        children(shown)
      )}
    </>
  );
}
