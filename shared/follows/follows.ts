import { endWaits } from '../accounts/waiting-mails';
import { toIso, type Clock } from '../clock';
import type { Database, Transaction } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { judgementSchema, type Availability } from '../monitor/checks/verdict';
import { toPounds } from '../money';
import { readTrickling } from '../products/reading/restocks';
import { isRecent, readShown, readShownRuns } from '../products/reading/shown-runs';
import { requestWatchRolesOf } from '../roles/request-roles';
import { type FollowFields } from './follow-fields';
import { FOLLOW_LIMITS } from './follow-limits';
import { storedNames, storedWants } from './match-follow';

type Tier = keyof typeof FOLLOW_LIMITS;
type Retailer = { id: string; name: string };

/** A product that can be followed, with the choices of its follow form. */
export interface FollowableProduct {
  id: string;
  slug: string;
  title: string;
  /** When an admin retired it; null while we watch it. */
  retired_at: string | null;
  /** When its followers were notified that no watched shop sells it. */
  end_announced_at: string | null;
  retailers: { id: string; name: string }[];
  /** As the last checks saw them. */
  variants: { key: string; name: string }[];
}

/** A product that a member follows, and what they want to be told. `maxPrice` is in pounds. */
export interface Follow extends FollowFields {
  product: {
    slug: string;
    title: string;
    /**
     * The best of all offers; `unknown` when no recent check was conclusive, null before the first conclusive check. For
     * a retired product, the last known state.
     */
    state: Availability | null;
    /** The price of that offer, in minor units. */
    price: { amount: number; currency: string } | null;
    retailer: string | null;
    /** No retailer that we watch sells it any more. */
    isGone: boolean;
    /** Whether stock comes and goes at this retailer. */
    isTrickling: boolean;
    /** We no longer watch it: the follow is kept, does not count against the limit, and sends nothing. */
    retired: boolean;
    /** Whether it is checked at a shop. */
    isWatched: boolean;
  };
  /** False beyond the plan's number of products: the follow is kept but sends no alerts. */
  counts: boolean;
  followedAt: string;
}

/** The best first. */
const STATE_ORDER: readonly Availability[] = ['in_stock', 'limited', 'preorder', 'out_of_stock', 'unknown'];

async function requireProduct(
  db: Database,
  slug: string,
): Promise<Omit<FollowableProduct, 'retailers' | 'variants'>> {
  const product = await db
    .selectFrom('products')
    .select(['id', 'slug', 'title', 'retired_at', 'end_announced_at'])
    .where('slug', '=', slug)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (product !== undefined) return product;
  throw new DomainError('NotFound', {
    code: 'product_not_found',
    message: 'We do not watch a product with this name.',
  });
}

const offersOf = (db: Database, productIds: readonly string[]) =>
  db
    .selectFrom('watches')
    .innerJoin('retailers', 'retailers.id', 'watches.retailer_id')
    .select([
      'watches.id as watch_id',
      'watches.product_id',
      'watches.last_check_id',
      'watches.discontinued_at',
      'retailers.id',
      'retailers.name',
    ])
    .where('watches.product_id', 'in', [...productIds])
    .where('watches.deleted_at', 'is', null)
    .orderBy('retailers.name')
    .orderBy('watches.id')
    .execute();

const retailersOf = (offers: readonly { id: string; name: string }[]): Retailer[] => [
  ...new Map(offers.map(({ id, name }) => [id, { id, name }])).values(),
];

/** Finds a product with its retailers and variants. Throws `NotFound` `product_not_found`. */
export async function requireFollowable(db: Database, slug: string): Promise<FollowableProduct> {
  const product = await requireProduct(db, slug);
  const offers = await offersOf(db, [product.id]);
  const checkIds = offers.flatMap(({ last_check_id }) => last_check_id ?? []);
  const checks =
    checkIds.length === 0
      ? []
      : await db
          .selectFrom('monitor_checks')
          .select('content_analysis')
          .where('id', 'in', checkIds)
          .execute();
  const variants = new Map<string, { key: string; name: string }>();
  for (const { content_analysis: analysis } of checks) {
    const judged = judgementSchema.safeParse(JSON.parse(analysis));
    const seen = judged.success ? (judged.data.product?.variants ?? []) : [];
    if (seen.length > 1) for (const { key, name } of seen) variants.set(key, { key, name });
  }
  return { ...product, retailers: retailersOf(offers), variants: [...variants.values()] };
}

