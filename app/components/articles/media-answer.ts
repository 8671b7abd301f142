import type { FormAnswer } from '~/components/forms/form-answer';

/** What came of a form on an article's pictures and films. */
export interface MediaAnswer extends FormAnswer {
  /** Which of them it concerns. */
  mediaId?: string;
  /** Files of an upload that were not taken; the others were. */
  refusedFiles?: { name: string; reason: string }[];
}
