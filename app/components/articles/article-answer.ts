import type { SubmissionResult } from '@conform-to/react';

/** What came of saving an article that was not saved. */
export interface ArticleAnswer {
  form: 'article';
  lastResult: SubmissionResult;
  /** Someone else saved in between; sending again with the intent `overwrite` goes over it. */
  conflict: boolean;
  /** Someone has deleted what was to be saved. */
  gone: boolean;
  /** Which version the form was made from, so that a page made anew goes on from there. */
  version: string;
}

/** Whether what a form was answered with concerns the article itself, rather than its media. */
export function isArticleAnswer(answer: unknown): answer is ArticleAnswer {
  return typeof answer === 'object' && answer !== null && 'form' in answer && answer.form === 'article';
}
