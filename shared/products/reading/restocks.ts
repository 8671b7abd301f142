import type { Money } from '../../money';
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
  /** Instant message against free message, measured; null unless both were sent. */
  headStartSeconds: number | null;
  price: Money | null;
}

/** The alerts of a product that are read: more say nothing new about how long stock lasts. */
const MAX_RESTOCKS = 100;
/** With fewer ends that were seen, "usually" would be a guess. */
const MIN_FOR_USUAL = 3;

/** Reads the newest alerts about offers, the newest first, without those whose ids are in `hidden`; at most 100. */
export async function readRestocks(
  db: Database,
  {
    watchIds,
    hidden,
    limit = MAX_RESTOCKS,
  }: { watchIds: readonly string[]; hidden: readonly string[]; limit?: number },
): Promise<Restock[]> {
  if (watchIds.length === 0) return [];
  const alerts = await db
    .selectFrom('alerts')
    .select(['id', 'watch_id', 'kind', 'status', 'opened_at', 'closed_at', 'close_reason'])
    .select(['price_amount', 'price_currency'])
    .where('watch_id', 'in', watchIds)
    .$if(hidden.length > 0, (query) => query.where('id', 'not in', hidden))
    .orderBy('opened_at', 'desc')
    .limit(Math.min(limit, MAX_RESTOCKS))
    .execute();
  const notifiedOf = await readNotifiedTimes(
    db,
    alerts.map(({ id }) => id),
  );
  return alerts.map((alert) => ({
    id: alert.id,
    watchId: alert.watch_id,
    kind: alert.kind === 'preorder' ? 'preorder' : 'restock',
    openedAt: alert.opened_at,
    closedAt: alert.closed_at,
    isOpen: alert.status === 'open',
    lastedSeconds: lastedSeconds(alert),
    headStartSeconds: headStartSeconds(notifiedOf(alert.id)),
    price: moneyOf(alert.price_amount, alert.price_currency),
  }));
}

/** The median of the seconds that stock lasted; null with fewer than three ends that were seen. */
export function usualSeconds(restocks: readonly Restock[]): number | null {
  const lasted = restocks.flatMap(({ kind, lastedSeconds: seconds }) =>
    kind === 'restock' && seconds !== null ? [seconds] : [],
  );
  return lasted.length < MIN_FOR_USUAL ? null : median(lasted);
}
