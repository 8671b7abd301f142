import { toMainUnit, type Money } from '../../money';
import { SECOND, toIso } from '../../clock';
import type { Database } from '../../database/schema';
import {
  storedAnalysisSchema,
  type Availability,
  type ProductJudgement,
  type ProductUnknownReason,
} from '../checks/verdict';
import { isBuyable } from '../checks/recording/decide-restock';
import { findHost, hostOf } from '../hosts/host-turns';
import { robotsRefusal } from '../hosts/stored-robots';
import { pauseEndOf, readHostLoads, type HostLoad } from '../product-schedule';
import { describeRobots } from '../watches/describe-watch';
import type { Watch } from '../watches/watches';
import { contradictionsOf } from './previews';
import type { Retailer } from './retailers';
import { readDistrusted, type SourceTrust } from './source-trust';

/** A shop with the watches of its products. */
export interface ListedShop {
  host: string;
  name: string;
  supported: boolean;
  /** Its watches, and how many of their last conclusive checks saw each availability. */
  watches: number;
  states: Partial<Record<Availability, number>>;
  /** The title of its canary; null without one. */
  canary: string | null;
  /** Whether its canary holds all verdicts back. */
  isHeld: boolean;
  /** The Discord roles that its alerts ping; null: those of the monitor's settings. */
  roles: Record<'instant' | 'free', string | null>;
  /** The load of its host; null while none of its watches runs. */
  load: { products: number; everySeconds: number; pausedUntil: string | null } | null;
  /** The sources of its pages that were wrong too often to open an alert alone. */
  distrusted: SourceTrust[];
}

interface ShopCanary {
  slug: string;
  title: string;
  isHeld: boolean;
}

/** The canaries of shops by the id of the shop. */
async function readCanaries(db: Database): Promise<ReadonlyMap<string, ShopCanary>> {
  const rows = await db
    .selectFrom('retailers')
    .innerJoin('watches', 'watches.id', 'retailers.canary_watch_id')
    .leftJoin('monitor_checks', 'monitor_checks.id', 'watches.last_check_id')
    .select([
      'retailers.id',
      'watches.slug',
      'watches.title',
      'watches.running',
      'monitor_checks.availability',
    ])
    .where('watches.deleted_at', 'is', null)
    .execute();
  return new Map(
    rows.map(({ id, slug, title, running, availability }) => [
      id,
      { slug, title, isHeld: running === 1 && availability !== null && !isBuyable(availability) },
    ]),
  );
}

/** Finds the canary of a shop, or null. */
export async function findCanary(db: Database, retailer: Retailer): Promise<ShopCanary | null> {
  return (await readCanaries(db)).get(retailer.id) ?? null;
}

/** "45 products here, each every 90 s". */
function describeLoad(load: HostLoad | undefined, now: number): ListedShop['load'] {
  if (load === undefined) return null;
  const pauseEnd = pauseEndOf(load, now);
  return {
    products: load.products,
    everySeconds: Math.round(load.everyMs / SECOND),
    pausedUntil: pauseEnd > now ? toIso(pauseEnd) : null,
  };
}

/** Lists the shops with their watches of products, by name. `now`: epoch ms. */
export async function listShops(db: Database, now: number): Promise<ListedShop[]> {
  const loads = await readHostLoads(db, now);
  const retailers = await db.selectFrom('retailers').selectAll().orderBy('name').execute();
  const counts = await db
    .selectFrom('watches')
    .select(['retailer_id', 'last_availability', (row) => row.fn.countAll<number>().as('watches')])
    .where('kind', '=', 'product')
    .where('deleted_at', 'is', null)
    .groupBy(['retailer_id', 'last_availability'])
    .execute();
  const canaries = await readCanaries(db);
  return retailers.map(({ id, host, name, supported, role_id_instant, role_id_free, distrusted_sources }) => {
    const own = counts.filter(({ retailer_id }) => retailer_id === id);
    const states: ListedShop['states'] = {};
    for (const { last_availability: state, watches } of own) states[state ?? 'unknown'] = Number(watches);
    return {
      host,
      name,
      supported: supported === 1,
      watches: own.reduce((sum, { watches }) => sum + Number(watches), 0),
      states,
      canary: canaries.get(id)?.title ?? null,
      isHeld: canaries.get(id)?.isHeld ?? false,
      roles: { instant: role_id_instant, free: role_id_free },
      load: describeLoad(loads.get(host), now),
      distrusted: readDistrusted(distrusted_sources),
    };
  });
}

