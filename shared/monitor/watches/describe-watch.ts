import { readWatchRoles } from '../../roles/watch-roles';
import { toMainUnit } from '../../money';
import { SECOND, toIso, type Clock } from '../../clock';
import type { Database } from '../../database/schema';
import type { Verdict } from '../checks/verdict';
import { readDaemonStatus } from '../heartbeat';
import { DEFAULT_MONITORING_HOURS, parseMonitoringHours } from '../monitoring-hours';
import { hostOf, leastSpacingMs, type Host } from '../hosts/host-turns';
import { nextCheckOf } from '../next-check';
import { pauseEndOf, readHostLoads, type HostLoad } from '../product-schedule';
import { pacedIntervalMs } from '../product-timing';
import { listWatches, urlOf, type Watch } from './watches';

/** A watch as the API and the command line show it; the names are the API's. */
export interface DescribedWatch {
  id: string;
  slug: string;
  shop: string;
  title: string;
  url: string;
  /** Such as "9-21", in `timeZone`. */
  hours: string;
  timeZone: string;
  intervalSeconds: number;
  running: boolean;
  /** The verdict of the last check; `unknown` before the first. */
  state: Verdict;
  lastCheck: string | null;
  nextCheck: string | null;
  kind: Watch['kind'];
  /** The id of the Discord role of its members; null: none. */
  memberRole: string | null;
  /** The product and settled state of a product watch; null for a waiting room. */
  product: DescribedOffer | null;
}

/** The product of a watch, and its settled state. */
export interface DescribedOffer {
  slug: string;
  title: string;
  gtin: string | null;
  retailer: string;
  variantKey: string | null;
  fetchAs: Watch['fetch_as'];
  /** Null before the first conclusive check. */
  availability: Watch['last_availability'];
  detail: Watch['last_detail'];
  /** In pounds, or the main unit of the currency. */
  price: { amount: number; currency: string } | null;
  /** Since when the shop no longer sells it; null while it does. */
  discontinuedAt: string | null;
  robotsPermission: string | null;
  /** Whether its page is read through the paid fetching service. */
  paidFetch: boolean;
  /** The load of its host; null while the watch is stopped. */
  host: DescribedHost | null;
}

/** The load of a host: "45 products here, each every 90 s". */
interface DescribedHost {
  /** Running watches of its products. */
  products: number;
  /** How often this one is checked. */
  everySeconds: number;
  /** While the host is paused, because it refused a check or requested a pause. */
  pausedUntil: string | null;
  /** The least time between two requests to the host, as its robots.txt may ask for. */
  spacingSeconds: number;
  /** The last known state of its robots.txt; null before the first read. */
  robots: { kind: 'rules' | 'none' | 'unreachable'; readAt: string } | null;
}

async function describeOffers(
  db: Database,
  watches: readonly Watch[],
  now: number,
): Promise<ReadonlyMap<string, DescribedOffer>> {
  if (!watches.some(({ kind }) => kind === 'product')) return new Map();
  const products = new Map(
    (await db.selectFrom('products').select(['id', 'slug', 'title', 'gtin']).execute()).map((product) => [
      product.id,
      product,
    ]),
  );
  const retailers = new Map(
    (await db.selectFrom('retailers').select(['id', 'name']).execute()).map(({ id, name }) => [id, name]),
  );
  const loads = await readHostLoads(db, now);
  return new Map(
    watches.flatMap((watch) => {
      const product = products.get(watch.product_id ?? '');
      if (product === undefined) return [];
      const { slug, title, gtin } = product;
      const { last_price_amount: amount, last_price_currency: currency } = watch;
      const offer: DescribedOffer = {
        slug,
        title,
        gtin,
        retailer: retailers.get(watch.retailer_id ?? '') ?? watch.shop,
        variantKey: watch.variant_key,
        fetchAs: watch.fetch_as,
        availability: watch.last_availability,
        detail: watch.last_detail,
        price: amount === null || currency === null ? null : toMainUnit({ amount, currency }),
        discontinuedAt: watch.discontinued_at,
        robotsPermission: watch.robots_permission,
        paidFetch: watch.paid_fetch === 1,
        host: describeHost(watch, loads, now),
      };
      return [[watch.id, offer]];
    }),
  );
}

function describeHost(watch: Watch, loads: Map<string, HostLoad>, now: number): DescribedHost | null {
  const load = loads.get(hostOf(watch.url ?? ''));
  if (load === undefined || watch.running === 0) return null;
  const pauseEnd = pauseEndOf(load, now);
  return {
    products: load.products,
    everySeconds: Math.round(pacedIntervalMs(watch, load.pace, now) / SECOND),
    pausedUntil: pauseEnd > now ? toIso(pauseEnd) : null,
    spacingSeconds: leastSpacingMs(load.host) / SECOND,
    robots: describeRobots(load.host),
  };
}

/** The last known state of a host's robots.txt. */
export function describeRobots(host: Host | null): DescribedHost['robots'] {
  if (host === null || host.robots === null || host.robots_read_at === null) return null;
  return { kind: host.robots, readAt: host.robots_read_at };
}

interface DescribeContext {
  db: Database;
  clock: Clock;
  /** MONITOR_TARGET_URL. */
  targetUrl: string;
}

/** Describes watches with their settings and their state now. */
async function describeWatches(
  { db, clock, targetUrl }: DescribeContext,
  watches: readonly Watch[],
): Promise<DescribedWatch[]> {
  const now = clock.now();
  const { online: daemonOnline } = await readDaemonStatus(db, now);
  const offers = await describeOffers(db, watches, now);
  const roles = await readWatchRoles(db);
  return watches.map((watch) => {
    const hours = parseMonitoringHours(watch.hours) ?? DEFAULT_MONITORING_HOURS;
    const { interval_seconds: intervalSeconds, time_zone: timeZone } = watch;
    return {
      id: watch.id,
      slug: watch.slug,
      shop: watch.shop,
      title: watch.title,
      url: urlOf(watch, { targetUrl }),
      hours: `${hours.from}-${hours.to}`,
      timeZone,
      intervalSeconds,
      running: watch.running === 1,
      state: watch.last_verdict ?? 'unknown',
      lastCheck: watch.last_checked_at,
      nextCheck: nextCheckOf(watch, { hours, timeZone, intervalSeconds }, { daemonOnline, now }),
      kind: watch.kind,
      memberRole: roles.get(watch.id) ?? null,
      product: offers.get(watch.id) ?? null,
    };
  });
}

/** Describes one watch. */
export async function describeWatch(context: DescribeContext, watch: Watch): Promise<DescribedWatch> {
  const [described] = await describeWatches(context, [watch]);
  if (described === undefined) throw new Error('describeWatches returns one row per watch');
  return described;
}

/** Describes every watch that is not deleted, by slug. */
export async function listDescribedWatches(context: DescribeContext): Promise<DescribedWatch[]> {
  return describeWatches(context, await listWatches(context.db));
}
