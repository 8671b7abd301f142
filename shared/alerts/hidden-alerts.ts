import { sql } from 'kysely';
import { toIso } from '../clock';
import { prepareQuery } from '../database/prepare-query';
import type { Database } from '../database/schema';
import { FREE_DELAY_MS } from './alert-timing';

/** An alert that the free audience does not know of yet. */
export interface HiddenAlert {
  id: string;
  watchId: string;
  openedAt: string;
}

/** The times that decide which alerts are hidden at a time (ISO-8601). */
export interface HiddenAlertTimes {
  newAfter: string;
  newBefore: string;
  dueAfter: string;
  dueBefore: string;
}

/** The times of `now` (epoch ms). The upper limits: after the clock was set back, alerts of the future hide nothing. */
export function hiddenAlertTimes(now: number): HiddenAlertTimes {
  return {
    newAfter: toIso(now - FREE_DELAY_MS),
    newBefore: toIso(now + FREE_DELAY_MS),
    dueAfter: toIso(now),
    dueBefore: toIso(now + 2 * FREE_DELAY_MS),
  };
}

/** The subject of an alert: a waiting room or a product. */
type Subject = 'room' | 'product';

/**
 * Selects the alerts of one subject that the free audience does not know of: their free message is not due yet. Whether it is sent on time,
 * fails or has no webhook makes no difference. An alert that continues before its free message was sent is hidden again
 * until the new due time.
 */
export function selectHiddenAlerts(
  db: Database,
  { newAfter, newBefore, dueAfter, dueBefore }: HiddenAlertTimes,
  subject: Subject = 'room',
) {
  const compare = subject === 'room' ? '=' : '<>';
  return db
    .selectFrom('alerts')
    .select(['id', 'watch_id', 'opened_at'])
    .where('opened_at', '>', newAfter)
    .where('opened_at', '<', newBefore)
    .where('kind', compare, 'waiting_room')
    .union(
      db
        .selectFrom('alert_deliveries as delivery')
        .innerJoin('alerts', 'alerts.id', 'delivery.alert_id')
        .select(['alerts.id', 'alerts.watch_id', 'alerts.opened_at'])
        // In the words of the partial index.
        .where(sql<boolean>`delivery.status in ('pending', 'sending', 'outdated')`)
        .where('delivery.due_at', '>', dueAfter)
        .where('delivery.due_at', '<', dueBefore)
        .where('delivery.audience', '=', 'free')
        .where('delivery.attempts', '=', 0)
        .where('delivery.message_id', 'is', null)
        .where('alerts.kind', compare, 'waiting_room'),
    );
}

const selectHidden = {
  room: prepareQuery((db, times: HiddenAlertTimes) => selectHiddenAlerts(db, times, 'room')),
  product: prepareQuery((db, times: HiddenAlertTimes) => selectHiddenAlerts(db, times, 'product')),
};

/** The alerts that the free audience does not know of at `now` (epoch ms); see `selectHiddenAlerts`. */
export async function listHiddenAlerts(
  db: Database,
  { now, subject = 'room' }: { now: number; subject?: Subject },
): Promise<HiddenAlert[]> {
  const rows = await selectHidden[subject](db, hiddenAlertTimes(now));
  return rows.map(({ id, watch_id, opened_at }) => ({ id, watchId: watch_id, openedAt: opened_at }));
}
