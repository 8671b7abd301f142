import type { FormEvent } from 'react';
import { SECOND } from '#shared/clock';

const GIVE_UP_MS = 15 * SECOND;

/**
 * Posts to a resource route that answers with a redirect, and leaves the page as it is. True: it was done; false: it was
 * refused, or no answer came. Never throws. A fetcher would show the error page when the connection is lost.
 */
export async function sendForm(path: string, form: FormData): Promise<boolean> {
  const body = new URLSearchParams();
  for (const [name, value] of form) if (typeof value === 'string') body.append(name, value);
  try {
    const answer = await fetch(path, {
      method: 'POST',
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(GIVE_UP_MS),
    });
    // What a redirect looks like that is not followed (fetch.spec.whatwg.org, "opaque-redirect filtered response").
    return answer.type === 'opaqueredirect';
  } catch {
    return false;
  }
}

/** What a form sends: its fields, and the button that was pressed, which not every browser in use adds by itself. */
export function submittedForm({ currentTarget, nativeEvent }: FormEvent<HTMLFormElement>): FormData {
  const form = new FormData(currentTarget);
  const { submitter } = nativeEvent as SubmitEvent;
  if (submitter instanceof HTMLButtonElement && submitter.name !== '')
    form.set(submitter.name, submitter.value);
  return form;
}
