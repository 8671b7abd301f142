import type { Money } from '../../money';
import { DAY, fromIso, HOUR, toIso } from '../../clock';
import type { Database } from '../../database/schema';
import type { StoredAvailability, StoredDetail } from '../../database/tables/monitor/products';
import { moneyOf, type Shown } from './shown-runs';

/** The price history that everybody sees. */
export const BASIC_DAYS = 30;
/** A drawing or a response holds so many runs, the newest; a file more. */
const MAX_RUNS = 1_000;
export const MAX_FILE_RUNS = 10_000;
/** After a longer time without a check the offer may have changed unseen. */
const GAP_MS = 6 * HOUR;

/** What an offer was and cost from one time to another. */
export interface PriceRun {
  watchId: string;
  /** Empty: the offer as a whole. */
  variantKey: string;
  state: StoredAvailability;
  detail: StoredDetail | null;
  price: Money | null;
  /** ISO-8601. `to`: the next change if it was seen in time, else the last check. */
  from: string;
  to: string;
}

/** What offers cost. */
export interface PriceHistory {
  /** The start of the span, or the first check if that is later (ISO-8601), and its end. */
  from: string;
  to: string;
  /** Oldest first. */
  runs: PriceRun[];
  /** Of these runs, in the currency of the newest price. */
  lowest: Money | null;
  highest: Money | null;
  /**
   * The claim that the newest price of the first offer is its lowest: the whole days in which we looked without a day's break
   * and saw no lower one. Null: it is not, or we have not looked for a day.
   */
  lowestForDays: number | null;
}

interface Span {
  watchIds: readonly string[];
  shown: Shown;
  now: number;
  /** Null: all time. */
  days: number | null;
}

/**
 * Reads the runs of offers that `shown` allows: of the last `days`, the newest `limit` of them. With `variants`, those of
 * the variants as well.
 */
export async function readRuns(
  db: Database,
  {
    watchIds,
    shown,
    now,
    days,
    variants = false,
    limit = MAX_RUNS,
  }: Span & { variants?: boolean; limit?: number },
): Promise<PriceRun[]> {
  if (watchIds.length === 0) return [];
  const rows = await db
    .selectFrom('offer_runs')
    .select(['watch_id', 'variant_key', 'availability', 'detail', 'price_amount', 'price_currency'])
    .select(['first_seen_at', 'last_seen_at'])
    .where('watch_id', 'in', watchIds)
    .$if(!variants, (query) => query.where('variant_key', '=', ''))
    .$if(days !== null, (query) => query.where('last_seen_at', '>=', toIso(now - (days ?? 0) * DAY)))
    .orderBy('last_seen_at', 'desc')
    .limit(limit)
    .execute();
  const next = new Map<string, string>();
  const runs: PriceRun[] = [];
  for (const row of rows) {
    if (row.availability !== 'out_of_stock' && row.first_seen_at > shown.until(row.watch_id)) continue;
    const offer = `${row.watch_id} ${row.variant_key}`;
    const changedAt = next.get(offer);
    next.set(offer, row.first_seen_at);
    const isFollowed = changedAt !== undefined && fromIso(changedAt) - fromIso(row.last_seen_at) <= GAP_MS;
    runs.push({
      watchId: row.watch_id,
      variantKey: row.variant_key,
      state: row.availability,
      detail: row.detail,
      price: moneyOf(row.price_amount, row.price_currency),
      from: row.first_seen_at,
      to: isFollowed ? changedAt : row.last_seen_at,
    });
  }
  return runs.reverse();
}

/** For how many days the newest price of these runs of one offer, oldest first, has been its lowest. */
function lowestForDays(runs: readonly PriceRun[], now: number): number | null {
  const newest = runs.at(-1)?.price;
  if (newest === undefined || newest === null) return null;
  let since = now;
  let hasChanged = false;
  for (const { price, from, to } of runs.toReversed()) {
    const isLower = price !== null && (price.currency !== newest.currency || price.amount < newest.amount);
    if (since - fromIso(to) > DAY || isLower) break;
    hasChanged ||= price !== null && price.amount > newest.amount;
    since = fromIso(from);
  }
  const days = Math.floor((now - since) / DAY);
  return hasChanged && days >= 1 ? days : null;
}

/**
 * Reads the price history of offers, the first of which is the leading one: at most a thousand runs of the last `days`, or
 * of all time. Null: nothing was seen.
 */
export async function readPriceHistory(
  db: Database,
  { watchIds, shown, now, days }: Span,
): Promise<PriceHistory | null> {
  const runs = await readRuns(db, { watchIds, shown, now, days });
  const [oldest] = runs;
  if (oldest === undefined) return null;
  const first = runs.reduce((time, run) => (run.from < time ? run.from : time), oldest.from);
  const start = days === null ? first : toIso(now - days * DAY);
  const from = first > start || runs.length === MAX_RUNS ? first : start;
  const currency = runs.findLast(({ price }) => price !== null)?.price?.currency ?? null;
  const amounts = runs.flatMap(({ price }) =>
    price !== null && price.currency === currency ? [price.amount] : [],
  );
  const money = (amount: number): Money | null =>
    currency === null || amounts.length === 0 ? null : { amount, currency };
  const leading = runs.filter(({ watchId }) => watchId === watchIds[0]);
  return {
    from,
    to: toIso(now),
    runs,
    lowest: money(Math.min(...amounts)),
    highest: money(Math.max(...amounts)),
    lowestForDays: lowestForDays(leading, now),
  };
}
