import { z } from 'zod';

// The form fields of an image or a video, with the sentences that people read.

export const altTextField = z.string().trim().max(300, 'Alternative text can be up to 300 characters.');

export const captionField = z.string().trim().max(500, 'Captions can be up to 500 characters.');

export const placementField = z.enum(['gallery', 'text'], 'The placement must be gallery or text.');

/** Sent as text. */
export const displayOrderField = z
  .string()
  .trim()
  .regex(/^\d{1,6}$/, 'The display order must be a whole number from 0 to 999999.')
  .transform(Number);

/** The size of a video in pixels, as its uploader reports it. */
export interface VideoSize {
  width: number;
  height: number;
}

/** Twice the size of 8K video. */
const MAX_VIDEO_PIXELS = 16_384;
const VIDEO_PIXELS = `The size of a video must be whole numbers from 1 to ${MAX_VIDEO_PIXELS}.`;

/** Width or height of a video. Sent as text. */
export const videoPixelsField = z
  .string()
  .trim()
  .regex(/^[1-9]\d{0,4}$/, VIDEO_PIXELS)
  .transform(Number)
  .refine((pixels) => pixels <= MAX_VIDEO_PIXELS, VIDEO_PIXELS);
