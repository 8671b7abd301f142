import type { Database } from '../database/schema';
import { findRoomWatch, urlOf } from '../monitor/watches/watches';

/** A stored record of a product. */
export interface Product {
  name: string;
  /** As shown, with its currency. */
  price: string;
  retailer: string;
  /** The shop's page. */
  link: string;
  /** The watch that the record comes from. */
  watch: { id: string; slug: string; title: string };
}

/**
 * Finds the record of a product, or null. The records are the watches, by slug: each represents its shop's waiting room.
 * `targetUrl` is MONITOR_TARGET_URL.
 */
export async function findProduct(
  db: Database,
  { productId, targetUrl }: { productId: string; targetUrl: string },
): Promise<Product | null> {
  const watch = await findRoomWatch(db, productId);
  if (watch === null) return null;
  const { id, slug, title, shop } = watch;
  return {
    name: `${title} waiting room`,
    price: 'See the shop',
    retailer: shop,
    link: urlOf(watch, { targetUrl }),
    watch: { id, slug, title },
  };
}
