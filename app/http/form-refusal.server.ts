import type { Submission, SubmissionResult } from '@conform-to/react';
import { failureOf } from './failures.server';

/** A form that was not taken: what goes back into the page, and the status it is sent with. */
export interface RefusedForm {
  result: SubmissionResult;
  init: ResponseInit;
}

/**
 * Turns a refusal into the form's answer: its fields' sentences beside them, else the message above the form.
 * `hide`: fields whose values are not sent back. Anything that is no expected refusal is thrown on.
 */
export function refuseForm(
  submission: Submission<unknown>,
  error: unknown,
  hide: string[] = [],
): RefusedForm {
  const failure = failureOf(error);
  if (failure === null) throw error;
  const result = submission.reply({
    hideFields: hide,
    ...(failure.errors === undefined ? { formErrors: [failure.message] } : { fieldErrors: failure.errors }),
  });
  return { result, init: { status: failure.status, headers: failure.headers ?? {} } };
}
