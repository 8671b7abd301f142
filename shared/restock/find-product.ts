import { SHOP } from '../brand';

/** What we know of a product ourselves, whatever an address says about it. */
export interface Product {
  name: string;
  /** As it is shown, with its currency. */
  price: string;
  retailer: string;
  /** Where it is sold. */
  link: string;
}

/**
 * The stored record of a product; null: there is none. The one there is so far is the shop that is watched, whose
 * address the configuration holds: `watchedUrl`.
 */
export function findProduct(productId: string, { watchedUrl }: { watchedUrl: string }): Product | null {
  if (productId !== SHOP.slug) return null;
  return {
    name: `${SHOP.name} waiting room`,
    price: 'See the shop',
    retailer: SHOP.name,
    link: watchedUrl,
  };
}
