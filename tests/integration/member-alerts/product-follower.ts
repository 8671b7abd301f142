import { toIso } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import type { StoredFollow } from '#shared/follows/match-follow';
import type { ProductJudgement } from '#shared/monitor/checks/verdict';
import { storeCheck } from '../alerts/finished-check';
import { insertProductWatch, productCheck } from '../monitor/product-watch';
import type { MonitorFixture } from '../monitor/monitor-fixture';

/** Adds the watch of a product that no daemon checks: tests store its checks. Returns its id, which is the product's, too. */
export async function insertFollowedProduct(
  db: Database,
  page?: { url: string; title: string },
): Promise<string> {
  const id = await insertProductWatch(db, page);
  await db.updateTable('watches').set({ running: 0 }).where('id', '=', id).execute();
  return id;
}

/** Follows a product for restocks, or with the given columns; `wants` is a list. */
export async function addFollow(
  db: Database,
  {
    userId,
    productId,
    wants = ['restock'],
    ...columns
  }: { userId: string; productId: string; wants?: string[] } & Partial<Omit<StoredFollow, 'wants'>>,
): Promise<void> {
  await db
    .insertInto('product_follows')
    .values({
      user_id: userId,
      product_id: productId,
      wants: JSON.stringify(wants),
      created_at: toIso(0),
      ...columns,
    })
    .execute();
}

/** Stores a check of a product now: in stock for £49.99, with the given changes. */
export function seeProduct(
  { db, clock }: Pick<MonitorFixture, 'db' | 'clock'>,
  watchId: string,
  seen: Partial<ProductJudgement> = {},
): Promise<string> {
  return storeCheck(db, clock, { ...productCheck(watchId, seen), trigger: 'manual' });
}
