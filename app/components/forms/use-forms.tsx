import type { SubmissionResult } from '@conform-to/react';
import { useActionData, useFetcher, useLocation } from '@remix-run/react';
import { useMemo, useState } from 'react';
import { useSiteFacts } from '~/components/site-facts';
import { Notice } from '~/components/ui/notice';
import type { FormResult } from './result';

/** Where a panel's results come from; null where one is absent or of another panel. */
interface Sources<Result> {
  /** Of the panel's fetcher, which keeps its data when the page changes. */
  fetched: Result | null;
  /** Of the navigation that sent a form. */
  sent: Result | null;
  /** The page's flash notice. */
  flash: Result | null;
}

/**
 * The result that came last. It goes when the browser comes to another `place`, and when the page shows a flash notice of
 * another panel instead.
 */
function useLatest<Result>(sources: Sources<Result>, { place, flash }: { place: string; flash: unknown }) {
  const [seen, setSeen] = useState(() => ({
    sources,
    place,
    flash,
    latest: sources.fetched ?? sources.sent ?? sources.flash,
  }));
  const names = ['fetched', 'sent', 'flash'] as const;
  if (
    seen.place === place &&
    seen.flash === flash &&
    names.every((name) => sources[name] === seen.sources[name])
  )
    return seen.latest;
  const changed = names
    .map((name) => (sources[name] === seen.sources[name] ? null : sources[name]))
    .find((result) => result !== null);
  // A form that a navigation sends changes the place, after its result has arrived.
  const stays = seen.place === place || (sources.sent !== null && sources.sent === seen.latest);
  const isReplaced = flash !== null && flash !== seen.flash;
  const latest = changed ?? (stays && !isReplaced ? seen.latest : null);
  setSeen({ sources, place, flash, latest });
  return latest;
}

/**
 * The forms of one panel: the latest result and what is being sent. With scripts a fetcher sends them, so that the page
 * and what is typed elsewhere in it stay; without scripts the page itself is the answer. `intents`: those of the panel;
 * `isOurs`: where several panels have the same ones, which results concern this panel.
 */
export function useForms<Details = unknown>(
  intents: readonly string[],
  isOurs: (result: FormResult<Details>) => boolean = () => true,
) {
  const fetcher = useFetcher<FormResult<Details>>();
  const sent = useActionData() as FormResult<Details> | undefined;
  const flash = useSiteFacts().flash as FormResult<Details> | null;
  const own = (result: FormResult<Details> | null | undefined) =>
    result != null && intents.includes(result.intent) && isOurs(result) ? result : null;
  const latest = useLatest(
    { fetched: own(fetcher.data as FormResult<Details> | undefined), sent: own(sent), flash: own(flash) },
    { place: useLocation().key, flash },
  );
  const pending = fetcher.state === 'idle' ? null : (fetcher.formData ?? null);
  return {
    Form: fetcher.Form,
    submit: fetcher.submit,
    /** Stays while a form is being sent. */
    latest,
    /** Null while a form is being sent. */
    result: pending === null ? latest : null,
    /** The fields that are being sent. */
    pending,
    pendingIntent: pending === null ? null : String(pending.get('intent') ?? ''),
  };
}

/**
 * A refusal as the `lastResult` of conform's `useForm`. The same object while the result is the same: conform renders again
 * for each new one.
 */
export function useLastResult(result: FormResult | null): SubmissionResult | undefined {
  return useMemo(() => {
    if (result === null || result.ok) return undefined;
    const { errors, message, values } = result;
    return { status: 'error', initialValue: values, error: errors ?? { '': [message] } };
  }, [result]);
}

export type Forms<Details = unknown> = ReturnType<typeof useForms<Details>>;

/** The notice of a panel's form, unless the result stands beside one of its `fields`. */
export function FormNotice({
  result,
  fields = [],
}: {
  result: FormResult | null;
  fields?: readonly string[];
}) {
  if (result === null || result.message === '') return null;
  if (fields.some((field) => result.errors?.[field] !== undefined)) return null;
  return <Notice kind={result.ok ? 'success' : 'error'}>{result.message}</Notice>;
}
