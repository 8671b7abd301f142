import type { Money } from '#shared/money';
import { formatMoney } from '#shared/money';
import { PRODUCT_NAME } from '#shared/brand';
import { describeDuration, SECOND } from '#shared/clock';
import { AVAILABILITY_WORDS, DETAIL_WORDS } from '#shared/monitor/checks/availability-words';
import type { Availability, AvailabilityDetail } from '#shared/monitor/checks/verdict';
import type { ListedProduct } from '#shared/products/offer';
import { clockAndDay } from '~/components/time/time-format';

// The words of the pages of products.

/** The page on which a product is followed. */
export const followPath = (slug: string): string => `/restock/${encodeURIComponent(slug)}/follow`;

export const LIST = {
  title: 'Restocks',
  metaTitle: `Restocks and prices · ${PRODUCT_NAME}`,
  description:
    'Which trading-card products are in stock at UK retailers right now, since when, and what they cost. Checked around the clock.',
  empty: 'No products are watched yet. The first ones will appear here soon.',
  nothingFound: 'No products match this search.',
  feedTitle: `${PRODUCT_NAME}: what came back in stock`,
} as const;

/** The words for a product, or an offer of it, that is not sold any more. */
export const GONE_WORDS = 'No longer sold';

/** A product's stock by its own record. */
export type ProductStanding = Pick<ListedProduct, 'state' | 'detail' | 'isChecked' | 'isGone'>;

/** The state of a product in lists and link previews; also "Not checked yet" or "No longer sold". */
export function standingWords({ state, detail, isChecked, isGone }: ProductStanding): string {
  if (isGone) return GONE_WORDS;
  return isChecked ? stateWords(state, detail) : 'Not checked yet';
}

/** A state in words, or the detail instead of it: "In stock", "Other sellers only". */
export function stateWords(state: Availability, detail: AvailabilityDetail | null = null): string {
  // That a pre-order is before its release says nothing more.
  const words = detail === null || detail === 'release' ? null : DETAIL_WORDS[detail];
  return words === null ? AVAILABILITY_WORDS[state] : words.charAt(0).toUpperCase() + words.slice(1);
}

/** A price in words; "No price" for none. `isChecked` false: before the first check. */
export const priceWords = (price: Money | null, isChecked = true): string =>
  price === null ? `No price${isChecked ? '' : ' yet'}` : formatMoney(price);

/** "6 minutes" of seconds. */
export const durationWords = (seconds: number): string => describeDuration(seconds * SECOND);

/** "Since 14:02 today"; empty when it is not known. */
export const sinceWords = (since: string | null, nowMs: number): string =>
  since === null ? '' : `Since ${clockAndDay(since, nowMs)}`;

/** The names of retailers: "Total Cards", "Total Cards and Smyths", "3 retailers". */
export function retailerWords(names: readonly string[]): string {
  if (names.length === 0) return 'No retailer yet';
  return names.length <= 2 ? names.join(' and ') : `${names.length} retailers`;
}

export const PRODUCTS_PATH = '/restock';
export const PRODUCTS_FEED_PATH = '/restock/feed.xml';
export const RELEASES_PATH = '/restock/releases.ics';

/** The path of a product's page. */
export const productPath = (slug: string): string => `${PRODUCTS_PATH}/${encodeURIComponent(slug)}`;

/** The title of a product's page. */
export const productTitle = (title: string): string => `${title}: stock and price · ${PRODUCT_NAME}`;

/** One sentence about a product, for search engines and link previews. */
export function productDescription(product: Omit<ListedProduct, 'id'>): string {
  const { title, isChecked, price, offers } = product;
  const at = retailerWords([...new Set(offers.map(({ retailer }) => retailer.name))]);
  const cost = price === null ? '' : `, ${formatMoney(price)}`;
  const seen = isChecked
    ? `${standingWords({ ...product, detail: null }).toLowerCase()}${cost}`
    : 'stock and price';
  return `${title}: ${seen}. Checked at ${at}; with its price history and when it usually comes back.`;
}
