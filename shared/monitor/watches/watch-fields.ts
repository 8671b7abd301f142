import { z } from 'zod';
import { DomainError } from '../../errors';
import { requiredLine } from '../../text';
import { HOURS_RULE, parseMonitoringHours, SHOP_ZONE } from '../monitoring-hours';
import { webAddressField } from '../../web-address';
import { timeZoneField } from '../../zoned-hours';
import { roleIdField } from '../../roles/role-settings';
import { readGtin } from '../products/gtin';

const INTERVAL_RULE = 'The interval is a whole number of seconds from 15 to 3600.';
/** The longest title of a watch. */
export const TITLE_LENGTH = 80;
const URL_MISSING = 'Please enter the address of the page, such as https://shop.example/.';

/** The fields of a watch that an admin sets: for the forms, the API and the command line. */
export const watchFields = z.object({
  shop: requiredLine(60, 'Please enter the name of the shop.'),
  title: requiredLine(TITLE_LENGTH, 'Please enter a title.'),
  url: z
    .string(URL_MISSING)
    .trim()
    .min(1, URL_MISSING)
    .max(2000, 'Please use at most 2000 characters.')
    .describe('A public http(s) address.'),
  hours: z
    .string(HOURS_RULE)
    .trim()
    .refine((text) => parseMonitoringHours(text) !== null, HOURS_RULE)
    .describe('Two whole hours of the day in `timeZone`, such as "9-21"; over midnight "20-2".'),
  timeZone: timeZoneField,
  intervalSeconds: z.number(INTERVAL_RULE).int(INTERVAL_RULE).min(15, INTERVAL_RULE).max(3600, INTERVAL_RULE),
});

export type WatchFields = z.output<typeof watchFields>;

/** The defaults of a new watch by its kind. */
export const NEW_WATCH = {
  waiting_room: { hours: '9-21', timeZone: SHOP_ZONE, intervalSeconds: 60 },
  product: { hours: '0-24', timeZone: SHOP_ZONE, intervalSeconds: 120 },
} as const;

const IMAGE_RULE = 'Please enter a web address, such as https://shop.example/box.jpg.';
const GTIN_RULE = 'A GTIN has 8, 12, 13 or 14 digits, of which the last is a right check digit.';

/** The fields of a product that an admin sets. */
export const productFields = z.object({
  title: requiredLine(200, 'Please enter the title of the product.'),
  brand: requiredLine(80, 'Please enter the brand.'),
  gtin: z
    .string(GTIN_RULE)
    .refine((text) => readGtin(text) !== null, GTIN_RULE)
    .transform((text) => readGtin(text) ?? '')
    .describe('8, 12, 13 or 14 digits with a right check digit.'),
  imageUrl: webAddressField({ missing: IMAGE_RULE, rule: IMAGE_RULE }).describe(
    'Where its image is. We fetch it once and serve a copy.',
  ),
});

/** The permission to check a page that robots.txt forbids: who gave it, and when. Empty: none. */
export const robotsPermission = z
  .string()
  .trim()
  .max(500, 'Please use at most 500 characters.')
  .optional()
  .describe("Of a product whose page the shop's robots.txt forbids: who permitted the checks, and when.");

/** Whether the page of a product is read through the paid fetching service. */
export const paidFetch = z
  .boolean()
  .optional()
  .describe('Of a product: its page is read through Scrappey, within the daily limit. By default it is not.');

/** The role on Discord of the members with Pro who want the alerts of a watch. Empty: none. */
export const memberRole = roleIdField
  .optional()
  .describe(
    'The id of a Discord role, which the bot gives to the members with Pro who want its alerts: of a product those who follow it. No other watch and no audience has it. Empty: none.',
  );

/** The fields of a new watch. Those that are missing get the defaults of its kind (`NEW_WATCH`). */
export const newWatchFields = watchFields.extend({
  kind: z
    .enum(['waiting_room', 'product'])
    .default('waiting_room')
    .describe('`product`: the page of a product, whose availability and price are checked.'),
  shop: watchFields.shape.shop
    .optional()
    .describe('Required for a waiting room. The name of a new retailer; by default its host.'),
  title: productFields.shape.title
    .optional()
    .describe(`Required for a waiting room, at most ${TITLE_LENGTH} characters. The title of a new product.`),
  hours: watchFields.shape.hours.optional().describe('By default "9-21", of a product "0-24".'),
  timeZone: watchFields.shape.timeZone.default(SHOP_ZONE),
  intervalSeconds: watchFields.shape.intervalSeconds
    .optional()
    .describe('By default 60, of a product 120. Of a product at least 30.'),
  productSlug: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .optional()
    .describe('A product that exists. Without it the one with the GTIN is found, or a new one is added.'),
  brand: productFields.shape.brand.optional().describe('Of a new product.'),
  gtin: productFields.shape.gtin.optional(),
  imageUrl: productFields.shape.imageUrl
    .optional()
    .describe('Of a product without an image: where it is, as the preview found it.'),
  variantKey: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('The variant that is watched, by its key. Without it the best of all counts.'),
  fetchAs: z
    .enum(['page', 'shopify_json', 'woo_store_api'])
    .optional()
    .describe(
      'Of a product: what a check reads, by default the page. The JSON of a platform, if the preview found that it agrees.',
    ),
  robotsPermission,
  paidFetch,
});

export type NewWatch = z.output<typeof newWatchFields>;

const SHORTEST_PRODUCT_INTERVAL = 30;

/** Throws `Invalid` when a watch of this kind would be checked too often. */
export function requireInterval(kind: 'waiting_room' | 'product', seconds: number): void {
  if (kind === 'waiting_room' || seconds >= SHORTEST_PRODUCT_INTERVAL) return;
  const message = `The interval of a product is at least ${SHORTEST_PRODUCT_INTERVAL} seconds.`;
  throw new DomainError('Invalid', {
    code: 'interval_too_short',
    message,
    fieldErrors: { intervalSeconds: [message] },
  });
}
