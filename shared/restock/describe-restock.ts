import { isInvisible, shorten } from '../text';
import { isPublicHost } from '../public-host';
import type { Product } from './find-product';

/** Characters that a parameter may show. */
export const SHOWN_CHARACTERS = 120;
/** A longer address is no picture's. */
const LONGEST_ADDRESS = 2_048;

const DEFAULTS = { name: 'PlayStation 5 Console', price: '£399.99', retailer: 'Argos' } as const;

/** What the restock page says about a product. All of it may be a stranger's words: text, and nothing more. */
export interface Restock {
  name: string;
  price: string;
  retailer: string;
  /** A picture's absolute https address; null: none that we would load. */
  image: string | null;
  /** Where the visitor was sent from, and whom the link was made for; null when it does not say. */
  source: string | null;
  username: string | null;
  /** Where the product is sold; null when only a stranger knows. */
  link: string | null;
}

/**
 * A stranger's text made harmless to look at: one line without control characters, marks that turn the reading
 * direction, invisible characters and towers of accents, at most `SHOWN_CHARACTERS` long. Null when nothing is left.
 */
function shownText(value: string | null): string | null {
  const text = (value ?? '')
    .normalize('NFC')
    .replace(/[\s\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu, '')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .trim();
  return isInvisible(text) ? null : shorten(text, { fits: SHOWN_CHARACTERS });
}

/**
 * A picture's address, when it is absolute, https, carries no name or password, and its host is a public one: the
 * visitor's browser would ask a host of the network it is in.
 */
function pictureAddress(value: string | null): string | null {
  if (value === null || value.length > LONGEST_ADDRESS || !/^https:\/\//i.test(value)) return null;
  if (!URL.canParse(value)) return null;
  const { protocol, username, password, hostname, href } = new URL(value);
  const isTaken = protocol === 'https:' && username === '' && password === '' && isPublicHost(hostname);
  return isTaken ? href : null;
}

/**
 * What the restock page shows: the product's stored record where there is one, else the address's parameters `name`,
 * `price`, `image` and `retailer`, else the defaults. `source` and `username` are the address's alone.
 */
export function describeRestock(parameters: URLSearchParams, product: Product | null): Restock {
  return {
    name: product?.name ?? shownText(parameters.get('name')) ?? DEFAULTS.name,
    price: product?.price ?? shownText(parameters.get('price')) ?? DEFAULTS.price,
    retailer: product?.retailer ?? shownText(parameters.get('retailer')) ?? DEFAULTS.retailer,
    // We keep no pictures of products, and a stranger's would speak for our record.
    image: product === null ? pictureAddress(parameters.get('image')) : null,
    source: shownText(parameters.get('source')),
    username: shownText(parameters.get('username')),
    link: product?.link ?? null,
  };
}
