import type { Money } from '../money';
import type { Availability, AvailabilityDetail } from '../monitor/checks/verdict';
import type { StoredImage } from '../monitor/products/stored-image';

/** A product at one retailer, as the public may see it. */
export interface Offer {
  watchId: string;
  /** The slug of its watch. */
  watch: string;
  retailer: { name: string; host: string };
  /** The retailer's page. */
  url: string;
  state: Availability;
  detail: AvailabilityDetail | null;
  /** The last known one. */
  price: Money | null;
  /** Since when it has been buyable or not (ISO-8601); null: never seen, or unknown. */
  since: string | null;
  /** The times of the last check and of the last conclusive check. */
  lastCheck: string | null;
  lastSeen: string | null;
  /** Since when the retailer no longer sells it; null while it does. */
  discontinuedAt: string | null;
}

/** A product with the offers of all its retailers. */
export interface ListedProduct {
  id: string;
  slug: string;
  title: string;
  brand: string | null;
  gtin: string | null;
  image: StoredImage | null;
  /** Such as 2026-11-27. */
  releasedOn: string | null;
  createdAt: string;
  /** When we stopped watching it; null while we watch it. */
  retiredAt: string | null;
  /** The best state of its offers, since when, and the lowest price in that state. */
  state: Availability;
  /** No retailer that we watch sells it any more; its state is `out_of_stock`. */
  isGone: boolean;
  detail: AvailabilityDetail | null;
  /** False for one that we watch, before the first check at any of its retailers. */
  isChecked: boolean;
  since: string | null;
  price: Money | null;
  /** Those that can be bought first, then by price. */
  offers: readonly Offer[];
}

/** Whether a visitor can buy it now. */
export const isBuyable = (state: Availability): boolean => state === 'in_stock' || state === 'limited';
