import { redirect } from '@remix-run/node';
import type { FormAnswer } from '~/components/forms/form-answer';
import { failureOf } from '../failures.server';
import { notePageFault } from '../page-fault.server';
import { unknownIntent } from './page-form.server';

/** One of a page's forms: what it does, and what is said when that went wrong in a way nobody expected. */
export interface PageForm {
  failed: string;
  /** Returns the key of the sentence that tells it is done. */
  work(): Promise<string>;
}

const DONE = 'done';

/** The sentence of the form that led back to this page; null when none did. */
export function doneNotice(request: Request, sentences: Record<string, string>): string | null {
  const key = new URL(request.url).searchParams.get(DONE) ?? '';
  return Object.hasOwn(sentences, key) ? (sentences[key] ?? null) : null;
}

/** The answer to a form that did not work out: the refusal's own sentences, or `failed` for what nobody expected, which is logged. */
export function refusedForm(
  request: Request,
  error: unknown,
  { intent, failed, values }: { intent: string; failed: string; values?: Record<string, string> },
): FormAnswer {
  const failure = failureOf(error);
  if (failure === null) notePageFault(request, error, { message: 'a form failed', intent });
  return { intent, ok: false, message: failure?.message ?? failed, errors: failure?.errors, values };
}

/**
 * Works the form that `intent` names and answers it. Done: scripts (which send `scripts=on`) take the sentence, a
 * plain browser is led back to `page`, which shows it. Refused: as `refusedForm` says. `values` are the fields to give back. Throws 400 for an unknown intent.
 */
export async function answerPageForm(
  request: Request,
  {
    page,
    forms,
    sentences,
    form,
    keep = [],
  }: {
    page: string;
    forms: Record<string, PageForm>;
    sentences: Record<string, string>;
    form: URLSearchParams;
    keep?: readonly string[];
  },
) {
  const intent = form.get('intent') ?? '';
  const found = Object.hasOwn(forms, intent) ? forms[intent] : undefined;
  if (found === undefined) throw unknownIntent();
  try {
    const done = await found.work();
    if (form.get('scripts') !== 'on')
      return redirect(`${page}${page.includes('?') ? '&' : '?'}${DONE}=${done}`, 303);
    return { intent, ok: true, message: sentences[done] ?? '' } satisfies FormAnswer;
  } catch (error) {
    return refusedForm(request, error, {
      intent,
      failed: found.failed,
      values: Object.fromEntries(keep.map((name) => [name, form.get(name) ?? ''])),
    });
  }
}
