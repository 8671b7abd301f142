import type { Money } from '../../money';
import { readFollowingRestocks } from '../../alerts/following-restocks';
import { headStartSeconds, readNotifiedTimes } from '../../alerts/head-start';
import type { Database } from '../../database/schema';
import { lastedSeconds } from '../../status/past-alerts';
import { median } from '../../status/opening-times';
import { moneyOf } from './shown-runs';

/** An alert about an offer: it came back, or could be pre-ordered. */
export interface Restock {
  id: string;
  watchId: string;
  kind: 'restock' | 'preorder';
  openedAt: string;
  closedAt: string | null;
  isOpen: boolean;
  /** Null while it is open, and when no check saw its end. */
  lastedSeconds: number | null;
  /** Of a pre-order: when the product came in stock, which ended it; null otherwise. */
  inStockAt: string | null;
  /** Whether the alert stays open while stock comes and goes. */
  isTrickling: boolean;
  /** Instant message against free message, measured; null unless both were sent. */
  headStartSeconds: number | null;
  price: Money | null;
}

/** The alerts of a product that are read: more say nothing new about how long stock lasts. */
const MAX_RESTOCKS = 100;
/** With fewer ends that were seen, "usually" would be a guess. */
const MIN_FOR_USUAL = 3;

/** The newest alerts about offers, without those whose ids are in `hidden`. */
function selectAlerts(db: Database, { watchIds, hidden }: Alerts) {
  return db
    .selectFrom('alerts')
    .where('alerts.watch_id', 'in', watchIds)
    .$if(hidden.length > 0, (query) => query.where('alerts.id', 'not in', hidden));
}

interface Alerts {
  watchIds: readonly string[];
  hidden: readonly string[];
}

/** The restocks of some alerts, the newest first. `hidden`: the ids of the alerts that the reader does not know of. */
async function restocksOf(
  db: Database,
  alerts: ReturnType<typeof selectAlerts>,
  hidden: readonly string[],
): Promise<Restock[]> {
  const rows = await alerts
    .select(['alerts.id', 'alerts.watch_id', 'alerts.kind', 'alerts.status', 'alerts.opened_at'])
    .select(['alerts.closed_at', 'alerts.close_reason', 'alerts.price_amount', 'alerts.price_currency'])
    .select(['alerts.trickling', 'alerts.closing_check_id'])
    .orderBy('alerts.opened_at', 'desc')
    .limit(MAX_RESTOCKS)
    .execute();
  const notifiedOf = await readNotifiedTimes(
    db,
    rows.map(({ id }) => id),
  );
  const following = await readFollowingRestocks(db, rows);
  return rows.map((alert): Restock => {
    const restock = following.get(alert.closing_check_id ?? '') ?? null;
    // Who does not know of the stock yet still sees the pre-order.
    const isEndHidden = restock !== null && hidden.includes(restock.id);
    return {
      id: alert.id,
      watchId: alert.watch_id,
      kind: alert.kind === 'preorder' ? 'preorder' : 'restock',
      openedAt: alert.opened_at,
      closedAt: isEndHidden ? null : alert.closed_at,
      isOpen: isEndHidden || alert.status === 'open',
      lastedSeconds: isEndHidden ? null : lastedSeconds(alert),
      inStockAt: isEndHidden ? null : (restock?.openedAt ?? null),
      isTrickling: alert.status === 'open' && alert.trickling === 1,
      headStartSeconds: headStartSeconds(notifiedOf(alert.id)),
      price: moneyOf(alert.price_amount, alert.price_currency),
    };
  });
}

/** Reads the newest alerts about offers, the newest first; at most 100. */
export async function readRestocks(db: Database, alerts: Alerts): Promise<Restock[]> {
  return alerts.watchIds.length === 0 ? [] : restocksOf(db, selectAlerts(db, alerts), alerts.hidden);
}

/** Reads the last restock of each offer, the newest first; of at most 100 offers. */
export async function readLastRestocks(db: Database, alerts: Alerts): Promise<Restock[]> {
  if (alerts.watchIds.length === 0) return [];
  const last = selectAlerts(db, alerts)
    .select(['alerts.watch_id', (row) => row.fn.max('alerts.opened_at').as('opened_at')])
    .where('alerts.kind', '=', 'restock')
    .groupBy('alerts.watch_id');
  return restocksOf(
    db,
    selectAlerts(db, alerts)
      .where('alerts.kind', '=', 'restock')
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom(last.as('last'))
            .select('last.watch_id')
            .whereRef('last.watch_id', '=', 'alerts.watch_id')
            .whereRef('last.opened_at', '=', 'alerts.opened_at'),
        ),
      ),
    alerts.hidden,
  );
}

/** Reads at which of some offers stock comes and goes, as their open alerts say: the ids of the watches. */
export async function readTrickling(db: Database, { watchIds, hidden }: Alerts): Promise<Set<string>> {
  if (watchIds.length === 0) return new Set();
  const rows = await selectAlerts(db, { watchIds, hidden })
    .select('alerts.watch_id')
    .where('alerts.status', '=', 'open')
    .where('alerts.trickling', '=', 1)
    .execute();
  return new Set(rows.map(({ watch_id: watchId }) => watchId));
}

/** The median of the seconds that stock lasted; null with fewer than three ends that were seen. */
export function usualSeconds(restocks: readonly Restock[]): number | null {
  const lasted = restocks.flatMap(({ kind, lastedSeconds: seconds }) =>
    kind === 'restock' && seconds !== null ? [seconds] : [],
  );
  return lasted.length < MIN_FOR_USUAL ? null : median(lasted);
}
