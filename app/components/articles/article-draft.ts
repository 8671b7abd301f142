/** The key of the draft that a browser keeps of an article, or of one that does not exist yet. */
export function draftKeyOf(articleId: string | undefined): string {
  return articleId ?? 'new';
}

/** The fields that belong to it beside the content. */
export const DRAFT_FIELDS = ['title', 'excerpt'] as const;

/** The field that says which version of the article a form was made from. */
export const VERSION_FIELD = 'version';

/** The field of a new article's form that names the draft it became when an image was put into its text. */
export const DRAFT_ID_FIELD = 'draft';

/**
 * What a draft brings along: the version it was made from, so that restoring it goes over nobody's save unasked, and, of a
 * new article, the draft that its images were sent to.
 */
export const DRAFT_CARRIES = [VERSION_FIELD, DRAFT_ID_FIELD] as const;
