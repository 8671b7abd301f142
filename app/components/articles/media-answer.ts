import type { FormAnswer } from '~/components/forms/form-answer';

/** What came of a form on an article's images and videos. */
export interface MediaAnswer extends FormAnswer {
  /** Which of them it concerns. */
  mediaId?: string;
  /** Files of an upload that were not taken; the others were. */
  refusedFiles?: { name: string; reason: string }[];
}

/** What came of deleting one of them. */
export interface DeletionAnswer extends FormAnswer {
  /** The versions of its article before and after; undefined: somebody else had deleted it before. */
  versions?: { before: string; after: string };
}

/** One of an article's media that is there no more. */
export interface MediaDeletion extends Pick<DeletionAnswer, 'versions'> {
  /** Where all its forms were served from. */
  folder: string;
}
