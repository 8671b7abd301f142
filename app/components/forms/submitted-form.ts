import type { FormEvent } from 'react';

/** What a form sends: its fields, and the button that was pressed, which not every browser in use adds by itself. */
export function submittedForm({ currentTarget, nativeEvent }: FormEvent<HTMLFormElement>): FormData {
  const form = new FormData(currentTarget);
  const { submitter } = nativeEvent as SubmitEvent;
  if (submitter instanceof HTMLButtonElement && submitter.name !== '')
    form.set(submitter.name, submitter.value);
  return form;
}
