import { z } from 'zod';
import { uploadIdOf } from '../storage/upload-path';
import { requiredLine } from '../text';
import { NOT_AN_IMAGE, TRACKING_NAME_MISSING } from './tracking-image-rules';

const MAX_TRACKING_SETS = 50;
const MAX_NAME_LENGTH = 100;

/** A tracked item on a slide of the landing page. */
export const trackingSetSchema = z.object({
  /** Chosen by the client: any short text without spaces. */
  id: z.string().regex(/^[\w.~-]{1,64}$/, 'An id has up to 64 letters, digits, dashes, dots or tildes.'),
  name: requiredLine(MAX_NAME_LENGTH, TRACKING_NAME_MISSING),
  imageUrl: z
    .string(NOT_AN_IMAGE)
    .min(1, NOT_AN_IMAGE)
    .refine((url) => uploadIdOf(url) !== null, 'The image must be one that was uploaded here.'),
  enabled: z.boolean(),
  /** Counts from 1; renumbered when the sets are stored. */
  order: z.number(),
});

export const trackingSetsSchema = z.object({
  enabled: z.boolean(),
  trackingSets: z
    .array(trackingSetSchema)
    .max(MAX_TRACKING_SETS, `There may be at most ${MAX_TRACKING_SETS} tracking sets.`)
    .refine(
      (sets) => new Set(sets.map((set) => set.id)).size === sets.length,
      'Two tracking sets have the same id.',
    ),
});

export type TrackingSet = z.output<typeof trackingSetSchema>;
export type TrackingSets = z.output<typeof trackingSetsSchema>;

export const NO_TRACKING_SETS: TrackingSets = { enabled: false, trackingSets: [] };

/** Sorts the sets by `order` (stable) and numbers them from 1. */
export function inOrder({ enabled, trackingSets }: TrackingSets): TrackingSets {
  const sorted = trackingSets.toSorted((a, b) => a.order - b.order);
  return { enabled, trackingSets: sorted.map((set, index) => ({ ...set, order: index + 1 })) };
}

/** The sets that visitors see: the enabled ones, in order. */
export function publicTrackingSets({ enabled, trackingSets }: TrackingSets): TrackingSets {
  return { enabled, trackingSets: trackingSets.filter((set) => set.enabled) };
}
