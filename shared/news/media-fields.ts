import { z } from 'zod';

/** What an admin says about a picture or film, with the sentences people read. */
export const altTextField = z
  .string()
  .trim()
  .max(300, 'The alternative text may have at most 300 characters.');

export const captionField = z.string().trim().max(500, 'The caption may have at most 500 characters.');

/** As forms send it: text. */
export const displayOrderField = z
  .string()
  .trim()
  .regex(/^\d{1,6}$/, 'The display order must be a whole number from 0 to 999999.')
  .transform(Number);
