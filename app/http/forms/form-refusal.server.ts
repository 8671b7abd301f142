import type { Submission, SubmissionResult } from '@conform-to/react';
import { failureOf } from '../failures.server';

/**
 * Turns a refusal into the form's answer: its fields' sentences beside them, else the message above the form.
 * `hide`: fields whose values are not sent back. Anything that is no expected refusal is thrown on. Such an answer
 * is sent with 200: the page did what it should, and browsers note every other status as an error.
 */
export function refuseForm(
  submission: Submission<unknown>,
  error: unknown,
  hide: string[] = [],
): SubmissionResult {
  const failure = failureOf(error);
  if (failure === null) throw error;
  return submission.reply({
    hideFields: hide,
    ...(failure.errors === undefined ? { formErrors: [failure.message] } : { fieldErrors: failure.errors }),
  });
}
