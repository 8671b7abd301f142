import { expect, test } from 'vitest';
import type { PageAnswer, ProductJudgement } from '#shared/monitor/checks/verdict';
import { judgeProduct, NOTHING_EXPECTED } from '../../../daemon/judging/product/judge-product';

/** What a page must be judged as; what is left out does not matter. */
export interface Expected {
  availability: ProductJudgement['availability'];
  reason?: ProductJudgement['unknownReason'];
  detail?: ProductJudgement['detail'];
  strength?: ProductJudgement['strength'];
  /** "49.99 GBP"; null: none. */
  price?: string | null;
  title?: string | null;
  gtin?: string | null;
  seller?: string | null;
  variants?: Record<string, ProductJudgement['availability']>;
}

export interface ProductCase {
  name: string;
  body: string;
  url?: string;
  requested?: string;
  status?: number;
  headers?: Record<string, string>;
  expected: Expected;
}

/** When the pages were fetched. */
const NOW = new Date('2026-11-27T12:00:00Z');
export const NAME = 'Amber Tide Elite Trainer Box';
const URL_OF_SHOP = 'https://cardcabin.example/products/amber-tide-elite-trainer-box';

const NAVIGATION = ['Booster Boxes', 'Pre-Orders', 'Back in Stock', 'Coming Soon', 'Clearance', 'Sleeves']
  .map((name) => `<li><a href="/collections/${name.toLowerCase().replaceAll(' ', '-')}">${name}</a></li>`)
  .join('');

/** A whole page of a shop around what is about the product. */
export function shopPage(
  main: string,
  { head = '', title = `${NAME} | Card Cabin`, lang = 'en', after = '' } = {},
): string {
  return `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body><header><a href="/">Card Cabin</a><nav><ul>${NAVIGATION}</ul></nav><form action="/search"><input type="search" name="q"></form><a href="/account">Log in</a><a href="/cart">Basket (0) £0.00</a></header><main>${main}</main>${after}<footer><p>Free delivery over £50. Items in stock leave the same day.</p><a href="/delivery">Delivery</a><a href="/privacy">Privacy</a></footer></body></html>`;
}

/** A JSON-LD script of the product. */
export function linkedData(
  offer: Record<string, unknown> | unknown[],
  more: Record<string, unknown> = {},
): string {
  return `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@type': 'Product', name: NAME, offers: Array.isArray(offer) ? offer : { '@type': 'Offer', priceCurrency: 'GBP', ...offer }, ...more })}</script>`;
}

/** A form that sells, and the box of the product without and with a price. */
export const BUY =
  '<form action="/cart/add" method="post"><button type="submit">Add to basket</button></form>';
export const box = (inner: string): string => `<div class="pdp"><h1>${NAME}</h1>${inner}</div>`;
export const priced = (inner: string): string => box(`<p class="price">£49.99</p>${inner}`);

/** Markup that says in stock. */
export const IN_MARKUP = linkedData({ price: '49.99', availability: 'https://schema.org/InStock' });

/** Availabilities that are right where a product can be bought, and where it cannot. */
export const IN = ['in_stock', 'limited'];
export const OUTS = ['out_of_stock'];

export function judgeCase({
  body,
  url = URL_OF_SHOP,
  requested = url,
  status = 200,
  headers = {},
  variantKey = null,
  title = null,
}: Omit<ProductCase, 'name' | 'expected'> & {
  variantKey?: string | null;
  /** The title that the watch knows of its product. */
  title?: string | null;
}): ProductJudgement {
  const answer: PageAnswer = {
    requestUrl: requested,
    finalUrl: url,
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
    body,
    decodable: true,
    hops: [],
    unverified: false,
  };
  const { product } = judgeProduct(answer, { ...NOTHING_EXPECTED, title, variantKey }, NOW);
  if (product === undefined) throw new Error('not judged as a product');
  return product;
}

/** The part of a judgement that a case names, in the words of the case. */
function statedOf(product: ProductJudgement, expected: Expected): Expected {
  const { availability, unknownReason, detail, strength, price, title, gtin, seller, variants } = product;
  const all: Required<Expected> = {
    availability,
    reason: unknownReason,
    detail,
    strength,
    price:
      price === null
        ? null
        : `${price.currency === 'JPY' ? price.amount : (price.amount / 100).toFixed(2)} ${price.currency}`,
    title,
    gtin,
    seller,
    variants: Object.fromEntries(variants.map((variant) => [variant.name, variant.availability])),
  };
  return Object.fromEntries(Object.entries(all).filter(([key]) => key in expected)) as unknown as Expected;
}

/** Defines a test for each case: what its page is judged as, of what the case names. */
export function testCases(cases: readonly ProductCase[]): void {
  for (const { name, expected, ...page } of cases)
    test(name, () => {
      const product = judgeCase(page);
      expect(statedOf(product, expected), JSON.stringify(product, null, 1)).toEqual(expected);
    });
}
