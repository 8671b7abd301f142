import type { Money } from '../money';
import { HOUR, MINUTE, toIso } from '../clock';
import { deleteInBatches } from '../database/delete-in-batches';
import type { Database, Transaction } from '../database/schema';
import type { ProductAnnouncementsTable } from '../database/tables/monitor/products';
import { inTransaction } from '../database/transaction';
import { newId } from '../ids';

/** A price that falls again within this time continues the same announcement, so followers are not notified twice. */
const SAME_DROP_WITHIN_MS = 15 * MINUTE;
/** How long announcements and their deliveries are kept. */
const RETENTION_MS = 72 * HOUR;
/** The hour of the release day, in London, at which followers are notified. */
const RELEASE_HOUR = 8;

/** The columns of a new announcement about a whole product, before the fan-out. */
const OF_NO_OFFER = {
  watch_id: null,
  price_amount: null,
  previous_amount: null,
  beside_restock: 0,
  fan_out_status: 'pending',
  fan_out_after: null,
} as const;

/** Whether a member follows the product. */
async function isFollowed(trx: Transaction, productId: string): Promise<boolean> {
  const follow = await trx
    .selectFrom('product_follows')
    .select('user_id')
    .where('product_id', '=', productId)
    .limit(1)
    .executeTakeFirst();
  return follow !== undefined;
}

/** The last price at which the offer could be bought before this check; null without one. */
async function lastBuyablePrice(
  trx: Transaction,
  { watchId, before }: { watchId: string; before: string | null },
): Promise<Money | null> {
  const run = await trx
    .selectFrom('offer_runs')
    .select(['price_amount', 'price_currency'])
    .where('watch_id', '=', watchId)
    .where('variant_key', '=', '')
    .where('availability', 'in', ['in_stock', 'limited'])
    .where('price_amount', 'is not', null)
    .$if(before !== null, (query) => query.where('first_seen_at', '<', before))
    .orderBy('last_seen_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (run === undefined || run.price_amount === null || run.price_currency === null) return null;
  return { amount: run.price_amount, currency: run.price_currency };
}

/**
 * Announces that a buyable offer costs less than when it was last buyable. Call it in the transaction that records the
 * check, before the check's runs are written. A follower is notified if their limit lies between the two prices.
 * `weakSince`: when a weak sign of the same stock was seen at this price. `besideRestock`: an alert notifies those who
 * follow restocks. Returns whether members must be listed.
 */
export async function announcePriceDrop(
  trx: Transaction,
  {
    watchId,
    productId,
    price,
    weakSince,
    besideRestock,
    now,
  }: {
    watchId: string;
    productId: string;
    price: Money;
    weakSince: string | null;
    besideRestock: boolean;
    now: number;
  },
): Promise<boolean> {
  if (price.currency !== 'GBP' || !(await isFollowed(trx, productId))) return false;
  const previous = await lastBuyablePrice(trx, { watchId, before: weakSince });
  if (previous === null || previous.currency !== 'GBP' || previous.amount <= price.amount) return false;
  const recent = await trx
    .selectFrom('product_announcements')
    .select(['id', 'previous_amount'])
    .where('watch_id', '=', watchId)
    .where('announced_at', '>', toIso(now - SAME_DROP_WITHIN_MS))
    .orderBy('announced_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const values = {
    price_amount: price.amount,
    previous_amount: Math.max(previous.amount, recent?.previous_amount ?? 0),
    beside_restock: besideRestock ? (1 as const) : (0 as const),
    announced_at: toIso(now),
    fan_out_status: 'pending' as const,
    fan_out_after: null,
  };
  if (recent === undefined)
    await trx
      .insertInto('product_announcements')
      .values({ id: newId(), kind: 'price_drop', product_id: productId, watch_id: watchId, ...values })
      .execute();
  else await trx.updateTable('product_announcements').set(values).where('id', '=', recent.id).execute();
  return true;
}

const londonFormat = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/London',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  hourCycle: 'h23',
});

/** Announces each product that is released today once, from eight in the morning in London. `now`: epoch ms. */
export async function announceReleases(db: Database, now: number): Promise<number> {
  const [day = '', hour = ''] = londonFormat.format(now).split(' ');
  if (Number(hour) < RELEASE_HOUR) return 0;
  const products = await db
    .selectFrom('products')
    .select('id')
    .where('released_on', '=', day)
    .where('retired_at', 'is', null)
    .where('deleted_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('product_follows').select('user_id').whereRef('product_id', '=', 'products.id')),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('product_announcements')
            .select('product_announcements.id')
            .whereRef('product_id', '=', 'products.id')
            .where('kind', '=', 'release')
            .where('announced_at', '>=', day),
        ),
      ),
    )
    .execute();
  if (products.length === 0) return 0;
  const { numInsertedOrUpdatedRows = 0n } = await inTransaction(db, (trx) =>
    trx
      .insertInto('product_announcements')
      .values(
        products.map(({ id }): ProductAnnouncementsTable => ({
          id: `release-${day}-${id}`,
          kind: 'release',
          product_id: id,
          ...OF_NO_OFFER,
          announced_at: toIso(now),
        })),
      )
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirst(),
  );
  return Number(numInsertedOrUpdatedRows);
}

/**
 * Announces once, in the transaction that decides it, that a product is retired, sold by no watched shop any more, or
 * checked by no watch. If it returns, its next end is announced too. Returns whether members must be listed.
 */
export async function announceEnd(
  trx: Transaction,
  { productId, now }: { productId: string; now: number },
): Promise<boolean> {
  const product = await trx
    .selectFrom('products')
    .select(['retired_at', 'end_announced_at'])
    .where('id', '=', productId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  const selling = await trx
    .selectFrom('watches')
    .select('id')
    .where('product_id', '=', productId)
    .where('deleted_at', 'is', null)
    .where('discontinued_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  const isEnded = product !== undefined && (product.retired_at !== null || selling === undefined);
  if (product === undefined || isEnded === (product.end_announced_at !== null)) return false;
  await trx
    .updateTable('products')
    .set({ end_announced_at: isEnded ? toIso(now) : null })
    .where('id', '=', productId)
    .execute();
  if (!isEnded || !(await isFollowed(trx, productId))) return false;
  await trx
    .insertInto('product_announcements')
    .values({
      id: newId(),
      kind: 'end',
      product_id: productId,
      ...OF_NO_OFFER,
      announced_at: toIso(now),
    })
    .execute();
  return true;
}

/** Deletes old announcements with their finished deliveries. Returns how many rows. `now`: epoch ms. */
export async function purgeAnnouncements(db: Database, now: number): Promise<number> {
  const before = toIso(now - RETENTION_MS);
  const deliveries = await deleteInBatches(db, (trx, limit) =>
    trx
      .deleteFrom('member_deliveries')
      .where('id', 'in', (from) =>
        from
          .selectFrom('member_deliveries')
          .innerJoin('product_announcements', 'product_announcements.id', 'announcement_id')
          .select('member_deliveries.id')
          .where('announced_at', '<', before)
          .limit(limit),
      ),
  );
  const announcements = await deleteInBatches(db, (trx, limit) =>
    trx.deleteFrom('product_announcements').where('id', 'in', (from) =>
      from
        .selectFrom('product_announcements')
        .select('id')
        .where('announced_at', '<', before)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('member_deliveries')
                .select('member_deliveries.id')
                .whereRef('announcement_id', '=', 'product_announcements.id'),
            ),
          ),
        )
        .limit(limit),
    ),
  );
  return deliveries + announcements;
}