/** The watch of a product as a list shows it. */
export interface ListedOffer {
  slug: string;
  title: string;
  /** The slug of its product. */
  product: string;
  running: boolean;
  /** What the last check saw; null before the first. */
  seen: {
    availability: Availability;
    detail: Watch['last_detail'];
    unknownReason: ProductUnknownReason | null;
  } | null;
  lastCheck: string | null;
  /** Since when the shop no longer sells it; null while it does. */
  discontinuedAt: string | null;
  /** The last known price, in the main unit of its currency. */
  price: Money | null;
  /** The signs that the last verdict overruled. */
  contradictions: number;
}

/**
 * Lists watches of products by title, `limit` of them after the first `offset`: those of a shop, or of a product. `total`:
 * how many there are.
 */
export async function listOffers(
  db: Database,
  {
    of,
    limit,
    offset,
  }: { of: { retailerId: string } | { productId: string }; limit: number; offset: number },
): Promise<{ offers: ListedOffer[]; total: number }> {
  const watches = db
    .selectFrom('watches')
    .where('watches.kind', '=', 'product')
    .where('watches.deleted_at', 'is', null)
    .$call((query) =>
      'retailerId' in of
        ? query.where('watches.retailer_id', '=', of.retailerId)
        : query.where('watches.product_id', '=', of.productId),
    );
  const { total } = await watches
    .select((row) => row.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await watches
    .innerJoin('products', 'products.id', 'watches.product_id')
    .leftJoin('monitor_checks', 'monitor_checks.id', 'watches.last_check_id')
    .select([
      'watches.slug',
      'watches.title',
      'products.slug as product',
      'watches.running',
      'watches.last_checked_at',
      'watches.discontinued_at',
      'watches.last_price_amount',
      'watches.last_price_currency',
      'monitor_checks.availability',
      'monitor_checks.detail',
      'monitor_checks.content_analysis',
    ])
    .orderBy('watches.title')
    .orderBy('watches.slug')
    .limit(limit)
    .offset(offset)
    .execute();
  const offers = rows.map((row): ListedOffer => {
    const { availability, last_price_amount: amount, last_price_currency: currency } = row;
    const judged =
      row.content_analysis === null
        ? undefined
        : storedAnalysisSchema.safeParse(JSON.parse(row.content_analysis)).data?.product;
    return {
      slug: row.slug,
      title: row.title,
      product: row.product,
      running: row.running === 1,
      seen:
        availability === null
          ? null
          : { availability, detail: row.detail, unknownReason: judged?.unknownReason ?? null },
      lastCheck: row.last_checked_at,
      discontinuedAt: row.discontinued_at,
      price: amount === null || currency === null ? null : toMainUnit({ amount, currency }),
      contradictions: judged === undefined ? 0 : contradictionsOf(judged).length,
    };
  });
  return { offers, total: Number(total) };
}

/** The offer data of a watch, in addition to its description. */
export interface OfferFacts {
  seen: Pick<ProductJudgement, 'availability' | 'detail' | 'unknownReason'> | null;
  /** Since when the settled state holds (ISO-8601). */
  since: string | null;
  shopHost: string;
  isHeld: boolean;
  /** The last known state of its host's robots.txt; null before the first read. */
  robots: ReturnType<typeof describeRobots>;
  /** Why robots.txt forbids its page, as a sentence; null when it is allowed. */
  robotsRefusal: string | null;
}

/** Reads what the screen of a product watch shows beside its description. */
export async function readOfferFacts(db: Database, watch: Watch): Promise<OfferFacts> {
  const retailer = await db
    .selectFrom('retailers')
    .selectAll()
    .where('id', '=', watch.retailer_id)
    .executeTakeFirstOrThrow();
  const run = await db
    .selectFrom('offer_runs')
    .select('first_seen_at')
    .where('watch_id', '=', watch.id)
    .where('variant_key', '=', watch.variant_key ?? '')
    .where('is_latest', '=', 1)
    .executeTakeFirst();
  const last = await db
    .selectFrom('monitor_checks')
    .select(['availability', 'detail', 'content_analysis'])
    .where('id', '=', watch.last_check_id)
    .executeTakeFirst();
  const pageHost = await findHost(db, hostOf(watch.url ?? ''));
  const availability = last?.availability ?? null;
  const judged =
    last === undefined ? undefined : storedAnalysisSchema.safeParse(JSON.parse(last.content_analysis)).data;
  return {
    seen:
      availability === null
        ? null
        : {
            availability,
            detail: last?.detail ?? null,
            unknownReason: judged?.product?.unknownReason ?? null,
          },
    since: run?.first_seen_at ?? null,
    shopHost: retailer.host,
    isHeld: (await findCanary(db, retailer))?.isHeld ?? false,
    robots: describeRobots(pageHost),
    robotsRefusal: pageHost === null ? null : robotsRefusal(pageHost, watch.url ?? ''),
  };
}
