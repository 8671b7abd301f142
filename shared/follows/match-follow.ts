import type { Selectable } from 'kysely';
import { z } from 'zod';
import { variantsOf } from '../alerts/alerted-offer';
import type { Money } from '../money';
import { HOUR } from '../clock';
import type { AlertsTable } from '../database/tables/monitor/alerts';
import type { ProductFollowsTable } from '../database/tables/monitor/products';
import { FOLLOW_WANTS, type FollowWant } from './follow-fields';

/** What a follow asks for, as it is stored. */
export type StoredFollow = Pick<
  ProductFollowsTable,
  'retailer_ids' | 'variant_keys' | 'wants' | 'max_price_amount' | 'quiet_from' | 'quiet_to'
>;

/** An offer of the product at the moment of an alert. */
export interface FollowedOffer {
  retailerId: string | null;
  /** The keys of the variants that can be had; empty: the offer has no choice. */
  variantKeys: readonly string[];
  /** Null: not known. */
  price: Money | null;
}

/** The offer that an alert shows, with the columns of its watch. */
export function alertedOffer(
  alert: Pick<Selectable<AlertsTable>, 'price_amount' | 'price_currency' | 'variants'> & {
    retailer_id: string | null;
    variant_key: string | null;
  },
): FollowedOffer {
  const { price_amount: amount, price_currency: currency, retailer_id, variant_key } = alert;
  return {
    retailerId: retailer_id,
    variantKeys: variant_key === null ? variantsOf(alert).map(({ key }) => key) : [variant_key],
    price: amount === null || currency === null ? null : { amount, currency },
  };
}

const names = z.array(z.string());
const wants = z.array(z.enum(FOLLOW_WANTS));

/** Reads the list of a column; null: all. */
export const storedNames = (stored: string | null): string[] | null =>
  stored === null ? null : names.parse(JSON.parse(stored));

export const storedWants = (stored: string): FollowWant[] => wants.parse(JSON.parse(stored));

/** Limits are in pounds: an offer in another currency, or without a price, is not known to keep them. */
function isWithinLimit({ max_price_amount: limit }: StoredFollow, price: Money | null): boolean {
  return limit === null || (price !== null && price.currency === 'GBP' && price.amount <= limit);
}

/**
 * Whether a follow asks for an alert of this kind about an offer: the kind, the retailer, a variant that can be had, and the
 * price. An offer without a choice of variants matches a follow of any variant.
 */
export function wantsOffer(
  follow: StoredFollow,
  { want, offer }: { want: FollowWant; offer: FollowedOffer },
): boolean {
  const retailers = storedNames(follow.retailer_ids);
  const variants = storedNames(follow.variant_keys);
  return (
    storedWants(follow.wants).includes(want) &&
    (retailers === null || (offer.retailerId !== null && retailers.includes(offer.retailerId))) &&
    (variants === null ||
      offer.variantKeys.length === 0 ||
      offer.variantKeys.some((key) => variants.includes(key))) &&
    isWithinLimit(follow, offer.price)
  );
}

const hourFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  hour: '2-digit',
  hourCycle: 'h23',
});

/**
 * When the quiet hours end that `now` is in; null outside of them, and without any. Both times are epoch ms. The hours are
 * those of London; the end is not quiet any more.
 */
export function quietUntil(
  { quiet_from: from, quiet_to: to }: Pick<StoredFollow, 'quiet_from' | 'quiet_to'>,
  now: number,
): number | null {
  if (from === null || to === null || from === to) return null;
  const isQuiet = (at: number): boolean => {
    const hour = Number(hourFormat.format(at));
    return from < to ? hour >= from && hour < to : hour >= from || hour < to;
  };
  if (!isQuiet(now)) return null;
  // London's clock changes by whole hours, so its hours begin with those of UTC.
  let end = Math.floor(now / HOUR) * HOUR + HOUR;
  while (isQuiet(end)) end += HOUR;
  return end;
}
