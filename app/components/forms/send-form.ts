import type { FormEvent } from 'react';
import { SECOND } from '#shared/clock';

const TIMEOUT_MS = 15 * SECOND;

/**
 * Posts to a resource route that responds with a redirect, without following it. Returns whether it did; false also if the
 * request failed. Never throws, unlike a Remix fetcher, which shows the error page if the request fails.
 */
export async function sendForm(path: string, form: FormData): Promise<boolean> {
  const body = new URLSearchParams();
  for (const [name, value] of form) if (typeof value === 'string') body.append(name, value);
  try {
    const response = await fetch(path, {
      method: 'POST',
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // A redirect that was not followed (fetch.spec.whatwg.org, "opaque-redirect filtered response").
    return response.type === 'opaqueredirect';
  } catch {
    return false;
  }
}

/** Returns a form's fields and its submitter, for browsers whose FormData constructor does not accept one. */
export function submittedForm({ currentTarget, nativeEvent }: FormEvent<HTMLFormElement>): FormData {
  const form = new FormData(currentTarget);
  const { submitter } = nativeEvent as SubmitEvent;
  if (submitter instanceof HTMLButtonElement && submitter.name !== '')
    form.set(submitter.name, submitter.value);
  return form;
}
