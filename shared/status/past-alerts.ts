import { headStartSeconds, readNotifiedTimes } from '../alerts/head-start';
import { fromIso, SECOND } from '../clock';
import type { Database } from '../database/schema';
import type { AlertsTable } from '../database/tables/monitor/alerts';

/** An alert of the public status (api.md). */
export interface PastAlert {
  /** The slug of its watch. */
  watch: string;
  openedAt: string;
  closedAt: string | null;
  /** Null while it is open, and when it is unknown when the waiting room closed. */
  lastedSeconds: number | null;
  /** Instant message against free message, measured; null unless both were sent. */
  headStartSeconds: number | null;
}

/** How many seconds an alert was open; null if it is open or no check saw its end. */
export function lastedSeconds(
  alert: Pick<AlertsTable, 'status' | 'opened_at' | 'closed_at' | 'close_reason'>,
): number | null {
  if (alert.status !== 'closed' || alert.closed_at === null || alert.close_reason !== null) return null;
  return Math.round((fromIso(alert.closed_at) - fromIso(alert.opened_at)) / SECOND);
}

/** The newest alerts about the waiting rooms of all watches that are not deleted, newest first, without those whose ids are in `hidden`. */
export async function listPastAlerts(
  db: Database,
  { limit, hidden }: { limit: number; hidden: readonly string[] },
): Promise<PastAlert[]> {
  const alerts = await db
    .selectFrom('alerts')
    .innerJoin('watches', 'watches.id', 'alerts.watch_id')
    .select([
      'alerts.id',
      'alerts.status',
      'alerts.opened_at',
      'alerts.closed_at',
      'alerts.close_reason',
      'watches.slug',
    ])
    .where('watches.deleted_at', 'is', null)
    .where('alerts.kind', '=', 'waiting_room')
    .$if(hidden.length > 0, (query) => query.where('alerts.id', 'not in', hidden))
    .orderBy('alerts.opened_at', 'desc')
    .limit(limit)
    .execute();
  const notifiedOf = await readNotifiedTimes(
    db,
    alerts.map(({ id }) => id),
  );
  return alerts.map((alert) => ({
    watch: alert.slug,
    openedAt: alert.opened_at,
    closedAt: alert.closed_at,
    lastedSeconds: lastedSeconds(alert),
    headStartSeconds: headStartSeconds(notifiedOf(alert.id)),
  }));
}
