import { z } from 'zod';
import { AVAILABILITIES, productJudgementSchema } from '#shared/monitor/checks/verdict';
import type { DescribedPreview } from '#shared/monitor/products/describe-preview';

const price = z
  .object({
    amount: z.number().describe('In pounds, or the main unit of the currency.'),
    currency: z.string(),
  })
  .nullable();

const { signs } = productJudgementSchema.shape;

export const previewSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    requestedAt: z.string(),
    seen: productJudgementSchema
      .extend({
        price,
        variants: z.array(
          z.object({
            key: z.string().describe('For `variantKey` of a new watch.'),
            name: z.string(),
            availability: z.enum(AVAILABILITIES),
            price,
          }),
        ),
        watchedVariant: z.string().nullable().describe('The key of the variant that the address names.'),
        finalUrl: z.string(),
        status: z.number().describe('0 without an answer.'),
        responseTimeMs: z.number(),
        bodyLength: z.number().describe('In characters.'),
        error: z.string().nullable().describe('Why no page was read.'),
        robots: z
          .string()
          .nullable()
          .describe('Why robots.txt keeps us from the page. It was not requested then.'),
        imageUrl: z
          .string()
          .nullable()
          .describe('The image that the page shows of its product. For `imageUrl` of a new watch.'),
        brand: z.string().nullable().describe('The brand that the page names. For `brand` of a new watch.'),
        platform: z
          .object({
            fetchAs: z.enum(['shopify_json', 'woo_store_api']).describe('For `fetchAs` of a new watch.'),
            agrees: z.boolean(),
            reason: z.string(),
          })
          .nullable()
          .describe('The JSON of the shop’s platform, if there is one.'),
        contradictions: signs.describe('The signs that the verdict overruled.'),
        known: z
          .object({ slug: z.string(), title: z.string() })
          .nullable()
          .describe('The product that we have with the same GTIN.'),
        retailer: z.string().nullable().describe('The retailer that we have with the same host.'),
        watches: z
          .array(z.object({ slug: z.string(), variantKey: z.string().nullable() }))
          .describe('The watches that check this page already.'),
      })
      .nullable()
      .describe('Null while the daemon has not looked at the page.'),
  })
  .meta({ id: 'Preview' }) satisfies z.ZodType<DescribedPreview>;

export const previewExample: z.output<typeof previewSchema> = {
  id: '5e0d3c1a-7b42-4f0e-9a55-2c8f1d6b9e37',
  url: 'https://shop.example/products/ember-hollow-chest',
  requestedAt: '2026-11-20T10:30:00.000Z',
  seen: {
    availability: 'out_of_stock',
    unknownReason: null,
    detail: null,
    strength: 'strong',
    price: { amount: 49.99, currency: 'GBP' },
    title: 'Ember Hollow chest',
    gtin: '5012345678900',
    variants: [],
    watchedVariant: null,
    seller: null,
    reason: 'The button says "Sold out".',
    signs: [
      {
        source: 'button',
        says: 'out_of_stock',
        detail: null,
        subject: 'product',
        weight: 80,
        evidence: 'Sold out',
      },
    ],
    finalUrl: 'https://shop.example/products/ember-hollow-chest',
    status: 200,
    responseTimeMs: 412,
    bodyLength: 48211,
    error: null,
    robots: null,
    imageUrl: 'https://shop.example/images/ember-hollow-chest.jpg',
    brand: 'Lantern Games',
    platform: null,
    contradictions: [],
    known: null,
    retailer: 'Tanglewood Cards',
    watches: [],
  },
};
