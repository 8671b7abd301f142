import { z } from 'zod';

/** The events that followers can be alerted to. `restock`: it is in stock again; `release`: it is its release day. */
export const FOLLOW_WANTS = ['restock', 'preorder', 'price_drop', 'release'] as const;
export type FollowWant = (typeof FOLLOW_WANTS)[number];

const MAX_RETAILERS = 100;
/** More than the variants that are read from a page. */
const MAX_VARIANTS = 250;
const MAX_NAME_LENGTH = 200;
const MAX_PRICE_POUNDS = 100_000;

const hour = z.int('Please choose an hour.').min(0).max(23);
const chosen = (max: number, noun: string) =>
  z
    .array(z.string().max(MAX_NAME_LENGTH))
    .min(1, `Please choose at least one ${noun}.`)
    .max(max, `Please choose at most ${max} ${noun}s.`)
    .transform((values) => [...new Set(values)])
    .nullable();

/** In pounds, with pence: 49.99. */
const maxPriceField = z
  .number('Please enter an amount in pounds, such as 49.99.')
  .positive('Please enter an amount above £0.')
  .max(MAX_PRICE_POUNDS, 'Please enter an amount up to £100,000.')
  .refine((pounds) => Math.abs(pounds * 100 - Math.round(pounds * 100)) < 1e-6, {
    error: 'Please enter whole pence, such as 49.99.',
  })
  .nullable();

/** The choices of a follow. Null: no limit, all retailers, all variants, no quiet hours. */
export const followFields = z.object({
  wants: z
    .array(z.enum(FOLLOW_WANTS, 'This is not a kind of alert.'))
    .min(1, 'Please choose at least one kind of alert.')
    .max(20)
    .transform((values) => FOLLOW_WANTS.filter((want) => values.includes(want))),
  maxPrice: maxPriceField.default(null),
  /** The names of retailers that sell the product. */
  retailers: chosen(MAX_RETAILERS, 'retailer').default(null),
  /** The keys of variants. */
  variants: chosen(MAX_VARIANTS, 'variant').default(null),
  /** Whole hours in the member's time zone: from the first until the second. */
  quietHours: z.object({ from: hour, to: hour }).nullable().default(null),
});
export type FollowFields = z.output<typeof followFields>;

/** The slug of a product in an address. */
export const productSlugField = z.string().max(200);
