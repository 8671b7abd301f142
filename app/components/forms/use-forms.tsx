import { useActionData, useFetcher, useLocation } from '@remix-run/react';
import { useState } from 'react';
import { useSiteFacts } from '~/components/site/site-facts';
import { Notice } from '~/components/ui/notice';
import type { FormResult } from './result';

/** Of several values, the one that changed last since the browser came to this `place`. */
function useLatest<Value>(values: readonly (Value | null)[], place: string): Value | null {
  const [seen, setSeen] = useState(() => ({
    values,
    place,
    latest: values.find((value) => value !== null) ?? null,
  }));
  if (seen.place === place && values.every((value, index) => value === seen.values[index]))
    return seen.latest;
  const changed = values.find((value, index) => value !== null && value !== seen.values[index]);
  const latest = changed ?? (seen.place === place ? seen.latest : null);
  setSeen({ values, place, latest });
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
  const sent = useActionData<FormResult<Details>>();
  const flash = useSiteFacts().flash as FormResult<Details> | null;
  const ours = [fetcher.data, sent, flash].map((result) =>
    result != null && intents.includes(result.intent) && isOurs(result as FormResult<Details>)
      ? (result as FormResult<Details>)
      : null,
  );
  const latest = useLatest(ours, useLocation().key);
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
