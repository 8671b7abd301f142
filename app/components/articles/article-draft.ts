/** The key of the draft that a browser keeps of an article, or of one that does not exist yet. */
export function draftKeyOf(articleId: string | undefined): string {
  return articleId ?? 'new';
}

/** The fields that belong to it beside the content. */
export const DRAFT_FIELDS = ['title', 'excerpt'] as const;

/** The field of a new article's form that names the draft it became when a picture was put into its text. */
export const DRAFT_ID_FIELD = 'draft';

/** Those of a new article: its pictures stay with the draft that they were sent to. */
export const NEW_DRAFT_FIELDS = [...DRAFT_FIELDS, 'version', DRAFT_ID_FIELD] as const;
