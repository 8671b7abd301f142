import { z } from 'zod';
import { requiredLine } from '../text';
import { uploadIdOf } from '../storage/upload-path';
import { NOT_AN_IMAGE } from './tracking-image-rules';

const MOST_TRACKING_SETS = 50;
const LONGEST_NAME = 100;

/** A picture of something that is tracked, shown on a slide of the landing page. */
export const trackingSetSchema = z.object({
  /** Made by whoever adds the set: any short text without spaces. */
  id: z.string().regex(/^[\w.~-]{1,64}$/, 'An id has up to 64 letters, digits, dashes, dots or tildes.'),
  name: requiredLine(LONGEST_NAME, 'Please enter a name.'),
  imageUrl: z
    .string(NOT_AN_IMAGE)
    .min(1, NOT_AN_IMAGE)
    .refine((url) => uploadIdOf(url) !== null, 'The image must be one that was uploaded here.'),
  enabled: z.boolean(),
  /** From 1; written anew from the sets' order when they are stored. */
  order: z.number(),
});

export const trackingSetsSchema = z.object({
  enabled: z.boolean(),
  trackingSets: z
    .array(trackingSetSchema)
    .max(MOST_TRACKING_SETS, `There may be at most ${MOST_TRACKING_SETS} tracking sets.`)
    .refine(
      (sets) => new Set(sets.map((set) => set.id)).size === sets.length,
      'Two tracking sets have the same id.',
    ),
});

export type TrackingSet = z.output<typeof trackingSetSchema>;
export type TrackingSets = z.output<typeof trackingSetsSchema>;

export const NO_TRACKING_SETS: TrackingSets = { enabled: false, trackingSets: [] };

/** In the order that they ask for (equals as they stand), numbered from 1. */
export function inOrder({ enabled, trackingSets }: TrackingSets): TrackingSets {
  const sorted = trackingSets.toSorted((a, b) => a.order - b.order);
  return { enabled, trackingSets: sorted.map((set, index) => ({ ...set, order: index + 1 })) };
}

/** What visitors may know of them: the enabled ones, in order. */
export function publicTrackingSets({ enabled, trackingSets }: TrackingSets): TrackingSets {
  return { enabled, trackingSets: trackingSets.filter((set) => set.enabled) };
}
