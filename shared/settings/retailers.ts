import { z } from 'zod';
import { normaliseUnicode, requiredLine } from '../text';

export const MAX_RETAILERS = 100;
export const MAX_RETAILER_LENGTH = 80;

export const RETAILER_REPEATED = 'This retailer is already listed.';
export const RETAILERS_FULL = `There may be at most ${MAX_RETAILERS} retailers.`;

export const retailerField = requiredLine(MAX_RETAILER_LENGTH, 'Please enter the name of a retailer.');

function keyOf(name: string): string {
  return normaliseUnicode(name, 'NFKC').toLowerCase();
}

export const retailersSchema = z
  .array(retailerField)
  .max(MAX_RETAILERS, RETAILERS_FULL)
  .refine((names) => new Set(names.map(keyOf)).size === names.length, RETAILER_REPEATED);

/** Whether the list contains a retailer. */
export function hasRetailer(retailers: readonly string[], name: string): boolean {
  return positionOf(retailers, name) !== -1;
}

/** The position of a retailer in the list; -1 if it is not listed. */
export function positionOf(retailers: readonly string[], name: string): number {
  return retailers.findIndex((listed) => keyOf(listed) === keyOf(name));
}
