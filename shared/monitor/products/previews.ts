import { z } from 'zod';
import { HOUR, toIso } from '../../clock';
import type { Database } from '../../database/schema';
import { deleteOlder } from '../../database/delete-in-batches';
import { inTransaction } from '../../database/transaction';
import { newId } from '../../ids';
import { shorten } from '../../text';
import { productJudgementSchema, type ProductJudgement, type ProductSign } from '../checks/verdict';

/** A preview is for the admin who is adding a watch. */
const PREVIEW_LIFETIME_MS = HOUR;

/** Texts of a page and lists are cut to these lengths, so that a preview is a small row. */
const MAX_TEXT = 300;
const MAX_SIGNS = 60;
const MAX_VARIANTS = 200;

const previewResultSchema = z.object({
  /** The judgement of the page without product data. */
  product: productJudgementSchema,
  /** The address that the page came from. */
  finalUrl: z.string(),
  /** 0 without an answer. */
  status: z.number(),
  responseTimeMs: z.number(),
  /** In characters, after decoding. */
  bodyLength: z.number(),
  /** Why no page was read, as a sentence; null when one was. */
  error: z.string().nullable(),
  /** Why robots.txt keeps us from the page, which was not requested then; null when it does not. */
  robots: z.string().nullable(),
  /** The address of the image that the page shows of its product; null: none was found. */
  imageUrl: z.string().nullable().default(null),
  /** The brand that the page names; null: none. */
  brand: z.string().nullable().default(null),
  /** The JSON of the shop's platform that says the same product; null when there is none. */
  platform: z
    .object({
      fetchAs: z.enum(['shopify_json', 'woo_store_api']),
      /** Whether it agrees with the page about stock and price. */
      agrees: z.boolean(),
      reason: z.string(),
    })
    .nullable(),
});
export type PreviewResult = z.infer<typeof previewResultSchema>;

export interface PagePreview {
  id: string;
  url: string;
  requestedAt: string;
  /** Null while the daemon has not looked at the page. */
  result: PreviewResult | null;
}

/** Adds a preview of a page, for the daemon to look at. Returns its id. */
export function addPreview(db: Database, { url, now }: { url: string; now: number }): Promise<string> {
  return inTransaction(db, async (trx) => {
    const id = newId();
    await trx
      .insertInto('page_previews')
      .values({ id, url, requested_at: toIso(now), finished_at: null, result: null })
      .execute();
    return id;
  });
}

/** Finds a preview; null when there is none, or it has expired. */
export async function findPreview(db: Database, id: string, now: number): Promise<PagePreview | null> {
  const row = await db
    .selectFrom('page_previews')
    .selectAll()
    .where('id', '=', id)
    .where('requested_at', '>', toIso(now - PREVIEW_LIFETIME_MS))
    .executeTakeFirst();
  if (row === undefined) return null;
  const { url, requested_at: requestedAt, result } = row;
  const parsed = result === null ? null : previewResultSchema.parse(JSON.parse(result));
  return { id, url, requestedAt, result: parsed };
}

const cut = (text: string): string => shorten(text, { fits: MAX_TEXT });
const cutOrNull = (text: string | null): string | null => (text === null ? null : cut(text));

function bounded({ product, ...facts }: PreviewResult): PreviewResult {
  return {
    ...facts,
    finalUrl: cut(facts.finalUrl),
    error: cutOrNull(facts.error),
    robots: cutOrNull(facts.robots),
    platform: facts.platform === null ? null : { ...facts.platform, reason: cut(facts.platform.reason) },
    product: {
      ...product,
      title: cutOrNull(product.title),
      seller: cutOrNull(product.seller),
      reason: cut(product.reason),
      variants: product.variants
        .slice(0, MAX_VARIANTS)
        .map((variant) => ({ ...variant, key: cut(variant.key), name: cut(variant.name) })),
      signs: product.signs.slice(0, MAX_SIGNS).map((sign) => ({ ...sign, evidence: cut(sign.evidence) })),
    },
  };
}

/** Stores what the daemon saw of a page. */
export async function finishPreview(
  db: Database,
  { id, result, now }: { id: string; result: PreviewResult; now: number },
): Promise<void> {
  await inTransaction(db, (trx) =>
    trx
      .updateTable('page_previews')
      .set({ finished_at: toIso(now), result: JSON.stringify(bounded(result)) })
      .where('id', '=', id)
      .where('finished_at', 'is', null)
      .execute(),
  );
}

/** Deletes expired previews. Returns how many. */
export function purgePreviews(db: Database, now: number): Promise<number> {
  return deleteOlder(db, 'page_previews', now - PREVIEW_LIFETIME_MS, 'requested_at');
}

/** Signs that the judge overruled: of this product or variant, and they say something else than its verdict. */
export function contradictionsOf({ signs, availability }: ProductJudgement): ProductSign[] {
  const sells = (says: string): string => (says === 'limited' ? 'in_stock' : says);
  return signs.filter(
    ({ subject, says, weight }) =>
      (subject === 'product' || subject === 'variant') &&
      weight > 0 &&
      says !== 'nothing' &&
      says !== 'discontinued' &&
      sells(says) !== sells(availability),
  );
}
