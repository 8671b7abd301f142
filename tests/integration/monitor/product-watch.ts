import type { Database } from '#shared/database/connection.server';
import type { FinishedCheck } from '#shared/monitor/checks/recording/check-row';
import type { Judgement, ProductJudgement } from '#shared/monitor/checks/verdict';
import { newId } from '#shared/ids';
import { addCase } from '#shared/monitor/products/judge-cases.server';
import { addPreview, finishPreview } from '#shared/monitor/products/previews';
import { storeCheck } from '../alerts/finished-check';

/**
 * Adds a running watch of a product that no other test has, or of the product with the id `product`, without webhooks. Returns
 * the watch's id, which is that of the product and of the retailer as well.
 */
export async function insertProductWatch(
  db: Database,
  {
    url = 'https://cards.example/products/chest',
    title = 'Ember Hollow chest',
    retailer = 'Tanglewood Cards',
    product,
    fields = {},
  }: {
    url?: string;
    title?: string;
    retailer?: string;
    product?: string;
    fields?: { slug?: string; brand?: string; gtin?: string; released_on?: string };
  } = {},
): Promise<string> {
  const id = newId();
  const created_at = new Date(0).toISOString();
  if (product === undefined)
    await db
      .insertInto('products')
      .values({ id, slug: `product-${id}`, title, created_at, ...fields })
      .execute();
  await db
    .insertInto('retailers')
    .values({ id, name: retailer, host: `${id}.example` })
    .execute();
  await db
    .insertInto('watches')
    .values({
      id,
      kind: 'product',
      product_id: product ?? id,
      retailer_id: id,
      slug: `watch-${id}`,
      shop: retailer,
      title,
      url,
      time_zone: 'Europe/London',
      hours: '0-24',
      interval_seconds: 120,
      running: 1,
    })
    .execute();
  return id;
}

/** Adds a preview that the daemon has looked at: in stock, with two variants and data that contradicts. Returns its id. */
export async function insertSeenPreview(
  db: Database,
  now: number,
  text = 'Ember Hollow chest',
): Promise<string> {
  const url = `https://cards.example/products/${encodeURIComponent(text)}`;
  const id = await addPreview(db, { url, now });
  const { product } = productJudgement({
    title: text,
    gtin: '5012345678900',
    seller: text,
    variants: ['red', 'blue'].map((key) => ({
      key,
      name: `${key} ${text}`,
      availability: 'in_stock',
      price: { amount: 4_999, currency: 'GBP' },
    })),
    signs: (['in_stock', 'out_of_stock'] as const).map((says) => ({
      source: says === 'in_stock' ? 'button' : 'structured_data',
      says,
      detail: null,
      subject: 'product',
      weight: says === 'in_stock' ? 80 : 40,
      evidence: text,
    })),
  });
  if (product === undefined) throw new Error('a product page was judged');
  const result = {
    product,
    finalUrl: url,
    status: 200,
    responseTimeMs: 412,
    bodyLength: 48_211,
    error: null,
    robots: null,
    imageUrl: null,
    brand: null,
    platform: null,
  };
  await finishPreview(db, { id, result, now });
  return id;
}

/**
 * Adds a stopped watch of a product with a check, a kept page, a product without watches, and a
 * suggestion of a member that exists. Returns their names.
 */
export async function insertSeenProduct(
  db: Database,
  now: number,
  text = 'Ember Hollow chest',
): Promise<{ product: string; unwatched: string; offer: string; evidence: string; retailer: string }> {
  const id = await insertProductWatch(db, { title: text });
  const clock = { now: () => now };
  await db.updateTable('watches').set({ running: 0, shop: text }).where('id', '=', id).execute();
  await db.updateTable('retailers').set({ name: text, canary_watch_id: id }).where('id', '=', id).execute();
  const evidence = await storeCheck(db, clock, {
    ...productCheck(id, { title: text, reason: text, seller: text }),
    trigger: 'manual',
  });
  const answer = { availability: 'out_of_stock', price: 54.99 } as const;
  await addCase(db, { checkId: evidence, answer, note: text, actor: { userId: null }, clock });
  const unwatched = newId();
  await db
    .insertInto('products')
    .values({ id: unwatched, slug: unwatched, title: text, created_at: new Date(now).toISOString() })
    .execute();
  const { id: userId } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow();
  const url = 'https://cards.example/products/suggested';
  await db
    .insertInto('product_suggestions')
    .values({ id: newId(), user_id: userId, url, created_at: new Date(now).toISOString() })
    .execute();
  return { product: `product-${id}`, unwatched, offer: `watch-${id}`, evidence, retailer: `${id}.example` };
}

/** A judgement of a product page: in stock for £49.99, with the given changes. */
function productJudgement(changes: Partial<ProductJudgement> = {}): Judgement {
  const product: ProductJudgement = {
    availability: 'in_stock',
    unknownReason: null,
    detail: null,
    strength: 'strong',
    price: { amount: 4_999, currency: 'GBP' },
    title: 'Ember Hollow chest',
    gtin: null,
    variants: [],
    watchedVariant: null,
    seller: null,
    reason: 'The button says "Add to basket".',
    signs: [],
    ...changes,
  };
  return {
    verdict: 'open',
    strength: null,
    unknownReason: null,
    reason: 'Products are on sale.',
    signs: [],
    product,
  };
}

/** The changes of `finishedCheck` for a scheduled check of a product watch. */
export const productCheck = (
  watchId: string,
  changes: Partial<ProductJudgement> = {},
): Partial<FinishedCheck> => ({
  watchId,
  trigger: 'schedule',
  targetUrl: 'https://cards.example/products/chest',
  judgement: productJudgement(changes),
});

export const OUT: Partial<ProductJudgement> = { availability: 'out_of_stock' };
export const UNKNOWN: Partial<ProductJudgement> = {
  availability: 'unknown',
  unknownReason: 'error',
  strength: null,
  price: null,
};
