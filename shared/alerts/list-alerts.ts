import { DEFAULT_WATCH_ID } from '../brand';
import type { Database } from '../database/schema';
import type { AlertDeliveriesTable } from '../database/tables/monitor/alert-deliveries';
import type { AlertsTable } from '../database/tables/monitor/alerts';
import { canRetry, deliveryStateOf, type DeliveryState } from './deliveries/delivery-state';

/** The command line's names for an alert's states; pages use sentences. */
export const ALERT_WORDS: Record<AlertsTable['status'], string> = {
  open: 'open',
  suspended: 'paused',
  closed: 'closed',
};

export interface DeliveryView {
  id: string;
  audience: AlertDeliveriesTable['audience'];
  channel: AlertDeliveriesTable['channel'];
  status: AlertDeliveriesTable['status'];
  state: DeliveryState;
  /** Whether an admin can have it sent again. */
  canRetry: boolean;
  /** All attempts, those to edit included. */
  attempts: number;
  /** The attempt that posted it; null if it is not posted, or was by an older release. */
  postedAtAttempt: number | null;
  edits: number;
  dueAt: string;
  sentAt: string | null;
  responseMs: number | null;
  lastError: string | null;
}

export interface AlertView {
  id: string;
  status: AlertsTable['status'];
  strength: AlertsTable['strength'];
  openedAt: string;
  lastSeenAt: string;
  closedAt: string | null;
  closeReason: AlertsTable['close_reason'];
  deliveries: DeliveryView[];
}

/**
 * The newest alerts of a watch with their deliveries, optionally only those opened from `from` to `to` (ISO,
 * inclusive) and without those whose ids are in `hidden`.
 */
export async function listRecentAlerts(
  db: Database,
  {
    limit,
    from,
    to,
    watchId = DEFAULT_WATCH_ID,
    hidden = [],
  }: { limit: number; from?: string; to?: string; watchId?: string; hidden?: readonly string[] },
): Promise<AlertView[]> {
  const alerts = await db
    .selectFrom('alerts')
    .selectAll()
    .where('watch_id', '=', watchId)
    .$if(hidden.length > 0, (query) => query.where('id', 'not in', hidden))
    .$if(from !== undefined, (query) => query.where('opened_at', '>=', from ?? ''))
    .$if(to !== undefined, (query) => query.where('opened_at', '<=', to ?? ''))
    .orderBy('opened_at', 'desc')
    .limit(limit)
    .execute();
  if (alerts.length === 0) return [];
  const deliveries = await db
    .selectFrom('alert_deliveries')
    .selectAll()
    .where(
      'alert_id',
      'in',
      alerts.map((alert) => alert.id),
    )
    // instant, free, admin: an edit moves the due time, not the row.
    .orderBy('audience', 'desc')
    .execute();
  return alerts.map((alert) => ({
    id: alert.id,
    status: alert.status,
    strength: alert.strength,
    openedAt: alert.opened_at,
    lastSeenAt: alert.last_seen_at,
    closedAt: alert.closed_at,
    closeReason: alert.close_reason,
    deliveries: deliveries
      .filter((row) => row.alert_id === alert.id)
      .map((row) => ({
        id: row.id,
        audience: row.audience,
        channel: row.channel,
        status: row.status,
        state: deliveryStateOf(row),
        canRetry: canRetry(row, alert),
        attempts: row.attempts,
        postedAtAttempt: row.posted_at_attempt,
        edits: row.edits,
        dueAt: row.due_at,
        sentAt: row.sent_at,
        responseMs: row.response_ms,
        lastError: row.last_error,
      })),
  }));
}

/** When the open alert of each waiting-room watch was opened, by the watch's id. */
export async function listOpenTimes(db: Database): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('alerts')
    .select(['watch_id', 'opened_at'])
    .where('status', '=', 'open')
    .where('kind', '=', 'waiting_room')
    .execute();
  return new Map(rows.map(({ watch_id, opened_at }) => [watch_id, opened_at]));
}
