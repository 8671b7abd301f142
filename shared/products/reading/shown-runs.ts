import { sql, type RawBuilder } from 'kysely';
import { FREE_DELAY_MS } from '../../alerts/alert-timing';
import type { Money } from '../../money';
import { listHiddenAlerts } from '../../alerts/hidden-alerts';
import type { Audience } from '../../alerts/webhooks/webhooks';
import { fromIso, MINUTE, toIso } from '../../clock';
import type { Database } from '../../database/schema';
import type { StoredAvailability, StoredDetail } from '../../database/tables/monitor/products';

/** The reader, and the time (epoch ms). */
export interface Reader {
  now: number;
  audience: Audience;
}

/** The products' changes that a reader may see. */
export interface Shown {
  /** Alerts that the free audience does not know of yet. */
  hiddenAlerts: readonly string[];
  /** The latest start (ISO-8601, inclusive) of a watch's runs that are shown. */
  until(watchId: string): string;
}

const group = (run: string): RawBuilder<string> =>
  sql`(case when ${sql.ref(`${run}.availability`)} = 'limited' then 'in_stock' else ${sql.ref(`${run}.availability`)} end)`;

/** The first check of the consecutive runs up to `run` in which the product is, or is not, buyable. */
const since = sql<string>`(
  select min(same.first_seen_at) from offer_runs same
  where same.watch_id = run.watch_id and same.variant_key = run.variant_key
    and same.first_seen_at <= run.first_seen_at
    and same.last_seen_at > coalesce((
      select other.last_seen_at from offer_runs other
      where other.watch_id = run.watch_id and other.variant_key = run.variant_key
        and other.last_seen_at < run.first_seen_at and ${group('other')} <> ${group('run')}
      order by other.last_seen_at desc limit 1
    ), ''))`;

/** Selects runs, each with the start of the state that it continues. */
function selectRuns(db: Database) {
  return db
    .selectFrom('offer_runs as run')
    .select(['run.watch_id', 'run.variant_key', 'run.availability', 'run.detail'])
    .select(['run.price_amount', 'run.price_currency', 'run.first_seen_at', 'run.last_seen_at'])
    .select(since.as('since'));
}

/**
 * Reads the changes that `audience` may see: the free audience sees stock when its message is due, 30 seconds after the
 * others, and no audience sees an unconfirmed weak sign.
 */
export async function readShown(db: Database, { now, audience }: Reader): Promise<Shown> {
  const hidden = audience === 'free' ? await listHiddenAlerts(db, { now, subject: 'product' }) : [];
  const weak = await db
    .selectFrom('watches')
    .select(['id', 'weak_since'])
    .where('kind', '=', 'product')
    .where('weak_since', 'is not', null)
    .execute();
  const latest = toIso(audience === 'free' ? now - FREE_DELAY_MS : now);
  const until = new Map<string, string>();
  for (const { id, weak_since: since } of weak)
    if (since !== null) until.set(id, toIso(Math.min(fromIso(since) - 1, fromIso(latest))));
  if (hidden.length > 0) {
    // A hidden alert's change began with its first, perhaps weak, sign.
    const begun = await selectRuns(db)
      .where(
        'run.watch_id',
        'in',
        hidden.map(({ watchId }) => watchId),
      )
      .where('run.variant_key', '=', '')
      .where((where) => where('run.is_latest', '=', where.lit(1)))
      .execute();
    for (const { watch_id: id, since: from } of begun)
      until.set(id, toIso(Math.min(fromIso(from) - 1, fromIso(latest))));
  }
  return {
    hiddenAlerts: hidden.map(({ id }) => id),
    until: (watchId) => until.get(watchId) ?? latest,
  };
}

/** The last known state of an offer, or of one of its variants. */
export interface ShownRun {
  watchId: string;
  variantKey: string;
  availability: StoredAvailability;
  detail: StoredDetail | null;
  price: Money | null;
  /** Since when it has been buyable or not (ISO-8601); changes of the price or between in stock and limited do not count. */
  since: string;
  /** The first and the last check of these values. */
  firstSeenAt: string;
  lastSeenAt: string;
}

/** An offer without a conclusive check for this long is unknown. Twice the longest pause after a shop's refusal. */
const KNOWN_FOR_MS = 30 * MINUTE;

/** Whether a run was seen recently enough for its state to be known at `now` (epoch ms). */
export const isRecent = ({ lastSeenAt }: ShownRun, now: number): boolean =>
  now - fromIso(lastSeenAt) <= KNOWN_FOR_MS;

/** A price of two columns; null for none. */
export const moneyOf = (amount: number | null, currency: string | null): Money | null =>
  amount === null || currency === null ? null : { amount, currency };

type RunRow = Awaited<ReturnType<ReturnType<typeof selectRuns>['execute']>>[number];

const asShown = (row: RunRow): ShownRun => ({
  watchId: row.watch_id,
  variantKey: row.variant_key,
  availability: row.availability,
  detail: row.detail,
  price: moneyOf(row.price_amount, row.price_currency),
  since: row.since,
  firstSeenAt: row.first_seen_at,
  lastSeenAt: row.last_seen_at,
});

/**
 * Reads the newest visible run of each offer; with `variants`, of each variant as well. The first run of an offer is
 * never hidden. An offer without a conclusive check has none. `watchIds`: at most a thousand.
 */
export async function readShownRuns(
  db: Database,
  { watchIds, shown, variants = false }: { watchIds: readonly string[]; shown: Shown; variants?: boolean },
): Promise<ShownRun[]> {
  if (watchIds.length === 0) return [];
  const rows = await selectRuns(db)
    // Written exactly as in the partial index.
    .where((where) => where('run.is_latest', '=', where.lit(1)))
    .where('run.watch_id', 'in', watchIds)
    .$if(!variants, (query) => query.where('run.variant_key', '=', ''))
    .orderBy('run.variant_key')
    .execute();
  const runs: ShownRun[] = [];
  for (const row of rows) {
    const until = shown.until(row.watch_id);
    // A sell-out is shown at once.
    const isShown = row.availability === 'out_of_stock' || row.first_seen_at <= until;
    const earlier = selectRuns(db)
      .where('run.watch_id', '=', row.watch_id)
      .where('run.variant_key', '=', row.variant_key)
      .limit(1);
    const found = isShown
      ? row
      : ((await earlier
          .where('run.first_seen_at', '<=', until)
          .orderBy('run.last_seen_at', 'desc')
          .executeTakeFirst()) ??
        (row.variant_key === '' ? await earlier.orderBy('run.first_seen_at').executeTakeFirst() : undefined));
    if (found !== undefined) runs.push(asShown(found));
  }
  return runs;
}
