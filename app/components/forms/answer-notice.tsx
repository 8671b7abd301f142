import { Notice } from '~/components/ui/notice';
import type { FormAnswer } from './form-answer';

/** What came of a panel's form, unless it is said beside one of its `fields`. */
export function AnswerNotice({
  answer,
  fields = [],
}: {
  answer: FormAnswer | null;
  fields?: readonly string[];
}) {
  if (answer === null || fields.some((field) => answer.errors?.[field] !== undefined)) return null;
  return <Notice kind={answer.ok ? 'success' : 'error'}>{answer.message}</Notice>;
}
