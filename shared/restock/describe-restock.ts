import { isPublicHost } from '../network/public-host';
import { removeHidden } from '../hidden-characters';
import { isInvisible, normaliseUnicode, shorten } from '../text';
import type { Product } from './find-product';

/** The most characters shown of a parameter. */
export const SHOWN_CHARACTERS = 120;
/** Longer image URLs are refused. */
const MAX_ADDRESS_LENGTH = 2_048;

const DEFAULTS = { name: 'PlayStation 5 Console', price: '£399.99', retailer: 'Argos' } as const;

/** What the restock page shows. All texts may come from the URL, so they are untrusted plain text. */
export interface Restock {
  name: string;
  price: string;
  retailer: string;
  /** An absolute https image URL; null for none. */
  image: string | null;
  /** The source of the link and the user it was made for; null when missing. */
  source: string | null;
  username: string | null;
  /** The shop's page; null without a stored record. */
  link: string | null;
}

/**
 * Makes untrusted text safe to show: one line without control characters, bidirectional marks, invisible characters
 * and stacked accents, at most `SHOWN_CHARACTERS` long. Null when nothing is left.
 */
function shownText(value: string | null): string | null {
  const line = normaliseUnicode(value ?? '', 'NFC').replace(/[\s\p{Zl}\p{Zp}]+/gu, ' ');
  const text = removeHidden(line, /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu)
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .trim();
  return isInvisible(text) ? null : shorten(text, { fits: SHOWN_CHARACTERS });
}

/**
 * Accepts an absolute https image URL without credentials on a public host; otherwise the page could make the
 * visitor's browser request hosts of its private network. Null for any other.
 */
function allowedImageUrl(value: string | null): string | null {
  if (value === null || value.length > MAX_ADDRESS_LENGTH || !/^https:\/\//i.test(value)) return null;
  if (!URL.canParse(value)) return null;
  const { protocol, username, password, hostname, href } = new URL(value);
  const isTaken = protocol === 'https:' && username === '' && password === '' && isPublicHost(hostname);
  return isTaken ? href : null;
}

/**
 * Describes a product for the restock page: its stored record, else the URL's parameters `name`, `price`, `image` and
 * `retailer`, else the defaults. `source` and `username` always come from the URL.
 */
export function describeRestock(parameters: URLSearchParams, product: Product | null): Restock {
  return {
    name: product?.name ?? shownText(parameters.get('name')) ?? DEFAULTS.name,
    price: product?.price ?? shownText(parameters.get('price')) ?? DEFAULTS.price,
    retailer: product?.retailer ?? shownText(parameters.get('retailer')) ?? DEFAULTS.retailer,
    // Records have no images, and an untrusted image must not appear beside a record.
    image: product === null ? allowedImageUrl(parameters.get('image')) : null,
    source: shownText(parameters.get('source')),
    username: shownText(parameters.get('username')),
    link: product?.link ?? null,
  };
}
