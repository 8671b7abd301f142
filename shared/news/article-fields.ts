import { z } from 'zod';
import { DomainError } from '../errors';
import { isInvisible, plainLine, requiredLine } from '../text';

/** Worded by the specification. */
export const TITLE_AND_CONTENT_REQUIRED = 'Title and content are required';

export const CONTENT_TOO_LONG = 'The content is too long.';

const MAX_TITLE_LENGTH = 200;
const MAX_EXCERPT_LENGTH = 500;
/** Characters of HTML, before and after sanitising. */
export const MAX_CONTENT_LENGTH = 2 * 1024 * 1024;

const titleField = requiredLine(MAX_TITLE_LENGTH, TITLE_AND_CONTENT_REQUIRED);

/** The error for content that cannot be saved. `sentence`: the reason, for people. */
export function contentRefused(code: string, sentence: string): DomainError {
  return new DomainError('Invalid', {
    code,
    message: sentence,
    fieldErrors: { content: [sentence] },
  });
}

/** Raw HTML. It is sanitised when saved, and refused when no text is left. */
const contentField = z
  .string(TITLE_AND_CONTENT_REQUIRED)
  .max(MAX_CONTENT_LENGTH, CONTENT_TOO_LONG)
  .refine((html) => !isInvisible(html), TITLE_AND_CONTENT_REQUIRED);

/** Plain text; blank text becomes null. */
const excerptField = plainLine(MAX_EXCERPT_LENGTH)
  .transform((text) => (isInvisible(text) ? null : text))
  .nullable();

/** The fields of a new article. Other keys are ignored. */
export const articleFields = z.object({
  title: titleField,
  content: contentField,
  excerpt: excerptField.optional(),
  published: z.boolean().optional(),
  featured: z.boolean().optional(),
});

/** The fields to change of an article. Fields that are left out stay unchanged. */
export const articleChanges = articleFields.partial();

export type ArticleFields = z.output<typeof articleFields>;
export type ArticleChanges = z.output<typeof articleChanges>;
