import { sql, type Kysely } from 'kysely';
import { toIso } from '../clock';
import { prepareQuery } from '../database/prepare-query';
import type { Schema } from '../database/schema';
import { FREE_DELAY_MS } from './alert-timing';

/** An alert that the free audience does not know of yet. */
export interface HiddenAlert {
  id: string;
  watchId: string;
  openedAt: string;
}

// The upper limits: after the clock was set back, alerts of the future hide nothing.
const selectNew = prepareQuery((db, { from, to }: { from: string; to: string }) =>
  db
    .selectFrom('alerts')
    .select(['id', 'watch_id', 'opened_at'])
    .where('opened_at', '>', from)
    .where('opened_at', '<', to),
);

const selectNotDue = prepareQuery((db, { from, to }: { from: string; to: string }) =>
  db
    .selectFrom('alert_deliveries as delivery')
    .innerJoin('alerts', 'alerts.id', 'delivery.alert_id')
    .select(['alerts.id', 'alerts.watch_id', 'alerts.opened_at'])
    // In the words of the partial index.
    .where(sql<boolean>`delivery.status in ('pending', 'sending', 'outdated')`)
    .where('delivery.due_at', '>', from)
    .where('delivery.due_at', '<', to)
    .where('delivery.audience', '=', 'free')
    .where('delivery.attempts', '=', 0)
    .where('delivery.message_id', 'is', null),
);

/**
 * The alerts that the free audience does not know of at `now` (epoch ms): their free message is not due yet. Whether it is
 * sent on time, fails or has no webhook makes no difference. An alert that continues before its free message was sent is
 * hidden again until the new due time.
 */
export async function listHiddenAlerts(db: Kysely<Schema>, { now }: { now: number }): Promise<HiddenAlert[]> {
  const rows = [
    ...(await selectNew(db, { from: toIso(now - FREE_DELAY_MS), to: toIso(now + FREE_DELAY_MS) })),
    ...(await selectNotDue(db, { from: toIso(now), to: toIso(now + 2 * FREE_DELAY_MS) })),
  ];
  const hidden = new Map(
    rows.map(({ id, watch_id, opened_at }) => [id, { id, watchId: watch_id, openedAt: opened_at }]),
  );
  return [...hidden.values()];
}