function retailerIdsOf(names: readonly string[] | null, retailers: Retailer[]): string | null {
  if (names === null) return null;
  const unknown = names.find((name) => !retailers.some((retailer) => retailer.name === name));
  if (unknown !== undefined) {
    const message = `No retailer called ${unknown} sells this product.`;
    throw new DomainError('Invalid', {
      code: 'retailer_unknown',
      message,
      fieldErrors: { retailers: [message] },
    });
  }
  return JSON.stringify(retailers.filter(({ name }) => names.includes(name)).map(({ id }) => id));
}

async function requireRoom(
  trx: Transaction,
  { userId, tier }: { userId: string; tier: Tier },
): Promise<void> {
  const { count } = await trx
    .selectFrom('product_follows')
    .innerJoin('products', 'products.id', 'product_follows.product_id')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('products.deleted_at', 'is', null)
    .where('products.retired_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (Number(count) < FOLLOW_LIMITS[tier]) return;
  throw new DomainError('Conflict', {
    code: 'follow_limit',
    message:
      tier === 'pro'
        ? `You already follow ${FOLLOW_LIMITS.pro} products, which is the maximum. Stop following one first.`
        : `You already follow ${FOLLOW_LIMITS.free} products, which is the maximum without Pro. Stop following one first, or follow up to ${FOLLOW_LIMITS.pro} with Pro.`,
  });
}

/**
 * Follows a product, or updates a follow; mails that wait for the end of quiet hours are due at once. Throws `NotFound`
 * `product_not_found`, `Invalid` `retailer_unknown` or `price_limit_missing`, and `Conflict` `follow_limit` for one product
 * too many, `product_retired` for one that we no longer watch.
 */
export async function followProduct(
  db: Database,
  {
    userId,
    tier,
    slug,
    fields,
    clock,
  }: { userId: string; tier: Tier; slug: string; fields: FollowFields; clock: Clock },
): Promise<{ title: string }> {
  const { wants, maxPrice, retailers, variants, quietHours } = fields;
  if (wants.includes('price_drop') && maxPrice === null) {
    const message = 'Please enter the price at which we should alert you.';
    throw new DomainError('Invalid', {
      code: 'price_limit_missing',
      message,
      fieldErrors: { maxPrice: [message] },
    });
  }
  return inTransaction(db, async (trx) => {
    const product = await requireProduct(trx, slug);
    if (product.retired_at !== null)
      throw new DomainError('Conflict', {
        code: 'product_retired',
        message: `We no longer watch ${product.title}.`,
      });
    const sold = retailersOf(await offersOf(trx, [product.id]));
    const isQuiet = quietHours !== null && quietHours.from !== quietHours.to;
    const values = {
      wants: JSON.stringify(wants),
      max_price_amount: maxPrice === null ? null : Math.round(maxPrice * 100),
      retailer_ids: retailerIdsOf(retailers, sold),
      variant_keys: variants === null ? null : JSON.stringify(variants),
      quiet_from: isQuiet ? quietHours.from : null,
      quiet_to: isQuiet ? quietHours.to : null,
    };
    const { numUpdatedRows } = await trx
      .updateTable('product_follows')
      .set(values)
      .where('user_id', '=', userId)
      .where('product_id', '=', product.id)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) {
      await requireRoom(trx, { userId, tier });
      await trx
        .insertInto('product_follows')
        .values({ ...values, user_id: userId, product_id: product.id, created_at: toIso(clock.now()) })
        .execute();
    }
    await endWaits(trx, { accountId: userId, now: clock.now() });
    await requestWatchRolesOf(trx, userId, clock.now());
    return { title: product.title };
  });
}

