import { useActionData, useFetcher, useLocation } from '@remix-run/react';
import { useState } from 'react';
import { useSiteFacts } from '~/components/site/site-facts';
import { Notice } from '~/components/ui/notice';
import type { FormResult } from './result';

/** Returns the value that changed last at this location. `place`: the location's key. */
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
 * The forms of one panel: their latest result and pending submission. With scripts a fetcher submits them, so that other
 * input on the page stays; without scripts the page is rendered with the result. `intents`: the panel's intents. `isOurs`:
 * selects this panel's results if several panels share an intent.
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
    /** The latest result, also during a submission. */
    latest,
    /** The latest result; null during a submission. */
    result: pending === null ? latest : null,
    /** The fields of the pending submission. */
    pending,
    pendingIntent: pending === null ? null : String(pending.get('intent') ?? ''),
  };
}

export type Forms<Details = unknown> = ReturnType<typeof useForms<Details>>;

/** The notice for a form's result, unless it is an error shown next to one of `fields`. */
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
