import type { Availability } from '../../monitor/checks/verdict';
import { normaliseUnicode } from '../../text';
import { isBuyable, type ListedProduct } from '../offer';

/** The filter of a list of products. */
export interface ProductFilter {
  /** `in_stock` includes `limited`; null: any. */
  state: Availability | null;
  /** The name or the host of a retailer; null: any. */
  retailer: string | null;
  /** Words of the title, the brand, the GTIN or a retailer's name; empty: any. */
  q: string;
}

/** The longest search. */
export const MAX_SEARCH_LENGTH = 100;

const normalise = (text: string): string =>
  normaliseUnicode(text, 'NFKD').replace(/\p{M}/gu, '').toLowerCase();

function isWanted(product: ListedProduct, state: Availability, retailer: string | null): boolean {
  const is = (seen: Availability) => seen === state || (state === 'in_stock' && isBuyable(seen));
  if (retailer === null) return is(product.state);
  return product.offers.some((offer) => isOf(offer.retailer, retailer) && is(offer.state));
}

const isOf = ({ name, host }: { name: string; host: string }, retailer: string): boolean =>
  host === retailer.toLowerCase() || normalise(name) === normalise(retailer);

/** Buyable products first, most recently restocked on top; then by the time of the last change. */
function byNews(one: ListedProduct, other: ListedProduct): number {
  const rank = ({ state }: ListedProduct) =>
    isBuyable(state) ? 0 : state === 'preorder' ? 1 : state === 'out_of_stock' ? 2 : 3;
  return (
    rank(one) - rank(other) ||
    (other.since ?? '').localeCompare(one.since ?? '') ||
    (one.title < other.title ? -1 : 1)
  );
}

/** The watched products that match a filter, most recently restocked first, with the state at the filter's retailer. */
export function filterProducts(
  products: readonly ListedProduct[],
  { state, retailer, q }: ProductFilter,
): ListedProduct[] {
  const words = normalise(q.slice(0, MAX_SEARCH_LENGTH))
    .split(/\s+/)
    .filter((word) => word !== '');
  return products
    .filter((product) => {
      const { title, brand, gtin, offers, retiredAt } = product;
      if (retiredAt !== null) return false;
      if (retailer !== null && !offers.some((offer) => isOf(offer.retailer, retailer))) return false;
      if (state !== null && !isWanted(product, state, retailer)) return false;
      if (words.length === 0) return true;
      const text = normalise([title, brand, gtin, ...offers.map((offer) => offer.retailer.name)].join(' '));
      return words.every((word) => text.includes(word));
    })
    .toSorted(byNews);
}

/** The retailers of some products, by name. */
export function retailersOf(products: readonly ListedProduct[]): { name: string; host: string }[] {
  const byHost = new Map(
    products.flatMap(({ offers }) => offers).map(({ retailer }) => [retailer.host, retailer]),
  );
  return [...byHost.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
