import { AVAILABILITY_WORDS, DETAIL_WORDS } from '#shared/monitor/checks/availability-words';
import type {
  Availability,
  AvailabilityDetail,
  ProductSign,
  ProductSource,
  ProductUnknownReason,
} from '#shared/monitor/checks/verdict';
import { describeDuration, MINUTE, SECOND } from '#shared/clock';
import type { DisplayState } from '../monitor-view';

/** Every availability, as lists show them. */
export const AVAILABILITIES = Object.keys(AVAILABILITY_WORDS) as Availability[];

/** The colour and icon of each availability. */
export const AVAILABILITY_STATES: Record<Availability, DisplayState> = {
  in_stock: 'open',
  limited: 'open',
  preorder: 'resting',
  out_of_stock: 'paused',
  unknown: 'unknown',
};

const REASON_LABELS: Record<ProductUnknownReason, string> = {
  challenge: 'a bot check',
  blocked: 'the shop refuses us',
  error: 'no readable page',
  unrecognised: 'the page says nothing about stock',
  waiting_room: 'behind a waiting room',
  not_a_product: 'not this product',
  discontinued: 'no longer sold',
  robots: 'robots.txt forbids the page',
};

export const SOURCE_LABELS: Record<ProductSource, string> = {
  platform: 'Platform JSON',
  button: 'Button',
  stock_line: 'Stock line',
  page_data: 'Page data',
  structured_data: 'Structured data',
  meta: 'Meta tags',
};

export const SAYS_LABELS: Record<ProductSign['says'], string> = {
  in_stock: 'in stock',
  limited: 'low stock',
  preorder: 'pre-order',
  out_of_stock: 'out of stock',
  discontinued: 'no longer sold',
  nothing: 'nothing about stock',
};

export const SUBJECT_LABELS: Record<ProductSign['subject'], string> = {
  product: 'this product',
  variant: 'the variant',
  other_product: 'another product',
  page: 'the page',
};

/** "Out of stock, by ballot"; "Unknown: behind a waiting room". */
export function availabilityText({
  availability,
  detail,
  unknownReason = null,
}: {
  availability: Availability;
  detail: AvailabilityDetail | null;
  unknownReason?: ProductUnknownReason | null;
}): string {
  const label = AVAILABILITY_WORDS[availability];
  if (unknownReason !== null) return `${label}: ${REASON_LABELS[unknownReason]}`;
  const more = detail === null ? null : DETAIL_WORDS[detail];
  return more === null ? label : `${label}, ${more}`;
}

/** How often something is checked: "90 s", "24 hours". */
export const intervalText = (seconds: number): string =>
  seconds * SECOND < 10 * MINUTE ? `${seconds} s` : describeDuration(seconds * SECOND);

/** A price of the API, in the main unit of its currency: "£49.99". `missing`: the text when there is none. */
export function priceText(price: { amount: number; currency: string } | null, missing = 'no price'): string {
  if (price === null) return missing;
  return new Intl.NumberFormat('en-GB', { style: 'currency', currency: price.currency }).format(price.amount);
}

/** The last known price of a watch; null: no check has read one. */
export const lastPriceText = (price: Parameters<typeof priceText>[0]): string =>
  priceText(price, 'No price read yet');
