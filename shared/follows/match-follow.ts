import type { Selectable } from 'kysely';
import { z } from 'zod';
import { ALERT_LIFETIME_MS } from '../alerts/alert-timing';
import { variantsOf } from '../alerts/alerted-offer';
import type { Money } from '../money';
import { HOUR } from '../clock';
import type { AlertsTable } from '../database/tables/monitor/alerts';
import type { ProductAnnouncementsTable, ProductFollowsTable } from '../database/tables/monitor/products';
import { FOLLOW_WANTS, type FollowWant } from './follow-fields';

/** The stored choices of a follow. */
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

/**
 * Whether a follow matches an announcement: the end of the product, which matches every follow; the release; or a price
 * that has fallen to the follow's limit, unless an alert of the same check notifies its member of the restock.
 */
export function wantsAnnouncement(
  follow: StoredFollow,
  {
    kind,
    price_amount: amount,
    previous_amount: previous,
    beside_restock: besideRestock,
    retailer_id: retailerId,
    variant_key: variantKey,
  }: Pick<ProductAnnouncementsTable, 'kind' | 'price_amount' | 'previous_amount' | 'beside_restock'> & {
    retailer_id: string | null;
    variant_key: string | null;
  },
): boolean {
  if (kind === 'end') return true;
  if (kind === 'release') return storedWants(follow.wants).includes('release');
  const limit = follow.max_price_amount;
  if (amount === null || previous === null || limit === null || previous <= limit) return false;
  const offer: FollowedOffer = {
    retailerId,
    variantKeys: variantKey === null ? [] : [variantKey],
    price: { amount, currency: 'GBP' },
  };
  return (
    wantsOffer(follow, { want: 'price_drop', offer }) &&
    !(besideRestock === 1 && wantsOffer(follow, { want: 'restock', offer }))
  );
}

/** How long a message about an announcement is sent: a release or an end all day, a price as long as an alert. */
export const announcementLifetime = (kind: ProductAnnouncementsTable['kind']): number =>
  kind === 'price_drop' ? ALERT_LIFETIME_MS : 12 * HOUR;
