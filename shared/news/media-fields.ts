import { z } from 'zod';

/** What an admin says about a image or video, with the sentences people read. */
export const altTextField = z.string().trim().max(300, 'Alternative text can be up to 300 characters.');

export const captionField = z.string().trim().max(500, 'Captions can be up to 500 characters.');

export const placementField = z.enum(['gallery', 'text'], 'The placement must be gallery or text.');

/** As forms send it: text. */
export const displayOrderField = z
  .string()
  .trim()
  .regex(/^\d{1,6}$/, 'The display order must be a whole number from 0 to 999999.')
  .transform(Number);
