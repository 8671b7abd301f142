import { z } from 'zod';
import { SHOP_MODE_NAMES } from '../shop-mode';

/** The stock states of a product page, with their labels in the panel. */
export const STOCK_STATES = {
  in_stock: 'In stock',
  limited: 'Only 2 left',
  out: 'Out of stock',
  preorder: 'Pre-order',
  backorder: 'Back-order',
  other_seller: 'Another seller only',
  in_store_only: 'In a shop only',
  coming_soon: 'Coming soon',
} as const;
export type StockState = keyof typeof STOCK_STATES;
export const STOCK_STATE_NAMES = Object.keys(STOCK_STATES) as [StockState, ...StockState[]];

const stockState = z.enum(STOCK_STATE_NAMES);
const slug = z.string().regex(/^[a-z0-9-]{1,80}$/);
const text = z.string().min(1).max(200);
const pence = z.int().min(0).max(10_000_000);
const variant = z.strictObject({
  name: text,
  state: stockState,
  /** Default: the product's price. */
  pence: pence.optional(),
});

/** The fields of a product that a request may change; the others keep their values. */
export const productChangeSchema = z.strictObject({
  name: text.optional(),
  brand: text.optional(),
  gtin: z
    .string()
    .regex(/^\d{8,14}$/)
    .nullable()
    .optional(),
  pence: pence.optional(),
  currency: z.enum(['GBP', 'EUR', 'USD']).optional(),
  /** The struck-through price, or null. */
  wasPence: pence.nullable().optional(),
  state: stockState.optional(),
  /** Up to 250 variants. If there are any, `state` is ignored. */
  variants: z.array(variant).max(250).optional(),
  /** The state in the structured data and the platform's JSON, if it differs from the page. */
  lies: z.strictObject({ jsonLd: stockState.optional(), json: stockState.optional() }).optional(),
  /** Out of stock at every second request ('request'), or in every second period of this many milliseconds. */
  flaps: z
    .union([z.literal('request'), z.int().min(10).max(3_600_000)])
    .nullable()
    .optional(),
  /** `shopify` also answers `/products/SLUG.js`, `woo` the Store API. */
  platform: z.enum(['plain', 'shopify', 'woo']).optional(),
  /** The mode of the shop for this page, or null for the shop's own mode. */
  mode: z
    .enum(SHOP_MODE_NAMES)
    .exclude(['queueit-room', 'slow'])
    .or(z.enum(['missing', 'gone', 'hang']))
    .nullable()
    .optional(),
  delayMs: z.number().min(0).max(600_000).optional(),
  retryAfter: z.string().max(100).nullable().optional(),
  /** The response of the image address in the structured data; null: the page names no image. */
  image: z.enum(['square', 'pixel', 'missing', 'page', 'hang']).nullable().optional(),
  /** Pads the page to this size. */
  kilobytes: z.int().min(0).max(8_192).optional(),
  /** Whether responses have `ETag` and `Last-Modified`, and an unchanged page is a 304. */
  validators: z.boolean().optional(),
});
export type ProductChange = z.infer<typeof productChangeSchema>;

/** A product that the shop sells. */
export type SoldProduct = Required<ProductChange> & { slug: string; changedAt: number };

export const productSlugSchema = slug;

/** The response of a host's `/robots.txt`. */
const robots = z.strictObject({
  status: z.int().min(200).max(599).default(200),
  text: z.string().max(1_000_000).default(''),
  delayMs: z.number().min(0).max(600_000).default(0),
});
export type RobotsSetting = z.infer<typeof robots>;
export const hostSchema = z.strictObject({ robots: robots.optional() });
export const hostNameSchema = slug;
