import type { Selectable } from 'kysely';
import type { Money } from '../../money';
import type { Database } from '../../database/schema';
import type { ProductsTable } from '../../database/tables/monitor/products';
import type { Availability } from '../../monitor/checks/verdict';
import { storedImageOf } from '../../monitor/products/stored-image';
import { isBuyable, type ListedProduct, type Offer } from '../offer';
import { isRecent, readShownRuns, type Shown, type ShownRun } from './shown-runs';

/** The best state first. */
const ORDER: readonly Availability[] = ['in_stock', 'limited', 'preorder', 'out_of_stock', 'unknown'];

const rankOf = (state: Availability): number => ORDER.indexOf(isBuyable(state) ? 'in_stock' : state);

/** Sorts by price; offers without one, or in another currency than pounds, come last. */
const priceRank = ({ price }: { price: Money | null }): number =>
  price?.currency === 'GBP' ? price.amount : Infinity;

const byState = (one: Offer, other: Offer): number =>
  rankOf(one.state) - rankOf(other.state) ||
  priceRank(one) - priceRank(other) ||
  (one.retailer.name < other.retailer.name ? -1 : 1);

/** The state of a product from its offers, sorted by `byState`. */
function stateOf(offers: readonly Offer[]): Pick<ListedProduct, 'state' | 'detail' | 'since' | 'price'> {
  const [best] = offers;
  if (best === undefined) return { state: 'unknown', detail: null, since: null, price: null };
  const same = offers.filter(({ state }) => rankOf(state) === rankOf(best.state));
  const times = same.flatMap(({ since }) => (since === null ? [] : [since])).toSorted();
  return {
    state: same.some(({ state }) => state === 'in_stock') ? 'in_stock' : best.state,
    detail: same.length === 1 ? best.detail : null,
    // In stock since the first retailer has it; out of stock since the last one sold out.
    since: (best.state === 'out_of_stock' ? times.at(-1) : times[0]) ?? null,
    price: best.price,
  };
}

function selectOffers(db: Database) {
  return db
    .selectFrom('products')
    .leftJoin('watches', (join) =>
      join.onRef('watches.product_id', '=', 'products.id').on('watches.deleted_at', 'is', null),
    )
    .leftJoin('retailers', 'retailers.id', 'watches.retailer_id')
    .select(['products.id', 'products.slug', 'products.title', 'products.brand', 'products.gtin'])
    .select(['products.released_on', 'products.created_at', 'products.retired_at'])
    .select(['image_upload_id', 'image_width', 'image_height'])
    .select(['watches.id as watch_id', 'watches.slug as watch_slug', 'watches.url'])
    .select([
      'watches.discontinued_at',
      'watches.last_checked_at',
      'watches.shop',
      'retailers.name as retailer',
      'retailers.host',
    ])
    .where('products.deleted_at', 'is', null)
    .orderBy('products.title')
    .orderBy('products.id')
    .orderBy('watches.id');
}

type OfferRow = Awaited<ReturnType<ReturnType<typeof selectOffers>['execute']>>[number];

function offerOf(row: OfferRow, run: ShownRun | undefined, now: number): Offer | null {
  const { watch_id: watchId, watch_slug: watch, url, host, discontinued_at: discontinuedAt } = row;
  if (watchId === null || watch === null || url === null) return null;
  // A retired product is not checked any more.
  const isKnown = run !== undefined && row.retired_at === null && isRecent(run, now);
  // It is checked once a day.
  const isGone = discontinuedAt !== null;
  return {
    watchId,
    watch,
    retailer: { name: row.retailer ?? row.shop ?? '', host: host ?? '' },
    url,
    state: isGone ? 'out_of_stock' : isKnown ? run.availability : 'unknown',
    detail: isKnown && !isGone ? run.detail : null,
    price: run?.price ?? null,
    since: isGone ? discontinuedAt : isKnown ? run.since : null,
    lastCheck: row.last_checked_at,
    lastSeen: run?.lastSeenAt ?? null,
    discontinuedAt,
  };
}

/**
 * Reads products with their offers as `shown` allows, by title: all, or the one with this id. At most a thousand watches exist.
 */
export async function readProducts(
  db: Database,
  { now, shown, id }: { now: number; shown: Shown; id?: string },
): Promise<ListedProduct[]> {
  const rows = await selectOffers(db)
    .$if(id !== undefined, (query) => query.where('products.id', '=', id ?? ''))
    .execute();
  const watchIds = rows.flatMap(({ watch_id: watchId }) => (watchId === null ? [] : [watchId]));
  const runs = new Map((await readShownRuns(db, { watchIds, shown })).map((run) => [run.watchId, run]));
  const products = new Map<string, { row: OfferRow; offers: Offer[] }>();
  for (const row of rows) {
    const product = products.get(row.id) ?? { row, offers: [] };
    products.set(row.id, product);
    const offer = offerOf(row, row.watch_id === null ? undefined : runs.get(row.watch_id), now);
    if (offer !== null) product.offers.push(offer);
  }
  return [...products.values()].map(({ row, offers: unsorted }) => {
    const offers = unsorted.toSorted(byState);
    return {
      id: row.id,
      slug: row.slug,
      title: row.title,
      brand: row.brand,
      gtin: row.gtin,
      image: storedImageOf(row),
      releasedOn: row.released_on,
      createdAt: row.created_at,
      retiredAt: row.retired_at,
      ...stateOf(offers),
      isGone: offers.length > 0 && offers.every(({ discontinuedAt }) => discontinuedAt !== null),
      isChecked:
        row.retired_at !== null || offers.length === 0 || offers.some(({ lastCheck }) => lastCheck !== null),
      offers,
    };
  });
}

/**
 * Finds a product's id by a name below /restock/: its own slug, or the slug of one of its watches, to which messages
 * link. Null for none.
 */
export async function findProductId(
  db: Database,
  slug: string,
): Promise<Pick<Selectable<ProductsTable>, 'id' | 'slug'> | null> {
  const product = await db
    .selectFrom('products')
    .select(['id', 'slug'])
    .where('slug', '=', slug)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (product !== undefined) return product;
  const offered = await db
    .selectFrom('watches')
    .innerJoin('products', 'products.id', 'watches.product_id')
    .select(['products.id', 'products.slug'])
    .where('watches.slug', '=', slug)
    .where('watches.deleted_at', 'is', null)
    .where('products.deleted_at', 'is', null)
    .executeTakeFirst();
  return offered ?? null;
}
