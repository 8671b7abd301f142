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
  /** Since when it can, or cannot, be bought (ISO-8601); null: never seen, or unknown. */
  since: string | null;
  /** When it was last looked at, and when a check last told the state. */
  lastCheck: string | null;
  lastSeen: string | null;
  /** Since when the retailer no longer sells it; null while it does. */
  discontinuedAt: string | null;
}

/** A product with what all its retailers say. */
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
  /** Since when we no longer watch it; null while we do. */
  retiredAt: string | null;
  /** The best of its offers, since when, and the lowest price of the offers in that state. */
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
