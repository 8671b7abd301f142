import { useActionData, useFetcher } from '@remix-run/react';
import type { FormAnswer } from './form-answer';

/**
 * The forms of one panel: what came of the last one, and which is under way. Scripts send them by a fetcher, so that
 * the page stays; without scripts the page itself is the answer. `intents`: those of the panel.
 */
export function useAnsweringForm(intents: readonly string[]) {
  const fetcher = useFetcher<FormAnswer>();
  const sent = useActionData<FormAnswer>();
  const answer = fetcher.data ?? sent ?? null;
  const pending = fetcher.state === 'idle' ? null : (fetcher.formData ?? null);
  return {
    Form: fetcher.Form,
    submit: fetcher.submit,
    /** Null while something is under way. */
    answer: answer !== null && pending === null && intents.includes(answer.intent) ? answer : null,
    /** The fields on their way. */
    pending,
    pendingIntent: pending === null ? null : String(pending.get('intent') ?? ''),
  };
}
