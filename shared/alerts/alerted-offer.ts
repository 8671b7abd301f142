import { z } from 'zod';
import type { Money } from '../money';

const variantsSchema = z.array(z.object({ key: z.string(), name: z.string() }));
/** A variant that can be had, as an alert lists it. */
export type AlertedVariant = z.infer<typeof variantsSchema>[number];

/** The offer data in the messages of a product alert. */
export interface AlertedOffer {
  price: Money | null;
  variants: readonly AlertedVariant[];
}

/** The offer's columns of an alert about a waiting room. */
export const NO_OFFER = {
  price_amount: null,
  price_currency: null,
  variants: null,
  trickling: 0,
  reopened_at: null,
} as const;

/** An offer as the columns of its alert hold it. */
export function offerColumns({ price, variants }: AlertedOffer) {
  return {
    price_amount: price?.amount ?? null,
    price_currency: price?.currency ?? null,
    variants: variants.length === 0 ? null : JSON.stringify(variants),
  };
}

/** Reads the variants of an alert. Empty when it lists none. */
export function variantsOf({ variants }: { variants: string | null }): AlertedVariant[] {
  return variants === null ? [] : variantsSchema.parse(JSON.parse(variants));
}
