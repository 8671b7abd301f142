import { z } from 'zod';
import { requiredLine } from '../text';

export const MOST_RETAILERS = 100;
export const LONGEST_RETAILER = 80;

export const RETAILER_REPEATED = 'This retailer is already listed.';
export const RETAILERS_FULL = `There may be at most ${MOST_RETAILERS} retailers.`;

/** A shop's name. */
export const retailerField = requiredLine(LONGEST_RETAILER, 'Please enter the name of a retailer.');

/** Two names of one shop: upper and lower case, or another way to write the same letters, make no difference. */
function sameRetailer(one: string, other: string): boolean {
  return keyOf(one) === keyOf(other);
}

function keyOf(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}

export const retailersSchema = z
  .array(retailerField)
  .max(MOST_RETAILERS, RETAILERS_FULL)
  .refine((names) => new Set(names.map(keyOf)).size === names.length, RETAILER_REPEATED);

/** Whether the list has this shop already. */
export function hasRetailer(retailers: readonly string[], name: string): boolean {
  return retailers.some((listed) => sameRetailer(listed, name));
}

/** The list without a shop; the same list when it is not on it. */
export function withoutRetailer(retailers: readonly string[], name: string): string[] {
  return retailers.filter((listed) => !sameRetailer(listed, name));
}
