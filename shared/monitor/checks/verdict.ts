import { z } from 'zod';

/** The result of one check. `unknown` neither opens nor closes an alert. */
export const VERDICTS = ['open', 'waiting_room', 'unknown'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** A strong waiting-room sign opens an alert at once; a weak one must be seen twice. */
export type Strength = 'strong' | 'weak';

/** Why a check was not conclusive. Challenges and blocks slow down the next checks. */
export const UNKNOWN_REASONS = ['challenge', 'blocked', 'error', 'unrecognised'] as const;
export type UnknownReason = (typeof UNKNOWN_REASONS)[number];

/** One piece of evidence, with the weight it carried in the verdict (0: seen, but proves nothing). */
export const signSchema = z.object({
  id: z.string(),
  pointsTo: z.enum(['waiting_room', 'open', 'wall', 'error', 'nothing']),
  weight: z.number(),
  evidence: z.string(),
});
export type Sign = z.infer<typeof signSchema>;

/** Whether a product can be bought. `limited`: in stock, few left. `preorder`: ordered now, delivered later. */
export const AVAILABILITIES = ['in_stock', 'limited', 'preorder', 'out_of_stock', 'unknown'] as const;
export type Availability = (typeof AVAILABILITIES)[number];

/** Why a check of a product was not conclusive. `robots`: the shop's robots.txt forbids the page; no page was judged. */
export const PRODUCT_UNKNOWN_REASONS = [
  ...UNKNOWN_REASONS,
  'waiting_room',
  'not_a_product',
  'discontinued',
  'robots',
] as const;
export type ProductUnknownReason = (typeof PRODUCT_UNKNOWN_REASONS)[number];

/** One word beside the availability. `release` and `backorder` belong to `preorder`, `low_stock` to `limited`, the others to `out_of_stock`. */
export const AVAILABILITY_DETAILS = [
  'release',
  'backorder',
  'low_stock',
  'in_store_only',
  'marketplace_only',
  'used_only',
  'coming_soon',
  'ballot',
] as const;
export type AvailabilityDetail = (typeof AVAILABILITY_DETAILS)[number];

/** The kinds of evidence about a product, strongest first. @public */
export const PRODUCT_SOURCES = [
  'platform',
  'button',
  'stock_line',
  'page_data',
  'structured_data',
  'meta',
] as const;
/** @public */
export type ProductSource = (typeof PRODUCT_SOURCES)[number];

/** A price as the shop asks it: an integer in minor units (pence, cents), and the ISO 4217 code of its currency. */
const priceSchema = z.object({ amount: z.int().positive(), currency: z.string() });
export type Price = z.infer<typeof priceSchema>;

/** One piece of evidence about a product. */
const productSignSchema = z.object({
  source: z.enum(PRODUCT_SOURCES),
  /** `discontinued`: no longer sold. `nothing`: seen, but it says nothing about the stock. */
  says: z.enum(['in_stock', 'limited', 'preorder', 'out_of_stock', 'discontinued', 'nothing']),
  detail: z.enum(AVAILABILITY_DETAILS).nullable(),
  /** The subject of the evidence. Only the product and the watched variant count. */
  subject: z.enum(['product', 'variant', 'other_product', 'page']),
  weight: z.number(),
  /** The line of the page, quoted. */
  evidence: z.string(),
});
export type ProductSign = z.infer<typeof productSignSchema>;

/** A choice within an offer, as the page or the platform's JSON lists it. */
const productVariantSchema = z.object({
  /** The shop's key for it in addresses and data: an id, else its SKU, else its name. */
  key: z.string(),
  name: z.string(),
  availability: z.enum(AVAILABILITIES),
  price: priceSchema.nullable(),
});
export type ProductVariant = z.infer<typeof productVariantSchema>;

/** The judgement of a product page. */
export const productJudgementSchema = z.object({
  availability: z.enum(AVAILABILITIES),
  /** Null unless the availability is unknown. */
  unknownReason: z.enum(PRODUCT_UNKNOWN_REASONS).nullable(),
  detail: z.enum(AVAILABILITY_DETAILS).nullable(),
  /** `weak`: a single source, or a contradiction that was decided. Null when the availability is unknown. */
  strength: z.enum(['strong', 'weak']).nullable(),
  price: priceSchema.nullable(),
  title: z.string().nullable(),
  /** 8, 12, 13 or 14 digits with a right check digit. */
  gtin: z.string().nullable(),
  variants: z.array(productVariantSchema),
  /** The key of the listed variant that the watch, or the address of the page, names; null: it names none of them. */
  watchedVariant: z.string().nullable().default(null),
  /** Who sells the leading offer, when the page names the seller. */
  seller: z.string().nullable(),
  /** One sentence for people: the deciding sign, and what contradicted it. */
  reason: z.string(),
  signs: z.array(productSignSchema),
});
export type ProductJudgement = z.infer<typeof productJudgementSchema>;

/** The watch's product data, by which a page of another product is `not_a_product`. Null: unknown. */
export interface ExpectedProduct {
  title: string | null;
  gtin: string | null;
  /** The watched variant's key, SKU or name. Null: the one in the address, else the best of all. */
  variantKey: string | null;
}

/** The judgement of a page. */
export const judgementSchema = z.object({
  verdict: z.enum(VERDICTS),
  strength: z.enum(['strong', 'weak']).nullable(),
  unknownReason: z.enum(UNKNOWN_REASONS).nullable(),
  /** One sentence for people: the deciding sign. */
  reason: z.string(),
  signs: z.array(signSchema),
  /** What the page says about the product. Missing unless the page was judged as a product page. */
  product: productJudgementSchema.optional(),
});
export type Judgement = z.infer<typeof judgementSchema>;

/** What `monitor_checks.content_analysis` holds beside flags for people: the judgement, and facts of the fetch. */
export const storedAnalysisSchema = judgementSchema.extend({
  /** The URLs that redirected on the way to the page; missing when there was none. */
  redirects: z.array(z.string()).optional(),
  /** Present when the fetching service could not verify the page. */
  unverified: z.boolean().optional(),
  /** Why the verdict of a product decided nothing, as a sentence; missing when it counted. */
  held: z.string().optional(),
  /** The same as `unverified` in checks of earlier releases. */
  doubted: z.boolean().optional(),
  /** The pause that the shop asked for (`Retry-After`), at most a day; missing when it asked for none. */
  retryAfterSeconds: z.number().optional(),
});
export type StoredAnalysis = z.infer<typeof storedAnalysisSchema>;

/** A redirect that was followed on the way to the page. */
export interface Hop {
  url: string;
  status: number;
  location: string | null;
  headers: Record<string, string | string[]>;
}

/** The shop's response, however it was fetched. Header names are lower case. */
export interface PageAnswer {
  requestUrl: string;
  finalUrl: string;
  /** 0 without a response. */
  status: number;
  headers: Record<string, string | string[]>;
  /** Decoded text; empty for an empty or binary response. */
  body: string;
  /** False when the bytes cannot be decoded as text (binary, broken compression). */
  decodable: boolean;
  hops: Hop[];
  /** The fetching service could not verify the page (Scrappey's `verified: false`). */
  unverified: boolean;
}
