import { z } from 'zod';

// The form fields of an image or a video, with the sentences that people read.

export const altTextField = z.string().trim().max(300, 'Alternative text can be up to 300 characters.');

export const captionField = z.string().trim().max(500, 'Captions can be up to 500 characters.');

export const placementField = z.enum(['gallery', 'text'], 'The placement must be gallery or text.');

const DISPLAY_ORDER = 'The display order must be a whole number from 0 to 999999.';

export const displayOrderField = z.int(DISPLAY_ORDER).min(0, DISPLAY_ORDER).max(999_999, DISPLAY_ORDER);

/** The same, sent as text. */
export const displayOrderText = z
  .string()
  .trim()
  .regex(/^\d{1,6}$/, DISPLAY_ORDER)
  .transform(Number)
  .pipe(displayOrderField);

/** The size of a video in pixels, as its uploader reports it. */
export interface VideoSize {
  width: number;
  height: number;
}

/** Twice the size of 8K video. */
const MAX_VIDEO_PIXELS = 16_384;
const VIDEO_PIXELS = `The size of a video must be whole numbers from 1 to ${MAX_VIDEO_PIXELS}.`;

/** Width or height of a video. */
export const videoPixelsField = z.int(VIDEO_PIXELS).min(1, VIDEO_PIXELS).max(MAX_VIDEO_PIXELS, VIDEO_PIXELS);

/** The same, sent as text. */
export const videoPixelsText = z
  .string()
  .trim()
  .regex(/^[1-9]\d{0,4}$/, VIDEO_PIXELS)
  .transform(Number)
  .pipe(videoPixelsField);
