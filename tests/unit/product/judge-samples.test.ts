import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  AVAILABILITIES,
  AVAILABILITY_DETAILS,
  PRODUCT_UNKNOWN_REASONS,
} from '#shared/monitor/checks/verdict';
import { decodeText } from '../../../daemon/waiting-room/fetch/decode-text';
import { judgeCase } from './product-pages';

const price = z.object({ amount: z.number(), currency: z.string() }).nullable();
const sampleSchema = z.object({
  id: z.string(),
  why: z.string(),
  url: z.string(),
  finalUrl: z.string(),
  status: z.number(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  bodyEncoding: z.literal('base64').optional(),
  expected: z.object({
    availability: z.enum(AVAILABILITIES),
    also: z.array(z.enum(AVAILABILITIES)).default([]),
    reason: z.enum(PRODUCT_UNKNOWN_REASONS).nullable(),
    reasonAlso: z.array(z.enum(PRODUCT_UNKNOWN_REASONS)).default([]),
    price,
    priceAlso: z.array(price).default([]),
    title: z.string().nullable(),
    gtin: z.string().nullable(),
    detail: z.enum(AVAILABILITY_DETAILS).optional(),
    variants: z.array(z.object({ name: z.string(), availability: z.enum(AVAILABILITIES) })).optional(),
  }),
});

const FOLDER = new URL('../../fixtures/restock/', import.meta.url);
const SAMPLES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => sampleSchema.parse(JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'))));

describe('the sample pages', () => {
  for (const { id, why, url, finalUrl, status, headers, body, bodyEncoding, expected } of SAMPLES)
    // The command knows only where the page was found; a watch knows the title of its product.
    for (const [requested, known] of [
      ...[...new Set([url, finalUrl])].map((address) => [address, null] as const),
      [url, expected.title ?? 'Ember Hollow Elite Trainer Box'] as const,
    ])
      test(`${id}, requested as ${requested}${known === null ? '' : `, known as ${known}`}: ${why}`, () => {
        const text =
          bodyEncoding === 'base64'
            ? decodeText(Buffer.from(body, 'base64'), headers['content-type'] ?? '').text
            : body;
        const product = judgeCase({ body: text, url: finalUrl, requested, status, headers, title: known });
        const { availability, unknownReason, title, gtin, detail, variants } = product;
        const hint = JSON.stringify(product, null, 1);
        expect([expected.availability, ...expected.also], hint).toContain(availability);
        expect([expected.price, ...expected.priceAlso], hint).toContainEqual(product.price);
        expect({ title, gtin }, hint).toEqual({ title: expected.title, gtin: expected.gtin });
        expect([expected.reason, ...expected.reasonAlso], hint).toContain(unknownReason);
        if (expected.detail !== undefined) expect(detail, hint).toBe(expected.detail);
        if (expected.variants !== undefined)
          expect(variants.map(({ name, availability: state }) => ({ name, availability: state }))).toEqual(
            expected.variants,
          );
      });
});