/** Ends a follow, if it exists. Throws `NotFound` `product_not_found`. */
export async function unfollowProduct(
  db: Database,
  { userId, slug, clock }: { userId: string; slug: string; clock: Clock },
): Promise<{ title: string }> {
  return inTransaction(db, async (trx) => {
    const { id, title } = await requireProduct(trx, slug);
    await trx
      .deleteFrom('product_follows')
      .where('user_id', '=', userId)
      .where('product_id', '=', id)
      .execute();
    await requestWatchRolesOf(trx, userId, clock.now());
    return { title };
  });
}

/** Whether a member follows a product, by the ids of both. */
export async function isFollowing(
  db: Database,
  { userId, productId }: { userId: string; productId: string },
): Promise<boolean> {
  const found = await db
    .selectFrom('product_follows')
    .select('product_id')
    .where('user_id', '=', userId)
    .where('product_id', '=', productId)
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * The products that a member follows, with the states that public pages show them. Oldest follow first, the order in
 * which they count against the limit. `now`: epoch ms.
 */
export async function listFollows(
  db: Database,
  { userId, tier, now }: { userId: string; tier: Tier; now: number },
): Promise<Follow[]> {
  const rows = await db
    .selectFrom('product_follows')
    .innerJoin('products', 'products.id', 'product_follows.product_id')
    .selectAll('product_follows')
    .select(['products.slug', 'products.title', 'products.retired_at'])
    .where('user_id', '=', userId)
    .where('products.deleted_at', 'is', null)
    .orderBy('product_follows.created_at')
    .orderBy('product_id')
    .execute();
  if (rows.length === 0) return [];
  const offers = await offersOf(
    db,
    rows.map(({ product_id }) => product_id),
  );
  const shown = await readShown(db, { now, audience: tier === 'pro' ? 'instant' : 'free' });
  const watchIds = offers.map(({ watch_id }) => watch_id);
  const runs = new Map((await readShownRuns(db, { watchIds, shown })).map((run) => [run.watchId, run]));
  const trickling = await readTrickling(db, { watchIds, hidden: shown.hiddenAlerts });
  const nameOf = new Map(offers.map(({ id, name }) => [id, name]));
  const counting = rows.filter(({ retired_at }) => retired_at === null);
  return rows.map((row): Follow => {
    const own = offers.filter(({ product_id }) => product_id === row.product_id);
    const seen = own.flatMap(({ watch_id, name, discontinued_at }) => {
      const run = runs.get(watch_id);
      if (run === undefined) return [];
      const isKnown = row.retired_at !== null || discontinued_at !== null || isRecent(run, now);
      return [{ ...run, state: isKnown ? run.availability : ('unknown' as const), retailer: name }];
    });
    const best = STATE_ORDER.flatMap((state) => seen.filter((offer) => offer.state === state))[0];
    return {
      product: {
        slug: row.slug,
        title: row.title,
        state: best?.state ?? null,
        price: best?.price ?? null,
        retailer: best?.retailer ?? null,
        isGone: own.length > 0 && own.every(({ discontinued_at }) => discontinued_at !== null),
        isTrickling: best !== undefined && trickling.has(best.watchId),
        retired: row.retired_at !== null,
        isWatched: own.length > 0,
      },
      wants: storedWants(row.wants),
      maxPrice: row.max_price_amount === null ? null : toPounds(row.max_price_amount),
      retailers: storedNames(row.retailer_ids)?.flatMap((id) => nameOf.get(id) ?? []) ?? null,
      variants: storedNames(row.variant_keys),
      quietHours:
        row.quiet_from === null || row.quiet_to === null ? null : { from: row.quiet_from, to: row.quiet_to },
      counts: row.retired_at !== null || counting.indexOf(row) < FOLLOW_LIMITS[tier],
      followedAt: row.created_at,
    };
  });
}
