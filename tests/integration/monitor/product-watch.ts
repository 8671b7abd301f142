import type { Database } from '#shared/database/connection.server';
import type { FinishedCheck } from '#shared/monitor/checks/recording/check-row';
import type { Judgement, ProductJudgement } from '#shared/monitor/checks/verdict';
import { newId } from '#shared/ids';

/** Adds a running watch of a product that no other test has, without webhooks. Returns the watch's id. */
export async function insertProductWatch(
  db: Database,
  {
    url = 'https://cards.example/products/chest',
    title = 'Ember Hollow chest',
  }: { url?: string; title?: string } = {},
): Promise<string> {
  const id = newId();
  const created_at = new Date(0).toISOString();
  await db
    .insertInto('products')
    .values({ id, slug: `product-${id}`, title, created_at })
    .execute();
  await db
    .insertInto('retailers')
    .values({ id, name: 'Tanglewood Cards', host: `${id}.example` })
    .execute();
  await db
    .insertInto('watches')
    .values({
      id,
      kind: 'product',
      product_id: id,
      retailer_id: id,
      slug: `watch-${id}`,
      shop: 'Tanglewood Cards',
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
