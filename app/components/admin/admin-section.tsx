import { useState, type ReactNode } from 'react';
import { useActionData } from '@remix-run/react';
import type { FormResult } from '#shared/site/form-result';
import { FormNotice } from '~/components/forms/use-forms';
import { useSiteFacts } from '~/components/site/site-facts';
import { LoadFailed } from '~/components/ui/notice';

interface AdminSectionProps {
  heading: string;
  intro: ReactNode;
  first?: ReactNode;
  children: ReactNode;
}

/** A section of the admin dashboard with its heading and introduction. `first`: stands between the two. */
export function AdminSection({ heading, intro, first = null, children }: AdminSectionProps) {
  return (
    <>
      <h1 className="text-heading">{heading}</h1>
      {first === null ? null : <div className="mt-4 mb-5">{first}</div>}
      <p className="mt-2 mb-6 max-w-[44em] text-soft">{intro}</p>
      {children}
    </>
  );
}

/**
 * Returns the loaded data, or the previous data if a reload failed: it must not remove a form that the user has filled in.
 * `list`: identifies the data, for a page that shows one of several lists.
 */
function useLastLoaded<Loaded>(loaded: Loaded | null, list: string): Loaded | null {
  const [last, setLast] = useState({ loaded, list });
  if (loaded !== null && loaded !== last.loaded) setLast({ loaded, list });
  if (loaded !== null) return loaded;
  return last.list === list ? last.loaded : null;
}

/**
 * A section's panels, with the sentence `failed` above them if a reload failed. If nothing was ever loaded, `failed`
 * replaces them, and after a rejected form without scripts `typedForm` renders that form again with its values; null if
 * the form has no text fields.
 */
export function SectionBody<Loaded>({
  loaded,
  list = '',
  retryPath,
  failed,
  typedForm = () => null,
  children,
}: {
  loaded: Loaded | null;
  list?: string;
  retryPath: string;
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
          <LoadFailed retryPath={retryPath}>{failed}</LoadFailed>
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
