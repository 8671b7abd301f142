import type { Availability, AvailabilityDetail } from './verdict';

// Apart from `verdict.ts`, whose zod would become part of the pages' scripts.

/** Each availability as a label. */
export const AVAILABILITY_WORDS: Record<Availability, string> = {
  in_stock: 'In stock',
  limited: 'Low stock',
  preorder: 'Pre-order',
  out_of_stock: 'Out of stock',
  unknown: 'Unknown',
};

/** Each detail, in the middle of a sentence; null: the availability says it. */
export const DETAIL_WORDS: Record<AvailabilityDetail, string | null> = {
  release: 'before its release',
  backorder: 'back-order',
  low_stock: null,
  in_store_only: 'in shops only',
  marketplace_only: 'other sellers only',
  used_only: 'used only',
  coming_soon: 'coming soon',
  ballot: 'ballot',
};
