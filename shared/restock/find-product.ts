import { SHOP } from '../brand';

/** A stored record of a product. */
export interface Product {
  name: string;
  /** As shown, with its currency. */
  price: string;
  retailer: string;
  /** The shop's page. */
  link: string;
}

/**
 * Finds the record of a product, or null. The only record so far is the monitored shop; `watchedUrl` is its
 * configured URL.
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
